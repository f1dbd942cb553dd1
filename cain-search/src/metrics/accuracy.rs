//! How far the results of a program on a chip are from the exact ones.

use std::collections::BTreeMap;

use cain_isa::prove::Polynomial;
use cain_isa::{Displacement, ErrorModel, Instruction, Reg, Store, Transfer};

use crate::Proved;

/// What is known of the images that a program gets, per input channel. Channels are taken to be independent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageStatistics {
    /// The mean of all pixels, in DN.
    pub mean: f64,
    /// The standard deviation of all pixels, in DN.
    pub deviation: f64,
    /// The correlation of neighbouring pixels; that of pixels at a distance of d PEs is its d-th power.
    pub correlation: f64,
}

impl ImageStatistics {
    /// A natural image that fills the range of the chip: mean 0 DN, standard deviation 50 DN, and the correlation 0.95
    /// that is usual for neighbouring pixels of photographs.
    pub const NATURAL: Self = Self { mean: 0.0, deviation: 50.0, correlation: 0.95 };

    /// The statistics of an image, row by row from the north, with so many pixels in a row; `None` if there is no row.
    ///
    /// The correlation is the mean of those between horizontal and between vertical neighbours.
    #[must_use]
    pub fn of(pixels: &[f32], width: usize) -> Option<Self> {
        let rows: Vec<&[f32]> = pixels.chunks_exact(width.max(1)).collect();
        if rows.is_empty() || width == 0 {
            return None;
        }
        let mean_of = |values: &mut dyn Iterator<Item = f64>| {
            let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
            if count > 0.0 { sum / count } else { 0.0 }
        };
        let all = || rows.iter().flat_map(|row| row.iter()).map(|&pixel| f64::from(pixel));
        let mean = mean_of(&mut all());
        let variance = mean_of(&mut all().map(|pixel| (pixel - mean) * (pixel - mean)));
        let product = |(a, b): (&f32, &f32)| (f64::from(*a) - mean) * (f64::from(*b) - mean);
        let across = mean_of(&mut rows.iter().flat_map(|row| row.iter().zip(row.iter().skip(1))).map(product));
        let down = mean_of(&mut rows.windows(2).flat_map(|pair| pair[0].iter().zip(pair[1])).map(product));
        let correlation = if variance > 0.0 { (across.midpoint(down) / variance).clamp(0.0, 1.0) } else { 0.0 };
        Some(Self { mean, deviation: variance.sqrt(), correlation })
    }
}

/// How far a result is expected to be from the exact one, in DN, by cause. The causes are independent of each other, so
/// that their squares add up.
///
/// Errors are followed to first order. What is not in here: values beyond the range of the chip, drift, and the noise of
/// reading out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// The mean difference, over all pixels: offset errors that are left, and gains of a mean that is not 0.
    pub bias: f64,
    /// The standard deviation of what a factor common to all weights changes.
    pub gain: f64,
    /// The standard deviation of what is left of the weights' changes beside that factor.
    pub distortion: f64,
    /// The standard deviation of what differs between PEs and is the same in every frame.
    pub fixed_pattern: f64,
    /// The standard deviation of what differs from frame to frame.
    pub noise: f64,
}

impl Accuracy {
    /// The root of the mean squared difference, in DN.
    #[must_use]
    pub fn rms(&self) -> f64 {
        let Self { bias, gain, distortion, fixed_pattern, noise } = self;
        [bias, gain, distortion, fixed_pattern, noise].iter().map(|part| *part * *part).sum::<f64>().sqrt()
    }
}

/// Predicts how accurate the outputs of a program are, in the order of the declaration.
///
/// The program is carried out with the constants of the model on weights in floating point, which gives the effective
/// kernel and the constant part of each output. Backwards, each error of a write is followed to the output, as in
/// [`noise`](crate::noise()), and weighted with what the model and the image say about its size:
///
/// - the fixed offset of a cell reaches an output with the sum of the weights of all writes to that cell, since it is the
///   same each time;
/// - the fixed gain of a cell does the same with the value written;
/// - noise is new in every write.
///
/// The model is that of the simulator, see [`ErrorModel`] for its formula and the sources of its constants.
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
    let writes = writes(program, model);
    program.outputs().iter().map(|output| predict(output.reg, &output.kernel, &writes, model, image)).collect()
}

/// A place that a value depends on: channel, x, y.
type Place = (u16, i32, i32);

/// A weighted sum of input pixels and a constant.
#[derive(Clone, Debug, Default)]
struct Affine {
    weights: BTreeMap<Place, f64>,
    constant: f64,
}

impl Affine {
    /// The pixel of a channel itself.
    fn input(channel: u16) -> Self {
        Self { weights: BTreeMap::from([((channel, 0, 0), 1.0)]), constant: 0.0 }
    }

    /// Adds `factor` times `other`, seen from a PE from which it is at (x, y).
    fn add_scaled(&mut self, other: &Self, factor: f64, (x, y): (i32, i32)) {
        for (&(channel, column, row), weight) in &other.weights {
            *self.weights.entry((channel, column + x, row + y)).or_default() += factor * weight;
        }
        self.constant += factor * other.constant;
    }

    fn mean(&self, image: &ImageStatistics) -> f64 {
        self.weights.values().sum::<f64>() * image.mean + self.constant
    }

    fn variance(&self, image: &ImageStatistics) -> f64 {
        self.covariance(self, image)
    }

