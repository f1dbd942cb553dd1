//! States that are kept as one of several levels.

/// The levels that a state can have, from the lowest to the highest, each with the least level that becomes it: equal steps from
/// −128 to 128, and the middle of each, in whole DN.
#[must_use]
pub fn levels(count: u16) -> Vec<(i16, i16)> {
    // Rounded to the nearest whole number.
    let at = |halves: u32| {
        let steps = 2 * u32::from(count.max(1));
        i16::try_from((256 * halves + steps / 2) / steps).map_or(i16::MAX, |at| at - 128)
    };
    (0..u32::from(count)).map(|step| (at(2 * step), at(2 * step + 1))).collect()
}
