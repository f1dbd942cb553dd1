//! The text of durations.

use cain_isa::Fraction;

/// Reads a duration such as `20 us` in nanoseconds.
pub(crate) fn nanoseconds(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic());
    let unit = match text.get(digits.len()..) {
        Some("ns") => 1,
        Some("us" | "µs") => 1_000,
        Some("ms") => 1_000_000,
        _ => return Err(format!("expected a time in `ns`, `us` or `ms`, such as `20 us`; found `{}`", text.trim())),
    };
    let number: Fraction = digits.trim().parse().map_err(|error| format!("{error}"))?;
    let whole = number.checked_mul(Fraction::from(unit)).filter(|product| product.denominator() == 1);
    let value = whole.and_then(|product| u64::try_from(product.numerator()).ok()).filter(|&value| value > 0);
    value.ok_or_else(|| format!("`{}` is not a whole number of nanoseconds above 0", text.trim()))
}

/// A time in microseconds with two digits.
#[must_use]
pub fn microseconds(nanoseconds: u64) -> String {
    format!("{}.{:02} µs", nanoseconds / 1000, nanoseconds % 1000 / 10)
}

#[cfg(test)]
mod tests {
    use super::nanoseconds;

    #[test]
    fn durations() {
        for (text, value) in [("20 us", 20_000), ("1.5 µs", 1_500), ("190ns", 190), ("2 ms", 2_000_000)] {
            assert_eq!(nanoseconds(text), Ok(value), "{text}");
        }
        for text in ["20", "0 us", "-1 us", "0.5 ns", "us", "1 s", "1e300 ms", "99999999999999999999 ns"] {
            assert!(nanoseconds(text).is_err(), "{text}");
        }
    }
}
