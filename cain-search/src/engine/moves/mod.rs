//! The generator of reverse steps: which instructions could have produced a goal, and from what.

mod alone;
mod digits;
mod paired;

use std::ops::Range;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::forms::{FormId, Forms, Shape};
use super::goals::{GoalId, Goals};
use super::problem::Problem;
use super::terms::{self, Term};

/// One instruction seen backwards: it makes `result` out of `operands`.
///
/// A [`Shape::Divide`] also makes the negative of its result and leaves its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The instruction.
    pub(crate) form: FormId,
    /// What it makes.
    pub(crate) result: GoalId,
    operands: [GoalId; 3],
}

impl Step {
    const NONE: GoalId = GoalId::MAX;

    fn new(form: FormId, result: GoalId, operands: &[GoalId]) -> Self {
        let mut all = [Self::NONE; 3];
        for (slot, &operand) in all.iter_mut().zip(operands) {
            *slot = operand;
        }
        Self { form, result, operands: all }
    }

    /// What it is made of, in the order of the instruction's sources. The same goal may occur twice.
    pub(crate) fn operands(&self) -> &[GoalId] {
        let count = self.operands.iter().take_while(|goal| **goal != Self::NONE).count();
        &self.operands[..count]
    }
}

/// Makes steps and remembers them, so that each goal and each pair of goals is worked out once.
pub(crate) struct Moves {
    forms: Forms,
    /// All steps made so far; the tables below point into it.
    steps: Vec<Step>,
    alone: HashMap<GoalId, Range<u32>, FxBuildHasher>,
    paired: HashMap<(GoalId, GoalId), Range<u32>, FxBuildHasher>,
    negatives: HashMap<GoalId, Option<GoalId>, FxBuildHasher>,
    /// The forms that move values, with the amount to add to keys.
    shifts: Shifts,
    scratch: Scratch,
    scale: u32,
    max_norm: u64,
}

struct Shifts {
    moves: Vec<(FormId, u32)>,
    adds: Vec<(FormId, u32)>,
    subtracts: Vec<(FormId, u32)>,
    /// The one of `adds` that moves nothing.
    add: Option<FormId>,
    /// The one of `subtracts` that moves nothing.
    subtract: Option<FormId>,
    add3: Option<FormId>,
    negate: Option<FormId>,
    halve: Option<FormId>,
    divide: Option<FormId>,
}

/// Buffers reused between goals.
#[derive(Default)]
struct Scratch {
    a: Vec<Term>,
    b: Vec<Term>,
    c: Vec<Term>,
}

impl Moves {
    /// A generator for a problem over the instructions of a set.
    pub(crate) fn new(forms: Forms, problem: &Problem) -> Self {
        let shifted = |shape| forms.shaped(shape).map(|(id, form)| (id, terms::step(form.offset))).collect::<Vec<_>>();
        let single = |shape| forms.shaped(shape).next().map(|(id, _)| id);
        let unmoved = |shape| shifted(shape).into_iter().find(|(_, step)| *step == 0).map(|(id, _)| id);
        let shifts = Shifts {
            moves: shifted(Shape::Move).into_iter().filter(|(_, step)| *step != 0).collect(),
            adds: shifted(Shape::Add),
            subtracts: shifted(Shape::Subtract),
            add: unmoved(Shape::Add),
            subtract: unmoved(Shape::Subtract),
            add3: single(Shape::Add3),
            negate: single(Shape::Negate),
            halve: single(Shape::Halve),
            divide: single(Shape::Divide),
        };
        Self {
            forms,
            steps: Vec::new(),
            alone: HashMap::default(),
            paired: HashMap::default(),
            negatives: HashMap::default(),
            shifts,
            scratch: Scratch::default(),
            scale: problem.scale,
            max_norm: problem.max_norm,
        }
    }

    /// The instructions.
    pub(crate) fn forms(&self) -> &Forms {
        &self.forms
    }

    /// A step by its number.
    pub(crate) fn step(&self, number: u32) -> Step {
        self.steps[number as usize]
    }

    /// Steps that make `goal` out of goals that follow from it alone.
    pub(crate) fn alone(&mut self, goals: &mut Goals, goal: GoalId) -> Range<u32> {
        if let Some(known) = self.alone.get(&goal) {
            return known.clone();
        }
        let start = self.steps.len();
        self.generate_alone(goals, goal);
        let range = self.since(start);
        self.alone.insert(goal, range.clone());
        range
    }

    /// Steps that make `goal` with the help of `other`, which is needed anyway.
    pub(crate) fn paired(&mut self, goals: &mut Goals, goal: GoalId, other: GoalId) -> Range<u32> {
        if let Some(known) = self.paired.get(&(goal, other)) {
            return known.clone();
        }
        let start = self.steps.len();
        self.generate_paired(goals, goal, other);
        let range = self.since(start);
        self.paired.insert((goal, other), range.clone());
        range
    }

    /// The negative of a goal; `None` if it cannot be stored.
    pub(crate) fn negative(&mut self, goals: &mut Goals, goal: GoalId) -> Option<GoalId> {
        if let Some(&known) = self.negatives.get(&goal) {
            return known;
        }
        let terms = goals.terms(goal).to_vec();
        let negative = self.moved(goals, &terms, -1, 0);
        self.negatives.insert(goal, negative);
        negative
    }

    /// The negative of a goal if it was asked for before.
    pub(crate) fn known_negative(&self, goal: GoalId) -> Option<GoalId> {
        self.negatives.get(&goal).copied().flatten()
    }

    fn since(&self, start: usize) -> Range<u32> {
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        number(start)..number(self.steps.len())
    }

    /// `factor · terms`, moved; `None` if it cannot be stored.
    fn moved(&mut self, goals: &mut Goals, terms: &[Term], factor: i32, step: u32) -> Option<GoalId> {
        terms::scaled(&mut self.scratch.b, terms, factor, step).then(|| goals.intern(&self.scratch.b)).flatten()
    }

    /// Records a step unless one of its operands is of no use: unstorable, zero, or beyond the allowed gain.
    fn push(&mut self, goals: &Goals, form: FormId, result: GoalId, operands: &[Option<GoalId>]) {
        let mut known = [Step::NONE; 3];
        for (slot, operand) in known.iter_mut().zip(operands) {
            let Some(operand) = *operand else { return };
            let features = goals.features(operand);
            if features.norm > self.max_norm || features.support == 0 || operand == result {
                return;
            }
            *slot = operand;
        }
        let step = Step::new(form, result, &known[..operands.len()]);
        if self.forms.get(form).takes(step.operands()) {
            self.steps.push(step);
        }
    }
}

/// The `most` displacements and signs under which most digits are shared, beginning with the most.
///
/// `share` leaves in its buffer what is shared; fewer terms than `least` do not count.
fn ranked(
    mut steps: Vec<u32>,
    (most, least): (usize, usize),
    mut share: impl FnMut(&mut Vec<Term>, u32, i32),
) -> Vec<(u32, i32)> {
    steps.sort_unstable();
    steps.dedup();
    let mut part = Vec::new();
    let mut ranked = Vec::new();
    for step in steps {
        for sign in [1, -1] {
            share(&mut part, step, sign);
            if part.len() >= least {
                ranked.push((terms::digits(&part), step, sign));
            }
        }
    }
    ranked.sort_by_key(|&(digits, ..)| std::cmp::Reverse(digits));
    ranked.into_iter().take(most).map(|(_, step, sign)| (step, sign)).collect()
}
