//! Where pictures are on an array.

use crate::io::Size;

/// Where the north-west corner of a picture is on the array, in PEs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Rows from the top.
    pub row: usize,
    /// Columns from the left.
    pub column: usize,
}

/// PEs around a picture, on each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Margin {
    /// In the north.
    pub top: usize,
    /// In the west.
    pub left: usize,
    /// In the south.
    pub bottom: usize,
    /// In the east.
    pub right: usize,
}

/// The places of as many pictures of `size` rows and columns as an array can hold, at least `gap` rows and columns apart,
/// with a margin to the border of the array. A picture for which there is no margin is in the middle; one that is larger
/// than the array has no place.
pub fn places(
    array: Size,
    size: (usize, usize),
    gap: (usize, usize),
    margin: Margin,
) -> impl Iterator<Item = Place> + Clone {
    let along = |side: usize, length: usize, gap: usize, before: usize, after: usize| {
        let free = side.checked_sub(length);
        let first = free.map(|free| if before + after <= free { before } else { free / 2 });
        let last = free.map(|free| if before + after <= free { free - after } else { free / 2 });
        first.zip(last).into_iter().flat_map(move |(first, last)| (first..=last).step_by((length + gap).max(1)))
    };
    let rows = along(array.height, size.0, gap.0, margin.top, margin.bottom);
    let columns = along(array.width, size.1, gap.1, margin.left, margin.right);
    rows.flat_map(move |row| columns.clone().map(move |column| Place { row, column }))
}
