//! Sets of PEs that the controller selects at once.

use core::fmt;

use super::layout::{Layout, Place};

/// The PEs of all blocks whose row and column agree in some bits, for `scamp5_select_pattern`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern {
    /// The row, from the top.
    pub row: u8,
    /// The column, from the right.
    pub column: u8,
    /// Bits of the row that may differ.
    pub free_row_bits: u8,
    /// Bits of the column that may differ.
    pub free_column_bits: u8,
}

impl Pattern {
    /// Whether it selects a PE, whose row counts from the top and whose column from the right.
    #[must_use]
    pub const fn contains(self, row: u8, column: u8) -> bool {
        (row ^ self.row) & !self.free_row_bits == 0 && (column ^ self.column) & !self.free_column_bits == 0
    }

    /// Whether it selects a PE of a block.
    pub(super) fn selects(self, layout: &Layout, place: Place) -> bool {
        let (row, column) = (place.row, layout.width() - 1 - place.column);
        u8::try_from(row).is_ok_and(|row| u8::try_from(column).is_ok_and(|column| self.contains(row, column)))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { row, column, free_row_bits, free_column_bits } = self;
        write!(f, "scamp5_select_pattern({row},{column},{free_row_bits},{free_column_bits});")
    }
}

/// Few patterns that together select exactly the PEs of a block for which that holds.
pub(super) fn cover(layout: &Layout, wanted: impl Fn(Place) -> bool) -> Vec<Pattern> {
    let all: Vec<(Pattern, Vec<Place>)> = patterns(layout)
        .map(|pattern| (pattern, layout.block().filter(|&place| pattern.selects(layout, place)).collect()))
        .filter(|(_, places): &(_, Vec<Place>)| places.iter().all(|&place| wanted(place)))
        .collect();
    let mut rest: Vec<Place> = layout.block().filter(|&place| wanted(place)).collect();
    let mut cover = Vec::new();
    while !rest.is_empty() {
        let gain = |places: &[Place]| places.iter().filter(|place| rest.contains(place)).count();
        // The last of the largest ones; there is one, as each PE is a pattern by itself.
        let Some((pattern, places)) = all.iter().max_by_key(|(_, places)| gain(places)) else { break };
        rest.retain(|place| !places.contains(place));
        cover.push(*pattern);
    }
    cover
}

/// All patterns that are the same in every block.
fn patterns(layout: &Layout) -> impl Iterator<Item = Pattern> + use<> {
    // Both sides are at most 16.
    let mask = |side: usize| u8::try_from(side - 1).unwrap_or(u8::MAX);
    let (rows, columns) = (mask(layout.height()), mask(layout.width()));
    let ranges = |mask: u8| {
        (0..=mask).flat_map(move |any| (0..=mask).filter(move |fixed| fixed & any == 0).map(move |fixed| (fixed, any)))
    };
    ranges(rows).flat_map(move |(row, free_row_bits)| {
        ranges(columns).map(move |(column, free_column_bits)| Pattern {
            row,
            column,
            free_row_bits: free_row_bits | !rows,
            free_column_bits: free_column_bits | !columns,
        })
    })
}
