//! Searching for a program.

use std::cell::RefCell;
use std::ops::ControlFlow;

use cain_isa::{Instruction, Reg, Stop};

use crate::costs::Costs;
use crate::engine::allocate::{Placed, allocate};
use crate::engine::bag::Bags;
use crate::engine::beam::{Beam, Budget, Prices};
use crate::engine::exhaust::{self, Answer, Query};
use crate::engine::forms::Forms;
use crate::engine::goals::{GoalId, Goals};
use crate::engine::memory::widest;
use crate::engine::moves::{Moves, Step};
use crate::engine::noise::ErrorModel;
use crate::engine::problem::Problem;
use crate::engine::sequence::{enough, in_sequence};
use crate::engine::terms::Term;
use crate::engine::windows::Whole;
use crate::{Declaration, Input, Objective, Options, Output, SearchError, Solution, Statistics, verify};

/// Bags kept per layer in the first pass; every further pass keeps [`WIDENING`] times as many.
const FIRST_WIDTH: usize = 4;
const WIDENING: usize = 4;
/// The last width at which bags that crowd the registers are both allowed and avoided.
const LAST_TRIAL: usize = FIRST_WIDTH * WIDENING;
/// The part of the budget that goes to kernels on their own, where there are several, and the most for each of them.
const SEPARATE: u64 = 8;
const MOST_SEPARATE: u64 = 500;
/// The part of the budget that goes to a short program if noise is the objective.
const SHORT_FIRST: u64 = 4;
/// The part of the budget that goes to trying all short programs.
const EXHAUSTIVE: u64 = 8;
/// What a pass looks at beside the terms of goals.
#[derive(Clone, Copy)]
struct Mode {
    /// Whether it avoids bags that crowd the registers. They are the shortest way for few kernels and a dead end for
    /// many.
    wary: bool,
    /// What a unit of noise adds to the estimate of a bag, if noise is the objective. Much leads to the quietest
    /// programs, and little to any where they are hard to find.
    noise_weight: f64,
}

const SHORT: [Mode; 2] = [Mode { wary: false, noise_weight: 0.0 }, Mode { wary: true, noise_weight: 0.0 }];
const QUIET: [Mode; 3] = [
    Mode { wary: false, noise_weight: 1_000.0 },
    Mode { wary: false, noise_weight: 8_000.0 },
    Mode { wary: true, noise_weight: 40_000.0 },
];
/// Lines of the longest program that is searched for idle lines; the effort grows with their square and more.
const MAX_TIDIED: usize = 200;

/// Searches for the shortest program that computes a declaration, within the budget of its options.
///
/// The search is a beam over goal-bags, from the wanted kernels back to the inputs, which is widened until the budget
/// is used, the program is as short as the lower bound, or nothing is left to try. The same declaration and options
/// give the same program on every machine. What is returned has passed [`verify()`].
///
/// ```
/// use cain_isa::prove::Polynomial;
/// use cain_isa::{Fraction, Reg, Stop};
/// use cain_search::{Declaration, Input, Kernel, Options, Output, search};
///
/// let rows = [[1, 2, 1], [2, 4, 2], [1, 2, 1]].map(|row| row.map(Fraction::from).to_vec());
/// let mut gauss = Polynomial::new();
/// Kernel::new(rows.to_vec())?.add_to(&mut gauss, Fraction::new(1, 16).unwrap(), 0)?;
///
/// let declaration = Declaration {
///     name: "gauss".into(),
///     inputs: vec![Input { reg: Reg::A, keep: false }],
///     outputs: vec![Output { reg: Reg::A, kernel: gauss }],
///     scratch: vec![Reg::B, Reg::C],
///     options: Options { nodes: 5_000, ..Options::default() },
/// };
/// let solution = search(&declaration)?;
/// assert_eq!(solution.listing.len(), 8);
/// assert_eq!(solution.statistics.stop, Stop::Proved);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search(declaration: &Declaration) -> Result<Solution, SearchError> {
    search_watched(declaration, |_| ControlFlow::Continue(()))
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Nodes used.
    pub nodes: u64,
    /// Instructions of the best program so far, if there is one.
    pub best: Option<u32>,
}

