//! Known values, and what words make of them.

use cain_isa::Word;

use super::sums::Sums;
use super::word_steps::WordSteps;
use crate::engine::exchange::{Filter, Held, Known, Needs, Place, Set, Sieve, Table, Way};
use crate::engine::image::Image;

/// Known values and the sums that words can form from them.
pub(crate) struct KnownValues<'a> {
    pub(super) steps: &'a WordSteps<'a>,
    pub(super) table: Table,
    pub(super) sums: Sums,
    /// Each value in NEWS, as read from each place.
    pub(super) read: Vec<Read>,
}

/// A value in NEWS, as read from some place.
#[derive(Clone, Copy)]
pub(super) struct Read {
    pub(super) image: Image,
    pub(super) number: usize,
    /// The number of the place.
    pub(super) at: usize,
}

impl<'a> KnownValues<'a> {
    pub(super) fn new(steps: &'a WordSteps<'a>, table: Table) -> Self {
        let sums = Sums::of(&table);
        let mut known = Self { steps, table, sums, read: Vec::new() };
        for (number, held) in known.table.held().iter().enumerate().filter(|(_, held)| held.place == Place::News) {
            known.read.extend(steps.read(number, held.image));
        }
        known
    }
}

/// The number of sources up to which words are found quickly; those with more take longer than all others.
const QUICK: usize = 3;

impl WordSteps<'_> {
    /// A value in NEWS, as read from each place.
    pub(super) fn read(&self, number: usize, image: Image) -> impl Iterator<Item = Read> + '_ {
        self.reading.iter().enumerate().map(move |(at, place)| Read { image: image * place.shift, number, at })
    }

    /// The sums that the operands must have to make a value, for each divisor.
    pub(super) fn sums(&self, value: Image) -> [Image; 3] {
        let sum = self.errors.image - value;
        [sum, sum.double(), sum.double() + sum]
    }
}

impl Known for KnownValues<'_> {
    fn table(&self) -> &Table {
        &self.table
    }

    fn try_out(&mut self, value: Held, owner: Set) -> usize {
        self.table.try_out(value, owner)
    }

    fn needs(&self, way: &Way) -> Needs {
        let form = self.steps.forms.get(way.form);
        let read = usize::from(form.reading.is_some());
        let owners = |set: Set, operand: usize| set | self.table.owner(operand);
        let copies = way.operands().filter(|&operand| self.table.held()[operand].place == Place::Copy);
        Needs {
            registers: way.operands().skip(read).fold(0, owners),
            copies: copies.fold(0, owners),
            news: way.operands().take(read).fold(0, owners),
            overwritten: 0,
            cells: form.divisor.into(),
        }
    }

    fn ways_to(&self, values: &[Held], found: &mut dyn FnMut(Way)) {
        self.ways(values, Word::MAX_SOURCES, found);
    }

    fn some_ways_to(&self, values: &[Held], found: &mut dyn FnMut(Way)) {
        self.ways(values, QUICK, found);
    }

    fn ways_with(&self, number: usize, values: &[Held], found: &mut dyn FnMut(Way)) {
        let with = self.table.held()[number];
        match (values, with.place) {
            ([Held { image, place: Place::Register }], Place::Register) => {
                self.ways_to_register_with(number, *image, found);
            }
            ([Held { image, place: Place::Register }], Place::News) => self.ways_reading(number, *image, found),
            ([Held { image, place: Place::News }], Place::Register) => self.ways_to_news_with(number, *image, found),
            ([first, _, ..], Place::Register) => self.ways_to_several_with(number, first.image, found),
            _ => {}
        }
    }

    fn made_at_most(&self) -> usize {
        self.most_made()
    }

    fn made(&self, filter: &mut Filter) {
        self.all_made(|held| filter.insert(held));
    }

    fn needed(&self, value: Held, sieve: &mut Sieve<'_>) {
        self.all_needed(value, |held| sieve.look_up(held));
    }
}
