//! Values of layers.

use std::fmt::Display;

use cain_isa::Fraction;

use crate::errors::Errors;
use crate::lower::options::check_exact;
use crate::tree::Place;
use crate::value::{Entry, NUMBER, What, list, number, whole};

/// A number that is read exactly.
pub(crate) fn exact<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Fraction> {
    let number = number(entry, errors)?;
    check_exact(&number, errors);
    number.is_exact.then_some(number.value)
}

/// A number in floating point.
pub(crate) fn real<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<f64> {
    let value = match entry.what {
        What::Integer(number) | What::Decimal(number) => number.parse().ok(),
        What::Text(text) => text.value.parse().ok().map(Fraction::to_f64),
        _ => None,
    };
    match value {
        Some(value) if f64::is_finite(value) => return Some(value),
        Some(_) => entry.expected("a finite number", errors),
        None => entry.expected(NUMBER, errors),
    }
    None
}

/// A count that fits a type.
pub(crate) fn whole_up_to<T: Copy + TryFrom<u64> + Display, S: Place>(
    entry: &Entry<'_, S>,
    most: T,
    errors: &mut Errors<S>,
) -> Option<T> {
    let value = whole(entry, errors)?.value;
    let value = T::try_from(value).ok();
    if value.is_none() {
        entry.expected(&format!("a whole number of at most {most}"), errors);
    }
    value
}

/// Rows of values.
pub(crate) fn matrix<T, S: Place>(
    entry: &Entry<'_, S>,
    what: &str,
    errors: &mut Errors<S>,
    value: impl Fn(&Entry<'_, S>, &mut Errors<S>) -> Option<T>,
) -> Option<Vec<Vec<T>>> {
    let rows = entry.array(what, errors)?;
    if let Some(row) = rows.iter().find(|row| row.what.as_list().is_none()) {
        row.expected(what, errors);
        return None;
    }
    let rows: Vec<_> = rows.iter().map(|row| list(row, errors, &value)).collect();
    rows.into_iter().collect()
}

/// Rows and columns: `[rows, columns]`, or one number for both.
pub(crate) fn pair<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<(usize, usize)> {
    const EXPECTED: &str = "rows and columns such as `[3, 3]`, or one number for both";
    match counts(entry, EXPECTED, errors)?.as_slice() {
        [both] => Some((*both, *both)),
        [rows, columns] => Some((*rows, *columns)),
        _ => {
            entry.expected(EXPECTED, errors);
            None
        }
    }
}

/// One whole number, or a list of them.
pub(crate) fn counts<S: Place>(entry: &Entry<'_, S>, expected: &str, errors: &mut Errors<S>) -> Option<Vec<usize>> {
    if !matches!(entry.what, What::Integer(_) | What::List(_)) {
        entry.expected(expected, errors);
        return None;
    }
    // Beyond every array where an index has fewer bits.
    let count = |entry: &Entry<'_, S>, errors: &mut Errors<S>| {
        Some(usize::try_from(whole(entry, errors)?.value).unwrap_or(usize::MAX))
    };
    list(entry, errors, count)
}