/// [`search`], calling `watch` at every node; where it breaks, the search ends with the best program so far and
/// [`Stop::Interrupted`].
///
/// This is for progress displays and for limits that are not counted in nodes. A search that is cut short by a clock
/// gives different programs on different machines; nothing in this crate looks at one.
pub fn search_watched(
    declaration: &Declaration,
    mut watch: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Solution, SearchError> {
    declaration.validate()?;
    let (problem, goals) = Problem::new(declaration)?;
    let moves = Moves::new(Forms::of(declaration.options.instructions), &problem);
    let quiet = declaration.options.objective == Objective::Noise;
    let errors = quiet.then(|| ErrorModel::new(&problem, moves.forms()));
    let mut run = Run {
        problem: &problem,
        budget: Budget::new(declaration.options.nodes, &mut watch),
        goals,
        moves,
        errors,
        incumbent: Incumbent { declaration, problem: &problem, best: None, nodes_to_first: 0 },
        at_least: 0,
    };
    run.begin();
    let nodes_before = run.incumbent.nodes();
    // Programs without extra moves between registers first; they exist for nearly every declaration.
    let mut stop = run.widen(true);
    if run.incumbent.nodes() == nodes_before && stop == Stop::Exhausted {
        stop = run.widen(false);
    }
    let lower_bound = run.lower_bound();
    let Run { budget, incumbent: Incumbent { best, nodes_to_first, .. }, .. } = run;
    let Some(best) = best else {
        let enough = enough(declaration);
        let (Options { nodes, headroom, .. }, writable) = (&declaration.options, problem.writable);
        return Err(match stop {
            Stop::Exhausted => SearchError::Registers { writable, enough, headroom: *headroom },
            _ => SearchError::Budget { nodes: *nodes, writable, enough },
        });
    };
    let report = verify(declaration, &best.listing)?;
    let statistics = Statistics { nodes: budget.used(), nodes_to_first, nodes_to_best: best.nodes, lower_bound, stop };
    Ok(Solution { listing: best.listing, report, statistics })
}

/// A search under way.
struct Run<'a> {
    problem: &'a Problem,
    budget: Budget<'a>,
    goals: Goals,
    moves: Moves,
    /// If noise is the objective.
    errors: Option<ErrorModel<'a>>,
    incumbent: Incumbent<'a>,
    /// Fewer instructions were proved not to be enough.
    at_least: u32,
}

/// The best program so far, and what decides about a better one.
struct Incumbent<'a> {
    declaration: &'a Declaration,
    problem: &'a Problem,
    best: Option<Best>,
    nodes_to_first: u64,
}

/// A program that was found.
struct Best {
    listing: Vec<Instruction>,
    /// What it does, without moves between registers, if it was found from goals.
    steps: Option<Vec<exhaust::Step>>,
    costs: Costs,
    /// Nodes used when it was found.
    nodes: u64,
}

impl Incumbent<'_> {
    /// Takes the program of a list of steps (last instruction first), if the steps fit the registers and it is better.
    /// Returns whether it did.
    fn offer(&mut self, goals: &Goals, moves: &Moves, steps: &[Step], budget: &mut Budget<'_>) -> bool {
        let listing = allocate(self.problem, moves.forms(), &placed(goals, steps));
        let is_better = listing.is_some_and(|listing| self.take(listing, budget));
        if let (true, Some(best)) = (is_better, &mut self.best) {
            best.steps = Some(on_values(goals, steps));
        }
        is_better
    }

    /// Takes a program if it is better; returns whether it did.
    fn take(&mut self, listing: Vec<Instruction>, budget: &mut Budget<'_>) -> bool {
        let objective = self.declaration.options.objective;
        let costs = Costs::of(self.declaration, &listing);
        if self.best.as_ref().is_some_and(|best| objective.compare(&costs, &best.costs).is_ge()) {
            return false;
        }
        // The allocator does not look at gains when it moves values.
        if verify(self.declaration, &listing).is_err() {
            return false;
        }
        let listing = without_idle_lines(self.declaration, listing);
        let costs = Costs::of(self.declaration, &listing);
        if self.best.is_none() {
            self.nodes_to_first = budget.used();
        }
        budget.improved(listing.len());
        self.best = Some(Best { listing, steps: None, costs, nodes: budget.used() });
        true
    }

    /// What steps must stay below: the best costs without those of zeros and copies, which no step makes.
    fn bound(&self) -> Option<Costs> {
        let extra = u32::try_from(self.problem.zeros.len() + self.problem.copies.len()).unwrap_or(u32::MAX);
        let words = extra.saturating_mul(2);
        let extra = Costs { macros: extra, icws: words, noise: words.into() };
        self.best.as_ref().map(|best| best.costs.less(extra))
    }

    /// Nodes used when the best program was found.
    fn nodes(&self) -> Option<u64> {
        self.best.as_ref().map(|best| best.nodes)
    }
}

