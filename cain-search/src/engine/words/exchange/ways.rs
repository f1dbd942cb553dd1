//! Finds the words that make a value from known ones.

use super::known::{KnownValues, Read};
use crate::engine::exchange::{Held, Place, Way};
use crate::engine::image::Image;
use crate::engine::step::FormId;

impl KnownValues<'_> {
    /// Finds the words with up to `most` sources that make these values.
    pub(super) fn ways(&self, values: &[Held], most: usize, found: &mut dyn FnMut(Way)) {
        match values {
            [Held { image, place: Place::Register }] => {
                for (divisor, sum) in self.steps.sums(*image).into_iter().enumerate() {
                    self.sums_of_registers(sum, up_to(&self.steps.registers[divisor], most), &[], found);
                    for read in &self.read {
                        let forms = &self.steps.reading[read.at].forms[divisor];
                        self.sums_with_news(sum, up_to(forms, most - 1), *read, found);
                    }
                }
            }
            [Held { image, place: Place::News }] => {
                for at in &self.steps.news {
                    for (forms, sum) in at.forms.iter().zip(self.steps.sums(*image * at.back)) {
                        self.sums_of_registers(sum, up_to(forms, most), &[], found);
                    }
                }
            }
            [first, _, ..] => {
                for (forms, sum) in self.sums_for_several(first.image) {
                    self.sums_of_registers(sum, up_to(forms, most), &[], found);
                }
            }
            _ => {}
        }
    }

    /// The words that write several cells, and the sums that their operands must have.
    fn sums_for_several(&self, image: Image) -> impl Iterator<Item = (&[Option<FormId>], Image)> {
        self.steps.registers.iter().map(Vec::as_slice).zip(self.steps.sums(image)).skip(1)
    }

    /// Finds the words that make a value in a register and read a certain register.
    pub(super) fn ways_to_register_with(&self, number: usize, image: Image, found: &mut dyn FnMut(Way)) {
        let own = self.table.image(number);
        for (divisor, sum) in self.steps.sums(image).into_iter().enumerate() {
            self.sums_of_registers(sum - own, &self.steps.registers[divisor], &[number], found);
            for read in &self.read {
                let forms = &self.steps.reading[read.at].forms[divisor];
                if forms.len() > 1 {
                    self.sums_up_to_pairs(sum - own - read.image, forms, &[read.number, number], found);
                }
            }
        }
    }

    /// Finds the words that make a value in a register and read a certain value in NEWS.
    pub(super) fn ways_reading(&self, number: usize, image: Image, found: &mut dyn FnMut(Way)) {
        for (divisor, sum) in self.steps.sums(image).into_iter().enumerate() {
            for read in self.steps.read(number, self.table.image(number)) {
                self.sums_with_news(sum, &self.steps.reading[read.at].forms[divisor], read, found);
            }
        }
    }

    pub(super) fn ways_to_news_with(&self, number: usize, image: Image, found: &mut dyn FnMut(Way)) {
        let own = self.table.image(number);
        for at in &self.steps.news {
            for (forms, sum) in at.forms.iter().zip(self.steps.sums(image * at.back)) {
                self.sums_of_registers(sum - own, forms, &[number], found);
            }
        }
    }

    pub(super) fn ways_to_several_with(&self, number: usize, image: Image, found: &mut dyn FnMut(Way)) {
        let own = self.table.image(number);
        for (forms, sum) in self.sums_for_several(image) {
            self.sums_of_registers(sum - own, forms, &[number], found);
        }
    }

    /// Finds the words whose operands, NEWS and registers, have this sum.
    fn sums_with_news(&self, sum: Image, forms: &[Option<FormId>], read: Read, found: &mut dyn FnMut(Way)) {
        if forms.is_empty() {
            return;
        }
        let rest = sum - read.image;
        self.sums_up_to_pairs(rest, forms, &[read.number], found);
        if let Some(&Some(form)) = forms.get(3) {
            self.triples(rest, form, &[read.number], found);
        }
    }

    /// Finds the words whose operands, all registers, have the sum `rest` apart from the given ones. A form is selected
    /// by its number of register operands.
    fn sums_of_registers(&self, rest: Image, forms: &[Option<FormId>], given: &[usize], found: &mut dyn FnMut(Way)) {
        self.sums_up_to_pairs(rest, forms, given, found);
        if let Some(&Some(form)) = forms.get(given.len() + 3) {
            self.triples(rest, form, given, found);
        }
        if let Some(&Some(form)) = forms.get(4).filter(|_| given.is_empty()) {
            for pair in &self.sums.pairs {
                self.sums.pairs_of(rest - pair.sum, |other| {
                    if other.is_after_pair(pair) {
                        found_with(form, given, &[pair.values, other.values].concat(), found);
                    }
                });
            }
        }
    }

    /// Finds the words that take none, one or two registers besides the given operands. The first given operand may be
    /// in NEWS; then it is not counted as a register.
    fn sums_up_to_pairs(&self, rest: Image, forms: &[Option<FormId>], given: &[usize], found: &mut dyn FnMut(Way)) {
        let reads = given.first().is_some_and(|&first| self.table.held()[first].place == Place::News);
        let registers = given.len() - usize::from(reads);
        if rest == Image::ZERO
            && (!given.is_empty() || self.steps.errors.are_followed())
            && let Some(&Some(form)) = forms.get(registers)
        {
            found_with(form, given, &[], found);
        }
        if let Some(&Some(form)) = forms.get(registers + 1)
            && let Some(single) = self.table.find_register(rest)
        {
            found_with(form, given, &[single], found);
        }
        if let Some(&Some(form)) = forms.get(registers + 2) {
            self.sums.pairs_of(rest, |pair| found_with(form, given, &pair.values, found));
        }
    }

    fn triples(&self, rest: Image, form: FormId, given: &[usize], found: &mut dyn FnMut(Way)) {
        for &(number, image) in &self.sums.singles {
            self.sums.pairs_of(rest - image, |pair| {
                if pair.is_after(number) {
                    found_with(form, given, &[number, pair.values[0], pair.values[1]], found);
                }
            });
        }
    }
}

/// The words with up to `most` registers.
fn up_to(forms: &[Option<FormId>], most: usize) -> &[Option<FormId>] {
    &forms[..forms.len().min(most + 1)]
}

/// Reports a word with given and other operands, unless it would take one of them twice.
fn found_with(form: FormId, given: &[usize], others: &[usize], found: &mut dyn FnMut(Way)) {
    if others.iter().all(|other| !given.contains(other)) {
        found(Way::new(form, &[given, others].concat()));
    }
}
