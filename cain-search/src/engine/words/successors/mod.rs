//! Successors in the reverse search: the words that could have made a goal, and their operands.

mod alone;
mod paired;

use cain_isa::{BusLimits, Word};

use super::forms::WordForms;
use crate::engine::area::{Area, distance};
use crate::engine::draft::{Draft, Drafting, OperandId};
use crate::engine::gain::GainBound;
use crate::engine::goals::Goals;
use crate::engine::memo::{ExpansionKey, Mode};
use crate::engine::memory::room_of_draft;
use crate::engine::problem::Problem;
use crate::engine::step::FormId;
use crate::engine::terms::{self, Term};
use crate::sort;

/// The goal is made in a register, by a word that reads only registers.
pub(super) const REGISTERS: Mode = Mode(0);
/// The goal is made in a register, by a word that reads NEWS, which may hold whatever helps.
pub(super) const READING: Mode = Mode(1);
/// The goal is made in a register, by a word that reads NEWS, which holds the first of the other goals.
pub(super) const READING_HELD: Mode = Mode(2);
/// The goal is made in NEWS.
pub(super) const WRITING_NEWS: Mode = Mode(3);

/// The number of places from which a part is read through NEWS, the nearest ones.
const MAX_PLACES: usize = 2;

/// Generates the steps of control words for a problem.
pub(crate) struct Successors {
    forms: WordForms,
    kinds: Kinds,
    scale: u32,
    thirds: u32,
    bound: GainBound,
    /// The memory that a draft may take, in bytes.
    room: usize,
}

/// Forms by divisor and number of registers that they read; `None` where there is no such word.
pub(super) type ByDivisor = [Vec<Option<FormId>>; Word::MAX_DESTINATIONS];

/// The forms, by what they read and write.
pub(super) struct Kinds {
    /// The forms that read and write only registers.
    pub(super) registers: ByDivisor,
    /// For each place from which NEWS is read, the forms.
    pub(super) reading: Vec<(u32, ByDivisor)>,
    /// For each place to which a value is pushed into NEWS, the forms.
    pub(super) news: Vec<(u32, ByDivisor)>,
}

impl Kinds {
    pub(super) fn of(forms: &WordForms) -> Self {
        let mut kinds = Self { registers: Default::default(), reading: Vec::new(), news: Vec::new() };
        for (id, form) in forms.iter() {
            let divisor = usize::from(form.divisor) - 1;
            let by_place = match (form.makes_news(), form.reading) {
                (false, None) => &mut kinds.registers,
                (false, Some(_)) => at_place(&mut kinds.reading, form.news_from),
                (true, _) => at_place(&mut kinds.news, form.registers_from),
            };
            // Forms are in ascending order of their number of registers.
            by_place[divisor].resize(form.registers, None);
            by_place[divisor].push(Some(id));
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

impl Successors {
    pub(crate) fn new(problem: &Problem, bus: BusLimits) -> Self {
        let forms = WordForms::new(bus);
        let Problem { scale, thirds, gain, memory, .. } = *problem;
        Self { kinds: Kinds::of(&forms), forms, scale, thirds, bound: gain.bound(0), room: room_of_draft(memory) }
    }

    pub(crate) fn forms(&self) -> &WordForms {
        &self.forms
    }

    pub(super) fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// Works out an expansion.
    pub(super) fn draft(&self, goals: &Goals, key: ExpansionKey) -> Draft {
        let draft = Drafting::new(goals, key, self.bound, self.room);
        let needs_halving = goals.features(key.goal).valuation < self.scale;
        let needs_third = self.thirds > 0 && terms::thirds(draft.terms) < self.thirds;
        let mut expansion = Expansion { kinds: &self.kinds, draft, divisors: [true, needs_halving, needs_third] };
        let [first, second] = key.others;
        match (key.mode, key.others().count()) {
            (REGISTERS, 0) => expansion.of_registers(),
            (REGISTERS, _) => expansion.of_registers_with(first),
            (READING, 0) => expansion.reading(),
            (READING, _) => expansion.reading_with(first),
            (READING_HELD, 1) => expansion.reading_held(first),
            (READING_HELD, _) => expansion.reading_held_with(first, second),
            (WRITING_NEWS, 0) => expansion.writing_news(),
            (WRITING_NEWS, _) => expansion.writing_news_with(first),
            _ => {}
        }
        expansion.draft.finish()
    }
}

/// An expansion in the making: the steps that make one goal.
struct Expansion<'a> {
    kinds: &'a Kinds,
    draft: Drafting<'a>,
    /// Whether dividing by one, two or three brings the goal nearer to the inputs.
    divisors: [bool; Word::MAX_DESTINATIONS],
}

impl Expansion<'_> {
    /// For each divisor worth trying, the sum −divisor·g that the operands must have.
    fn sums(&self) -> Vec<(usize, Vec<Term>)> {
        let worth = (1..).zip(self.divisors).filter(|(_, is_worth)| *is_worth);
        worth
            .filter_map(|(divisor, _)| Some((divisor, scaled(self.draft.terms, -i32::try_from(divisor).ok()?, 0)?)))
            .collect()
    }

    /// Records a word that reads only registers.
    fn push_registers(&mut self, divisor: usize, parts: &[Option<OperandId>]) {
        if let Some(&Some(form)) = self.kinds.registers[divisor - 1].get(parts.len()) {
            self.draft.push(form, parts);
        }
    }

    /// Records words that read the first part through NEWS, from the places nearest to it.
    fn push_near(&mut self, divisor: usize, read: &[Term], parts: &[Option<OperandId>]) {
        let middle = Area::of(read).centre();
        let mut places: Vec<usize> = (0..self.kinds.reading.len()).collect();
        sort::by_key(&mut places, |&i| distance(self.kinds.reading[i].0, middle));
        for &i in places.iter().take(MAX_PLACES) {
            self.push_reading(divisor, i, read, parts);
        }
    }

    /// Records a word that reads the first part through NEWS from the i-th place.
    fn push_reading(&mut self, divisor: usize, i: usize, read: &[Term], parts: &[Option<OperandId>]) {
        let (from, forms) = &self.kinds.reading[i];
        if let Some(&Some(form)) = forms[divisor - 1].get(parts.len()) {
            let news = self.draft.moved(read, 1, from.wrapping_neg());
            self.draft.push(form, &[&[news], parts].concat());
        }
    }

    /// Records a word that reads a known value through NEWS from the i-th place.
    fn push_held(&mut self, divisor: usize, i: usize, held: Option<OperandId>, parts: &[Option<OperandId>]) {
        if let Some(&Some(form)) = self.kinds.reading[i].1[divisor - 1].get(parts.len()) {
            self.draft.push(form, &[&[held], parts].concat());
        }
    }

    /// Records a word that writes NEWS from the i-th place.
    fn push_news(&mut self, divisor: usize, i: usize, parts: &[Option<OperandId>]) {
        if let Some(&Some(form)) = self.kinds.news[i].1[divisor - 1].get(parts.len()) {
            self.draft.push(form, parts);
        }
    }
}

/// The terms times a factor, moved by `step`; `None` on overflow.
fn scaled(terms: &[Term], factor: i32, step: u32) -> Option<Vec<Term>> {
    let mut out = Vec::new();
    terms::scaled(&mut out, terms, factor, step).then_some(out)
}
