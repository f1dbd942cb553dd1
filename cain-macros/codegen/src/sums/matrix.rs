//! Matrices of weights, and places in them.

use cain_search::{KernelError, MAX_SIZE};

use super::constants::{Constants, number};
use crate::errors::Errors;
use crate::tree::{At, Number, Place, Row};
use crate::value::{Entry, whole};

/// Rows of weights, within the limits of kernels.
pub(crate) fn matrix<S: Place>(
    entry: &Entry<'_, S>,
    constants: &impl Constants<S>,
    errors: &mut Errors<S>,
) -> Option<Vec<Row<S>>> {
    let rows = entry.array("rows of weights such as `[[1, 2, 1]]`", errors)?;
    if let Some(row) = rows.iter().find(|row| row.what.as_list().is_none()) {
        row.unexpected("expected a row in brackets; a kernel of one row is written `[[1, 2, 1]]`", errors);
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

fn row<S: Place>(entry: &Entry<'_, S>, constants: &impl Constants<S>, errors: &mut Errors<S>) -> Option<Row<S>> {
    let weights = entry.array("a row", errors)?;
    let weights: Vec<_> = weights.iter().map(|weight| number(weight, constants, errors)).collect();
    let weights = weights.into_iter().collect::<Option<Vec<Number<S>>>>()?;
    Some(Row { weights, at: entry.at })
}

/// `[row, column]`.
pub(crate) fn position<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<At<(usize, usize), S>> {
    const EXPECTED: &str = "a row and a column, both from 0, such as `[1, 1]`";
    let parts = entry.array(EXPECTED, errors)?;
    let [row, column] = parts.as_slice() else {
        entry.expected(EXPECTED, errors);
        return None;
    };
    let (row, column) = (whole(row, errors), whole(column, errors));
    // Outside of every matrix where an index has fewer bits.
    let index = |part: At<u64, S>| usize::try_from(part.value).unwrap_or(usize::MAX);
    Some(At { value: (index(row?), index(column?)), at: entry.at })
}
