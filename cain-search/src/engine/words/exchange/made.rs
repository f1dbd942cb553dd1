//! Enumerates everything that one word makes from known values, and everything from which one word makes a certain
//! value.
//!
//! Words with more than three sources are left out: they would be the majority, and are found where they are useful.

use super::known::KnownValues;
use crate::engine::exchange::{Held, Place};
use crate::engine::image::Image;
use crate::engine::step::FormId;

impl KnownValues<'_> {
    /// An upper bound on the number of values that [`all_made`](Self::all_made) finds.
    pub(super) fn most_made(&self) -> usize {
        let (singles, pairs) = (self.sums.singles.len(), self.sums.pairs.len());
        let registers = singles + pairs + singles * pairs / 3;
        let halves = 2 * (singles + pairs);
        2 + (1 + self.steps.news.len()) * (registers + halves) + self.read.len() * (3 + 2 * singles + pairs)
    }

    /// Finds everything that a word makes from known values.
    pub(super) fn all_made(&self, mut found: impl FnMut(Held)) {
        let error = self.steps.errors.image;
        if self.steps.errors.are_followed() {
            found(Held::in_register(error));
            found(Held::in_news(error));
        }
        for (forms, inverse) in self.steps.registers.iter().zip(self.steps.inverse) {
            self.all_sums(forms, |sum| found(Held::in_register(error - sum * inverse)));
        }
        for at in &self.steps.news {
            for (forms, inverse) in at.forms.iter().zip(self.steps.inverse) {
                let factor = at.shift * inverse;
                self.all_sums(forms, |sum| found(Held::in_news(error - sum * factor)));
            }
        }
        for read in &self.read {
            for (forms, inverse) in self.steps.reading[read.at].forms.iter().zip(self.steps.inverse) {
                self.up_to_pairs(forms, 0, |sum| found(Held::in_register(error - (sum + read.image) * inverse)));
            }
        }
    }

    /// Finds everything from which, alone or with known values, a word makes a value.
    pub(super) fn all_needed(&self, value: Held, found: impl FnMut(Held)) {
        match value.place {
            Place::Register => self.needed_for_register(value.image, found),
            Place::News => self.needed_for_news(value.image, found),
            Place::Copy => {}
        }
    }

    /// Finds everything from which, alone or with known values, a word makes a value in a register.
    fn needed_for_register(&self, value: Image, mut found: impl FnMut(Held)) {
        for (divisor, sum) in self.steps.sums(value).into_iter().enumerate() {
            self.up_to_pairs(&self.steps.registers[divisor], 1, |known| found(Held::in_register(sum - known)));
            for read in &self.read {
                let forms = &self.steps.reading[read.at].forms[divisor];
                let rest = sum - read.image;
                if forms.len() > 1 {
                    found(Held::in_register(rest));
                }
                if forms.len() > 2 {
                    self.sums.singles.iter().for_each(|single| found(Held::in_register(rest - single.1)));
                }
            }
            for at in &self.steps.reading {
                self.up_to_pairs(&at.forms[divisor], 0, |known| found(Held::in_news((sum - known) * at.back)));
            }
        }
    }

    /// Finds everything from which, alone or with known values, a word makes a value in NEWS.
    fn needed_for_news(&self, value: Image, mut found: impl FnMut(Held)) {
        for at in &self.steps.news {
            for (forms, sum) in at.forms.iter().zip(self.steps.sums(value * at.back)) {
                self.up_to_pairs(forms, 1, |known| found(Held::in_register(sum - known)));
            }
        }
    }

    /// Finds the sums of one to three registers, as far as there are words with so many sources.
    fn all_sums(&self, forms: &[Option<FormId>], mut found: impl FnMut(Image)) {
        if forms.len() > 1 {
            self.sums.singles.iter().for_each(|single| found(single.1));
        }
        if forms.len() > 2 {
            self.sums.pairs.iter().for_each(|pair| found(pair.sum));
        }
        if forms.len() > 3 {
            let singles = &self.sums.singles;
            for (i, &(_, first)) in singles.iter().enumerate() {
                for (j, &(_, second)) in singles[..i].iter().enumerate() {
                    let sum = first + second;
                    singles[..j].iter().for_each(|&(_, third)| found(sum + third));
                }
            }
        }
    }

    /// Finds the sums of no, one or two registers, as far as there are words that take so many in addition to `others`
    /// registers.
    fn up_to_pairs(&self, forms: &[Option<FormId>], others: usize, mut found: impl FnMut(Image)) {
        if forms.len() > others {
            found(Image::ZERO);
        }
        if forms.len() > others + 1 {
            self.sums.singles.iter().for_each(|single| found(single.1));
        }
        if forms.len() > others + 2 {
            self.sums.pairs.iter().for_each(|pair| found(pair.sum));
        }
    }
}
