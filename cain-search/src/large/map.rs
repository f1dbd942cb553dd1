//! A declaration as a matrix of integers.

use cain_isa::Reg;
use cain_isa::prove::Atom;

use crate::Declaration;
use crate::fractions::common_denominator;

/// Weights in units of 2^-`scale`, output by output.
pub(super) struct Map {
    /// How often results are halved.
    pub(super) scale: u8,
    /// The highest plane that a digit of a weight is in.
    pub(super) top: u8,
    /// In the order in which they are computed.
    pub(super) outputs: Vec<Wanted>,
}

/// An output.
pub(super) struct Wanted {
    pub(super) reg: Reg,
    /// Whether an input is in that register, so that it can only be written at the end.
    pub(super) is_input: bool,
    pub(super) weights: Vec<(Atom, i64)>,
}

/// A power of two of a weight, and whether it is subtracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digit {
    pub(super) plane: u8,
    pub(super) negative: bool,
}

impl Map {
    /// `None` if the weights are not sums of powers of two up to 1 and down to 2^-28.
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
                let highest = digits(integer, scale)?.last().map_or(0, |digit| digit.plane);
                top = top.max(highest);
                integers.push((atom, integer));
            }
            let is_input = declaration.inputs.iter().any(|input| input.reg == output.reg);
            outputs.push(Wanted { reg: output.reg, is_input, weights: integers });
        }
        outputs.sort_by_key(|wanted| wanted.is_input);
        Some(Self { scale, top, outputs })
    }
}

/// The signed digits of a weight, from the lowest on, no two of them next to each other if the highest one stays within
/// 2^`scale`; those of its magnitude otherwise. `None` if these do not.
pub(super) fn digits(weight: i64, scale: u8) -> Option<Vec<Digit>> {
    let mut digits = Vec::new();
    let (mut rest, mut plane) = (i128::from(weight), 0);
    while rest != 0 {
        if rest % 2 != 0 {
            // 1 or −1, so that the next digit is 0.
            let digit = 2 - rest.rem_euclid(4);
            digits.push(Digit { plane, negative: digit < 0 });
            rest -= digit;
        }
        rest /= 2;
        plane += 1;
    }
    if digits.last().is_none_or(|digit| digit.plane <= scale) {
        return Some(digits);
    }
    let magnitude = weight.unsigned_abs();
    let is_set = |plane: &u8| magnitude >> plane & 1 == 1;
    let digits = (0..=scale).filter(is_set).map(|plane| Digit { plane, negative: weight < 0 }).collect();
    (magnitude >> scale < 2).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::digits;

    #[test]
    fn digits_add_up_to_the_weight_within_the_scale() {
        for scale in 0..6 {
            for weight in -130..=130_i64 {
                let found = digits(weight, scale);
                assert_eq!(found.is_some(), weight.abs() < 2 << scale, "{weight} at {scale}");
                let Some(digits) = found else { continue };
                assert!(digits.iter().all(|digit| digit.plane <= scale));
                assert!(digits.is_sorted_by_key(|digit| digit.plane));
                let value = |digit: &super::Digit| if digit.negative { -1_i64 } else { 1 } << digit.plane;
                assert_eq!(digits.iter().map(value).sum::<i64>(), weight);
            }
        }
        assert_eq!(digits(15, 6).map(|digits| digits.len()), Some(2));
    }
}
