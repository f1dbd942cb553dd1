//! The generator of reverse steps: which instructions could have produced a goal, and from what.
//!
//! Steps are worked out once for each goal and for each pair of goals. Working out ([`Moves::draft`]) changes nothing,
//! so that it can be done for many goals at the same time; taking the result in ([`Moves::add`]) is done in a fixed
//! order.

mod alone;
mod draft;
mod paired;

use std::ops::Range;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

pub(crate) use draft::Draft;
use draft::Drafting;

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
    negative: GoalId,
}

impl Step {
    const NONE: GoalId = GoalId::MAX;

    /// The step of an instruction with these operands and results, a division with both halves; `None` if it has
    /// others.
    pub(crate) fn new(form: FormId, operands: &[GoalId], results: &[GoalId]) -> Option<Self> {
        let mut all = [Self::NONE; 3];
        all.get_mut(..operands.len())?.copy_from_slice(operands);
        let (result, negative) = match *results {
            [result] => (result, Self::NONE),
            [result, negative] => (result, negative),
            _ => return None,
        };
        // A copy makes nothing new, so no bag is before it.
        (!operands.contains(&result)).then_some(Self { form, result, operands: all, negative })
    }

    /// What it is made of, in the order of the instruction's sources. The same goal may occur twice.
    pub(crate) fn operands(&self) -> &[GoalId] {
        let count = self.operands.iter().take_while(|goal| **goal != Self::NONE).count();
        &self.operands[..count]
    }

    /// The negative of the result, if the instruction makes that as well.
    pub(crate) fn negative(&self) -> Option<GoalId> {
        (self.negative != Self::NONE).then_some(self.negative)
    }

    /// Whether the result has the sign of the first operand.
    pub(crate) fn is_positive(&self, goals: &Goals) -> bool {
        let sign = |goal| goals.terms(goal).first().map(|term| term.1 > 0);
        self.operands().first().is_some_and(|&operand| sign(operand) == sign(self.result))
    }

    /// The step between goals that are numbered in another way.
    pub(crate) fn renumbered(self, mut number: impl FnMut(GoalId) -> GoalId) -> Self {
        let mut new = |goal: GoalId| if goal == Self::NONE { goal } else { number(goal) };
        Self {
            form: self.form,
            result: new(self.result),
            operands: self.operands.map(&mut new),
            negative: new(self.negative),
        }
    }
}

/// What steps are worked out for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    /// What is to be made.
    pub(crate) goal: GoalId,
    /// With the help of this goal, which is needed anyway, or of none.
    pub(crate) other: Option<GoalId>,
}

/// All steps known so far.
pub(crate) struct Moves {
    forms: Forms,
    shifts: Shifts,
    scale: u32,
    max_norm: u64,
    steps: Vec<Step>,
    answers: HashMap<Question, Range<u32>, FxBuildHasher>,
}

/// The forms by shape, with the amount that each adds to keys.
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

impl Shifts {
    fn of(forms: &Forms) -> Self {
        let shifted = |shape| forms.shaped(shape).map(|(id, form)| (id, terms::step(form.offset))).collect::<Vec<_>>();
        let single = |shape| forms.shaped(shape).next().map(|(id, _)| id);
        let unmoved = |shape| shifted(shape).into_iter().find(|(_, step)| *step == 0).map(|(id, _)| id);
        Self {
            moves: shifted(Shape::Move).into_iter().filter(|(_, step)| *step != 0).collect(),
            adds: shifted(Shape::Add),
            subtracts: shifted(Shape::Subtract),
            add: unmoved(Shape::Add),
            subtract: unmoved(Shape::Subtract),
            add3: single(Shape::Add3),
            negate: single(Shape::Negate),
            halve: single(Shape::Halve),
            divide: single(Shape::Divide),
        }
    }
}

impl Moves {
    /// A generator for a problem over the instructions of a set.
    pub(crate) fn new(forms: Forms, problem: &Problem) -> Self {
        Self {
            shifts: Shifts::of(&forms),
            forms,
            scale: problem.scale,
            max_norm: problem.max_norm,
            steps: Vec::new(),
            answers: HashMap::default(),
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

    /// The numbers of the steps that answer a question, if it was worked out.
    pub(crate) fn answer(&self, question: Question) -> Option<Range<u32>> {
        self.answers.get(&question).cloned()
    }

    /// Works a question out.
    pub(crate) fn draft(&self, goals: &Goals, Question { goal, other }: Question) -> Draft {
        let mut drafting = Drafting::new(self, goals, goal);
        match other {
            None => drafting.alone(),
            Some(other) => drafting.paired(other),
        }
        drafting.finish()
    }

    /// Takes in what was worked out.
    pub(crate) fn add(&mut self, goals: &mut Goals, question: Question, draft: &Draft) {
        let start = self.count();
        for step in draft.steps(goals, question.goal) {
            if self.forms.get(step.form).takes(step.operands()) {
                self.steps.push(step);
            }
        }
        let range = start..self.count();
        self.answers.insert(question, range);
    }

    /// Forgets everything but the steps with these numbers, which get new numbers from 0 on, and goals.
    pub(crate) fn retain(&mut self, numbers: &[u32], mut renumber: impl FnMut(GoalId) -> GoalId) {
        self.steps = numbers.iter().map(|&number| self.step(number).renumbered(&mut renumber)).collect();
        self.answers = HashMap::default();
    }

    /// How much memory the steps take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.steps.as_slice()) + self.answers.len() * 2 * size_of::<(Question, Range<u32>)>()
    }

    fn count(&self) -> u32 {
        u32::try_from(self.steps.len()).unwrap_or(u32::MAX)
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
