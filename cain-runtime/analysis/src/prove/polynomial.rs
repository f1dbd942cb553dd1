//! Linear combinations of shifted inputs.

use core::fmt;

use cain_isa::{Displacement, Fraction, Range};

use crate::sorted::Map;

/// One input pixel relative to a PE: the smallest unit that kernels are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom {
    /// The input channel, counted from 0.
    pub channel: u16,
    /// The displacement of the pixel from the PE.
    pub displacement: Displacement,
}

/// A Laurent polynomial in x (east) and y (north) per input channel, with exact coefficients.
///
/// Arithmetic returns `None` if a coefficient does not fit [`Fraction`] or a displacement exceeds ±32767.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Polynomial {
    /// The non-zero coefficients.
    terms: Map<Atom, Fraction>,
}

impl Polynomial {
    /// The zero polynomial.
    #[must_use]
    pub const fn new() -> Self {
        Self { terms: Map::new() }
    }

    /// The unchanged image of one input channel.
    #[must_use]
    pub fn input(channel: u16) -> Self {
        Self { terms: Map::from([(Atom { channel, displacement: Displacement::ZERO }, Fraction::ONE)]) }
    }

    /// The non-zero weights, in the order of their atoms.
    #[must_use]
    pub fn terms(&self) -> impl ExactSizeIterator<Item = (Atom, Fraction)> + '_ {
        self.terms.iter().map(|(&atom, &weight)| (atom, weight))
    }

    /// The weight of one atom.
    #[must_use]
    pub fn weight(&self, atom: Atom) -> Fraction {
        self.terms.get(&atom).copied().unwrap_or(Fraction::ZERO)
    }

    /// Whether all weights are zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Adds `weight` to the weight of one atom.
    #[must_use]
    pub fn add_term(&mut self, atom: Atom, weight: Fraction) -> Option<()> {
        let sum = self.weight(atom).checked_add(weight)?;
        if sum.is_zero() {
            self.terms.remove(&atom);
        } else {
            self.terms.insert(atom, sum);
        }
        Some(())
    }

    /// Adds `factor` times `other` read at `displacement`: the pixel that `other` sees at the PE itself is at
    /// `displacement` for the sum.
    #[must_use]
    pub fn add_scaled(&mut self, other: &Self, factor: Fraction, displacement: Displacement) -> Option<()> {
        for (atom, weight) in other.terms() {
            let atom = Atom { channel: atom.channel, displacement: atom.displacement.checked_add(displacement)? };
            self.add_term(atom, weight.checked_mul(factor)?)?;
        }
        Some(())
    }

    /// The *gain*: the largest magnitude that the value can take, relative to the largest magnitude of an input. For inputs
    /// of either sign it is the sum of the absolute weights.
    #[must_use]
    pub fn gain(&self) -> Option<Fraction> {
        self.terms.values().try_fold(Fraction::ZERO, |gain, weight| gain.checked_add(weight.abs()))
    }

    /// The [gain](Self::gain) for inputs in a range; see [`Range::gain`].
    #[must_use]
    pub fn gain_for(&self, inputs: Range) -> Option<Fraction> {
        let (mut positive, mut negative) = (Fraction::ZERO, Fraction::ZERO);
        for weight in self.terms.values() {
            let sum = if weight.numerator().is_positive() { &mut positive } else { &mut negative };
            *sum = sum.checked_add(weight.abs())?;
        }
        inputs.gain(positive, negative)
    }
}

impl fmt::Display for Polynomial {
    /// Formats like `1/2·a·x - b·y^-1`; the letter is the input channel, omitted if only the first one occurs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        let several = self.terms.keys().any(|atom| atom.channel != 0);
        for (i, (atom, weight)) in self.terms().enumerate() {
            f.write_str(match (i, weight.numerator().is_negative()) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            })?;
            let factors =
                [('x', atom.displacement.x), ('y', atom.displacement.y)].into_iter().filter(|(_, power)| *power != 0);
            let mut dot = "";
            let unit = !several && factors.clone().next().is_none();
            if weight.abs() != Fraction::ONE || unit {
                write!(f, "{}", weight.abs())?;
                dot = "·";
            }
            if several {
                match u8::try_from(atom.channel) {
                    Ok(channel @ 0..=22) => write!(f, "{dot}{}", char::from(b'a' + channel))?,
                    _ => write!(f, "{dot}in{}", atom.channel)?,
                }
                dot = "·";
            }
            for (name, power) in factors {
                write!(f, "{dot}{name}")?;
                if power != 1 {
                    write!(f, "^{power}")?;
                }
                dot = "·";
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Atom, Polynomial};
    use alloc::string::ToString;
    use cain_isa::{Displacement, Fraction, Range};

    #[test]
    fn prints_like_a_formula() {
        let mut sum = Polynomial::new();
        assert_eq!(sum.to_string(), "0");
        sum.add_scaled(&Polynomial::input(0), Fraction::new(1, 2).unwrap(), Displacement::new(1, 0)).unwrap();
        sum.add_scaled(&Polynomial::input(0), Fraction::from(-1), Displacement::ZERO).unwrap();
        assert_eq!(sum.to_string(), "-1 + 1/2·x");
        sum.add_scaled(&Polynomial::input(1), Fraction::from(-1), Displacement::new(2, -1)).unwrap();
        assert_eq!(sum.to_string(), "-a + 1/2·a·x - b·x^2·y^-1");
        assert_eq!(sum.gain().unwrap().to_string(), "5/2");
        assert_eq!(sum.gain_for(Range::SCAMP5).unwrap().to_string(), "5/2");
        assert_eq!(sum.gain_for(Range { min: 0, max: 255 }).unwrap().to_string(), "2");
        assert_eq!(sum.gain_for(Range { min: -50, max: 100 }).unwrap().to_string(), "9/4");
    }

    #[test]
    fn terms_that_cancel_are_gone() {
        let mut sum = Polynomial::input(0);
        sum.add_term(Atom { channel: 0, displacement: Displacement::ZERO }, Fraction::from(-1)).unwrap();
        assert!(sum.is_zero());
        assert_eq!(sum, Polynomial::new());
    }

    #[test]
    fn an_offset_out_of_range_is_an_answer() {
        let mut sum = Polynomial::new();
        sum.add_scaled(&Polynomial::input(0), Fraction::ONE, Displacement::new(i16::MAX, 0)).unwrap();
        let far = sum.clone();
        assert_eq!(sum.add_scaled(&far, Fraction::ONE, Displacement::new(1, 0)), None);
    }
}
