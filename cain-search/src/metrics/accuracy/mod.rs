//! Predicts how far the results of a program on a chip are from the exact ones.

mod affine;
mod image;
mod replay;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use cain_isa::prove::Polynomial;
use cain_isa::{ErrorModel, Instruction, Reg, Store};

use crate::{Declaration, Proved};
use affine::Affine;
use replay::{Sensitivity, Write, at, sensitivities, writes};

pub use image::ImageStatistics;
pub(crate) use replay::{offset, replay, share};

/// The expected deviation of a result from the exact one, in DN, by cause. The causes are independent of each other, so
/// their squares add up.
///
/// Errors are followed to first order. Values beyond the range of the chip, drift, and the noise of reading out are not
/// included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// The mean difference over all pixels, caused by offset errors that are left and by gain errors of a mean that is
    /// not 0.
    pub bias: f64,
    /// The standard deviation of the error caused by a factor common to all weights.
    pub gain: f64,
    /// The standard deviation of the error caused by changes of the weights beyond that factor.
    pub distortion: f64,
    /// The standard deviation of the error that differs between PEs but is the same in every frame.
    pub fixed_pattern: f64,
    /// The standard deviation of the error that differs from frame to frame.
    pub noise: f64,
}

impl Accuracy {
    /// The root of the mean squared difference, in DN.
    #[must_use]
    pub fn rms(&self) -> f64 {
        let Self { bias, gain, distortion, fixed_pattern, noise } = self;
        [bias, gain, distortion, fixed_pattern, noise].iter().map(|part| *part * *part).sum::<f64>().sqrt()
    }

    /// The largest root of the mean squared difference among several outputs, in DN.
    #[must_use]
    pub fn worst_rms(outputs: &[Self]) -> f64 {
        outputs.iter().map(Self::rms).fold(0.0, f64::max)
    }

    /// The bias among those of several outputs that is farthest from 0, in DN.
    #[must_use]
    pub fn worst_bias(outputs: &[Self]) -> f64 {
        let farther = |a: f64, b: f64| if b.abs() > a.abs() { b } else { a };
        outputs.iter().map(|output| output.bias).fold(0.0, farther)
    }
}

/// A figure in DN, rounded as it is stored: further digits are of no use and might depend on the machine.
#[must_use]
pub fn thousandths(dn: f64) -> f64 {
    // Adding 0.0 turns −0.0 into 0.0.
    (dn * 1e3).round() / 1e3 + 0.0
}

/// A figure in DN, rounded as it is shown to people.
#[must_use]
pub fn tenths(dn: f64) -> f64 {
    // Adding 0.0 turns −0.0 into 0.0.
    (dn * 10.0).round() / 10.0 + 0.0
}

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
/// use cain_isa::prove::Polynomial;
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

/// The predicted accuracy of the outputs of a program, proved or not, on the chip of the declaration and for a natural
/// image.
pub(crate) fn expected(declaration: &Declaration, listing: &[Instruction]) -> Vec<Accuracy> {
    of_listing(declaration, listing, &declaration.options.error_model, &ImageStatistics::NATURAL)
}

fn of_listing(
    declaration: &Declaration,
    listing: &[Instruction],
    model: &ErrorModel,
    image: &ImageStatistics,
) -> Vec<Accuracy> {
    let writes = writes(declaration, listing, model);
    let outputs = &declaration.outputs;
    outputs.iter().map(|output| predict(output.reg, &output.kernel, &writes, model, image)).collect()
}

fn predict(reg: Reg, kernel: &Polynomial, writes: &[Write], model: &ErrorModel, image: &ImageStatistics) -> Accuracy {
    let exact = Affine {
        weights: kernel
            .terms()
            .map(|(atom, weight)| {
                let (x, y) = at(atom.displacement);
                ((atom.channel, x, y), weight.to_f64())
            })
            .collect(),
        constant: 0.0,
    };
    // An output that no word writes is the input in its register.
    let written = writes.iter().rev().find(|write| write.transfer.store == Store::Reg(reg));
    let effective = written.map_or_else(|| exact.clone(), |write| write.result.clone());
    let sensitivities = sensitivities(reg, writes, model);
    let (bias, gain, distortion) = difference(&effective, &exact, image);
    Accuracy {
        bias,
        gain,
        distortion,
        fixed_pattern: fixed_pattern(writes, &sensitivities, model, image).sqrt(),
        noise: noise(writes, &sensitivities, model, image).sqrt(),
    }
}

/// The effects of the deterministic part of the model: on the mean, on the common factor, and on the rest of the
/// weights.
fn difference(effective: &Affine, exact: &Affine, image: &ImageStatistics) -> (f64, f64, f64) {
    let bias = effective.mean(image) - exact.mean(image);
    let variance = exact.variance(image);
    let factor = if variance > 0.0 { effective.covariance(exact, image) / variance } else { 1.0 };
    let mut rest = Affine { constant: 0.0, ..effective.clone() };
    rest.add_scaled(exact, -factor, (0, 0));
    (bias, (factor - 1.0).abs() * variance.sqrt(), rest.variance(image).sqrt())
}

/// The variance of the error that differs between PEs: each cell of a PE has the same error whenever it is written.
fn fixed_pattern(writes: &[Write], sensitivities: &[Sensitivity], model: &ErrorModel, image: &ImageStatistics) -> f64 {
    let (fixed_gain, fixed_offset) = (f64::from(model.fixed_gain), f64::from(model.fixed_offset));
    // For each cell and each PE around the output: the factor by which its gain error is multiplied, and that of its
    // offset.
    let mut cells: BTreeMap<(Store, i32, i32), (Affine, f64)> = BTreeMap::new();
    for (write, sensitivity) in writes.iter().zip(sensitivities) {
        for (&(x, y), &weight) in sensitivity {
            let (value, sum) = cells.entry((write.transfer.store, x, y)).or_default();
            value.add_scaled(&write.value, weight, (x, y));
            *sum += weight;
        }
    }
    let variance = |(value, sum): &(Affine, f64)| {
        let of_gain = if fixed_gain > 0.0 { fixed_gain * fixed_gain * value.mean_square(image) } else { 0.0 };
        of_gain + fixed_offset * fixed_offset * sum * sum
    };
    cells.values().map(variance).sum()
}

/// The variance of the error that differs between frames.
fn noise(writes: &[Write], sensitivities: &[Sensitivity], model: &ErrorModel, image: &ImageStatistics) -> f64 {
    let (relative, absolute) = (f64::from(model.relative_noise), f64::from(model.noise));
    let gain = f64::from(model.gain);
    let variance = |(write, sensitivity): (&Write, &Sensitivity)| {
        let squares: f64 = sensitivity.values().map(|weight| weight * weight).sum();
        let of_value = if relative > 0.0 { gain * gain * write.value.mean_square(image) } else { 0.0 };
        squares * (relative * relative * of_value + absolute * absolute)
    };
    // If there are many outputs, each of them depends on a small part of the program.
    let reaching = writes.iter().zip(sensitivities).filter(|(_, sensitivity)| !sensitivity.is_empty());
    reaching.map(variance).sum()
}
