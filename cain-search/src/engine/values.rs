//! Programs on values: which values are computed from which, without registers.
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
    /// The number of the instruction's form.
    pub(crate) form: FormId,
    /// The values that it uses, in the order of the instruction's sources.
    pub(crate) operands: Vec<Vec<Term>>,
    /// The values that it makes; a division makes a half and its negative.
    pub(crate) results: Vec<Vec<Term>>,
}

/// A program on values.
#[derive(Debug)]
pub(crate) struct ValueProgram {
    /// Its instructions in order.
    pub(crate) steps: Vec<ValueStep>,
    /// The binary exponent by which the units of all values are finer than those of the query.
    pub(crate) finer: u32,
}

/// A task for an exhaustive search: which values to make from which.
#[derive(Clone, Copy)]
pub(crate) struct Query<'a> {
    /// The values that are available, once per register.
    pub(crate) known: &'a [&'a [Term]],
    /// The values to make, none of them zero. How often a value occurs does not matter.
    pub(crate) wanted: &'a [&'a [Term]],
    /// A proved lower bound on the number of instructions.
    pub(crate) least: u32,
    /// The most instructions allowed.
    pub(crate) most: u32,
    /// The limit on the gain of all values.
    pub(crate) gain: GainLimit,
    /// The most memory that tables and values may take, in bytes; if it does not suffice, the answer is undecided.
    pub(crate) room: usize,
}

/// What an exhaustive search for the programs of a [`Query`] finds out.
#[derive(Debug)]
pub(crate) enum Answer {
    /// A shortest program.
    Program(ValueProgram),
    /// No program has as few instructions as the query allows.
    None,
    /// It is unknown whether there is a program, but none has fewer instructions than this.
    Undecided { at_least: u32 },
}

/// What an exhaustive search has not tried yet, so that it can go on later.
#[derive(Debug, Default)]
pub(crate) struct Unfinished {
    /// The length of the programs that are being tried; all shorter ones have been ruled out.
    pub(crate) length: u32,
    /// The programs of this length that are left, the next ones last.
    pub(crate) rests: Vec<Rest>,
    /// The number of points tried for this length.
    pub(crate) points: u64,
}

/// A group of untried programs: those that begin with the choices in `prefix` and continue with the choice `from` or a
/// later one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rest {
    prefix: Vec<usize>,
    from: usize,
}

impl Unfinished {
    /// What is left of programs of this length: all of them, if only shorter ones have been tried so far.
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

    /// The number of choices in the prefix.
    pub(crate) fn depth(&self) -> usize {
        self.prefix.len()
    }

    /// The choices at this depth that belong to the group, out of `count`.
    pub(crate) fn choices(&self, depth: usize, count: usize) -> Range<usize> {
        match self.prefix.get(depth) {
            Some(&only) => only..only + 1,
            None if depth == self.depth() => self.from..count,
            None => 0..count,
        }
    }
}

/// The inputs and outputs of programs, and the limits that the values in them must respect.
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

    /// The whole program with these steps between the inputs and outputs.
    pub(crate) fn whole<'a>(&'a self, steps: &'a [ValueStep]) -> Whole<'a> {
        let Self { inputs, wanted, gain, reach, room } = self;
        let all = |values: &'a [Vec<Term>]| values.iter().map(Vec::as_slice).collect();
        Whole { inputs: all(inputs), wanted: all(wanted), gain: *gain, reach: *reach, room: *room, steps }
    }
}

/// A program with its inputs, outputs and limits.
#[derive(Clone)]
pub(crate) struct Whole<'a> {
    pub(crate) inputs: Vec<&'a [Term]>,
    pub(crate) wanted: Vec<&'a [Term]>,
    pub(crate) gain: GainLimit,
    /// The farthest distance from the origin that values may reach, in PEs.
    pub(crate) reach: i16,
    /// The most memory that tables may take, in bytes.
    pub(crate) room: usize,
    /// The steps, in order.
    pub(crate) steps: &'a [ValueStep],
}

/// Which kind of program is exchanged, for targets whose programs have to be
/// [completed](super::target::Target::completed).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exchanged {
    /// Complete programs are exchanged for other complete ones.
    Complete,
    /// Programs without their completion are exchanged; a completion is found anew for each one that is offered.
    Incomplete,
}

/// A random walk from one program to the next, all of which make the same values.
#[derive(Clone)]
pub(crate) struct Walk {
    /// The current program.
    pub(crate) steps: Vec<ValueStep>,
    pub(crate) random: Random,
}

impl Walk {
    /// Several walks that start at the same program, each with its own random choices.
    pub(crate) fn several(steps: &[ValueStep], count: u64) -> Vec<Self> {
        (0..count).map(|seed| Self { steps: steps.to_vec(), random: Random::new(seed) }).collect()
    }
}

/// Turns a program into reverse steps, last instruction first; `None` if the search cannot express them.
pub(crate) fn reversed(goals: &mut Goals, program: &[ValueStep]) -> Option<Vec<Step>> {
    let mut stored = |values: &[Vec<Term>]| values.iter().map(|value| goals.intern(value)).collect::<Option<Vec<_>>>();
    program.iter().rev().map(|step| Step::new(step.form, &stored(&step.operands)?, &stored(&step.results)?)).collect()
}

/// Turns reverse steps, last instruction first, into a program; the inverse of [`reversed`].
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