    fn covariance(&self, other: &Self, image: &ImageStatistics) -> f64 {
        let distance = |dx: i32, dy: i32| f64::from(dx * dx + dy * dy).sqrt();
        let mut sum = 0.0;
        for (&(channel, x, y), a) in &self.weights {
            for (&(other_channel, other_x, other_y), b) in &other.weights {
                if channel == other_channel {
                    sum += a * b * image.correlation.powf(distance(x - other_x, y - other_y));
                }
            }
        }
        sum * image.deviation * image.deviation
    }

    fn mean_square(&self, image: &ImageStatistics) -> f64 {
        let mean = self.mean(image);
        mean * mean + self.variance(image)
    }
}

/// One cell written by a word.
struct Write {
    transfer: Transfer,
    /// What the model multiplies the exact mean of the sources with: the share of this destination.
    share: f64,
    /// The value that the cell would have without gain and offset.
    value: Affine,
    /// The value that it has.
    result: Affine,
}

/// All writes of a program, in order, with the deterministic part of the model.
fn writes(program: &Proved, model: &ErrorModel) -> Vec<Write> {
    let inputs = (0..).zip(&program.declaration().inputs);
    let mut cells: BTreeMap<Store, Affine> =
        inputs.map(|(channel, input)| (Store::Reg(input.reg), Affine::input(channel))).collect();
    let mut writes = Vec::new();
    for word in program.listing().iter().flat_map(Instruction::words) {
        let start = writes.len();
        for (position, transfer) in word.transfers().enumerate() {
            let share = share(model, position, transfer.divisor);
            let mut value = Affine::default();
            for &(store, displacement) in transfer.terms() {
                if let Some(source) = cells.get(&store) {
                    value.add_scaled(source, share * transfer.factor().to_f64(), at(displacement));
                }
            }
            let mut result = Affine { constant: offset(model, transfer.divisor), ..Affine::default() };
            result.add_scaled(&value, model.gain.into(), (0, 0));
            writes.push(Write { transfer, share, value, result });
        }
        // No word reads what it writes, but all its destinations are written at once.
        for write in &writes[start..] {
            cells.insert(write.transfer.store, write.result.clone());
        }
    }
    writes
}

/// With two destinations the first receives a little more and the second as much less.
fn share(model: &ErrorModel, position: usize, divisor: u8) -> f64 {
    let mismatch = f64::from(model.mismatch);
    match (divisor, position) {
        (2, 0) => 1.0 + mismatch,
        (2, _) => 1.0 - mismatch,
        _ => 1.0,
    }
}

fn offset(model: &ErrorModel, divisor: u8) -> f64 {
    model.offset.get(usize::from(divisor).saturating_sub(1)).copied().unwrap_or_default().into()
}

fn at(displacement: Displacement) -> (i32, i32) {
    (displacement.x.into(), displacement.y.into())
}

/// With which weight an error of a write reaches the output from each PE around it.
type Sensitivity = BTreeMap<(i32, i32), f64>;

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
    // An output that no word writes is the input that stands in its register.
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

/// What the deterministic part of the model changes: mean, common factor, and the rest of the weights.
fn difference(effective: &Affine, exact: &Affine, image: &ImageStatistics) -> (f64, f64, f64) {
    let bias = effective.mean(image) - exact.mean(image);
    let variance = exact.variance(image);
    let factor = if variance > 0.0 { effective.covariance(exact, image) / variance } else { 1.0 };
    let mut rest = Affine { constant: 0.0, ..effective.clone() };
    rest.add_scaled(exact, -factor, (0, 0));
    (bias, (factor - 1.0).abs() * variance.max(0.0).sqrt(), rest.variance(image).max(0.0).sqrt())
}

/// Follows errors from the end of the program to its beginning.
fn sensitivities(reg: Reg, writes: &[Write], model: &ErrorModel) -> Vec<Sensitivity> {
    let mut cells: BTreeMap<Store, Sensitivity> = BTreeMap::from([(Store::Reg(reg), BTreeMap::from([((0, 0), 1.0)]))]);
    let mut found: Vec<Sensitivity> = writes
        .iter()
        .rev()
        .map(|write| {
            let Some(sensitivity) = cells.remove(&write.transfer.store) else { return Sensitivity::new() };
            let factor = write.share * write.transfer.factor().to_f64() * f64::from(model.gain);
            for &(store, displacement) in write.transfer.terms() {
                let source = cells.entry(store).or_default();
                let (x, y) = at(displacement);
                for (&(column, row), weight) in &sensitivity {
                    *source.entry((column + x, row + y)).or_default() += factor * weight;
                }
            }
            sensitivity
        })
        .collect();
    found.reverse();
    found
}

/// The variance of what differs between PEs: each cell of a PE errs in the same way whenever it is written.
fn fixed_pattern(writes: &[Write], sensitivities: &[Sensitivity], model: &ErrorModel, image: &ImageStatistics) -> f64 {
    let (fixed_gain, fixed_offset) = (f64::from(model.fixed_gain), f64::from(model.fixed_offset));
    // For each cell and PE around the output, what its gain is multiplied with, and its offset.
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

/// The variance of what differs between frames.
fn noise(writes: &[Write], sensitivities: &[Sensitivity], model: &ErrorModel, image: &ImageStatistics) -> f64 {
    let (relative, absolute) = (f64::from(model.relative_noise), f64::from(model.noise));
    let gain = f64::from(model.gain);
    let variance = |(write, sensitivity): (&Write, &Sensitivity)| {
        let squares: f64 = sensitivity.values().map(|weight| weight * weight).sum();
        let of_value = if relative > 0.0 { gain * gain * write.value.mean_square(image) } else { 0.0 };
        squares * (relative * relative * of_value + absolute * absolute)
    };
    writes.iter().zip(sensitivities).map(variance).sum()
}
