//! Rounds weights on the array to multiples of a unit.

use cain_isa::Fraction;
use cain_search::Approximation;

use super::kind::MOST_EXACT;

/// Fractions have at most so many binary places.
const FINEST: u32 = 48;

/// What weights on the array become.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rounding {
    /// Multiples of 1/2^depth, or of a smaller unit where all weights of a layer are small; without a depth, what they are.
    To(Option<u32>),
    /// Almost what they are, as no array has them.
    Finest,
}

/// The size of the changes that rounding made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Change {
    largest: f64,
    squares: f64,
    sum_of_squares: f64,
    count: u32,
}

impl Change {
    pub(crate) fn add(&mut self, number: f64, rounded: f64) {
        let change = (rounded - number).abs();
        self.largest = self.largest.max(change);
        self.squares += change * change;
        self.sum_of_squares += number * number;
        self.count += 1;
    }

    fn rms(&self) -> f64 {
        (self.squares / f64::from(self.count.max(1))).sqrt()
    }

    /// The relative change.
    pub(crate) fn relative(&self) -> f64 {
        if self.squares > 0.0 { (self.squares / self.sum_of_squares).sqrt() } else { 0.0 }
    }

    pub(crate) fn text(&self) -> String {
        if self.largest > 0.0 {
            format!("largest change {}, root mean square {}", shown(self.largest), shown(self.rms()))
        } else {
            "no change".to_owned()
        }
    }
}

/// Weights on the array by output channel, input channel, row and column.
pub(crate) type Weights<T> = Vec<Vec<Vec<Vec<T>>>>;

/// Where the largest weight of a layer is less than this, its unit is that of weights which are larger by a power of two: the
/// array scales sums as it needs them.
const SMALL: f64 = 0.125;

/// The most halvings of a unit.
const MOST_HALVINGS: u32 = 20;

/// The share of weights, in the root mean square, that rounding may change without a warning.
const COARSE: f64 = 0.1;

/// Rounded weights, and what is told about them.
pub(crate) struct Rounded {
    pub(crate) weights: Weights<Fraction>,
    pub(crate) remarks: Vec<String>,
    /// Whether there is a warning among the remarks.
    pub(crate) is_coarse: bool,
}

/// Rounds the weights of a layer with this name.
pub(crate) fn rounded(name: &str, weights: &Weights<f64>, rounding: Rounding) -> Result<Rounded, String> {
    let Rounding::To(depth) = rounding else {
        return Ok(Rounded { weights: each(weights, &finest), remarks: Vec::new(), is_coarse: false });
    };
    let all = || weights.iter().flatten().flatten().flatten().copied();
    let most = all().map(f64::abs).fold(0.0, f64::max);
    let halvings = halvings(most);
    let change_at = |depth: u32| {
        let near = |weight: f64| nearest(weight, depth + halvings).map_or(f64::INFINITY, Fraction::to_f64);
        let mut change = Change::default();
        all().for_each(|weight| change.add(weight, near(weight)));
        change
    };
    let exact = (0..=Approximation::MAX_DEPTH).find(|depth| change_at(*depth).largest == 0.0);
    let Some(depth) = depth.or(exact) else {
        // A change of 1 % of the largest weight hardly matters.
        let enough = (0..Approximation::MAX_DEPTH).find(|depth| change_at(*depth).largest <= most / 100.0);
        let enough = enough.unwrap_or(Approximation::MAX_DEPTH);
        let change = change_at(enough).text();
        return Err(format!(
            "the weights are no multiples of 1/2^{}; round them with `--depth {enough}`: {change}",
            Approximation::MAX_DEPTH + halvings
        ));
    };
    let change = change_at(depth);
    let places = depth + halvings;
    if !change.largest.is_finite() {
        return Err(format!("the weights are too large for multiples of 1/2^{places}"));
    }
    let (most, parts) = (shown(most), 1_u64 << places);
    let mut remarks = vec![format!("`{name}`: weights of up to {most} as multiples of 1/{parts}: {}", change.text())];
    let is_lost = |kernel: &&Vec<Vec<Vec<f64>>>| {
        let mut weights = kernel.iter().flatten().flatten();
        weights.clone().any(|weight| *weight != 0.0)
            && weights.all(|weight| nearest(*weight, places).is_some_and(Fraction::is_zero))
    };
    let lost = weights.iter().filter(is_lost).count();
    let percent = 100.0 * change.relative();
    if lost > 0 {
        let all = weights.len();
        remarks
            .push(format!("warning: `{name}`: {lost} of {all} kernels become zero; allow a larger depth by `--depth`"));
    } else if change.relative() > COARSE {
        remarks.push(format!(
            "warning: `{name}`: rounding changes the weights by {percent:.0} % in the root mean square; allow a larger depth by \
             `--depth`"
        ));
    }
    let is_coarse = remarks.len() > 1;
    let weights = each(weights, &|weight| nearest(weight, places).unwrap_or_default());
    Ok(Rounded { weights, remarks, is_coarse })
}

/// How often the unit of a layer is halved, by its largest weight.
fn halvings(most: f64) -> u32 {
    let is_enough = |halvings: &u32| most * 2_f64.powi(halvings.cast_signed()) >= SMALL;
    if most > 0.0 { (0..MOST_HALVINGS).find(is_enough).unwrap_or(MOST_HALVINGS) } else { 0 }
}

/// A number with as many digits as tell something.
fn shown(number: f64) -> String {
    if number == 0.0 || number >= 0.001 { format!("{number:.5}") } else { format!("{number:.1e}") }
}

/// Converts weights by output channel, input channel, row and column.
fn each(weights: &Weights<f64>, of: &dyn Fn(f64) -> Fraction) -> Weights<Fraction> {
    let row = |row: &Vec<f64>| row.iter().map(|weight| of(*weight)).collect();
    let matrix = |matrix: &Vec<Vec<f64>>| matrix.iter().map(row).collect();
    weights.iter().map(|kernel| kernel.iter().map(matrix).collect()).collect()
}

/// The fraction nearest to a weight.
fn finest(weight: f64) -> Fraction {
    (0..=FINEST).rev().find_map(|depth| nearest(weight, depth)).unwrap_or_default()
}

/// The multiple of 1/2^`depth` nearest to a weight.
fn nearest(weight: f64, depth: u32) -> Option<Fraction> {
    let unit = 1_i64 << depth;
    #[expect(clippy::cast_precision_loss, reason = "a power of two")]
    let scaled = (weight * unit as f64).round();
    let fits = scaled.abs() <= MOST_EXACT;
    #[expect(clippy::cast_possible_truncation, reason = "a whole number of at most 54 bits")]
    let scaled = fits.then_some(scaled as i64)?;
    Fraction::new(scaled, unit)
}
