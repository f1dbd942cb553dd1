//! Sums of terms.

use cain_search::{KernelError, MAX_SIZE};
use toml::de::{DeArray, DeValue};

use super::entry::Entry;
use super::notation::Mark;
use super::number::{number, whole};
use crate::errors::Errors;
use crate::expression::{self, Expression};
use crate::tree::{At, Number, Row, Sum, Term};

const TERM: &str = "a term such as `{ scale = \"1/4\", kernel = [[1, 2, 1]] }`";
const KEYS: [&str; 4] = ["input", "scale", "kernel", "origin"];

/// The sum of an output: one term, or an array of terms; or an expression, which is a text.
pub(crate) fn sum(register: &At<&str, Mark>, entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Sum<Mark> {
    let register = At { value: register.value.to_owned(), at: register.at };
    if let DeValue::String(text) = entry.value {
        return Sum { register, terms: None, logic: expression(entry, text, errors) };
    }
    let terms = match entry.value {
        DeValue::Array(array) if is_matrix(array) => {
            entry.wrong(
                "a matrix is written `outputs.REGISTER.kernel = [[1, 2, 1]]`, or `{ kernel = .. }` in a term",
                errors,
            );
            Vec::new()
        }
        DeValue::Array(array) if !array.is_empty() => {
            entry.elements(array).iter().filter_map(|element| term(element, errors)).collect()
        }
        _ => term(entry, errors).into_iter().collect(),
    };
    // The terms that could be read are checked even if others could not.
    Sum { register, terms: Some(terms), logic: None }
}

/// An expression of bits, whose mistakes are reported at their places within the text.
fn expression(entry: &Entry<'_>, text: &str, errors: &mut Errors<Mark>) -> Option<Expression<Mark>> {
    let start = entry.start_of(text);
    let place = |offset: usize| start.map_or(entry.at, |Mark(start)| Mark(start + offset));
    let tokens = expression::from_text(text).into_iter();
    let tokens: Vec<_> = tokens.map(|token| At { value: token.value, at: place(token.at) }).collect();
    let read = expression::parse(&tokens, place(text.len()));
    read.map_err(|At { value, at }| errors.add(at, format_args!("`{}`: {value}", entry.key))).ok()
}

fn is_matrix(array: &DeArray<'_>) -> bool {
    !array.is_empty() && array.iter().all(|row| row.get_ref().is_array())
}

fn term(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<Term<Mark>> {
    let before = errors.len();
    let fields = entry.table(TERM, &KEYS, errors)?;
    let input = fields.get("input").and_then(|input| input.text("a register such as \"A\"", errors));
    let scale = fields.get("scale").and_then(|scale| number(&scale, errors));
    let origin = fields.get("origin").and_then(|origin| position(&origin, errors));
    let Some(kernel) = fields.get("kernel") else {
        entry.wrong("the term has no kernel; add `kernel = [[1, 2, 1]]`", errors);
        return None;
    };
    let rows = matrix(&kernel, errors)?;
    (errors.len() == before).then_some(Term { negative: false, scale, rows, at: kernel.at, origin, input })
}

/// Rows of weights, within the limits of kernels.
fn matrix(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<Vec<Row<Mark>>> {
    let rows = entry.array("rows of weights such as `[[1, 2, 1]]`", errors)?;
    if let Some(row) = rows.iter().find(|row| !row.value.is_array()) {
        row.wrong("expected a row in brackets; a kernel of one row is written `[[1, 2, 1]]`", errors);
        return None;
    }
    let columns = rows.iter().filter_map(|row| row.value.as_array()).map(|row| row.len()).max().unwrap_or_default();
    if rows.len() > MAX_SIZE || columns > MAX_SIZE {
        entry.wrong(KernelError::TooLarge { rows: rows.len(), columns }, errors);
        return None;
    }
    let rows: Vec<_> = rows.iter().map(|entry| row(entry, errors)).collect();
    rows.into_iter().collect()
}

fn row(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<Row<Mark>> {
    let weights: Vec<_> = entry.array("a row", errors)?.iter().map(|weight| number(weight, errors)).collect();
    let weights = weights.into_iter().collect::<Option<Vec<Number<Mark>>>>()?;
    Some(Row { weights, at: entry.at })
}

/// `[row, column]`.
fn position(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<At<(usize, usize), Mark>> {
    const EXPECTED: &str = "a row and a column, both from 0, such as `[1, 1]`";
    let parts = entry.array(EXPECTED, errors)?;
    let [row, column] = parts.as_slice() else {
        entry.expected(EXPECTED, errors);
        return None;
    };
    let (row, column) = (whole(row, errors), whole(column, errors));
    // Outside of every matrix where an index has fewer bits.
    let index = |part: At<u64, Mark>| usize::try_from(part.value).unwrap_or(usize::MAX);
    Some(At { value: (index(row?), index(column?)), at: entry.at })
}
