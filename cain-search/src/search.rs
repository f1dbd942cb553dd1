//! Searching for a program.

use std::ops::ControlFlow;

use cain_isa::{Instruction, Stop};

use crate::engine::allocate::{Placed, allocate};
use crate::engine::bag::Bags;
use crate::engine::beam::{Beam, Budget, Costs, least_cost};
use crate::engine::descent::descend;
use crate::engine::forms::Forms;
use crate::engine::goals::Goals;
use crate::engine::moves::{Moves, Step};
use crate::engine::problem::Problem;
use crate::{Declaration, Objective, SearchError, Solution, Statistics, verify};

/// Bags kept per layer in the first pass; every further pass keeps [`WIDENING`] times as many.
const FIRST_WIDTH: usize = 4;
const WIDENING: usize = 4;

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
    let mut run = Run {
        declaration,
        problem: &problem,
        objective: declaration.options.objective,
        budget: Budget::new(declaration.options.nodes, &mut watch),
        goals,
        moves,
        best: None,
        nodes_to_first: 0,
    };
    run.descend();
    // Programs without extra moves between registers first; they exist for nearly every declaration.
    let mut stop = run.widen(true);
    if run.best.is_none() && stop == Stop::Exhausted {
        stop = run.widen(false);
    }
    let lower_bound = run.lower_bound();
    let Run { budget, best, nodes_to_first, .. } = run;
    let Some(best) = best else {
        let writable = problem.writable;
        return Err(match stop {
            Stop::Exhausted => SearchError::Registers { writable, headroom: declaration.options.headroom },
            _ => SearchError::Budget { nodes: declaration.options.nodes, writable },
        });
    };
    let report = verify(declaration, &best.listing)?;
    let statistics = Statistics { nodes: budget.used(), nodes_to_first, nodes_to_best: best.nodes, lower_bound, stop };
    Ok(Solution { listing: best.listing, report, statistics })
}

/// A search under way.
struct Run<'a> {
    declaration: &'a Declaration,
    problem: &'a Problem,
    objective: Objective,
    budget: Budget<'a>,
    goals: Goals,
    moves: Moves,
    best: Option<Best>,
    nodes_to_first: u64,
}

/// The best program so far.
struct Best {
    listing: Vec<Instruction>,
    costs: Costs,
    /// Nodes used when it was found.
    nodes: u64,
}

impl Run<'_> {
    /// No program has fewer instructions.
    ///
    /// Zeros and copies count as one: a division can leave several of them at once.
    fn lower_bound(&self) -> u32 {
        let bags = Bags::new(self.problem, true, false);
        let extra = !self.problem.zeros.is_empty() || !self.problem.copies.is_empty();
        bags.lower_bound(&self.goals, &bags.last()).max(u32::from(extra))
    }

    /// A first program, so that no pass runs deeper than it is worth.
    fn descend(&mut self) {
        let bags = Bags::new(self.problem, false, false);
        let Some(steps) = descend(self.problem, &bags, &mut self.goals, &mut self.moves, &mut self.budget) else {
            return;
        };
        if let Some(listing) = allocate(self.problem, self.moves.forms(), &placed(&self.goals, &self.moves, &steps)) {
            let listing = without_idle_lines(self.declaration, listing);
            let costs = total(self.objective, &listing);
            self.nodes_to_first = self.budget.used();
            self.budget.improved(listing.len());
            self.best = Some(Best { listing, costs, nodes: self.budget.used() });
        }
    }

    /// Passes of growing width, until the budget is used, the program is proved shortest, or all was tried.
    ///
    /// Bags that crowd the registers are the shortest way for few kernels and a dead end for many. So a pass that
    /// found nothing better is repeated with the other preference, and the one that last helped goes first.
    fn widen(&mut self, strict: bool) -> Stop {
        let costs: Vec<Costs> = self.moves.forms().iter().map(|form| self.costs(1, form.op.icws())).collect();
        let least = least_cost(&costs, self.lower_bound());
        let (mut width, mut wary) = (FIRST_WIDTH, false);
        loop {
            for repeated in [false, true] {
                let nodes_before = self.best.as_ref().map(|best| best.nodes);
                let complete = self.pass(strict, wary != repeated, width, &costs);
                if self.best.as_ref().is_some_and(|best| best.costs.main <= least.main) {
                    return Stop::Proved;
                }
                if complete {
                    return Stop::Exhausted;
                }
                if let Some(stop) = self.budget.stopped() {
                    return stop;
                }
                if self.best.as_ref().map(|best| best.nodes) != nodes_before {
                    wary ^= repeated;
                    break;
                }
            }
            width = width.saturating_mul(WIDENING);
        }
    }

    /// One pass; whether it left nothing out.
    fn pass(&mut self, strict: bool, wary: bool, width: usize, costs: &[Costs]) -> bool {
        let bags = Bags::new(self.problem, strict, wary);
        let extra = self.problem.zeros.len() + self.problem.copies.len();
        let extra = self.costs(extra, 2 * extra);
        let (declaration, problem, objective) = (self.declaration, self.problem, self.objective);
        let (best, first) = (&mut self.best, &mut self.nodes_to_first);
        let mut beam = Beam { goals: &mut self.goals, moves: &mut self.moves, bags: &bags, costs, width };
        let bound = best.as_ref().map(|best| best.costs.less(extra));
        beam.run(&mut self.budget, bound, |goals, moves, steps, budget| {
            let listing = allocate(problem, moves.forms(), &placed(goals, moves, steps))?;
            if best.as_ref().is_none_or(|best| total(objective, &listing) < best.costs) {
                let listing = without_idle_lines(declaration, listing);
                let costs = total(objective, &listing);
                if best.is_none() {
                    *first = budget.used();
                }
                budget.improved(listing.len());
                *best = Some(Best { listing, costs, nodes: budget.used() });
            }
            best.as_ref().map(|best| best.costs.less(extra))
        })
    }

    /// The costs of so many macro instructions and control words in the order in which they count.
    fn costs(&self, macros: usize, icws: usize) -> Costs {
        costs(self.objective, macros, icws)
    }
}

fn costs(objective: Objective, macros: usize, icws: usize) -> Costs {
    let [macros, icws] = [macros, icws].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    match objective {
        Objective::Macros => Costs { main: macros, tie: icws },
        Objective::Icws => Costs { main: icws, tie: macros },
    }
}

fn total(objective: Objective, listing: &[Instruction]) -> Costs {
    costs(objective, listing.len(), listing.iter().map(|instruction| instruction.words().count()).sum())
}

/// The program without lines that it does as well without. A value that was computed a second time may still have
/// been there.
fn without_idle_lines(declaration: &Declaration, mut listing: Vec<Instruction>) -> Vec<Instruction> {
    let without = |listing: &[Instruction], i| [&listing[..i], &listing[i + 1..]].concat();
    // Backwards: what fed an idle line is idle once that is gone.
    while let Some(shorter) =
        (0..listing.len()).rev().map(|i| without(&listing, i)).find(|shorter| verify(declaration, shorter).is_ok())
    {
        listing = shorter;
    }
    listing
}

/// What the allocator has to know of each step.
fn placed(goals: &Goals, moves: &Moves, steps: &[Step]) -> Vec<Placed> {
    let sign = |goal| goals.terms(goal).first().map(|term| term.1 > 0);
    steps
        .iter()
        .map(|&step| Placed {
            step,
            negative: moves.known_negative(step.result),
            positive: step.operands().first().is_some_and(|&operand| sign(operand) == sign(step.result)),
        })
        .collect()
}
