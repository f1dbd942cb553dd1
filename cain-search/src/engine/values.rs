//! Programs on values: what is computed from what, without registers.
//!
//! The exhaustive search, the peephole pass and the exchange of values of a target work on them.

use std::ops::Range;

use super::gain::GainLimit;
use super::goals::{GoalId, Goals};
use super::memory::room_of_tables;
use super::problem::Problem;
use super::step::{FormId, Step};
use super::terms::Term;
use crate::random::Random;

/// An instruction on values.
#[derive(Clone, Debug)]
pub(crate) struct ValueStep {
    /// The instruction.
    pub(crate) form: FormId,
    /// What it uses, in the order of its sources.
    pub(crate) operands: Vec<Vec<Term>>,
    /// What it makes; a division makes a half and its negative.
    pub(crate) results: Vec<Vec<Term>>,
}

/// A program on values.
#[derive(Debug)]
pub(crate) struct ValueProgram {
    /// Its instructions in order.
    pub(crate) steps: Vec<ValueStep>,
    /// All values are in units finer than those of the query by 2^`finer`.
    pub(crate) finer: u32,
}

/// Which values are to be made from which.
#[derive(Clone, Copy)]
pub(crate) struct Query<'a> {
    /// The values that are there, once per register.
    pub(crate) known: &'a [&'a [Term]],
    /// The values to be made, none of them zero. How often each occurs does not count.
    pub(crate) wanted: &'a [&'a [Term]],
    /// Fewer instructions are known not to be enough.
    pub(crate) least: u32,
    /// The most instructions allowed.
    pub(crate) most: u32,
    /// The gain allowed of any value.
    pub(crate) gain: GainLimit,
    /// The most that tables and values may take, in bytes; the answer is undecided where that does not suffice.
    pub(crate) room: usize,
}

/// What an exhaustive search for the programs of a [`Query`] finds out.
#[derive(Debug)]
pub(crate) enum Answer {
    /// A shortest program.
    Program(ValueProgram),
    /// No program has that few instructions.
    None,
    /// It is not known whether there is a program, but none is shorter than this.
    Undecided { at_least: u32 },
}

/// What an exhaustive search has not tried yet.
#[derive(Debug, Default)]
pub(crate) struct Unfinished {
    /// Of the programs of this length, some are left; none is shorter.
    pub(crate) length: u32,
    /// Those that are left, the next ones last.
    pub(crate) rests: Vec<Rest>,
    /// The points that were tried for this length.
    pub(crate) points: u64,
}

/// The programs that begin with certain choices, and then with one from a certain one on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rest {
    prefix: Vec<usize>,
    from: usize,
}

impl Unfinished {
    /// The same with what is left of a length: all, if only shorter programs were tried so far.
    pub(crate) fn at(&mut self, length: u32) -> &mut Self {
        if self.length != length || self.rests.is_empty() {
            *self = Self { length, rests: vec![Rest::default()], points: 0 };
        }
        self
    }
}

impl Rest {
    pub(crate) fn new(prefix: Vec<usize>, from: usize) -> Self {
        Self { prefix, from }
    }

    /// How many choices are made already.
    pub(crate) fn depth(&self) -> usize {
        self.prefix.len()
    }

    /// The choices among `count` that belong to it, after so many others.
    pub(crate) fn choices(&self, depth: usize, count: usize) -> Range<usize> {
        match self.prefix.get(depth) {
            Some(&only) => only..only + 1,
            None if depth == self.depth() => self.from..count,
            None => 0..count,
        }
    }
}

/// What programs start and end with, and what they have to keep to.
pub(crate) struct Ends {
    inputs: Vec<Vec<Term>>,
    wanted: Vec<Vec<Term>>,
    gain: GainLimit,
    reach: i16,
    room: usize,
}

impl Ends {
    pub(crate) fn of(problem: &Problem, goals: &Goals) -> Self {
        let terms = |goal: GoalId| goals.terms(goal).to_vec();
        Self {
            inputs: problem.inputs.iter().map(|input| terms(input.goal)).collect(),
            wanted: problem.wanted.iter().map(|wanted| terms(wanted.0)).collect(),
            gain: problem.gain,
            reach: goals.reach(),
            room: room_of_tables(problem.memory),
        }
    }

    /// A program between them.
    pub(crate) fn whole<'a>(&'a self, steps: &'a [ValueStep]) -> Whole<'a> {
        let Self { inputs, wanted, gain, reach, room } = self;
        let all = |values: &'a [Vec<Term>]| values.iter().map(Vec::as_slice).collect();
        Whole { inputs: all(inputs), wanted: all(wanted), gain: *gain, reach: *reach, room: *room, steps }
    }
}

/// A program, and what it starts and ends with.
#[derive(Clone)]
pub(crate) struct Whole<'a> {
    pub(crate) inputs: Vec<&'a [Term]>,
    pub(crate) wanted: Vec<&'a [Term]>,
    pub(crate) gain: GainLimit,
    /// How far from the origin values may lie, in PEs.
    pub(crate) reach: i16,
    /// The most that tables may take, in bytes.
    pub(crate) room: usize,
    /// In order.
    pub(crate) steps: &'a [ValueStep],
}

/// Which programs are exchanged, where they have to be [completed](super::target::Target::completed).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exchanged {
    /// Complete programs for others that are complete.
    Complete,
    /// Programs without what completes them, which is found anew for each that is offered.
    Incomplete,
}

/// A walk through programs that make the same, from one to the next.
#[derive(Clone)]
pub(crate) struct Walk {
    /// Where it is.
    pub(crate) steps: Vec<ValueStep>,
    pub(crate) random: Random,
}

impl Walk {
    /// Walks from a program on, each of which goes another way.
    pub(crate) fn several(steps: &[ValueStep], count: u64) -> Vec<Self> {
        (0..count).map(|seed| Self { steps: steps.to_vec(), random: Random::new(seed) }).collect()
    }
}

/// The steps of a program, last instruction first; `None` if the search cannot express them.
pub(crate) fn reversed(goals: &mut Goals, program: &[ValueStep]) -> Option<Vec<Step>> {
    let mut stored = |values: &[Vec<Term>]| values.iter().map(|value| goals.intern(value)).collect::<Option<Vec<_>>>();
    program.iter().rev().map(|step| Step::new(step.form, &stored(&step.operands)?, &stored(&step.results)?)).collect()
}

/// The opposite of [`reversed`].
pub(crate) fn on_values(goals: &Goals, steps: &[Step]) -> Vec<ValueStep> {
    let value = |&goal: &GoalId| goals.terms(goal).to_vec();
    let forwards = steps.iter().rev();
    forwards
        .map(|step| ValueStep {
            form: step.form,
            operands: step.operands().iter().map(value).collect(),
            results: [Some(step.result), step.negative()].iter().flatten().map(value).collect(),
        })
        .collect()
}
