//! Sets of PEs that the controller can select at once.

use cain_isa::superpixel::Pattern;

use super::layout::{Layout, Place};

/// Whether a pattern selects a PE of a block.
pub(super) fn selects(pattern: Pattern, layout: &Layout, place: Place) -> bool {
    let (row, column) = (place.row, layout.width() - 1 - place.column);
    u8::try_from(row).is_ok_and(|row| u8::try_from(column).is_ok_and(|column| pattern.contains(row, column)))
}

/// Whether a pattern selects the same PEs of every block.
pub(super) fn repeats(pattern: Pattern, layout: &Layout) -> bool {
    let (rows, columns) = masks(layout);
    pattern.free_row_bits | rows == u8::MAX && pattern.free_column_bits | columns == u8::MAX
}

/// The address bits of a row and of a column within a block.
fn masks(layout: &Layout) -> (u8, u8) {
    // Both sides are powers of two up to 16.
    let mask = |side: usize| u8::try_from(side - 1).unwrap_or(u8::MAX);
    (mask(layout.height()), mask(layout.width()))
}

/// A small set of patterns that together select exactly the wanted PEs of a block.
pub(super) fn cover(layout: &Layout, wanted: impl Fn(Place) -> bool) -> Vec<Pattern> {
    let all: Vec<(Pattern, Vec<Place>)> = patterns(layout)
        .map(|pattern| (pattern, layout.block().filter(|&place| selects(pattern, layout, place)).collect()))
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
fn patterns(layout: &Layout) -> impl Iterator<Item = Pattern> + use<> {
    let (rows, columns) = masks(layout);
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
