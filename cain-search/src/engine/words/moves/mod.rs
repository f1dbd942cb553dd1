//! Which words could have made a goal, and from what.

mod alone;
mod paired;

use cain_isa::{BusLimits, Displacement, Word};

use super::super::draft::{Draft, Drafting, OperandId};
use super::super::goals::Goals;
use super::super::memory::room_of_draft;
use super::super::problem::Problem;
use super::super::steps::{Question, Way};
use super::super::terms::{self, Area, Term};
use super::forms::WordForms;
use crate::OffsetRule;
use crate::engine::steps::FormId;

/// Places from which a part is read through NEWS, the nearest first.
const MAX_PLACES: usize = 2;

/// The words of a problem, as steps.
pub(crate) struct WordMoves {
    forms: WordForms,
    kinds: Kinds,
    scale: u32,
    thirds: u32,
    max_norm: u64,
    /// The most that a draft may take, in bytes.
    room: usize,
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
    pub(crate) fn new(problem: &Problem, bus: BusLimits, offset_rule: OffsetRule) -> Self {
        let forms = WordForms::new(bus);
        let Problem { scale, thirds, gain, memory, .. } = *problem;
        Self {
            kinds: Kinds::of(&forms),
            forms,
            scale,
            thirds,
            max_norm: gain.norm(0),
            room: room_of_draft(memory),
            offset_rule,
        }
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
        let draft = Drafting::new(goals, question.goal, self.max_norm, self.room);
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

    /// Records a word that writes NEWS from the i-th place.
    fn push_news(&mut self, divisor: usize, i: usize, parts: &[Option<OperandId>]) {
        if let Some(&form) = self.kinds.news[i].1[divisor - 1].get(parts.len()) {
            self.draft.push(form, parts);
        }
    }
}

/// `factor · terms`, moved; `None` on overflow.
fn scaled(terms: &[Term], factor: i32, step: u32) -> Option<Vec<Term>> {
    let mut out = Vec::new();
    terms::scaled(&mut out, terms, factor, step).then_some(out)
}

/// The middle of the box around the terms.
fn centre(terms: &[Term]) -> Displacement {
    let area = Area::of(terms);
    Displacement::new(i16::midpoint(area.min.x, area.max.x), i16::midpoint(area.min.y, area.max.y))
}

/// How far a step ends from an displacement.
fn distance(step: u32, wanted: Displacement) -> u16 {
    let got = terms::displacement_of_step(step);
    (got.x - wanted.x).unsigned_abs() + (got.y - wanted.y).unsigned_abs()
}
