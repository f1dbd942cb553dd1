//! Macro instructions for the exchange of values.
//!
//! - [`known`]: known values, as images in a field where sums and shifts of values are sums and shifts of images.
//! - [`ways`]: the instructions that make a value from known ones.
//! - [`made`]: everything that instructions make from known values, and everything from which they make a value.

mod known;
mod made;
#[cfg(test)]
mod tests;
mod ways;

use super::forms::three;
use crate::engine::exchange::{Known, Place, Steps, Table};
use crate::engine::step::FormId;
use crate::engine::terms::Term;
use known::KnownValues;
pub(crate) use known::MacroSteps;

impl Steps for MacroSteps<'_> {
    fn longest(&self) -> usize {
        80
    }

    fn values(&self) -> u64 {
        40
    }

    fn known(&self, table: Table) -> Box<dyn Known + '_> {
        Box::new(KnownValues::new(self, table))
    }

    fn results(&self, form: FormId, operands: &[&[Term]]) -> Option<Vec<Vec<Term>>> {
        self.forms.get(form).results(three(operands.iter().copied()))
    }

    fn places(&self, _form: FormId) -> &'static [Place] {
        &[Place::Register]
    }

    fn leaving(&self, form: FormId, _places: &[Place]) -> Option<FormId> {
        Some(form)
    }

    fn reads_news(&self, _form: FormId) -> bool {
        false
    }
}
