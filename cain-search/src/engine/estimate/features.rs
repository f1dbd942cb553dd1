//! The features of a goal that estimates use.

use cain_isa::Displacement;

use super::integers::{int, log2};
use super::network::ONE;
use crate::engine::area::Area;
use crate::engine::hash::absorb;
use crate::engine::terms::{self, Term};

/// The number of features of a goal that a network uses.
pub(crate) const COUNT: usize = 22;

/// A goal, with those of its features that are computed anyway.
pub(crate) struct GoalFeatures<'a> {
    pub(crate) terms: &'a [Term],
    pub(crate) area: Area,
    /// The number of non-zero signed binary digits in all coefficients together.
    pub(crate) digits: u32,
    /// How many times every coefficient can be halved.
    pub(crate) valuation: u32,
    /// The binary logarithm of the largest coefficient, rounded down.
    pub(crate) magnitude: u32,
    /// The binary logarithm of the weight of an input.
    pub(crate) scale: u32,
}

impl<'a> GoalFeatures<'a> {
    /// The features of a goal, given the binary logarithm of the weight of an input.
    pub(crate) fn of(terms: &'a [Term], scale: u32) -> Self {
        let magnitude = terms.iter().filter_map(|term| term.1.unsigned_abs().checked_ilog2()).max().unwrap_or(0);
        let (area, digits, valuation) = (Area::of(terms), terms::digits(terms), terms::valuation(terms));
        Self { terms, area, digits, valuation, magnitude, scale }
    }

    /// The features as inputs of a network.
    pub(crate) fn inputs(&self) -> [i64; COUNT] {
        let Self { terms, area, digits, valuation, magnitude, scale } = *self;
        let (width, height) = (i64::from(area.max.x - area.min.x), i64::from(area.max.y - area.min.y));
        let count = int(terms.len());
        let negative = int(terms.iter().filter(|term| term.1 < 0).count());
        let (magnitudes, odd_parts, broken) = magnitudes(terms);
        let (rows, distinct_rows) = rows(terms);
        let (columns, distinct_columns) = columns(terms);
        let mut channels: Vec<u32> = terms.iter().map(|term| terms::channel(term.0)).collect();
        channels.dedup();
        let whole = [
            int(digits),
            count,
            width + height,
            int(area.distance()),
            i64::from(count == 1),
            int(scale.saturating_sub(valuation)),
            int(magnitude) - int(scale),
            magnitudes,
            odd_parts,
            negative,
            count - negative,
            broken,
            terms.iter().map(|term| int(steps_from_origin(term.0))).sum(),
            int(channels.len()),
            rows,
            distinct_rows,
            columns,
            distinct_columns,
            i64::from(negative == count),
            (width - height).abs(),
        ];
        let mut inputs = [0; COUNT];
        for (input, feature) in inputs.iter_mut().zip(whole) {
            *input = ONE * feature;
        }
        inputs[COUNT - 2] = log2(int(digits));
        inputs[COUNT - 1] = log2(count);
        inputs
    }
}

/// The number of different magnitudes of the coefficients, the number of different odd parts of these, and the number
/// of coefficients that are not powers of two.
fn magnitudes(terms: &[Term]) -> (i64, i64, i64) {
    let broken = terms.iter().filter(|term| !term.1.unsigned_abs().is_power_of_two()).count();
    let mut magnitudes: Vec<u32> = terms.iter().map(|term| term.1.unsigned_abs()).collect();
    let all = distinct(&mut magnitudes);
    for magnitude in &mut magnitudes {
        *magnitude >>= magnitude.trailing_zeros();
    }
    (all, distinct(&mut magnitudes), int(broken))
}

/// The number of rows, and how many of them differ by more than sign and a power of two.
fn rows(terms: &[Term]) -> (i64, i64) {
    // Terms are sorted by channel, then by row.
    let row = |term: &Term| (terms::channel(term.0), terms::displacement(term.0).y);
    let mut rows: Vec<u64> = terms.chunk_by(|a, b| row(a) == row(b)).map(hash_of_row).collect();
    (int(rows.len()), distinct(&mut rows))
}

/// The number of columns, and how many of them differ by more than sign and a power of two.
fn columns(terms: &[Term]) -> (i64, i64) {
    let transposed = |&(key, weight): &Term| {
        let Displacement { x, y } = terms::displacement(key);
        let channel = u16::try_from(terms::channel(key)).unwrap_or(u16::MAX);
        (terms::key(channel, Displacement::new(y, x)), weight)
    };
    let mut terms: Vec<Term> = terms.iter().map(transposed).collect();
    terms.sort_unstable();
    rows(&terms)
}

/// A hash of the coefficients of a row and their places in it, which ignores a common sign and power of two.
fn hash_of_row(row: &[Term]) -> u64 {
    let valuation = terms::valuation(row);
    let sign = row.first().map_or(1, |first| first.1.signum());
    row.iter().fold(0, |hash, &(key, weight)| {
        let x = i32::from(terms::displacement(key).x).cast_unsigned();
        absorb(hash, x, (sign * weight) >> valuation)
    })
}

/// Sorts numbers, removes duplicates, and counts what is left.
fn distinct<T: Ord>(numbers: &mut Vec<T>) -> i64 {
    numbers.sort_unstable();
    numbers.dedup();
    int(numbers.len())
}

/// The number of unit steps from the origin to a term.
fn steps_from_origin(key: u32) -> u16 {
    let Displacement { x, y } = terms::displacement(key);
    x.unsigned_abs() + y.unsigned_abs()
}
