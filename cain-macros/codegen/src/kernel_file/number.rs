//! Numbers.

use cain_isa::{ParseFractionError, Range};
use toml::de::{DeInteger, DeValue};

use super::entry::Entry;
use super::notation::Mark;
use crate::errors::Errors;
use crate::number::{self, Read, ReadError};
use crate::tree::{At, Number};

/// A range of values, both ends included, from a text such as `-128..127`; or what is wrong with the text.
pub fn input_range(text: &str) -> Result<Range, String> {
    let (min, max) = text.split_once("..").ok_or("expected a range such as `-128..127`")?;
    let level = |text: &str| {
        let level = text.trim().parse();
        level.map_err(|_| format!("expected a whole number of DN of at most 16 bits, found {text:?}"))
    };
    let input = Range { min: level(min)?, max: level(max.strip_prefix('=').unwrap_or(max))? };
    Ok(input)
}

/// A range of values in quotes.
pub(crate) fn range(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<At<Range, Mark>> {
    let text = entry.text("a range such as `\"-128..127\"`", errors)?;
    let range = input_range(&text.value).map_err(|message| entry.wrong(message, errors));
    range.ok().map(|value| At { value, at: entry.at })
}

/// A whole number, a decimal, or a fraction in quotes.
pub(crate) fn number(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<Number<Mark>> {
    const EXPECTED: &str = "a number such as `3`, `\"-1/16\"` or `0.125`";
    let text = match entry.value {
        DeValue::Integer(number) => decimal(number),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::String(text) => text.to_string(),
        _ => {
            entry.expected(EXPECTED, errors);
            return None;
        }
    };
    match number::read(&text) {
        Ok(Read { value, is_exact }) => {
            let denominator = text.split_once('/').map(|(_, denominator)| denominator.trim().to_owned());
            let denominator = denominator.map(|value| At { value, at: entry.at });
            return Some(Number { value, is_exact, text, at: entry.at, denominator });
        }
        Err(ReadError::Fraction(ParseFractionError::Syntax)) => entry.expected(EXPECTED, errors),
        Err(error) => entry.wrong(error, errors),
    }
    None
}

/// The digits of a number, in decimal if it fits 64 bits.
pub(super) fn decimal(number: &DeInteger<'_>) -> String {
    let value = i64::from_str_radix(number.as_str(), number.radix());
    value.map_or_else(|_| number.as_str().to_owned(), |value| value.to_string())
}

/// A count.
pub(crate) fn whole(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<At<u64, Mark>> {
    let number = match entry.value {
        DeValue::Integer(number) => number,
        DeValue::Float(number) => {
            entry.wrong(number::not_whole(number.as_str()), errors);
            return None;
        }
        _ => {
            entry.expected("a whole number", errors);
            return None;
        }
    };
    let value = u64::from_str_radix(number.as_str(), number.radix());
    if value.is_err() {
        entry.expected("a whole number of at most 64 bits, not negative", errors);
    }
    value.ok().map(|value| At { value, at: entry.at })
}
