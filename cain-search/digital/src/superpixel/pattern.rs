//! Sets of PEs that the controller can select at once.

use cain_isa::program::Selection;

use super::layout::{Layout, Place};

/// Whether a pattern selects a PE of a block.
pub(super) fn selects(pattern: Selection, place: Place) -> bool {
    pattern.contains(place.row, place.column)
}

/// Whether a pattern selects the same PEs of every block.
pub(super) fn repeats(pattern: Selection, layout: &Layout) -> bool {
    let (rows, columns) = masks(layout);
    pattern.free_row_bits | rows == u16::MAX && pattern.free_column_bits | columns == u16::MAX
}

/// The address bits of a row and of a column within a block.
fn masks(layout: &Layout) -> (u16, u16) {
    // Both sides are powers of two up to 16.
    let mask = |side: usize| u16::try_from(side - 1).unwrap_or(u16::MAX);
    (mask(layout.height()), mask(layout.width()))
}

/// A small set of patterns that together select exactly the wanted PEs of a block.
pub(super) fn cover(layout: &Layout, wanted: impl Fn(Place) -> bool) -> Vec<Selection> {
    let all: Vec<(Selection, Vec<Place>)> = patterns(layout)
        .map(|pattern| (pattern, layout.block().filter(|&place| selects(pattern, place)).collect()))
        .filter(|(_, places): &(_, Vec<Place>)| places.iter().all(|&place| wanted(place)))
        .collect();
    let mut rest: Vec<Place> = layout.block().filter(|&place| wanted(place)).collect();
    let mut cover = Vec::new();
    while !rest.is_empty() {
        let gain = |places: &[Place]| places.iter().filter(|place| rest.contains(place)).count();
        // The last of the largest patterns is taken; there is one, as each single PE is a pattern.
        let Some((pattern, places)) = all.iter().max_by_key(|(_, places)| gain(places)) else { break };
        rest.retain(|place| !places.contains(place));
        cover.push(*pattern);
    }
    cover
}

/// All patterns that are equal in every block.
fn patterns(layout: &Layout) -> impl Iterator<Item = Selection> + use<> {
    let (rows, columns) = masks(layout);
    let ranges = |mask: u16| {
        (0..=mask).flat_map(move |any| (0..=mask).filter(move |fixed| fixed & any == 0).map(move |fixed| (fixed, any)))
    };
    ranges(rows).flat_map(move |(row, free_row_bits)| {
        // Columns are tried from the right, as the controller counts them.
        ranges(columns).map(move |(from_right, free_column_bits)| Selection {
            row,
            column: (from_right ^ columns) & !free_column_bits,
            free_row_bits: free_row_bits | !rows,
            free_column_bits: free_column_bits | !columns,
        })
    })
}
