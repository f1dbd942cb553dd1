//! A declaration as a matrix of integers.

use cain_analysis::prove::Atom;
use cain_isa::Reg;

use crate::Declaration;
use crate::fractions::common_denominator;
use crate::sort;

/// The weights of a declaration in units of 2^-`scale`, output by output.
pub(super) struct Map {
    /// How often results are halved.
    pub(super) scale: u8,
    /// The highest plane that has a digit of a weight; if it is above `scale`, inputs are doubled.
    pub(super) top: u8,
    /// The outputs, in the order in which they are computed.
    pub(super) outputs: Vec<Wanted>,
}

/// The most times that an input may be doubled.
const MOST_DOUBLINGS: u8 = 8;

/// An output and its weights.
pub(super) struct Wanted {
    pub(super) reg: Reg,
    /// Whether its register is that of an input, so that it can only be written at the end.
    pub(super) is_input: bool,
    pub(super) weights: Vec<(Atom, i64)>,
}

/// A signed digit of a weight: a power of two, and whether it is subtracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digit {
    pub(super) plane: u8,
    pub(super) negative: bool,
}

impl Map {
    /// The matrix of a declaration; `None` if the weights are not sums of powers of two between 2^-28 and
    /// 2^[`MOST_DOUBLINGS`].
    pub(super) fn of(declaration: &Declaration) -> Option<Self> {
        let weights = || declaration.outputs.iter().flat_map(|output| output.kernel.terms());
        let denominator = common_denominator(weights().map(|(_, weight)| weight))?;
        let scale = u8::try_from(denominator.trailing_zeros()).ok()?;
        if denominator.count_ones() != 1 || scale > 28 {
            return None;
        }
        let mut outputs = Vec::new();
        let mut top = 0;
        for output in &declaration.outputs {
            let mut integers = Vec::new();
            for (atom, weight) in output.kernel.terms() {
                let integer = weight.numerator().checked_mul(denominator / weight.denominator())?;
                let highest = digits(integer, scale).last().map_or(0, |digit| digit.plane);
                top = top.max(highest);
                if highest > scale + MOST_DOUBLINGS {
                    return None;
                }
                integers.push((atom, integer));
            }
            let is_input = declaration.inputs.iter().any(|input| input.reg == output.reg);
            outputs.push(Wanted { reg: output.reg, is_input, weights: integers });
        }
        sort::by_key(&mut outputs, |wanted| wanted.is_input);
        Some(Self { scale, top, outputs })
    }

    /// How often inputs have to be doubled.
    pub(super) fn doublings(&self) -> u8 {
        self.top.saturating_sub(self.scale)
    }
}

/// The signed digits of a weight, the lowest first, no two of them adjacent; if only the digits of its magnitude stay
/// within 2^`scale`, these are taken.
pub(super) fn digits(weight: i64, scale: u8) -> Vec<Digit> {
    let mut digits = Vec::new();
    let (mut rest, mut plane) = (i128::from(weight), 0);
    while rest != 0 {
        if rest % 2 != 0 {
            // The digit is 1 or −1, chosen such that the next one is 0.
            let digit = 2 - rest.rem_euclid(4);
            digits.push(Digit { plane, negative: digit < 0 });
            rest -= digit;
        }
        rest /= 2;
        plane += 1;
    }
    let magnitude = weight.unsigned_abs();
    if digits.last().is_some_and(|digit| digit.plane > scale) && magnitude >> scale < 2 {
        let is_set = |plane: &u8| magnitude >> plane & 1 == 1;
        digits = (0..=scale).filter(is_set).map(|plane| Digit { plane, negative: weight < 0 }).collect();
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::digits;

    #[test]
    fn digits_add_up_to_the_weight_within_the_scale_if_that_is_possible() {
        for scale in 0..6 {
            for weight in -130..=130_i64 {
                let digits = digits(weight, scale);
                let is_within = digits.iter().all(|digit| digit.plane <= scale);
                assert_eq!(is_within, weight.abs() < 2 << scale, "{weight} at {scale}");
                assert!(digits.is_sorted_by_key(|digit| digit.plane));
                let value = |digit: &super::Digit| if digit.negative { -1_i64 } else { 1 } << digit.plane;
                assert_eq!(digits.iter().map(value).sum::<i64>(), weight);
            }
        }
        assert_eq!(digits(15, 6).len(), 2);
        assert_eq!(digits(15, 3).len(), 4);
    }
}
