//! Values of layers.

use cain_isa::Fraction;
use cain_network::Padding;
use toml::de::DeValue;

use super::super::entry::Entry;
use super::super::notation::Mark;
use super::super::number::{decimal, number, whole};
use crate::errors::Errors;
use crate::lower;

/// A number in floating point: an integer, a decimal, or a fraction in quotes.
pub(crate) fn real(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<f64> {
    let value = match entry.value {
        DeValue::Integer(number) => decimal(number).parse().ok(),
        DeValue::Float(number) => number.as_str().parse().ok(),
        DeValue::String(text) => text.parse().ok().map(Fraction::to_f64),
        _ => None,
    };
    match value {
        Some(value) if f64::is_finite(value) => return Some(value),
        Some(_) => entry.expected("a finite number", errors),
        None => entry.expected("a number such as `3`, `\"-1/16\"` or `0.125`", errors),
    }
    None
}

/// A number that is read exactly.
pub(crate) fn exact(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<Fraction> {
    let number = number(entry, errors)?;
    lower::options::check_exact(&number, errors);
    number.is_exact.then_some(number.value)
}

/// One value, or an array of values.
pub(crate) fn list<T>(
    entry: &Entry<'_>,
    errors: &mut Errors<Mark>,
    value: impl Fn(&Entry<'_>, &mut Errors<Mark>) -> Option<T>,
) -> Option<Vec<T>> {
    let DeValue::Array(array) = entry.value else { return value(entry, errors).map(|value| vec![value]) };
    let values: Vec<_> = entry.elements(array).iter().map(|entry| value(entry, errors)).collect();
    values.into_iter().collect()
}

/// Rows of values.
pub(crate) fn matrix<T>(
    entry: &Entry<'_>,
    what: &str,
    errors: &mut Errors<Mark>,
    value: impl Fn(&Entry<'_>, &mut Errors<Mark>) -> Option<T>,
) -> Option<Vec<Vec<T>>> {
    let rows = entry.array(what, errors)?;
    if let Some(row) = rows.iter().find(|row| !row.value.is_array()) {
        row.expected(what, errors);
        return None;
    }
    let rows: Vec<_> = rows.iter().map(|row| list(row, errors, &value)).collect();
    rows.into_iter().collect()
}

/// The kernels of a convolution: for each output a matrix for each input channel, or one matrix for the only channel.
pub(crate) fn kernels(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<Vec<Vec<Vec<Vec<Fraction>>>>> {
    const KERNEL: &str =
        "for each output a kernel such as `[[1, 2, 1]]`, or an array of kernels, one for each input channel";
    const ROWS: &str = "a kernel in rows such as `[[1, 2, 1]]`";
    let kernels = entry.array(KERNEL, errors)?;
    let kernels: Vec<_> = kernels
        .iter()
        .map(|kernel| match kernel.value {
            DeValue::Array(array) if is_array_of_matrices(array) => {
                let matrices = kernel.elements(array);
                let matrices: Vec<_> = matrices.iter().map(|rows| matrix(rows, ROWS, errors, exact)).collect();
                matrices.into_iter().collect()
            }
            _ => matrix(kernel, KERNEL, errors, exact).map(|matrix| vec![matrix]),
        })
        .collect();
    kernels.into_iter().collect()
}

fn is_array_of_matrices(array: &toml::de::DeArray<'_>) -> bool {
    let first_row = array.iter().next().and_then(|matrix| matrix.get_ref().as_array()?.iter().next());
    first_row.is_some_and(|row| row.get_ref().is_array())
}

/// Rows and columns: `[rows, columns]`, or one number for both.
pub(crate) fn pair(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<(usize, usize)> {
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

/// `[top, left, bottom, right]`, `[rows, columns]` on both sides, or one number for all sides.
pub(crate) fn padding(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<Padding> {
    const EXPECTED: &str = "one number for all sides, `[rows, columns]`, or `[top, left, bottom, right]`";
    match *counts(entry, EXPECTED, errors)?.as_slice() {
        [all] => Some(Padding { top: all, left: all, bottom: all, right: all }),
        [rows, columns] => Some(Padding { top: rows, left: columns, bottom: rows, right: columns }),
        [top, left, bottom, right] => Some(Padding { top, left, bottom, right }),
        _ => {
            entry.expected(EXPECTED, errors);
            None
        }
    }
}

/// One whole number, or an array of them.
pub(crate) fn counts(entry: &Entry<'_>, expected: &str, errors: &mut Errors<Mark>) -> Option<Vec<usize>> {
    if !matches!(entry.value, DeValue::Integer(_) | DeValue::Array(_)) {
        entry.expected(expected, errors);
        return None;
    }
    // Beyond every array where an index has fewer bits.
    let count = |entry: &Entry<'_>, errors: &mut Errors<Mark>| {
        Some(usize::try_from(whole(entry, errors)?.value).unwrap_or(usize::MAX))
    };
    list(entry, errors, count)
}

pub(crate) fn whole_up_to<T: Copy + TryFrom<u64> + std::fmt::Display>(
    entry: &Entry<'_>,
    most: T,
    errors: &mut Errors<Mark>,
) -> Option<T> {
    let value = whole(entry, errors)?.value;
    let value = T::try_from(value).ok();
    if value.is_none() {
        entry.expected(&format!("a whole number of at most {most}"), errors);
    }
    value
}

/// Two numbers such as `"-60..60"`.
pub(crate) fn levels(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<(f64, f64)> {
    const EXPECTED: &str = "the values of black and white, such as `\"-60..60\"`";
    let text = entry.text(EXPECTED, errors)?;
    let ends = text.value.split_once("..").and_then(|(black, white)| {
        // A third point would be that of a number without digits in front.
        let end = |text: &str| text.trim().parse::<f64>().ok().filter(|end| end.is_finite() && !text.starts_with('.'));
        end(black).zip(end(white))
    });
    if ends.is_none() {
        entry.expected(EXPECTED, errors);
    }
    ends
}
