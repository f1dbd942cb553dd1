//! Dense layers on the controller: what follows a read-out of the array.
//!
//! Weights are integers of 8 or 16 bits with one scale for each layer. Counts are summed exactly; the rest is in single
//! precision, for which the controller needs neither an allocator nor an operating system.
//!
//! ```
//! use cain_runtime::dense::{Dense, argmax, rectify};
//!
//! // Two counts, three hidden numbers, two scores.
//! const HIDDEN: Dense<'_, i8> = Dense::new(&[100, -50, 0, 127, -20, -20], 0.01, &[0.0, -1.5, 0.5]);
//! const SCORES: Dense<'_, i16> = Dense::new(&[30_000, 0, 0, 0, 12_000, 500], 0.0001, &[0.0, 1.0]);
//!
//! let mut hidden = [0.0; 3];
//! HIDDEN.apply(&[7, 4], &mut hidden)?;
//! rectify(&mut hidden);
//! let mut scores = [0.0; 2];
//! SCORES.apply(&hidden, &mut scores)?;
//! assert_eq!(argmax(&scores), Some(0));
//! # Ok::<(), cain_runtime::dense::LengthError>(())
//! ```

use core::fmt;

/// A layer of weighted sums, one for each bias.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dense<'w, W> {
    /// The weights, output by output.
    weights: &'w [W],
    scale: f32,
    bias: &'w [f32],
}

impl<'w, W> Dense<'w, W> {
    /// A layer with the weights of the first output, then those of the second and so on, each multiplied by `scale`.
    ///
    /// # Panics
    ///
    /// If there are no outputs, or not equally many weights for each; in a constant, that is a compile error.
    #[must_use]
    pub const fn new(weights: &'w [W], scale: f32, bias: &'w [f32]) -> Self {
        assert!(!bias.is_empty(), "a dense layer needs at least one output");
        assert!(weights.len().is_multiple_of(bias.len()), "all outputs of a dense layer need as many weights");
        Self { weights, scale, bias }
    }

    /// The number of inputs.
    #[must_use]
    pub const fn inputs(&self) -> usize {
        self.weights.len() / self.bias.len()
    }

    /// The number of outputs.
    #[must_use]
    pub const fn outputs(&self) -> usize {
        self.bias.len()
    }
}

impl<W: Weight> Dense<'_, W> {
    /// Computes the outputs of inputs that are counts, `i32`, or numbers, `f32`.
    pub fn apply<N: Number>(&self, inputs: &[N], outputs: &mut [f32]) -> Result<(), LengthError> {
        check("inputs", inputs.len(), self.inputs())?;
        check("outputs", outputs.len(), self.outputs())?;
        // A layer without inputs has no weights to divide into rows.
        let rows = self.weights.chunks_exact(self.inputs().max(1));
        let rows = rows.chain(core::iter::repeat(&[][..]));
        for ((output, bias), row) in outputs.iter_mut().zip(self.bias).zip(rows) {
            *output = output_of(row, self.scale, *bias, inputs);
        }
        Ok(())
    }
}

/// A layer of `I` inputs and `O` outputs, whose numbers the compiler checks.
///
/// ```
/// use cain_runtime::dense::Layer;
///
/// const SCORES: Layer<'_, i8, 3, 2> = Layer::new(&[[100, -50, 0], [127, -20, -20]], 0.01, &[0.0, -1.5]);
/// assert_eq!(SCORES.apply(&[7, 4, 0]), [5.0, 6.59]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer<'w, W, const I: usize, const O: usize> {
    weights: &'w [[W; I]; O],
    scale: f32,
    bias: &'w [f32; O],
}

impl<'w, W, const I: usize, const O: usize> Layer<'w, W, I, O> {
    /// A layer with these weights for each output, multiplied by `scale`.
    #[must_use]
    pub const fn new(weights: &'w [[W; I]; O], scale: f32, bias: &'w [f32; O]) -> Self {
        Self { weights, scale, bias }
    }
}

impl<W: Weight, const I: usize, const O: usize> Layer<'_, W, I, O> {
    /// Computes the outputs of inputs that are counts, `i32`, or numbers, `f32`, as [`Dense::apply`] does.
    #[must_use]
    pub fn apply<N: Number>(&self, inputs: &[N; I]) -> [f32; O] {
        let mut outputs = [0.0; O];
        for ((output, bias), row) in outputs.iter_mut().zip(self.bias).zip(self.weights) {
            *output = output_of(row, self.scale, *bias, inputs);
        }
        outputs
    }
}

fn output_of<W: Weight, N: Number>(row: &[W], scale: f32, bias: f32, inputs: &[N]) -> f32 {
    N::sum(row, inputs) * scale + bias
}

fn check(what: &'static str, found: usize, expected: usize) -> Result<(), LengthError> {
    if found == expected { Ok(()) } else { Err(LengthError { what, found, expected }) }
}

