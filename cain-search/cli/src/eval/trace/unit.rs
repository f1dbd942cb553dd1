//! The numbers that values on the array stand for.

use super::planes::Plane;
use crate::share::share;

/// A line from values on the array to numbers of the network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unit {
    /// The numbers for one DN.
    pub(super) scale: f64,
    /// The number for 0 DN.
    pub(super) zero: f64,
    /// Whether the highest bit of a number counts as negative.
    pub(super) is_signed: bool,
}

/// The largest distance from the line, as a part of the range of the numbers.
const NEAR: f64 = 0.02;

/// The least share of the values that has to be near the line. Where others are not, the array is wrong.
const SHARE: f64 = 0.9;

/// How often the line is looked for among the values that are nearest to the one before.
const ROUNDS: usize = 4;

impl Unit {
    /// The line through the values of a channel on an ideal array, and the numbers that they should be, of all pictures;
    /// `None` if the values are not those of the layer, or always the same. Some may be wrong, and are not near the line.
    pub(super) fn of(planes: &[(&Plane, &[f64])]) -> Option<Self> {
        if planes.iter().any(|(plane, numbers)| plane.values.len() != numbers.len()) {
            return None;
        }
        [false, true].into_iter().find_map(|is_signed| {
            let all = pairs(planes, is_signed);
            let mut unit = Self::through(&all, is_signed)?;
            for _ in 0..ROUNDS {
                if unit.fits(&all, 1.0) {
                    return Some(unit);
                }
                let mut nearest = all.clone();
                nearest.sort_by(|one, other| unit.distance(*one).total_cmp(&unit.distance(*other)));
                nearest.truncate(all.len().div_ceil(2));
                unit = Self::through(&nearest, is_signed)?;
            }
            unit.fits(&all, SHARE).then_some(unit)
        })
    }

    /// Whether a channel that is always the same is what this unit says.
    pub(super) fn is_of(&self, planes: &[(&Plane, &[f64])]) -> bool {
        const NEARLY: f64 = 1e-3;
        let all = pairs(planes, self.is_signed);
        let most = NEARLY * self.scale.abs();
        planes.iter().all(|(plane, numbers)| plane.values.len() == numbers.len())
            && all.iter().all(|pair| self.distance(*pair) <= most)
    }

    /// The line of least squares; `None` if the values are all the same.
    fn through(pairs: &[(f64, f64)], is_signed: bool) -> Option<Self> {
        let count = pairs.iter().fold(0.0, |count, _| count + 1.0);
        let sums = pairs.iter().fold((0.0, 0.0), |(x, y), (value, number)| (x + value, y + number));
        let (x, y) = (sums.0 / count, sums.1 / count);
        let (xx, xy) = pairs.iter().fold((0.0, 0.0), |(xx, xy), (value, number)| {
            (xx + (value - x) * (value - x), xy + (value - x) * (number - y))
        });
        let scale = xy / xx;
        let is_line = count > 0.0 && xx >= 1e-9 * count && scale != 0.0 && scale.is_finite();
        is_line.then_some(Self { scale, zero: y - scale * x, is_signed })
    }

    /// Whether this share of the values is near the line.
    fn fits(&self, pairs: &[(f64, f64)], share: f64) -> bool {
        let range = pairs
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, number)| (low.min(*number), high.max(*number)));
        let most = NEAR * (range.1 - range.0);
        let near = pairs.iter().filter(|pair| self.distance(**pair) <= most).count();
        self::share(near, pairs.len()) >= share
    }

    fn distance(&self, (value, number): (f64, f64)) -> f64 {
        (self.scale * value + self.zero - number).abs()
    }

    /// The numbers that the values of a plane stand for.
    pub(super) fn numbers(&self, plane: &Plane) -> Vec<f64> {
        plane.values.iter().map(|value| self.scale * raw(plane, *value, self.is_signed) + self.zero).collect()
    }
}

/// The values of planes with the numbers that they should be.
fn pairs(planes: &[(&Plane, &[f64])], is_signed: bool) -> Vec<(f64, f64)> {
    let of = |(plane, numbers): &(&Plane, &[f64])| {
        let values = plane.values.iter().map(|value| raw(plane, *value, is_signed));
        values.zip(numbers.iter().copied()).collect::<Vec<_>>()
    };
    planes.iter().flat_map(of).collect()
}

/// A value, in which the highest of several bits may count as negative.
fn raw(plane: &Plane, value: f64, is_signed: bool) -> f64 {
    let highest = 2_f64.powi(i32::try_from(plane.bits).unwrap_or_default() - 1);
    if is_signed && plane.bits > 1 && value >= highest { value - 2.0 * highest } else { value }
}

#[cfg(test)]
mod tests {
    use super::{Plane, Unit};

    #[test]
    fn lines_lead_from_values_to_numbers() {
        let plane = |values: &[f64], bits| Plane { values: values.to_vec(), bits };
        let analogue = plane(&[-10.0, 0.0, 30.0], 0);
        let unit = Unit::of(&[(&analogue, &[3.0, 1.0, -5.0])]).unwrap();
        assert!((unit.scale + 0.2).abs() < 1e-12 && (unit.zero - 1.0).abs() < 1e-12, "{unit:?}");
        let signed = plane(&[1.0, 7.0, 4.0, 3.0], 3);
        let unit = Unit::of(&[(&signed, &[1.0, -1.0, -4.0, 3.0])]).unwrap();
        assert!(
            unit.is_signed
                && unit.numbers(&signed).iter().zip([1.0, -1.0, -4.0, 3.0]).all(|(a, b)| (a - b).abs() < 1e-9)
        );
        assert_eq!(Unit::of(&[(&analogue, &[3.0, 1.0, 7.0])]), None);
        assert_eq!(Unit::of(&[(&plane(&[2.0, 2.0], 0), &[3.0, 3.0])]), None);
        assert_eq!(Unit::of(&[(&analogue, &[3.0])]), None);
    }

    #[test]
    fn a_few_wrong_values_hide_no_line() {
        let values: Vec<f64> = (0..40).map(f64::from).collect();
        let numbers: Vec<f64> = values.iter().map(|value| 2.0 * value - 5.0).collect();
        let wrong = |places: &[usize]| {
            let mut values = values.clone();
            for &place in places {
                values[place] = 100.0;
            }
            Plane { values, bits: 0 }
        };
        let unit = Unit::of(&[(&wrong(&[3, 20]), &numbers)]).unwrap();
        assert!((unit.scale - 2.0).abs() < 1e-9 && (unit.zero + 5.0).abs() < 1e-9, "{unit:?}");
        assert_eq!(Unit::of(&[(&wrong(&[0, 1, 2, 3, 10, 20, 30, 39]), &numbers)]), None);
    }

    #[test]
    fn a_constant_tells_whether_a_unit_is_its_own() {
        let unit = Unit { scale: 0.5, zero: 1.0, is_signed: false };
        let plane = Plane { values: vec![-2.0; 3], bits: 0 };
        assert!(unit.is_of(&[(&plane, &[0.0; 3])]) && !unit.is_of(&[(&plane, &[0.1; 3])]));
        assert!(!unit.is_of(&[(&plane, &[0.0; 2])]));
    }
}
