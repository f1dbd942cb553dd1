//! Sums of terms.

use cain_search::{KernelError, MAX_SIZE};

use super::constants::{Constants, is_named};
use super::mark::Mark;
use crate::errors::Errors;
use crate::tree::{At, Number, PRODUCT_TOO_LARGE, Row, Sum, Term};
use crate::value::{Entry, Value, What, whole};

const TERM: &str = "a term such as `{ scale = \"1/4\", kernel = [[1, 2, 1]] }`";
const KEYS: [&str; 4] = ["input", "scale", "kernel", "origin"];

/// The sum of an output: one term, or an array of terms; or an expression, which is a text.
pub(crate) fn sum(
    register: &At<&str, Mark>,
    entry: &Entry<'_, Mark>,
    constants: &Constants,
    errors: &mut Errors<Mark>,
) -> Sum<Mark> {
    let register = At { value: register.value.to_owned(), at: register.at };
    if let What::Text(_) = entry.what {
        return Sum { register, terms: None, logic: entry.expression("an expression", errors) };
    }
    constants.take_mistake();
    let terms = terms(entry, constants, errors);
    // The terms that could be read are checked even if others could not, but for those that a constant should stand for.
    Sum { register, terms: (!constants.take_mistake()).then_some(terms), logic: None }
}

/// One term, or an array of terms. A name can stand for several.
pub(crate) fn terms(entry: &Entry<'_, Mark>, constants: &Constants, errors: &mut Errors<Mark>) -> Vec<Term<Mark>> {
    match entry.what {
        What::List(array) if is_matrix(array) => {
            entry.wrong(
                "a matrix is written `outputs.REGISTER.kernel = [[1, 2, 1]]`, or `{ kernel = .. }` in a term",
                errors,
            );
            Vec::new()
        }
        What::List(array) if !array.is_empty() => {
            entry.elements().iter().flatten().flat_map(|element| term(element, constants, errors)).collect()
        }
        _ => term(entry, constants, errors),
    }
}

pub(crate) fn is_matrix(list: &[Value<Mark>]) -> bool {
    !list.is_empty() && list.iter().all(|row| row.what.as_list().is_some())
}

fn term(entry: &Entry<'_, Mark>, constants: &Constants, errors: &mut Errors<Mark>) -> Vec<Term<Mark>> {
    let before = errors.len();
    let Some(fields) = entry.table(TERM, &KEYS, errors) else { return Vec::new() };
    let input = fields.get("input").and_then(|input| input.text("a register such as \"A\"", errors));
    let scale = fields.get("scale").and_then(|scale| constants.number(&scale, errors));
    let origin = fields.get("origin").and_then(|origin| position(&origin, errors));
    let Some(kernel) = fields.get("kernel") else {
        entry.wrong("the term has no kernel; add `kernel = [[1, 2, 1]]`", errors);
        return Vec::new();
    };
    let terms = if is_named(&kernel) {
        let named = constants.kernel(&kernel, errors);
        if let (Some(_), Some(origin)) = (named, fields.get("origin")) {
            origin.wrong("the origin of a named kernel belongs to its declaration; move it there", errors);
        }
        let named = named.unwrap_or_default().iter();
        named.filter_map(|term| scaled(term, scale.as_ref(), input.as_ref(), &kernel, errors)).collect()
    } else {
        let rows = matrix(&kernel, constants, errors);
        let term = |rows| Term { negative: false, scale, rows, at: kernel.at, origin, input };
        rows.map(term).into_iter().collect()
    };
    if errors.len() == before { terms } else { Vec::new() }
}

/// A term of a named kernel where it is used.
fn scaled(
    term: &Term<Mark>,
    scale: Option<&Number<Mark>>,
    input: Option<&At<String, Mark>>,
    kernel: &Entry<'_, Mark>,
    errors: &mut Errors<Mark>,
) -> Option<Term<Mark>> {
    let Some(scaled) = term.scaled(scale, kernel.at) else {
        kernel.wrong(PRODUCT_TOO_LARGE, errors);
        return None;
    };
    Some(Term { input: input.cloned(), ..scaled })
}

/// Rows of weights, within the limits of kernels.
pub(crate) fn matrix(
    entry: &Entry<'_, Mark>,
    constants: &Constants,
    errors: &mut Errors<Mark>,
) -> Option<Vec<Row<Mark>>> {
    let rows = entry.array("rows of weights such as `[[1, 2, 1]]`", errors)?;
    if let Some(row) = rows.iter().find(|row| row.what.as_list().is_none()) {
        row.wrong("expected a row in brackets; a kernel of one row is written `[[1, 2, 1]]`", errors);
        return None;
    }
    let columns = rows.iter().filter_map(|row| row.what.as_list()).map(<[_]>::len).max().unwrap_or_default();
    if rows.len() > MAX_SIZE || columns > MAX_SIZE {
        entry.wrong(KernelError::TooLarge { rows: rows.len(), columns }, errors);
        return None;
    }
    let rows: Vec<_> = rows.iter().map(|entry| row(entry, constants, errors)).collect();
    rows.into_iter().collect()
}

fn row(entry: &Entry<'_, Mark>, constants: &Constants, errors: &mut Errors<Mark>) -> Option<Row<Mark>> {
    let weights = entry.array("a row", errors)?;
    let weights: Vec<_> = weights.iter().map(|weight| constants.number(weight, errors)).collect();
    let weights = weights.into_iter().collect::<Option<Vec<Number<Mark>>>>()?;
    Some(Row { weights, at: entry.at })
}

/// `[row, column]`.
fn position(entry: &Entry<'_, Mark>, errors: &mut Errors<Mark>) -> Option<At<(usize, usize), Mark>> {
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