/// An error: a slice does not have the length that a layer needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LengthError {
    what: &'static str,
    found: usize,
    expected: usize,
}

impl fmt::Display for LengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} for a dense layer that has {}", self.found, self.what, self.expected)
    }
}

impl core::error::Error for LengthError {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for i8 {}
    impl Sealed for i16 {}
    impl Sealed for i32 {}
    impl Sealed for f32 {}
}

/// An integer type for weights: `i8` or `i16`.
pub trait Weight: Copy + Into<i32> + sealed::Sealed {}

impl Weight for i8 {}
impl Weight for i16 {}

/// A type of numbers that dense layers read: counts, which are summed exactly, or real numbers.
pub trait Number: Copy + sealed::Sealed {
    /// The sum of products, before scaling.
    #[doc(hidden)]
    fn sum<W: Weight>(weights: &[W], numbers: &[Self]) -> f32;
}

impl Number for i32 {
    #[expect(clippy::cast_precision_loss, reason = "the sum is rounded once")]
    fn sum<W: Weight>(weights: &[W], numbers: &[Self]) -> f32 {
        let product = |(weight, number): (&W, &i32)| i64::from((*weight).into()) * i64::from(*number);
        weights.iter().zip(numbers).map(product).sum::<i64>() as f32
    }
}

impl Number for f32 {
    #[expect(clippy::cast_precision_loss, reason = "weights have at most 16 bits")]
    fn sum<W: Weight>(weights: &[W], numbers: &[Self]) -> f32 {
        let product = |(weight, number): (&W, &f32)| (*weight).into() as f32 * number;
        weights.iter().zip(numbers).map(product).sum()
    }
}

/// Replaces negative numbers by 0.
pub fn rectify(numbers: &mut [f32]) {
    for number in numbers {
        *number = number.max(0.0);
    }
}

/// Multiplies numbers by factors and adds summands; there is one of each for every number, or one for all.
pub fn scale_and_shift(numbers: &mut [f32], scale: &[f32], shift: &[f32]) {
    let repeated = |list: &[f32], i: usize| list.get(i).or(list.first()).copied();
    for (i, number) in numbers.iter_mut().enumerate() {
        *number = *number * repeated(scale, i).unwrap_or(1.0) + repeated(shift, i).unwrap_or(0.0);
    }
}

/// Concatenates lists of `N` numbers in total.
#[must_use]
pub fn join<const N: usize>(lists: &[&[f32]]) -> [f32; N] {
    let mut joined = [0.0; N];
    joined.iter_mut().zip(lists.iter().copied().flatten()).for_each(|(place, number)| *place = *number);
    joined
}

/// The place of the largest number, the first one if several are equal; `None` if there are no numbers.
#[must_use]
pub fn argmax(numbers: &[f32]) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for (place, &number) in numbers.iter().enumerate() {
        if best.is_none_or(|(_, most)| number > most) {
            best = Some((place, number));
        }
    }
    best.map(|(place, _)| place)
}

/// The place of the largest number, the first one of equals; 0 of no numbers.
///
/// ```
/// assert_eq!(cain_runtime::dense::largest(&[-8, 3, 0, 3]), 1);
/// ```
#[must_use]
pub fn largest<T: Ord>(numbers: &[T]) -> usize {
    let largest = numbers.iter().max();
    numbers.iter().position(|number| Some(number) == largest).unwrap_or(0)
}

/// A place as a number, for layers that read it.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a layer has fewer numbers than 2^24")]
pub const fn place(place: usize) -> [f32; 1] {
    [place as f32]
}

/// Turns scores into probabilities: their exponentials, divided by the sum of these.
pub fn softmax(scores: &mut [f32]) {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for score in scores.iter_mut() {
        *score = exponential(*score - most);
        sum += *score;
    }
    for score in scores {
        *score /= sum;
    }
}

/// e to the power of a number that is not above 0: the same in firmware, which has no standard library, as on the host.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "powers of two from -126 to 0"
)]
fn exponential(power: f32) -> f32 {
    /// The natural logarithm of 2, in two parts, the first of which has few digits.
    const LN_2: [f32; 2] = [355.0 / 512.0, -2.121_944_4e-4];
    /// The factors of the Taylor series, the last one first.
    const FACTORS: [f32; 8] = [1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    // What is smaller than all normal numbers is nothing beside 1.
    if power < -87.0 {
        return 0.0;
    }
    // The nearest power of two, and what remains.
    let whole = (power * core::f32::consts::LOG2_E - 0.5) as i32;
    let rest = power - whole as f32 * LN_2[0] - whole as f32 * LN_2[1];
    let sum = FACTORS.iter().fold(0.0, |sum, factor| sum * rest + factor);
    sum * f32::from_bits(((whole + 127) as u32) << 23)
}
