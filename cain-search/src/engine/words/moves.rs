//! Which words could have made a goal, and from what.

use cain_isa::{Offset, Word};

use super::super::draft::{Draft, Drafting, OperandId};
use super::super::forms::FormId;
use super::super::goals::{GoalId, Goals};
use super::super::partitions::{Partition, partitions, ranked};
use super::super::problem::Problem;
use super::super::steps::{Question, Way};
use super::super::terms::{self, Area, Term};
use super::forms::WordForms;
use crate::OffsetRule;

/// Common parts kept per pair of goals, the largest first.
const MAX_OVERLAPS: usize = 8;
/// Up to this many terms are shared out between two operands beside known ones.
const MAX_SHARED: usize = 4;
/// Places from which a part is read through NEWS, the nearest first.
const MAX_PLACES: usize = 2;

/// The words of a problem, as steps.
pub(crate) struct WordMoves {
    forms: WordForms,
    kinds: Kinds,
    scale: u32,
    thirds: u32,
    max_norm: u64,
    offset_rule: OffsetRule,
}

/// The forms by what they read and write.
struct Kinds {
    /// By divisor and number of operands.
    registers: [Vec<FormId>; Word::MAX_DESTINATIONS],
    /// For each place to read NEWS from, by divisor and number of registers.
    reading: Vec<(u32, [Vec<FormId>; Word::MAX_DESTINATIONS])>,
    /// For each place to which a value is pushed into NEWS, by divisor and number of operands.
    news: Vec<(u32, [Vec<FormId>; Word::MAX_DESTINATIONS])>,
}

impl Kinds {
    fn of(forms: &WordForms) -> Self {
        let mut kinds = Self { registers: Default::default(), reading: Vec::new(), news: Vec::new() };
        for (id, form) in forms.iter() {
            let divisor = usize::from(form.divisor) - 1;
            let by_place = match (form.makes_news(), form.reading) {
                (false, None) => &mut kinds.registers,
                (false, Some(_)) => at_place(&mut kinds.reading, form.news_from),
                (true, _) => at_place(&mut kinds.news, form.registers_from),
            };
            // They come in the order of their number of registers, from 0 on.
            by_place[divisor].push(id);
        }
        kinds
    }
}

fn at_place<T: Default>(places: &mut Vec<(u32, T)>, place: u32) -> &mut T {
    let i = places.iter().position(|other| other.0 == place).unwrap_or_else(|| {
        places.push((place, T::default()));
        places.len() - 1
    });
    &mut places[i].1
}

impl WordMoves {
    /// A generator for a problem.
    pub(crate) fn new(problem: &Problem, offset_rule: OffsetRule) -> Self {
        let forms = WordForms::new();
        let Problem { scale, thirds, max_norm, .. } = *problem;
        Self { kinds: Kinds::of(&forms), forms, scale, thirds, max_norm, offset_rule }
    }

    /// What becomes of the constant transfer error.
    pub(crate) fn offset_rule(&self) -> OffsetRule {
        self.offset_rule
    }

    /// The words.
    pub(crate) fn forms(&self) -> &WordForms {
        &self.forms
    }

    /// Works a question out.
    pub(super) fn draft(&self, goals: &Goals, question: Question) -> Draft {
        let draft = Drafting::new(goals, question.goal, self.max_norm);
        let needs_halving = goals.features(question.goal).valuation < self.scale;
        let needs_third = self.thirds > 0 && terms::thirds(draft.terms) < self.thirds;
        let mut answer = Answer { kinds: &self.kinds, draft, divisors: [true, needs_halving, needs_third] };
        let [first, second] = question.others;
        match (question.way, question.others().count()) {
            (Way::Registers, 0) => answer.of_registers(),
            (Way::Registers, _) => answer.of_registers_with(first),
            (Way::Reading, 0) => answer.reading(),
            (Way::Reading, _) => answer.reading_with(first),
            (Way::ReadingHeld, 1) => answer.reading_held(first),
            (Way::ReadingHeld, _) => answer.reading_held_with(first, second),
            (Way::WritingNews, 0) => answer.writing_news(),
            (Way::WritingNews, _) => answer.writing_news_with(first),
            (Way::Macro, _) => {}
        }
        answer.draft.finish()
    }
}