impl Run<'_> {
    /// No program has fewer instructions.
    ///
    /// Zeros and copies count as one: a division can leave several of them at once.
    fn lower_bound(&self) -> u32 {
        let bags = Bags::new(self.problem, true, false);
        let extra = !self.problem.zeros.is_empty() || !self.problem.copies.is_empty();
        bags.lower_bound(&self.goals, &bags.last()).max(u32::from(extra)).max(self.at_least)
    }

    /// Whether the program was proved to be as small as any.
    fn is_proved(&self, prices: &Prices) -> bool {
        let lower_bound = self.lower_bound();
        self.incumbent.best.as_ref().is_some_and(|best| prices.is_least(best.costs, lower_bound))
    }

    /// Tries all programs that are shorter than the best one, as far as a part of the budget goes.
    fn exhaust(&mut self) {
        let Some(best) = &self.incumbent.best else { return };
        let Problem { inputs, targets, zeros, copies, max_norm, .. } = self.problem;
        let length = best.listing.len().saturating_sub(zeros.len() + copies.len());
        let Some(most) = length.checked_sub(1).and_then(|most| u32::try_from(most).ok()) else { return };
        let goals = &self.goals;
        let known: Vec<_> = inputs.iter().map(|input| goals.terms(input.goal)).collect();
        let wanted: Vec<_> = targets.iter().map(|target| goals.terms(target.0)).collect();
        let query = Query { forms: self.moves.forms(), known: &known, wanted: &wanted, most, max_norm: *max_norm };
        let mut nodes = self.budget.left() / EXHAUSTIVE;
        let answer = exhaust::exhaust(&query, &mut || {
            nodes = nodes.saturating_sub(1);
            nodes > 0 && self.budget.take()
        });
        match answer {
            Answer::None => self.at_least = most + 1,
            Answer::Undecided { at_least } => self.at_least = at_least,
            Answer::Program(program) => {
                self.at_least = u32::try_from(program.steps.len()).unwrap_or(most);
                if program.finer == 0
                    && let Some(steps) = reversed(&mut self.goals, &program.steps)
                {
                    self.incumbent.offer(&self.goals, &self.moves, &steps, &mut self.budget);
                }
            }
        }
    }

    /// Re-solves parts of the best program with what is left of the budget.
    fn shorten(&mut self) {
        let problem = self.problem;
        while let Some(steps) = self.incumbent.best.as_ref().and_then(|best| best.steps.clone()) {
            let stored = |goal: GoalId| self.goals.terms(goal).to_vec();
            let inputs: Vec<_> = problem.inputs.iter().map(|input| stored(input.goal)).collect();
            let targets: Vec<_> = problem.targets.iter().map(|target| stored(target.0)).collect();
            let Self { goals, moves, incumbent, .. } = self;
            let budget = RefCell::new(&mut self.budget);
            let whole = Whole {
                forms: moves.forms(),
                inputs: inputs.iter().map(Vec::as_slice).collect(),
                targets: targets.iter().map(Vec::as_slice).collect(),
                max_norm: problem.max_norm,
                steps: &steps,
            };
            let shortened = whole.shorten(&mut || budget.borrow_mut().take(), |shorter| {
                reversed(goals, &shorter)
                    .is_some_and(|steps| incumbent.offer(goals, moves, &steps, &mut budget.borrow_mut()))
            });
            if !shortened {
                return;
            }
        }
    }

    /// A first program, so that no pass runs deeper than it is worth.
    fn begin(&mut self) {
        if self.budget.stopped().is_some() {
            return;
        }
        if let Some(listing) = in_sequence(self.problem, self.moves.forms(), &self.goals) {
            self.incumbent.take(listing, &mut self.budget);
        }
        for listing in [self.one_by_one(), self.short_one()].into_iter().flatten() {
            self.incumbent.take(listing, &mut self.budget);
        }
    }

    /// A short program to begin with, where the objective is another one that makes it hard to find.
    fn short_one(&mut self) -> Option<Vec<Instruction>> {
        let mut declaration = self.incumbent.declaration.clone();
        if declaration.options.objective != Objective::Noise {
            return None;
        }
        declaration.options.objective = Objective::Macros;
        declaration.options.nodes = (self.budget.left() / SHORT_FIRST).max(1);
        self.part(&declaration)
    }

    /// The program of a search that is a part of this one.
    fn part(&mut self, declaration: &Declaration) -> Option<Vec<Instruction>> {
        let watch = |_| if self.budget.take() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        Some(search_watched(declaration, watch).ok()?.listing)
    }

    /// A program for each of several kernels, one after the other; `None` if one overwrites what the next one needs.
    fn one_by_one(&mut self) -> Option<Vec<Instruction>> {
        let parts = parts(self.incumbent.declaration)?;
        let nodes = (self.budget.left() / SEPARATE / u64::try_from(parts.len()).ok()?).clamp(1, MOST_SEPARATE);
        let mut listing = Vec::new();
        for mut part in parts {
            part.options.nodes = nodes;
            listing.extend(self.part(&part)?);
        }
        Some(listing)
    }

    /// Passes of growing width, until the budget is used, the program is proved shortest, or all was tried.
    ///
    /// Narrow passes try every mode. Wide ones go on with the one that led to the best program, or with all as long as
    /// nothing leads to one.
    fn widen(&mut self, strict: bool) -> Stop {
        let objective = self.incumbent.declaration.options.objective;
        let prices = Prices::new(objective, self.moves.forms());
        let all: &[Mode] = if self.errors.is_some() { &QUIET } else { &SHORT };
        let widest = widest(self.incumbent.declaration.options.memory << 20);
        let (mut width, mut modes, mut helpful) = (FIRST_WIDTH, all.iter().rev().copied().collect::<Vec<_>>(), None);
        loop {
            let used_before = self.budget.used();
            for &mode in &modes {
                let best_before = self.incumbent.nodes();
                let complete = self.pass(strict, mode, width, &prices);
                if self.is_proved(&prices) {
                    return Stop::Proved;
                }
                if complete {
                    return Stop::Exhausted;
                }
                if let Some(stop) = self.budget.stopped() {
                    return stop;
                }
                if self.incumbent.nodes() != best_before {
                    helpful = Some(mode);
                }
            }
            if width == FIRST_WIDTH {
                self.exhaust();
                if self.is_proved(&prices) {
                    return Stop::Proved;
                }
            }
            let used = (self.budget.used() - used_before) / u64::try_from(modes.len()).unwrap_or(1);
            modes = match helpful {
                Some(mode) if width >= LAST_TRIAL => vec![mode],
                _ => all.to_vec(),
            };
            match next_width(width, used, self.budget.left()).map(|next| next.min(widest)) {
                Some(next) if next > width => width = next,
                _ => {
                    self.shorten();
                    return if self.is_proved(&prices) { Stop::Proved } else { Stop::Nodes };
                }
            }
        }
    }

    /// One pass; whether it left nothing out.
    fn pass(&mut self, strict: bool, mode: Mode, width: usize, prices: &Prices) -> bool {
        let bags = Bags::new(self.problem, strict, mode.wary);
        let incumbent = &mut self.incumbent;
        let mut beam = Beam {
            goals: &mut self.goals,
            moves: &mut self.moves,
            bags: &bags,
            prices,
            errors: self.errors.as_ref(),
            noise_weight: mode.noise_weight,
            width,
            memory: incumbent.declaration.options.memory << 20,
            kept: 0,
        };
        beam.run(&mut self.budget, incumbent.bound(), |goals, moves, steps, budget| {
            incumbent.offer(goals, moves, steps, budget);
            incumbent.bound()
        })
    }
}

