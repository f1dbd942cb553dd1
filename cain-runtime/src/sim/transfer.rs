//! Arithmetic on whole planes, row by row, in loops that the compiler turns into vector instructions.

use crate::isa::Offset;

/// Subtracts from every PE of `plane` what `source` holds at `offset` from it, 0 outside of the array.
///
/// Both planes have rows of `width` pixels, row 0 north.
pub(super) fn subtract_shifted(plane: &mut [f32], source: &[f32], width: usize, offset: Offset) {
    if width == 0 {
        return;
    }
    let columns = usize::from(offset.x.unsigned_abs()).min(width);
    let rows = usize::from(offset.y.unsigned_abs()).saturating_mul(width).min(plane.len());
    // Rows grow to the south, so what lies to the north is earlier in `source`.
    let (plane, source) = if offset.y > 0 {
        (&mut plane[rows..], &source[..source.len() - rows])
    } else {
        (&mut plane[..source.len() - rows], &source[rows..])
    };
    for (plane, source) in plane.chunks_exact_mut(width).zip(source.chunks_exact(width)) {
        let (plane, source) = if offset.x > 0 {
            (&mut plane[..width - columns], &source[columns..])
        } else {
            (&mut plane[columns..], &source[..width - columns])
        };
        for (value, subtrahend) in plane.iter_mut().zip(source) {
            *value -= subtrahend;
        }
    }
}

/// Shares every value between that many destinations.
pub(super) fn divide(plane: &mut [f32], divisor: u8) {
    if divisor > 1 {
        let divisor = f32::from(divisor);
        for value in plane {
            *value /= divisor;
        }
    }
}
