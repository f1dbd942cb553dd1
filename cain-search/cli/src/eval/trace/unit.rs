//! The numbers that values on the array stand for.

use super::planes::Plane;

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

impl Unit {
    /// The line through the values of a channel on an ideal array, and the numbers that they should be, of all pictures;
    /// `None` if the values are not those of the layer, or always the same.
    pub(super) fn of(planes: &[(&Plane, &[f64])]) -> Option<Self> {
        [false, true].into_iter().find_map(|is_signed| {
            let pairs = || {
                planes.iter().flat_map(move |(plane, numbers)| {
                    let values = plane.values.iter().map(move |value| raw(plane, *value, is_signed));
                    values.zip(numbers.iter().copied())
                })
            };
            let is_whole = planes.iter().all(|(plane, numbers)| plane.values.len() == numbers.len());
            let count = pairs().fold(0.0, |count, _| count + 1.0);
            let sums = pairs().fold((0.0, 0.0), |(x, y), (value, number)| (x + value, y + number));
            let (x, y) = (sums.0 / count, sums.1 / count);
            let squares = |(xx, xy): (f64, f64), (value, number): (f64, f64)| {
                (xx + (value - x) * (value - x), xy + (value - x) * (number - y))
            };
            let (xx, xy) = pairs().fold((0.0, 0.0), squares);
            let scale = xy / xx;
            if !is_whole || count == 0.0 || xx < 1e-9 * count || scale == 0.0 || !scale.is_finite() {
                return None;
            }
            let unit = Self { scale, zero: y - scale * x, is_signed };
            let range = pairs().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, number)| {
                (low.min(number), high.max(number))
            });
            let most = NEAR * (range.1 - range.0);
            let is_near = |(value, number): (f64, f64)| (unit.scale * value + unit.zero - number).abs() <= most;
            pairs().all(is_near).then_some(unit)
        })
    }

    /// The numbers that the values of a plane stand for.
    pub(super) fn numbers(&self, plane: &Plane) -> Vec<f64> {
        plane.values.iter().map(|value| self.scale * raw(plane, *value, self.is_signed) + self.zero).collect()
    }
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
}