/// Working out the steps that make one goal.
struct Answer<'a> {
    kinds: &'a Kinds,
    draft: Drafting<'a>,
    /// Whether dividing by one, two and three brings the goal nearer to the inputs.
    divisors: [bool; Word::MAX_DESTINATIONS],
}

impl Answer<'_> {
    /// −divisor·g, which the operands have to add up to, for each divisor worth trying.
    fn sums(&self) -> Vec<(usize, Vec<Term>)> {
        let worth = (1..).zip(self.divisors).filter(|(_, is_worth)| *is_worth);
        worth
            .filter_map(|(divisor, _)| Some((divisor, scaled(self.draft.terms, -i32::try_from(divisor).ok()?, 0)?)))
            .collect()
    }

    /// Records a word that reads registers only.
    fn push_registers(&mut self, divisor: usize, parts: &[Option<OperandId>]) {
        if let Some(&form) = self.kinds.registers[divisor - 1].get(parts.len()) {
            self.draft.push(form, parts);
        }
    }

    /// Records words that read the first part through NEWS, from places near to where it is.
    fn push_near(&mut self, divisor: usize, read: &[Term], parts: &[Option<OperandId>]) {
        let middle = centre(read);
        let mut places: Vec<usize> = (0..self.kinds.reading.len()).collect();
        places.sort_by_key(|&i| distance(self.kinds.reading[i].0, middle));
        for &i in places.iter().take(MAX_PLACES) {
            self.push_reading(divisor, i, read, parts);
        }
    }

    /// Records a word that reads the first part through NEWS from the i-th place.
    fn push_reading(&mut self, divisor: usize, i: usize, read: &[Term], parts: &[Option<OperandId>]) {
        let (from, forms) = &self.kinds.reading[i];
        if let Some(&form) = forms[divisor - 1].get(parts.len()) {
            let news = self.draft.moved(read, 1, from.wrapping_neg());
            self.draft.push(form, &[&[news], parts].concat());
        }
    }

    /// Records a word that reads a known value through NEWS from the i-th place.
    fn push_held(&mut self, divisor: usize, i: usize, held: Option<OperandId>, parts: &[Option<OperandId>]) {
        if let Some(&form) = self.kinds.reading[i].1[divisor - 1].get(parts.len()) {
            self.draft.push(form, &[&[held], parts].concat());
        }
    }

    /// g = −(a + b + ..)/k
    fn of_registers(&mut self) {
        for (divisor, sum) in self.sums() {
            let whole = self.draft.operand(&sum);
            self.push_registers(divisor, &[whole]);
            partitions(&sum, |partition| {
                let parts = parts(partition);
                let parts: Vec<_> = parts.iter().map(|part| self.draft.operand(part)).collect();
                self.push_registers(divisor, &parts);
            });
        }
    }

    /// The same with a value that is there.
    fn of_registers_with(&mut self, other: GoalId) {
        let known = self.draft.stored(other);
        for (divisor, sum) in self.sums() {
            let Some(rest) = self.rest(&sum, &[(other, 1, 0)]) else { continue };
            self.share_out(&rest, |this, parts| this.push_registers(divisor, &[&[known], parts].concat()));
            for (part, rest) in self.overlaps(&sum, other) {
                let parts = [self.draft.operand(&part), self.draft.operand(&rest)];
                self.push_registers(divisor, &parts);
            }
        }
    }

    /// g = −(S·n + a + ..)/k
    fn reading(&mut self) {
        for (divisor, sum) in self.sums() {
            for i in 0..self.kinds.reading.len() {
                self.push_reading(divisor, i, &sum, &[]);
                self.factors(divisor, i, &sum);
            }
            partitions(&sum, |partition| {
                let parts = parts(partition);
                for (i, read) in parts.iter().enumerate() {
                    let others = (0..parts.len()).filter(|&j| j != i);
                    let others: Vec<_> = others.map(|j| self.draft.operand(&parts[j])).collect();
                    self.push_near(divisor, read, &others);
                }
            });
        }
    }

    /// The sum is S·a + a, or S·a − a; with S moving nothing, twice a.
    fn factors(&mut self, divisor: usize, i: usize, sum: &[Term]) {
        let from = self.kinds.reading[i].0;
        let mut a = Vec::new();
        for sign in [1, -1] {
            // Halves of a sum that is to be halved are the goal itself.
            let is_of_use = from != 0 || (divisor, sign) == (1, 1);
            if is_of_use && terms::divide(&mut a, sum, from, sign) {
                let (read, other) = (self.draft.operand(&a), self.draft.moved(&a, sign, 0));
                self.push_held(divisor, i, read, &[other]);
            }
        }
    }

    /// NEWS holds ± the other value, or the other value is one of the registers read.
    fn reading_with(&mut self, other: GoalId) {
        let known = self.draft.stored(other);
        for (divisor, sum) in self.sums() {
            for sign in [1, -1] {
                let held = if sign > 0 { known } else { self.draft.moved(self.draft.goals.terms(other), -1, 0) };
                for i in 0..self.kinds.reading.len() {
                    let from = self.kinds.reading[i].0;
                    if let Some(rest) = self.rest(&sum, &[(other, sign, from)]) {
                        self.share_out(&rest, |this, parts| this.push_held(divisor, i, held, parts));
                    }
                }
            }
            if let Some(rest) = self.rest(&sum, &[(other, 1, 0)])
                && !rest.is_empty()
            {
                self.push_near(divisor, &rest, &[known]);
            }
            for (part, rest) in self.overlaps(&sum, other) {
                for (read, part) in [(&part, &rest), (&rest, &part)] {
                    let parts = [self.draft.operand(part)];
                    self.push_near(divisor, read, &parts);
                }
            }
        }
    }

    /// NEWS holds a value already.
    fn reading_held(&mut self, held: GoalId) {
        let known = self.draft.stored(held);
        for (divisor, sum) in self.sums() {
            for i in 0..self.kinds.reading.len() {
                let from = self.kinds.reading[i].0;
                if let Some(rest) = self.rest(&sum, &[(held, 1, from)]) {
                    self.share_out(&rest, |this, parts| this.push_held(divisor, i, known, parts));
                }
            }
        }
    }

    /// NEWS holds a value already, and another one is there.
    fn reading_held_with(&mut self, held: GoalId, other: GoalId) {
        let (held_id, known) = (self.draft.stored(held), self.draft.stored(other));
        for (divisor, sum) in self.sums() {
            for i in 0..self.kinds.reading.len() {
                let from = self.kinds.reading[i].0;
                if let Some(rest) = self.rest(&sum, &[(held, 1, from), (other, 1, 0)]) {
                    let parts = if rest.is_empty() { vec![known] } else { vec![known, self.draft.operand(&rest)] };
                    self.push_held(divisor, i, held_id, &parts);
                }
            }
        }
    }

    /// m = −S·(a + b + ..)/k
    fn writing_news(&mut self) {
        for (divisor, sum) in self.sums() {
            for i in 0..self.kinds.news.len() {
                let parts = [self.draft.moved(&sum, 1, self.kinds.news[i].0.wrapping_neg())];
                self.push_news(divisor, i, &parts);
            }
            partitions(&sum, |partition| {
                let parts = parts(partition);
                for i in self.places_near(&sum) {
                    let from = self.kinds.news[i].0.wrapping_neg();
                    let parts: Vec<_> = parts.iter().map(|part| self.draft.moved(part, 1, from)).collect();
                    self.push_news(divisor, i, &parts);
                }
            });
        }
    }

    /// Places from which NEWS is written, the nearest to the terms first.
    fn places_near(&self, sum: &[Term]) -> Vec<usize> {
        let middle = centre(sum);
        let mut places: Vec<usize> = (0..self.kinds.news.len()).collect();
        places.sort_by_key(|&i| distance(self.kinds.news[i].0, middle));
        places.truncate(MAX_PLACES);
        places
    }

    /// The same with a value that is there.
    fn writing_news_with(&mut self, other: GoalId) {
        let known = self.draft.stored(other);
        for (divisor, sum) in self.sums() {
            for i in 0..self.kinds.news.len() {
                let Some(sum) = scaled(&sum, 1, self.kinds.news[i].0.wrapping_neg()) else { continue };
                if let Some(rest) = self.rest(&sum, &[(other, 1, 0)]) {
                    self.share_out(&rest, |this, parts| this.push_news(divisor, i, &[&[known], parts].concat()));
                }
            }
        }
    }

    /// Records a word that writes NEWS from the i-th place.
    fn push_news(&mut self, divisor: usize, i: usize, parts: &[Option<OperandId>]) {
        if let Some(&form) = self.kinds.news[i].1[divisor - 1].get(parts.len()) {
            self.draft.push(form, parts);
        }
    }

    /// A sum without known values, each with a sign and from a place; `None` if that is neither simpler nor known.
    fn rest(&self, sum: &[Term], known: &[(GoalId, i32, u32)]) -> Option<Vec<Term>> {
        let mut rest = sum.to_vec();
        let mut out = Vec::new();
        for &(goal, sign, from) in known {
            if !terms::combine(&mut out, &rest, (1, 0), self.draft.goals.terms(goal), (-sign, from)) {
                return None;
            }
            std::mem::swap(&mut rest, &mut out);
        }
        (terms::digits(&rest) < terms::digits(sum) || self.draft.goals.contains(&rest)).then_some(rest)
    }

    /// Calls `push` with ways to have a rest in no, one, or two registers.
    fn share_out(&mut self, rest: &[Term], mut push: impl FnMut(&mut Self, &[Option<OperandId>])) {
        if rest.is_empty() {
            push(self, &[]);
            return;
        }
        let whole = self.draft.operand(rest);
        push(self, &[whole]);
        if rest.len() > MAX_SHARED {
            return;
        }
        // The last term stays in q, so that each way is tried once.
        for mask in 1_u32..1 << (rest.len() - 1) {
            let (mut p, mut q) = (Vec::new(), Vec::new());
            for (i, &term) in rest.iter().enumerate() {
                if mask >> i & 1 == 1 { p.push(term) } else { q.push(term) }
            }
            let parts = [self.draft.operand(&p), self.draft.operand(&q)];
            push(self, &parts);
        }
    }

    /// Parts of a sum that are also part of another goal somewhere, which will find them later, each with the rest.
    fn overlaps(&self, sum: &[Term], other: GoalId) -> Vec<(Vec<Term>, Vec<Term>)> {
        let h = self.draft.goals.terms(other);
        if sum.len() < 2 || h.len() < 2 {
            return Vec::new();
        }
        let same_channel = |a: &Term, b: &Term| terms::channel(a.0) == terms::channel(b.0);
        let steps = sum.iter().flat_map(|a| h.iter().filter(|b| same_channel(a, b)).map(|b| a.0.wrapping_sub(b.0)));
        let shared = ranked(steps.collect(), (MAX_OVERLAPS, 2), |part, step, sign| {
            terms::common(part, sum, h, step, sign);
        });
        let part_and_rest = |(step, sign): (u32, i32)| {
            let (mut part, mut rest) = (Vec::new(), Vec::new());
            terms::common(&mut part, sum, h, step, sign);
            (terms::combine(&mut rest, sum, (1, 0), &part, (-1, 0)) && !rest.is_empty()).then_some((part, rest))
        };
        shared.into_iter().filter_map(part_and_rest).collect()
    }
}

/// The summands of a partition.
fn parts(partition: Partition<'_>) -> Vec<Vec<Term>> {
    let signed = |part: &[Term], sign: i32| scaled(part, sign, 0).unwrap_or_default();
    match partition {
        Partition::Two(p, q, sign) => vec![p.to_vec(), signed(q, sign)],
        Partition::Three(p, (q, sign), r) => vec![p.to_vec(), signed(q, sign), r.to_vec()],
    }
}

/// `factor · terms`, moved; `None` on overflow.
fn scaled(terms: &[Term], factor: i32, step: u32) -> Option<Vec<Term>> {
    let mut out = Vec::new();
    terms::scaled(&mut out, terms, factor, step).then_some(out)
}

/// The middle of the box around the terms.
fn centre(terms: &[Term]) -> Offset {
    let area = Area::of(terms);
    Offset::new(i16::midpoint(area.min.x, area.max.x), i16::midpoint(area.min.y, area.max.y))
}

/// How far a step ends from an offset.
fn distance(step: u32, wanted: Offset) -> u16 {
    let got = terms::offset_of_step(step);
    (got.x - wanted.x).unsigned_abs() + (got.y - wanted.y).unsigned_abs()
}
