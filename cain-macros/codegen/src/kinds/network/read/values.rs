//! Values of layers.

use cain_isa::Fraction;
use cain_network::Padding;

use crate::errors::Errors;
use crate::kinds::values::{counts, exact, matrix};
use crate::tree::Place;
use crate::value::{Entry, Value};

/// The kernels of a convolution: for each output a matrix for each input channel, or one matrix for the only channel.
pub(crate) fn kernels<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Vec<Vec<Vec<Vec<Fraction>>>>> {
    const KERNEL: &str =
        "for each output a kernel such as `[[1, 2, 1]]`, or an array of kernels, one for each input channel";
    const ROWS: &str = "a kernel in rows such as `[[1, 2, 1]]`";
    let kernels = entry.array(KERNEL, errors)?;
    let kernels: Vec<_> = kernels
        .iter()
        .map(|kernel| match kernel.elements() {
            Some(matrices) if kernel.what.as_list().is_some_and(is_list_of_matrices) => {
                let matrices: Vec<_> = matrices.iter().map(|rows| matrix(rows, ROWS, errors, exact)).collect();
                matrices.into_iter().collect()
            }
            _ => matrix(kernel, KERNEL, errors, exact).map(|matrix| vec![matrix]),
        })
        .collect();
    kernels.into_iter().collect()
}

fn is_list_of_matrices<S: Place>(list: &[Value<S>]) -> bool {
    let first_row = list.first().and_then(|matrix| matrix.what.as_list()?.first());
    first_row.is_some_and(|row| row.what.as_list().is_some())
}

/// `[top, left, bottom, right]`, `[rows, columns]` on both sides, or one number for all sides.
pub(crate) fn padding<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Padding> {
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

/// Two numbers such as `"-60..60"`.
pub(crate) fn levels<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<(f64, f64)> {
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
