//! Offset errors, as constants in values.
//!
//! Each word adds the error to what it writes. The error is the same in all PEs, so no move changes it. If outputs must
//! not hold an error, it is followed: a value consists of what it takes from the inputs and of a multiple of the error.
//! Words without sources leave the error alone, for others to read. So programs are exchanged only for programs in
//! which the errors cancel as well. Errors are not followed in programs that are [incomplete](Exchanged::Incomplete).

use cain_analysis::sorted::Map;
use cain_isa::ErrorModel;

use super::WordForms;
use crate::costs::surcharge_of;
use crate::engine::image::Image;
use crate::engine::terms::{self, Term};
use crate::engine::values::{Exchanged, ValueStep};
use crate::{Declaration, OffsetRule};

/// The error as the weight of a constant, which can be halved twelve times and divided by three twice. The units of
/// constants are independent of those of inputs.
const ERROR: i32 = 9 << 12;

/// What each word adds to values.
#[derive(Clone, Copy)]
pub(in crate::engine::words) struct Errors<'a> {
    declaration: &'a Declaration,
    /// The error, or 0 if errors are not followed.
    pub(super) constant: i32,
    /// The image of the error.
    pub(super) image: Image,
}

impl<'a> Errors<'a> {
    pub(in crate::engine::words) fn of(declaration: &'a Declaration, exchanged: Exchanged) -> Self {
        let is_followed = declaration.options.offset == OffsetRule::Cancelled && exchanged == Exchanged::Complete;
        let constant = if is_followed { ERROR } else { 0 };
        Self { declaration, constant, image: Image::of(&[(terms::CONSTANT, constant)]) }
    }

    pub(super) fn are_followed(&self) -> bool {
        self.constant != 0
    }

    /// The number of instructions that the remaining bias of a program counts as, once its errors cancel. The bias is
    /// close to that of the listing; here it does not matter which of the cells that a word writes a value is read
    /// from.
    pub(super) fn surcharge(&self, forms: &WordForms, wanted: &[&[Term]], steps: &[ValueStep]) -> usize {
        if !self.are_followed() {
            return 0;
        }
        let biases = biases(forms, &self.declaration.options.error_model, steps);
        let of_wanted = wanted.iter().filter_map(|wanted| biases.get(wanted));
        let worst = of_wanted.map(|bias| bias.abs()).fold(0.0, f64::max);
        usize::try_from(surcharge_of(self.declaration, worst)).unwrap_or(usize::MAX)
    }
}

/// The deviation of each value from what it should be, in DN.
fn biases<'s>(forms: &WordForms, model: &ErrorModel, steps: &'s [ValueStep]) -> Map<&'s [Term], f64> {
    let mut biases: Map<&[Term], f64> = Map::new();
    for step in steps {
        let divisor = forms.get(step.form).divisor;
        let operands = step.operands.iter().filter_map(|operand| biases.get(operand.as_slice()));
        let read = operands.sum::<f64>() * f64::from(model.gain) / f64::from(divisor);
        let bias = f64::from(model.offset_of(usize::from(divisor))) - read;
        biases.extend(step.results.iter().map(|result| (result.as_slice(), bias)));
    }
    biases
}
