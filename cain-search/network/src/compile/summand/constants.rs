//! The constants that a program of sums leaves in its outputs on a chip, where every write makes a value somewhat smaller.
//!
//! Errors that cancel if they are counted do not quite cancel there: of two that are a hundred words apart, half of the earlier
//! one is left. In the same way a constant in the inputs, as where the number 0 is not 0 DN, is left.

use std::convert::Infallible;

use cain_analysis::evaluate::{Analogue, AnalogueDomain, Write};
use cain_isa::{ErrorModel, Fraction, Instruction, Store, Word};
use cain_search::Declaration;

use super::reading::{Place, Reading};

/// The parts of a constant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Constant {
    /// How often it holds the errors of transfers to one, two and three cells.
    pub(super) errors: [f64; 3],
    /// What it holds of the inputs and of levels, in DN.
    pub(super) value: f64,
    /// The factor of one of the levels.
    pub(super) level: f64,
}

impl Constant {
    /// How often the errors of transfers have to be added to the level so that the constant is another one, on a chip with these
    /// errors. What the inputs and levels hold is counted as the largest of them. `None` if there are none.
    pub(super) fn shares(self, wanted: f64, offset: [f32; 3]) -> Option<[Fraction; 3]> {
        /// What is finer is less than a level.
        const PARTS: i32 = 64;
        let (mut counts, offset) = (self.errors, offset.map(f64::from));
        let sizes = counts.iter_mut().zip(offset);
        let (count, error) = sizes.max_by(|(_, a), (_, b)| a.abs().total_cmp(&b.abs()))?;
        *count += (self.value - wanted) / error;
        let [one, two, three] = counts.map(|count| {
            let parts = (-count / self.level * f64::from(PARTS)).round();
            #[expect(clippy::cast_possible_truncation, reason = "below the limit")]
            (parts.abs() < f64::from(i32::MAX)).then(|| Fraction::new(parts as i64, PARTS.into()))?
        });
        Some([one?, two?, three?])
    }

    /// How far it is from another one, in DN, on a chip with these errors.
    pub(super) fn excess(self, wanted: f64, offset: [f32; 3]) -> f64 {
        let errors = self.errors.iter().zip(offset).map(|(count, error)| count * f64::from(error));
        self.value - wanted + errors.sum::<f64>()
    }
}

/// The constants of the outputs of a listing in which some words read levels, for these constants in the inputs, in DN; with
/// the factor of the level that the reading at an index has. `None` for a word that is no transfer.
pub(super) fn constants(
    declaration: &Declaration,
    (listing, readings): (&[Instruction], &[Reading]),
    inputs: &[f64],
    (model, level): (&ErrorModel, Option<usize>),
) -> Option<Vec<Constant>> {
    let mut cells = Analogue::default();
    for (input, value) in declaration.inputs.iter().zip(inputs) {
        cells.give(Store::Reg(input.reg), Constant { value: *value, ..Constant::default() });
    }
    for (index, instruction) in listing.iter().enumerate() {
        let reading = readings.iter().position(|reading| reading.place.index == index);
        if let Some(i) = reading {
            let unit = if level == Some(i) { 1.0 } else { 0.0 };
            cells.give(Store::In, Constant { value: readings[i].level.into(), level: unit, ..Constant::default() });
        }
        let place = reading.map(|i| readings[i].place);
        for word in place.map_or_else(|| instruction.words().collect(), Place::words) {
            let Word::Bus(bus) = word else { return None };
            let Ok(()) = cells.transfer(&mut Chip(model), &bus, None);
        }
    }
    declaration.outputs.iter().map(|output| cells.get(Store::Reg(output.reg)).copied()).collect()
}

/// The constants of a chip.
struct Chip<'m>(&'m ErrorModel);

impl AnalogueDomain for Chip<'_> {
    type Value = Constant;
    type Flag = Infallible;
    type Error = Infallible;

    fn unwritten_cell(&mut self, _: Store) -> Result<Constant, Infallible> {
        Ok(Constant::default())
    }

    fn transfer(&mut self, write: &Write<'_, Constant>) -> Result<Constant, Infallible> {
        let Write { transfer, sources, .. } = write;
        let (position, count) = write.place();
        let factor = transfer.factor().to_f64() * f64::from(self.0.share(position, count) * self.0.gain);
        let mut sum = Constant::default();
        for source in sources {
            let Constant { errors, value, level } = *source.value;
            sum.errors.iter_mut().zip(errors).for_each(|(sum, more)| *sum += factor * more);
            sum.value += factor * value;
            sum.level += factor * level;
        }
        if let Some(errors) = count.checked_sub(1).and_then(|place| sum.errors.get_mut(place)) {
            *errors += 1.0;
        }
        Ok(sum)
    }

    fn choose(&mut self, flag: &Infallible, _: Constant, _: &Constant) -> Result<Constant, Infallible> {
        match *flag {}
    }
}
