//! Reverse steps, each stored once with the question that it answers.
//!
//! Steps are worked out once for each question. Working out ([`Space::draft`](super::space::Space::draft)) changes
//! nothing, so that it can be done for many questions at the same time; taking the result in ([`Steps::add`]) is done
//! in a fixed order.

use std::ops::Range;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::draft::Draft;
use super::goals::{GoalId, Goals};

/// The number of an instruction without registers among those of its target.
pub(crate) type FormId = u16;

/// The most operands of a step.
pub(crate) const MAX_OPERANDS: usize = 4;

/// One instruction seen backwards: it makes `result` out of its operands.
///
/// A division also makes the negative of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The instruction.
    pub(crate) form: FormId,
    /// What it makes.
    pub(crate) result: GoalId,
    /// The operands, from the front; the negative of the result at the end.
    others: [GoalId; MAX_OPERANDS],
}

impl Step {
    /// No goal.
    pub(crate) const NONE: GoalId = GoalId::MAX;

    /// The step of an instruction with these operands and results, a division with both halves; `None` if it has
    /// others.
    pub(crate) fn new(form: FormId, operands: &[GoalId], results: &[GoalId]) -> Option<Self> {
        let (result, negative) = match *results {
            [result] => (result, None),
            [result, negative] => (result, Some(negative)),
            _ => return None,
        };
        // A copy makes nothing new, so no bag is before it.
        (!operands.contains(&result)).then(|| Self::assemble(form, result, operands, negative)).flatten()
    }

    /// A step of these goals; `None` if there are too many of them.
    pub(super) fn assemble(
        form: FormId,
        result: GoalId,
        operands: &[GoalId],
        negative: Option<GoalId>,
    ) -> Option<Self> {
        let mut others = [Self::NONE; MAX_OPERANDS];
        others.get_mut(..operands.len() + usize::from(negative.is_some()))?;
        others[..operands.len()].copy_from_slice(operands);
        if let Some(negative) = negative {
            others[MAX_OPERANDS - 1] = negative;
        }
        Some(Self { form, result, others })
    }

    /// What it is made of, in the order of the instruction's sources. The same goal may occur twice.
    pub(crate) fn operands(&self) -> &[GoalId] {
        let count = self.others.iter().take_while(|goal| **goal != Self::NONE).count();
        &self.others[..count]
    }

    /// The negative of the result, if the instruction makes that as well.
    pub(crate) fn negative(&self) -> Option<GoalId> {
        let last = self.others[MAX_OPERANDS - 1];
        (last != Self::NONE && self.operands().len() < MAX_OPERANDS).then_some(last)
    }

    /// Whether the result has the sign of the first operand.
    pub(crate) fn is_positive(&self, goals: &Goals) -> bool {
        let sign = |goal| goals.terms(goal).first().map(|term| term.1 > 0);
        self.operands().first().is_some_and(|&operand| sign(operand) == sign(self.result))
    }

    /// The step between goals that are numbered in another way.
    pub(crate) fn renumbered(self, mut number: impl FnMut(GoalId) -> GoalId) -> Self {
        let mut new = |goal: GoalId| if goal == Self::NONE { goal } else { number(goal) };
        Self { form: self.form, result: new(self.result), others: self.others.map(&mut new) }
    }
}

/// What steps are worked out for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    /// What is to be made.
    pub(crate) goal: GoalId,
    /// With the help of these goals, which are needed anyway; [`Step::NONE`] is no goal.
    pub(crate) others: [GoalId; 2],
    /// In which way.
    pub(crate) way: Way,
}

impl Question {
    /// How a goal is made from what follows from it alone.
    pub(crate) fn alone(goal: GoalId, way: Way) -> Self {
        Self { goal, others: [Step::NONE; 2], way }
    }

    /// How a goal is made with the help of another one.
    pub(crate) fn with(goal: GoalId, other: GoalId, way: Way) -> Self {
        Self { goal, others: [other, Step::NONE], way }
    }

    /// The goals that help.
    pub(crate) fn others(&self) -> impl Iterator<Item = GoalId> {
        self.others.into_iter().take_while(|&other| other != Step::NONE)
    }
}

/// In which way a goal is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Way {
    /// By a macro instruction.
    Macro,
    /// In a register, by a word that reads registers only.
    Registers,
    /// In a register, by a word that reads NEWS, which may hold whatever helps.
    Reading,
    /// In a register, by a word that reads NEWS, which holds the first of the other goals.
    ReadingHeld,
    /// In NEWS.
    WritingNews,
}

/// All steps known so far.
#[derive(Default)]
pub(crate) struct Steps {
    steps: Vec<Step>,
    answers: HashMap<Question, Range<u32>, FxBuildHasher>,
}

impl Steps {
    /// A step by its number.
    pub(crate) fn get(&self, number: u32) -> Step {
        self.steps[number as usize]
    }

    /// The numbers of the steps that answer a question, if it was worked out.
    pub(crate) fn answer(&self, question: Question) -> Option<Range<u32>> {
        self.answers.get(&question).cloned()
    }

    /// Takes in those of the steps worked out that an instruction can carry out.
    pub(crate) fn add(
        &mut self,
        goals: &mut Goals,
        question: Question,
        draft: &Draft,
        is_possible: impl Fn(&Step) -> bool,
    ) {
        let start = self.count();
        self.steps.extend(draft.steps(goals, question.goal).filter(is_possible));
        let range = start..self.count();
        self.answers.insert(question, range);
    }

    /// Forgets everything but the steps with these numbers, which get new numbers from 0 on, and goals.
    pub(crate) fn retain(&mut self, numbers: &[u32], mut renumber: impl FnMut(GoalId) -> GoalId) {
        self.steps = numbers.iter().map(|&number| self.get(number).renumbered(&mut renumber)).collect();
        self.answers = HashMap::default();
    }

    /// How much memory the steps take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        Self::bytes_of(self.steps.len()) + self.answers.len() * 2 * size_of::<(Question, Range<u32>)>()
    }

    /// How much memory so many steps take without the questions that they answer, in bytes.
    pub(crate) fn bytes_of(steps: usize) -> usize {
        steps * size_of::<Step>()
    }

    fn count(&self) -> u32 {
        u32::try_from(self.steps.len()).unwrap_or(u32::MAX)
    }
}
