//! Predicts how far the results of a program on a chip are from the exact ones.

mod affine;
mod figures;
mod image;
mod predict;
mod replay;
mod saturation;
#[cfg(test)]
mod tests;

use cain_isa::ErrorModel;

use crate::Proved;
use predict::of_listing;

pub use figures::{Accuracy, tenths, thousandths};
pub use image::ImageStatistics;
pub(crate) use predict::{expected, expected_at_least};
pub(crate) use replay::replay;

/// Predicts how accurate the outputs of a program are, in the order of the declaration.
///
/// The program is carried out with the constants of the model on weights in floating point, which gives the effective
/// kernel and the constant part of each output. Going backwards, each error of a write is followed to the output, as in
/// [`noise`](crate::noise()), and weighted with its size according to the model and the image:
///
/// - the fixed offset of a cell reaches an output with the sum of the weights of all writes to that cell, since it is the
///   same each time;
/// - the fixed gain error of a cell does the same, multiplied by the value written;
/// - noise is independent in every write.
///
/// The model is that of the simulator; see [`ErrorModel`] for its formula and the sources of its constants.
///
/// ```
/// use cain_analysis::prove::Polynomial;
/// use cain_isa::{ErrorModel, Machine, Reg};
/// use cain_search::{Declaration, ImageStatistics, Input, InstructionSet, Options, Output, accuracy, verify};
///
/// let copy = Declaration {
///     name: "copy".into(),
///     inputs: vec![Input { reg: Reg::A, keep: true }],
///     outputs: vec![Output { reg: Reg::B, kernel: Polynomial::input(0) }],
///     scratch: vec![],
///     machine: Machine::SCAMP5,
///     options: Options { instructions: InstructionSet::Native, ..Options::default() },
/// };
/// let program = verify(&copy, &["bus(NEWS,A);".parse()?, "bus(B,NEWS);".parse()?])?;
/// let predicted = accuracy(&program, &ErrorModel::measured(), &ImageStatistics::NATURAL)[0];
/// // −(−a·0.9928 + 20)·0.9928 + 20: the offset cancels up to the gain, and a is 1.4 % smaller.
/// assert!((predicted.bias - 20.0 * 0.0072).abs() < 0.01);
/// assert!((predicted.gain - 50.0 * 0.0143).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn accuracy(program: &Proved, model: &ErrorModel, image: &ImageStatistics) -> Vec<Accuracy> {
    of_listing(program.declaration(), program.listing(), model, image)
}
