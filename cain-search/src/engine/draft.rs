//! Drafts: steps that have been worked out but whose operands may not be stored yet.

use super::area::Area;
use super::expansion::ExpansionKey;
use super::gain::GainBound;
use super::goals::{Features, GoalId, Goals, Prepared};
use super::step::{FormId, MAX_OPERANDS, Step};
use super::terms::{self, Term};
use super::work;

/// The work of making an operand, in addition to that for its terms.
const OPERAND: usize = 8;

/// The steps that make one goal, and their operands.
#[derive(Default)]
pub(crate) struct Draft {
    /// The terms of all new operands.
    terms: Vec<Term>,
    operands: Vec<Operand>,
    steps: Vec<DraftStep>,
    work: u64,
}

/// An operand: where its terms are, and what is known about it.
#[derive(Clone, Copy)]
struct Operand {
    start: usize,
    end: usize,
    prepared: Prepared,
}

/// The memory that an operand takes besides its terms, including that for its features once it is stored.
const BYTES_BESIDE_TERMS: usize = size_of::<Operand>() + size_of::<Features>();

/// The number of an operand in a draft.
pub(super) type OperandId = u32;

#[derive(Clone, Copy)]
struct DraftStep {
    form: FormId,
    operands: [Option<OperandId>; MAX_OPERANDS],
    negative: Option<OperandId>,
}

impl Draft {
    /// The likely size, in bytes, of the draft for a goal of `terms` terms that is made alone or with the help of
    /// another one. It allows for repetitions between all pairs of terms and for each term as an outlier.
    pub(super) fn expected_bytes(terms: usize, alone: bool) -> usize {
        Self::expected_operands(terms, alone) * (terms * size_of::<Term>() + BYTES_BESIDE_TERMS)
    }

    /// The likely number of operands in a draft.
    pub(super) fn expected_operands(terms: usize, alone: bool) -> usize {
        if alone { (terms * terms / 2).min(24) * 27 + 8 * terms + 64 } else { 64 }
    }

    /// How much work a draft is likely to be.
    pub(super) fn expected_work(goals: &Goals, key: ExpansionKey) -> u64 {
        let terms = goals.terms(key.goal);
        let operands = Self::expected_operands(terms.len(), key.others().next().is_none());
        ranking(goals, key) + work::units(operands * (terms.len() + OPERAND))
    }

    /// The work that it took to make the draft.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    fn bytes(&self) -> usize {
        let operands = self.operands.len() * BYTES_BESIDE_TERMS;
        size_of_val(self.terms.as_slice()) + operands + size_of_val(self.steps.as_slice())
    }

    /// The steps that make `goal`, with all their operands stored.
    pub(super) fn steps<'a>(&'a self, goals: &mut Goals, goal: GoalId) -> impl Iterator<Item = Step> + 'a {
        let stored: Vec<Option<GoalId>> = self
            .operands
            .iter()
            .map(|operand| goals.insert(&self.terms[operand.start..operand.end], operand.prepared))
            .collect();
        self.steps.iter().filter_map(move |step| {
            let mut operands = [Step::NONE; MAX_OPERANDS];
            let count = step.operands.iter().flatten().count();
            for (slot, &operand) in operands.iter_mut().zip(step.operands.iter().flatten()) {
                *slot = stored[operand as usize]?;
            }
            let negative = match step.negative {
                Some(negative) => Some(stored[negative as usize]?),
                None => None,
            };
            Step::assemble(step.form, goal, &operands[..count], negative)
        })
    }
}

/// A draft in the making, for one goal.
pub(super) struct Drafting<'a> {
    bound: GainBound,
    /// The most memory that the draft may take, in bytes.
    room: usize,
    pub(super) goals: &'a Goals,
    pub(super) goal: GoalId,
    /// The terms of the goal.
    pub(super) terms: &'a [Term],
    scratch: Vec<Term>,
    draft: Draft,
}

