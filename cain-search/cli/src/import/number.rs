//! Exact numbers.

use cain_isa::Fraction;

use super::json::Node;
use super::notes::Notes;

/// An exact number, and how it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) value: Fraction,
    text: String,
}

impl Number {
    /// As kernel files have it, which know no exponents.
    pub(crate) fn toml(&self) -> String {
        if self.text.contains(['e', 'E']) { toml(self.value) } else { self.text.clone() }
    }
}

/// A whole number as it is, others as a fraction.
pub(crate) fn toml(value: Fraction) -> String {
    if value.denominator() == 1 { value.to_string() } else { format!("\"{value}\"") }
}

/// The largest power of ten that fits 64 bits.
const MOST_TENS: u32 = 18;

/// A number, exactly as it is written; a note if it is none.
pub(crate) fn exact(node: &Node<'_>, notes: &mut Notes) -> Option<Number> {
    let Some(text) = node.number() else {
        notes.wrong(node, format_args!("expected a number, found {}", node.kind()));
        return None;
    };
    let value = parse(text);
    if value.is_none() {
        notes.wrong(node, format_args!("the number {text} does not fit a fraction of 64-bit integers"));
    }
    Some(Number { value: value?, text: text.to_owned() })
}

/// A JSON number.
fn parse(text: &str) -> Option<Fraction> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let mantissa: Fraction = mantissa.parse().ok()?;
    let exponent: i32 = exponent.parse().ok()?;
    if exponent.unsigned_abs() > MOST_TENS {
        return mantissa.is_zero().then_some(mantissa);
    }
    let tens = 10_i64.checked_pow(exponent.unsigned_abs())?;
    let factor = if exponent < 0 { Fraction::new(1, tens) } else { Fraction::new(tens, 1) };
    mantissa.checked_mul(factor?)
}

/// A whole number; a note if it is none.
pub(crate) fn whole(node: &Node<'_>, notes: &mut Notes) -> Option<i64> {
    let value = exact(node, notes)?.value;
    if value.denominator() != 1 {
        notes.wrong(node, format_args!("expected a whole number, found {value}"));
        return None;
    }
    Some(value.numerator())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn numbers_are_exact() {
        for (text, value) in [
            ("-3", "-3"),
            ("0.11", "11/100"),
            ("1e-2", "1/100"),
            ("2.5E+1", "25"),
            ("-0.0625", "-1/16"),
            ("0e999", "0"),
        ] {
            assert_eq!(parse(text).unwrap().to_string(), value, "{text}");
        }
        for text in ["1e19", "1e-400", "99999999999999999999", "1e99999999999"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
