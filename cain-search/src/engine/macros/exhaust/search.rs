//! The walk over programs of one length.

use std::ops::{ControlFlow, Range};

use super::candidates::{Candidate, Made, Need};
use super::state::State;
use super::symmetry::Symmetry;
use super::table::Table;
use super::values::{Index, Instruction, Uses, Value, Values, once, twice};
use super::wanted::{Ending, Wanted, Way};
use crate::engine::gain::GainBound;
use crate::engine::image::Image;
use crate::engine::terms::Term;
use crate::engine::values::{Rest, ValueProgram, ValueStep};
use crate::sort;

/// The work that a node of the budget pays for: trying everything that is possible next, one by one. The unit is a
/// lookup of the last two combinations.
const NODE: u32 = 16;

/// The reason why a walk ends before everything was tried.
pub(super) enum End {
    /// A program was found.
    Found(ValueProgram),
    /// The budget has run out.
    Stopped,
    /// The memory has run out.
    Full,
}

/// A candidate that is not ruled out.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    /// The number of the candidate.
    pub(super) candidate: usize,
    /// The state after it if it is taken next.
    pub(super) state: State,
}

/// A point of the walk.
pub(super) struct Node {
    pub(super) state: State,
    /// The index from which known values are new, so that nothing has been made with them.
    pub(super) new: usize,
    /// The index from which copies are new.
    pub(super) copied: usize,
    /// The index from which known values are results of the latest instruction and have not been halved.
    pub(super) fresh: usize,
    /// Earlier candidates that are still open.
    pub(super) choices: Range<usize>,
    /// The instructions whose results have not been used.
    pub(super) unused: Range<usize>,
    /// Whether the latest instruction is among them.
    pub(super) is_unused: bool,
}

/// A walk over all programs of one length.
pub(super) struct Search<'a> {
    pub(super) values: Values<'a>,
    pub(super) wanted: Vec<Wanted>,
    /// The limit on the gain of values.
    pub(super) bound: GainBound,
    /// The most that tables and values may take, in bytes.
    pub(super) room: usize,
    /// The binary logarithm of the factor between the units of the query and those of the walk.
    pub(super) finer: u32,
    pub(super) start: State,
    pub(super) symmetries: Vec<Symmetry>,
    pub(super) candidates: Vec<Candidate>,
    /// The numbers of the candidates, by the images of their results.
    pub(super) by_result: Table<usize>,
    pub(super) needed: Table<Need>,
    /// The endings, see [`Ending`]; empty if there are several wanted values.
    pub(super) endings: Vec<Ending>,
    pub(super) ways: Table<Way>,
    /// The inverses of 2 + 1 and 2 − 1, 4 + 1 and 4 − 1, and so on.
    pub(super) inverses: Vec<Image>,
    pub(super) choices: Vec<Choice>,
    /// The values that got one more register, in the order in which they did.
    pub(super) copied: Vec<Index>,
    /// For each instruction whose results are unused, the uses that would make it useful.
    pub(super) unused: Vec<Uses>,
    pub(super) path: Vec<Instruction>,
    /// The part that is walked over, see [`parts`](super::parts).
    pub(super) part: &'a Rest,
    /// For each point on the way, the choice that is followed and the number of choices.
    pub(super) trail: Vec<(usize, usize)>,
    /// Buffers reused between points.
    pub(super) buffer: Vec<Term>,
    pub(super) new_needs: Vec<(Instruction, Image)>,
    /// Whether something was left out because it exceeds the range of the search's integers.
    pub(super) overflowed: bool,
    /// Work that has been done but not paid for with a node yet.
    pub(super) work: u32,
    /// Takes a node from the budget.
    pub(super) take: &'a mut dyn FnMut() -> bool,
}