/// A declaration of several kernels as one for each of them, in an order in which none overwrites an input that is
/// still needed; `None` if there is none.
fn parts(declaration: &Declaration) -> Option<Vec<Declaration>> {
    let Declaration { inputs, outputs, .. } = declaration;
    let is_input = |reg: Reg| inputs.iter().any(|input| input.reg == reg);
    let mut order: Vec<&Output> = outputs.iter().collect();
    order.sort_by_key(|output| is_input(output.reg));
    let (last, others) = order.split_last().filter(|(_, others)| !others.is_empty())?;
    if others.iter().any(|output| is_input(output.reg)) {
        return None;
    }
    let mut parts = Vec::new();
    let mut free = declaration.writable();
    for output in &order {
        let is_last = output.reg == last.reg;
        free.retain(|&reg| reg != output.reg);
        let scratch = free.iter().copied().filter(|&reg| !is_input(reg)).collect();
        let inputs = inputs.iter().map(|input| Input { keep: input.keep || !is_last, ..*input }).collect();
        parts.push(Declaration { inputs, outputs: vec![(*output).clone()], scratch, ..declaration.clone() });
    }
    Some(parts)
}

/// The width of the next pass, after one that used so many nodes; `None` if the nodes left do not suffice for a wider
/// one.
///
/// A pass uses nodes in proportion to its width, more or less. If they do not last for one that is [`WIDENING`] times
/// wider and for another one after that, the next one takes nearly all: a pass that is cut short is lost.
fn next_width(width: usize, used: u64, left: u64) -> Option<usize> {
    let widening = u64::try_from(WIDENING).unwrap_or(u64::MAX);
    if left / used.max(1) > widening + widening * widening {
        return Some(width.saturating_mul(WIDENING));
    }
    let affordable = u128::from(left / 8 * 7) * u128::try_from(width).ok()? / u128::from(used.max(1));
    usize::try_from(affordable).ok().filter(|&affordable| affordable > width)
}

