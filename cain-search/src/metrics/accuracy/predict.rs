//! The prediction of a listing's accuracy.

use cain_analysis::prove::Polynomial;
use cain_analysis::sorted::Map;
use cain_isa::{ErrorModel, Instruction, Reg, Store};

use super::affine::Affine;
use super::figures::Accuracy;
use super::image::ImageStatistics;
use super::replay::{Sensitivity, Write, at, sensitivities, writes};
use super::saturation::lost;
use crate::Declaration;

/// The predicted accuracy of the outputs of a program, proved or not, on the chip of the declaration and for a natural
/// image.
pub(crate) fn expected(declaration: &Declaration, listing: &[Instruction]) -> Vec<Accuracy> {
    of_listing(declaration, listing, &declaration.options.error_model, &ImageStatistics::NATURAL)
}

/// The same without what is lost where values leave the range of registers, and without bias, which compensation changes.
pub(crate) fn expected_at_least(declaration: &Declaration, listing: &[Instruction]) -> Vec<Accuracy> {
    let (model, image) = (&declaration.options.error_model, &ImageStatistics::NATURAL);
    let unbiased = |predicted| Accuracy { bias: 0.0, ..predicted };
    linear(declaration, &writes(declaration, listing, model), model, image).map(unbiased).collect()
}

pub(super) fn of_listing(
    declaration: &Declaration,
    listing: &[Instruction],
    model: &ErrorModel,
    image: &ImageStatistics,
) -> Vec<Accuracy> {
    let writes = writes(declaration, listing, model);
    let lost = lost(declaration, &writes, model, image);
    let predicted = linear(declaration, &writes, model, image);
    let with_lost = |(predicted, lost): (Accuracy, f64)| Accuracy {
        distortion: (predicted.distortion * predicted.distortion + lost * lost).sqrt(),
        ..predicted
    };
    predicted.zip(lost).map(with_lost).collect()
}

/// What is predicted for registers of any range.
fn linear<'d>(
    declaration: &'d Declaration,
    writes: &'d [Write],
    model: &'d ErrorModel,
    image: &'d ImageStatistics,
) -> impl Iterator<Item = Accuracy> {
    let outputs = declaration.outputs.iter();
    outputs.map(move |output| predict(output.reg, &output.kernel, writes, model, image))
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
    let mut rest = effective.clone();
    rest.add_scaled(exact, -factor, (0, 0));
    (bias, (factor - 1.0).abs() * variance.sqrt(), rest.variance(image).sqrt())
}

/// The variance of the error that differs between PEs: each cell of a PE has the same error whenever it is written.
fn fixed_pattern(writes: &[Write], sensitivities: &[Sensitivity], model: &ErrorModel, image: &ImageStatistics) -> f64 {
    let (fixed_gain, fixed_offset) = (f64::from(model.fixed_gain), f64::from(model.fixed_offset));
    // For each cell and each PE around the output: the factor by which its gain error is multiplied, and that of its
    // offset.
    let mut cells: Map<(Store, i32, i32), (Affine, f64)> = Map::new();
    for (write, sensitivity) in writes.iter().zip(sensitivities) {
        for (&(x, y), &weight) in sensitivity {
            let (value, sum) = cells.get_or_default((write.transfer.store, x, y));
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