impl Search<'_> {
    /// Tries all programs of this length.
    pub(super) fn run(&mut self, length: u32) -> ControlFlow<End> {
        let root = self.root();
        if !root.state.is_open(&self.wanted, self.divides(), length) {
            return ControlFlow::Continue(());
        }
        self.arrive(length, &root)
    }

    /// What is left of the part after the walk was interrupted, the next piece last.
    pub(super) fn rests(&self) -> Vec<Rest> {
        let numbers: Vec<usize> = self.trail.iter().map(|choice| choice.0).collect();
        let begun = self.part.depth();
        let Some(last) = numbers.len().checked_sub(1).filter(|&last| last >= begun) else {
            return vec![self.part.clone()];
        };
        // After the latest choice, what comes after it is left; of earlier choices, only what comes after the one that
        // was followed.
        let from = |depth: usize| numbers[depth] + usize::from(depth < last);
        let depths = (begun..=last).filter(|&depth| from(depth) < self.trail[depth].1);
        depths.map(|depth| Rest::new(numbers[..depth].to_vec(), from(depth))).collect()
    }

    /// Takes nodes from the budget for this much work.
    pub(super) fn spend(&mut self, work: u32) -> ControlFlow<End> {
        self.work += work;
        while self.work >= NODE {
            self.work -= NODE;
            if !(self.take)() {
                return ControlFlow::Break(End::Stopped);
            }
        }
        if self.bytes() > self.room { ControlFlow::Break(End::Full) } else { ControlFlow::Continue(()) }
    }

    /// The memory that tables and values take, in bytes.
    fn bytes(&self) -> usize {
        self.values.bytes()
            + self.by_result.bytes()
            + self.needed.bytes()
            + self.ways.bytes()
            + size_of_val(self.candidates.as_slice())
            + size_of_val(self.choices.as_slice())
    }

    pub(super) fn divides(&self) -> bool {
        self.values.machine.divide.is_some()
    }

    /// Handles a point of the walk after which `left` instructions may follow.
    fn arrive(&mut self, left: u32, node: &Node) -> ControlFlow<End> {
        let missing = node.state.missing;
        if missing == 0 {
            return ControlFlow::Break(End::Found(self.program(&[])));
        }
        if left == 2 && missing.is_power_of_two() {
            return self.finish(missing.trailing_zeros() as usize, node);
        }
        if left == 0 || !self.is_in_reach(left, node) {
            return ControlFlow::Continue(());
        }
        if self.is_near(left, node) { self.end(left, node) } else { self.visit(left, node) }
    }

    /// Tries each candidate as the next instruction. Candidates that were passed over are not tried again further down.
    fn visit(&mut self, left: u32, node: &Node) -> ControlFlow<End> {
        self.spend(NODE)?;
        let mark = self.values.mark();
        let [candidates, by_result, needed, choices] =
            [self.candidates.len(), self.by_result.len(), self.needed.len(), self.choices.len()];
        let ways = self.ways.len();
        let floor = node.state.floor(&self.wanted, left - 1);
        self.expand(left, node, &floor);
        self.note_ways(node);
        for at in node.choices.clone() {
            self.choose(self.choices[at].candidate, left - 1, node, &floor);
        }
        for candidate in candidates..self.candidates.len() {
            self.choose(candidate, left - 1, node, &floor);
        }
        let end = self.choices.len();
        let all = &self.candidates;
        if !self.endings.is_empty() {
            sort::by_key(&mut self.choices[choices..], |choice| {
                !matches!(all[choice.candidate].made, Made::Halves(..))
            });
        }
        let count = end - choices;
        for number in self.part.choices(self.path.len(), count) {
            let at = choices + number;
            self.trail.push((number, count));
            let choice = self.choices[at];
            if !(self.path.is_empty() && self.has_earlier_image(choice.candidate)) {
                self.follow(left - 1, choice, at + 1..end, node, true)?;
            }
            self.trail.pop();
        }
        self.values.rewind(mark);
        self.candidates.truncate(candidates);
        self.by_result.truncate(by_result);
        self.needed.truncate(needed);
        self.ways.truncate(ways);
        self.choices.truncate(choices);
        ControlFlow::Continue(())
    }

    /// Takes a candidate and continues with `left` instructions and with these choices, in addition to what the
    /// candidate makes possible.
    pub(super) fn follow(
        &mut self,
        left: u32,
        choice: Choice,
        choices: Range<usize>,
        node: &Node,
        is_expanded: bool,
    ) -> ControlFlow<End> {
        let (fresh, copies, unused) = (self.values.count(), self.copied.len(), self.unused.len());
        let Choice { candidate, state } = choice;
        let candidate = self.candidates[candidate];
        let uses = self.take_candidate(&candidate);
        self.carry_unused(candidate.instruction, node.unused.clone());
        let is_unused = state.missing == node.state.missing;
        self.unused.extend(is_unused.then_some(uses));
        let (new, copied) = if is_expanded { (fresh, copies) } else { (node.new, node.copied) };
        let child = Node { state, new, copied, fresh, choices, unused: unused..self.unused.len(), is_unused };
        if self.can_use_all(left, &child) {
            self.path.push(candidate.instruction);
            self.arrive(left, &child)?;
            self.path.pop();
        }
        self.unused.truncate(unused);
        for index in self.copied.drain(copies..) {
            *self.values.registers_mut(index) -= 1;
        }
        self.values.forget(fresh);
        ControlFlow::Continue(())
    }

    /// Adds the results of a candidate to the known values; returns the uses that would make it useful.
    fn take_candidate(&mut self, candidate: &Candidate) -> Uses {
        let operand = candidate.instruction.operands().next().unwrap_or_default();
        match candidate.made {
            Made::Value(value) => once(self.values.learn(value)),
            Made::Copy => {
                self.copy(operand);
                twice(operand)
            }
            Made::Halves(plus, minus) => {
                let mut uses = 0;
                for half in [plus, minus] {
                    if self.values.find(half.image, self.values.terms(&half)).is_none() {
                        uses |= once(self.values.learn(half));
                    }
                }
                // `diva` leaves −x/2 in two registers, `div` leaves x in one more register.
                let negative = self.values.find(minus.image, self.values.terms(&minus));
                for index in negative.into_iter().chain([operand]) {
                    self.copy(index);
                    uses |= twice(index);
                }
                uses
            }
        }
    }

    /// Records one more register that holds a value.
    pub(super) fn copy(&mut self, index: Index) {
        let registers = self.values.registers_mut(index);
        // No instruction has more than three sources.
        if *registers < 3 {
            *registers += 1;
            self.copied.push(index);
        }
    }

    /// Copies those entries of the unused results of which this instruction makes no use either.
    fn carry_unused(&mut self, instruction: Instruction, unused: Range<usize>) {
        let made = instruction.uses(self.values.forms.get(instruction.form).repeats);
        for at in unused {
            let wanted = self.unused[at];
            if wanted & made == 0 {
                self.unused.push(wanted);
            }
        }
    }

    /// Stores a value.
    pub(super) fn store(&mut self, terms: &[Term], image: Image) -> Value {
        let wanted = Wanted::among(&self.wanted, image, terms);
        self.values.store(terms, image, (wanted, Wanted::of_ray(&self.wanted, terms)))
    }

    /// The program that led here, followed by these instructions, each of which may use results of the one before.
    pub(super) fn program(&self, more: &[Instruction]) -> ValueProgram {
        let mut steps = Vec::new();
        let mut results = Vec::new();
        for &instruction in self.path.iter().chain(more) {
            let operands = instruction.operands().map(|operand| self.values.operand(operand, &results).to_vec());
            let operands = operands.collect();
            results = self.values.results(instruction, &results).unwrap_or_default();
            steps.push(ValueStep { form: instruction.form, operands, results: results.clone() });
        }
        ValueProgram { steps, finer: self.finer }.reduced()
    }
}
