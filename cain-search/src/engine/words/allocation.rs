//! Allocates registers: from bags to native programs.
//!
//! A backtracking search goes from the last word to the first: a value gets a register where it is last used, and keeps
//! it. The bus decides whether a word is possible, through [`assemble`](super::forms::WordForm::assemble).

use cain_isa::{Cell, Reg, Word};

use super::forms::WordForms;
use super::states::{Further, Place, take_results};
use crate::engine::goals::GoalId;
use crate::engine::occupancy::{MAX_STEPS, MAX_TRIES, free_registers};
use crate::engine::problem::Problem;
use crate::engine::step::Step;
use crate::engine::work;

/// Gives registers to `steps` (last word first); `None` if that is impossible. Adds to `work`.
pub(crate) fn allocate(problem: &Problem, forms: &WordForms, steps: &[Step], work: &mut u64) -> Option<Vec<Word>> {
    if steps.len() > MAX_STEPS {
        return None;
    }
    let mut allocator = Allocator {
        problem,
        forms,
        steps,
        news: Step::NONE,
        values: problem.wanted.clone(),
        program: Vec::new(),
        tries: MAX_TRIES,
    };
    let is_placed = allocator.place(0);
    *work += work::of_tries(allocator.tries);
    is_placed.then(|| allocator.program.into_iter().rev().collect())
}

struct Allocator<'a> {
    problem: &'a Problem,
    forms: &'a WordForms,
    steps: &'a [Step],
    /// The value in NEWS at the current point.
    news: GoalId,
    /// Live values and their registers. A value may be in two of them.
    values: Vec<(GoalId, Reg)>,
    /// The words so far, last first.
    program: Vec<Word>,
    tries: u32,
}

/// A word in the making: its destinations are chosen, and some of its sources.
struct Open {
    first: Option<Reg>,
    further: Further,
    written: Vec<Reg>,
    sources: Vec<Reg>,
}

impl Allocator<'_> {
    /// Places all steps from the i-th on; if that fails, nothing is changed.
    fn place(&mut self, i: usize) -> bool {
        if self.tries == 0 {
            return false;
        }
        self.tries -= 1;
        let Some(step) = self.steps.get(i) else { return self.is_start() };
        let form = self.forms.get(step.form);
        let mut bag: Vec<GoalId> = std::iter::once(self.news).chain(self.values.iter().map(|value| value.0)).collect();
        let Some(further) = take_results(form, step.result, &mut bag) else { return false };
        let (values, news) = (self.values.clone(), self.news);
        self.news = match form.reading {
            Some(_) => step.operands().first().copied().unwrap_or(Step::NONE),
            None => bag[0],
        };
        let done = self.place_results(i, form.makes_news(), further);
        if !done {
            (self.values, self.news) = (values, news);
        }
        done
    }

    /// Frees the registers of the results, in each order in which they can be destinations.
    fn place_results(&mut self, i: usize, makes_news: bool, further: Further) -> bool {
        let result = self.steps[i].result;
        let wanted = usize::from(!makes_news) + further.iter().filter(|place| **place == Some(Place::Register)).count();
        let homes: Vec<Reg> = self.values.iter().filter(|value| value.0 == result).map(|value| value.1).collect();
        // The choice between several copies may matter to earlier words.
        for from in 0..=homes.len().saturating_sub(wanted) {
            let Some(written) = homes.get(from..from + wanted) else { return false };
            let values = self.values.clone();
            self.values.retain(|value| !(value.0 == result && written.contains(&value.1)));
            let first = written.first().copied().filter(|_| !makes_news);
            let open = Open { first, further, written: written.to_vec(), sources: Vec::new() };
            if self.place_operands(i, &open) {
                return true;
            }
            self.values = values;
        }
        false
    }

    /// Gives registers to the operands that have none yet, one after the other.
    fn place_operands(&mut self, i: usize, open: &Open) -> bool {
        let step = self.steps[i];
        let registers = &step.operands()[usize::from(self.forms.get(step.form).reading.is_some())..];
        let Some(&goal) = registers.get(open.sources.len()) else { return self.emit(i, open) };
        let with = |reg: Reg| Open {
            sources: [open.sources.as_slice(), &[reg]].concat(),
            written: open.written.clone(),
            ..*open
        };
        let kept = self.problem.input(goal).filter(|input| input.keep).map(|input| input.reg);
        let homes = self.values.iter().filter(|value| value.0 == goal).map(|value| value.1);
        if let Some(home) = homes.chain(kept).find(|home| !open.sources.contains(home)) {
            return self.place_operands(i, &with(home));
        }
        for reg in self.candidates(i, goal, &open.written) {
            self.values.push((goal, reg));
            if self.place_operands(i, &with(reg)) {
                return true;
            }
            self.values.pop();
        }
        false
    }

    /// Registers to try for a value that becomes live: that of the input, if it is one, or others if an earlier word
    /// makes a copy.
    fn candidates(&self, i: usize, goal: GoalId, written: &[Reg]) -> Vec<Reg> {
        let is_open = |reg: Reg| self.is_free(reg) && !written.contains(&reg);
        let own = self.problem.input(goal).filter(|input| !input.keep).map(|input| input.reg);
        let is_made = || self.steps[i + 1..].iter().any(|step| step.result == goal);
        let home = own.filter(|&own| is_open(own));
        let others = if own.is_none() || is_made() { free_registers(self.problem, is_open) } else { Vec::new() };
        home.into_iter().chain(others.into_iter().filter(|&reg| home != Some(reg))).collect()
    }

    fn is_free(&self, reg: Reg) -> bool {
        self.values.iter().all(|value| value.1 != reg)
    }

    /// Adds the word if the bus allows it, and continues with the next step.
    fn emit(&mut self, i: usize, open: &Open) -> bool {
        let mut written = open.written.iter().copied().skip(usize::from(open.first.is_some()));
        let mut spare =
            self.problem.writable.iter().copied().filter(|&reg| self.is_free(reg) && !open.written.contains(&reg));
        let further: Option<Vec<Cell>> = open
            .further
            .iter()
            .flatten()
            .map(|place| match place {
                Place::News | Place::SpareNews => Some(Cell::News),
                Place::Register => written.next().map(Cell::Reg),
                Place::SpareRegister => spare.next().map(Cell::Reg),
            })
            .collect();
        let form = self.forms.get(self.steps[i].form);
        let Some(word) = further.and_then(|further| form.assemble(open.first, &further, &open.sources)) else {
            return false;
        };
        self.program.push(word);
        if self.place(i + 1) {
            return true;
        }
        self.program.pop();
        false
    }

    /// Whether the live values are inputs in their own registers.
    fn is_start(&self) -> bool {
        let at_home = |goal: GoalId, reg: Reg| self.problem.input(goal).is_some_and(|input| input.reg == reg);
        self.news == Step::NONE && self.values.iter().all(|&(goal, reg)| at_home(goal, reg))
    }
}
