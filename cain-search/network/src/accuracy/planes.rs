//! Planes of numbers, one for each PE of an array.

use cain_isa::Displacement;
use cain_isa::program::Grid;

/// The size of an array, in PEs.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Its rows.
    pub height: usize,
    /// Its columns.
    pub width: usize,
}

impl Size {
    /// How many PEs there are.
    #[must_use]
    pub const fn pes(self) -> usize {
        self.height * self.width
    }

    /// Adds to each PE `factor` times what the PE at that displacement from it holds, which is 0 beyond the array.
    pub(super) fn add(self, into: &mut [f32], factor: f32, from: &[f32], at: Displacement) {
        let (right, down) = (isize::from(at.x), -isize::from(at.y));
        // The columns whose neighbour at that displacement is on the array.
        let first = usize::try_from(-right).unwrap_or(0).min(self.width);
        let last = self.width.saturating_sub(right.max(0).unsigned_abs()).max(first);
        for (row, into) in into.chunks_exact_mut(self.width.max(1)).enumerate() {
            let Some(row) = row.checked_add_signed(down).filter(|row| *row < self.height) else { continue };
            let start = (row * self.width + first).wrapping_add_signed(right);
            let from = from.get(start..start + (last - first)).unwrap_or_default();
            for (into, from) in into[first..last].iter_mut().zip(from) {
                *into += factor * from;
            }
        }
    }

    /// The PEs of a grid around a picture whose north-west corner is there; those beyond the array are left out.
    pub fn places(self, grid: &Grid, (top, left): (usize, usize)) -> impl Iterator<Item = usize> + use<> {
        let Grid { top: first_row, left: first_column, row_step, column_step, height, width } = *grid;
        let row = move |row: usize| (top + row * row_step).checked_add_signed(first_row);
        let column = move |column: usize| (left + column * column_step).checked_add_signed(first_column);
        let place = move |y: usize, x: usize| {
            let (y, x) = (row(y)?, column(x)?);
            (y < self.height && x < self.width).then_some(y * self.width + x)
        };
        (0..height).flat_map(move |y| (0..width).filter_map(move |x| place(y, x)))
    }
}

/// A number of a plane, which has fewer digits.
#[expect(clippy::cast_possible_truncation, reason = "predictions need few digits")]
pub(super) const fn single(value: f64) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use cain_isa::Displacement;

    use super::Size;

    #[test]
    fn sums_read_neighbours() {
        let size = Size { height: 2, width: 3 };
        let from = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let read = |x, y| {
            let mut into = vec![0.5; 6];
            size.add(&mut into, 2.0, &from, Displacement::new(x, y));
            into
        };
        assert_eq!(read(1, 0), [4.5, 6.5, 0.5, 10.5, 12.5, 0.5]);
        assert_eq!(read(-1, -1), [0.5, 8.5, 10.5, 0.5, 0.5, 0.5]);
        assert_eq!(read(0, 1), [0.5, 0.5, 0.5, 2.5, 4.5, 6.5]);
        assert_eq!(read(-3, 0), [0.5; 6]);
        assert_eq!(read(9, 9), [0.5; 6]);
    }
}