impl<'a> Drafting<'a> {
    pub(super) fn new(goals: &'a Goals, key: ExpansionKey, bound: GainBound, room: usize) -> Self {
        let draft = Draft { work: ranking(goals, key), ..Draft::default() };
        Self { bound, room, goals, goal: key.goal, terms: goals.terms(key.goal), scratch: Vec::new(), draft }
    }

    pub(super) fn finish(self) -> Draft {
        self.draft
    }

    /// Adds an operand with these terms; `None` if it is useless (zero, the goal itself, too far away, or beyond the
    /// allowed gain), or if there is no room for it.
    pub(super) fn operand(&mut self, terms: &[Term]) -> Option<OperandId> {
        self.draft.work += work::units(terms.len() + OPERAND);
        if terms.is_empty() || !self.bound.allows(terms) {
            return None;
        }
        if self.draft.bytes() + size_of_val(terms) > self.room {
            return None;
        }
        let prepared = self.goals.prepare(terms)?;
        let start = self.draft.terms.len();
        match prepared {
            Prepared::Known(goal) if goal == self.goal => return None,
            Prepared::Known(_) => {}
            Prepared::New(_) => self.draft.terms.extend_from_slice(terms),
        }
        let id = OperandId::try_from(self.draft.operands.len()).ok()?;
        self.draft.operands.push(Operand { start, end: self.draft.terms.len(), prepared });
        Some(id)
    }

    /// Adds a goal that is already stored as an operand.
    pub(super) fn stored(&mut self, goal: GoalId) -> Option<OperandId> {
        let id = OperandId::try_from(self.draft.operands.len()).ok()?;
        self.draft.operands.push(Operand { start: 0, end: 0, prepared: Prepared::Known(goal) });
        Some(id)
    }

    /// Adds `factor · terms`, moved by `step`, as an operand.
    pub(super) fn moved(&mut self, terms: &[Term], factor: i32, step: u32) -> Option<OperandId> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let operand = if terms::scaled(&mut scratch, terms, factor, step) { self.operand(&scratch) } else { None };
        self.scratch = scratch;
        operand
    }

    /// Records a step, unless one of its operands was refused.
    pub(super) fn push(&mut self, form: FormId, operands: &[Option<OperandId>]) {
        self.push_with(form, operands, None);
    }

    /// Records a division, which also makes the negative of the goal.
    pub(super) fn push_division(&mut self, form: FormId, operand: Option<OperandId>) {
        let negative = self.moved(self.terms, -1, 0);
        if negative.is_some() {
            self.push_with(form, &[operand], negative);
        }
    }

    fn push_with(&mut self, form: FormId, operands: &[Option<OperandId>], negative: Option<OperandId>) {
        if operands.iter().any(Option::is_none) {
            return;
        }
        let mut all = [None; MAX_OPERANDS];
        for (slot, &operand) in all.iter_mut().zip(operands) {
            *slot = operand;
        }
        self.draft.steps.push(DraftStep { form, operands: all, negative });
    }
}

/// The work of comparing a goal with itself, or with another one, at all displacements between two of their terms.
fn ranking(goals: &Goals, key: ExpansionKey) -> u64 {
    let goal = goals.terms(key.goal);
    let with = |other: &[Term]| {
        let pairs = goal.len() * other.len();
        let (a, b) = (Area::of(goal), Area::of(other));
        let span = |a: i16, b: i16, c: i16, d: i16| usize::from(a.abs_diff(b)) + usize::from(c.abs_diff(d)) + 1;
        let places = span(a.min.x, a.max.x, b.min.x, b.max.x) * span(a.min.y, a.max.y, b.min.y, b.max.y);
        work::units(pairs + 2 * pairs.min(places) * (goal.len() + other.len()))
    };
    match key.others().next() {
        None => with(goal) / 2,
        Some(other) => with(goals.terms(other)),
    }
}