/// The program without lines that it does as well without. A value that was computed a second time may still have
/// been there.
fn without_idle_lines(declaration: &Declaration, mut listing: Vec<Instruction>) -> Vec<Instruction> {
    if listing.len() > MAX_TIDIED {
        return listing;
    }
    let without = |listing: &[Instruction], i| [&listing[..i], &listing[i + 1..]].concat();
    // Backwards: what fed an idle line is idle once that is gone.
    while let Some(shorter) =
        (0..listing.len()).rev().map(|i| without(&listing, i)).find(|shorter| verify(declaration, shorter).is_ok())
    {
        listing = shorter;
    }
    listing
}

/// A program on values as steps, last instruction first; `None` if the search cannot express them.
fn reversed(goals: &mut Goals, program: &[exhaust::Step]) -> Option<Vec<Step>> {
    let mut stored = |values: &[Vec<Term>]| values.iter().map(|value| goals.intern(value)).collect::<Option<Vec<_>>>();
    program.iter().rev().map(|step| Step::new(step.form, &stored(&step.operands)?, &stored(&step.results)?)).collect()
}

/// The opposite of [`reversed`].
fn on_values(goals: &Goals, steps: &[Step]) -> Vec<exhaust::Step> {
    let value = |&goal: &GoalId| goals.terms(goal).to_vec();
    let forwards = steps.iter().rev();
    forwards
        .map(|step| exhaust::Step {
            form: step.form,
            operands: step.operands().iter().map(value).collect(),
            results: [Some(step.result), step.negative()].iter().flatten().map(value).collect(),
        })
        .collect()
}

/// What the allocator has to know of each step.
fn placed(goals: &Goals, steps: &[Step]) -> Vec<Placed> {
    steps.iter().map(|&step| Placed { step, positive: step.is_positive(goals) }).collect()
}
