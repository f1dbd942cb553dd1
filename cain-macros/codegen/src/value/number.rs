//! Numbers.

use cain_isa::{ParseFractionError, Range};

use super::{Entry, Text, What};
use crate::errors::Errors;
use crate::number::{self, Read, ReadError};
use crate::tree::{At, Number, Place};

/// What is expected where there is no number.
pub(crate) const NUMBER: &str = "a number such as `3`, `\"-1/16\"` or `0.125`";

/// A range of values.
pub(crate) fn range<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<At<Range, S>> {
    let text = entry.text("a range such as `\"-128..127\"`", errors)?;
    let range = number::input_range(&text.value).map_err(|message| entry.wrong(message, errors));
    range.ok().map(|value| At { value, at: entry.at })
}

/// A whole number, a decimal, or a fraction.
pub(crate) fn number<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Number<S>> {
    let (text, below) = match entry.what {
        What::Integer(text) | What::Decimal(text) => (text, entry.at),
        What::Text(Text { value, denominator, .. }) => (value, denominator.unwrap_or(entry.at)),
        _ => {
            entry.expected(NUMBER, errors);
            return None;
        }
    };
    match number::read(text) {
        Ok(Read { value, is_exact }) => {
            let denominator = text.split_once('/').map(|(_, denominator)| denominator.trim().to_owned());
            let denominator = denominator.map(|value| At { value, at: below });
            return Some(Number { value, is_exact, text: text.clone(), at: entry.at, denominator });
        }
        Err(ReadError::Fraction(ParseFractionError::Syntax)) => entry.expected(NUMBER, errors),
        Err(error) => entry.wrong_at(below, error, errors),
    }
    None
}

/// A count.
pub(crate) fn whole<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<At<u64, S>> {
    let number = match entry.what {
        What::Integer(number) => number,
        What::Decimal(number) => {
            entry.wrong(number::not_whole(number), errors);
            return None;
        }
        _ => {
            entry.expected("a whole number", errors);
            return None;
        }
    };
    let value = number.parse();
    if value.is_err() {
        entry.expected("a whole number of at most 64 bits, not negative", errors);
    }
    value.ok().map(|value| At { value, at: entry.at })
}

/// One value, or a list of values.
pub(crate) fn list<T, S: Place>(
    entry: &Entry<'_, S>,
    errors: &mut Errors<S>,
    value: impl Fn(&Entry<'_, S>, &mut Errors<S>) -> Option<T>,
) -> Option<Vec<T>> {
    let Some(elements) = entry.elements() else { return value(entry, errors).map(|value| vec![value]) };
    let values: Vec<_> = elements.iter().map(|entry| value(entry, errors)).collect();
    values.into_iter().collect()
}
