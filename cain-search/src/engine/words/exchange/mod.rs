//! Control words for the exchange of values.
//!
//! - [`word_steps`]: the words of a machine.
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
mod word_steps;

use super::forms::WordForms;
use crate::engine::exchange::{Known, Place, Steps, Table};
use crate::engine::image::Image;
use crate::engine::step::FormId;
use crate::engine::terms::{self, Term, combine};
use crate::engine::values::ValueStep;
pub(super) use errors::Errors;
use known::KnownValues;
pub(super) use read::on_values;
use word_steps::At;
pub(crate) use word_steps::WordSteps;

impl Steps for WordSteps<'_> {
    fn longest(&self) -> usize {
        36
    }

    fn values(&self) -> u64 {
        24
    }

    fn known(&self, table: Table) -> Box<dyn Known + '_> {
        Box::new(KnownValues::new(self, table))
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
        let operands = from[divisor].iter().position(|&other| other == Some(form))?;
        to[divisor].get(operands).copied().flatten()
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
