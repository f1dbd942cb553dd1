//! Control words for the exchange of values.
//!
//! - [`sums`]: known values and sums of them; [`known`]: what words make of them.
//! - [`ways`]: the words that make a value from known ones.
//! - [`made`]: everything that words make from known values, and everything from which they make a value.
//! - [`read`]: reads a listing as a program on values.
//! - [`errors`]: the offset errors of words, as constants in values.

mod errors;
mod known;
mod made;
mod read;
mod sums;
#[cfg(test)]
mod tests;
mod ways;

use cain_isa::{Fraction, Word};

use super::forms::WordForms;
use super::successors::Kinds;
use crate::engine::exchange::{Place, Steps, Table};
use crate::engine::image::Image;
use crate::engine::step::FormId;
use crate::engine::terms::{self, Term, combine};
use crate::engine::values::ValueStep;
pub(super) use errors::Errors;
use known::KnownValues;
pub(super) use read::on_values;

/// The control words of a search.
pub(crate) struct WordSteps<'a> {
    forms: &'a WordForms,
    /// The words that read and write registers only, by divisor and number of operands.
    registers: &'a [Vec<FormId>; Word::MAX_DESTINATIONS],
    /// The words that read NEWS, by the place that they read it from.
    reading: Vec<At<'a>>,
    /// The words that write NEWS, by the place to which they push the value.
    news: Vec<At<'a>>,
    /// The inverse of each divisor.
    inverse: [Image; Word::MAX_DESTINATIONS],
    errors: Errors<'a>,
}

/// The words that read from one place, by divisor and number of registers.
struct At<'a> {
    /// The shift from there, and its inverse.
    shift: Image,
    back: Image,
    forms: &'a [Vec<FormId>; Word::MAX_DESTINATIONS],
}

impl<'a> WordSteps<'a> {
    pub(super) fn new(forms: &'a WordForms, kinds: &'a Kinds, errors: Errors<'a>) -> Self {
        let at = |(step, forms): &'a (u32, [Vec<FormId>; Word::MAX_DESTINATIONS])| {
            let from = terms::displacement_of_step(*step);
            At { shift: Image::of_shift(from), back: Image::of_shift(-from), forms }
        };
        let inverse =
            [1, 2, 3].map(|divisor| Fraction::new(1, divisor).and_then(Image::of_fraction).unwrap_or(Image::ONE));
        Self {
            forms,
            registers: &kinds.registers,
            reading: kinds.reading.iter().map(at).collect(),
            news: kinds.news.iter().map(at).collect(),
            inverse,
            errors,
        }
    }
}

impl Steps for WordSteps<'_> {
    type Known<'a>
        = KnownValues<'a>
    where
        Self: 'a;

    const LONGEST: usize = 36;
    const VALUES: u64 = 24;

    fn known(&self, table: Table) -> KnownValues<'_> {
        KnownValues::new(self, table)
    }

    fn results(&self, form: FormId, operands: &[&[Term]]) -> Option<Vec<Vec<Term>>> {
        results(self.forms, self.errors, form, operands)
    }

    fn places(&self, form: FormId) -> &'static [Place] {
        let form = self.forms.get(form);
        match (form.makes_news(), form.divisor, form.reading) {
            (true, 1, _) => &[Place::News],
            (_, 1, _) | (false, _, Some(_)) => &[Place::Register],
            // The word writes more than one cell.
            _ => &[Place::Register, Place::News, Place::Copy],
        }
    }

    fn leaving(&self, form: FormId, places: &[Place]) -> Option<FormId> {
        let to_news = places == [Place::News];
        if self.forms.get(form).makes_news() == to_news {
            return Some(form);
        }
        let divisor = usize::from(self.forms.get(form).divisor) - 1;
        let own = |at: &&At<'_>| at.shift == Image::ONE;
        let (from, to) = (self.registers, self.news.iter().find(own)?.forms);
        let (from, to) = if to_news { (from, to) } else { (to, from) };
        let operands = from[divisor].iter().position(|&other| other == form)?;
        to[divisor].get(operands).copied()
    }

    fn reads_news(&self, form: FormId) -> bool {
        self.forms.get(form).reading.is_some()
    }

    fn surcharge(&self, wanted: &[&[Term]], steps: &[ValueStep]) -> usize {
        self.errors.surcharge(self.forms, wanted, steps)
    }
}

/// The result of a word on these operands, once per cell; `None` if it is not an integer or too large.
fn results(forms: &WordForms, errors: Errors<'_>, form: FormId, operands: &[&[Term]]) -> Option<Vec<Vec<Term>>> {
    let form = forms.get(form);
    let (mut sum, mut next) = (Vec::new(), Vec::new());
    for (i, operand) in operands.iter().enumerate() {
        let from = if i == 0 && form.reading.is_some() { form.news_from } else { form.registers_from };
        if !combine(&mut next, &sum, (1, 0), operand, (-1, from)) {
            return None;
        }
        std::mem::swap(&mut sum, &mut next);
    }
    let constant = terms::take_constants(&mut sum);
    let divisor = i32::from(form.divisor);
    if sum.iter().any(|term| term.1 % divisor != 0) || constant % i64::from(divisor) != 0 {
        return None;
    }
    for term in &mut sum {
        term.1 /= divisor;
    }
    let constant = constant / i64::from(divisor) + i64::from(errors.constant);
    if constant != 0 {
        sum.push((terms::CONSTANT, terms::coefficient(constant)?));
    }
    Some(vec![sum])
}
