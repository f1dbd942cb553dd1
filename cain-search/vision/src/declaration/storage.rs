//! States that are kept as one of several levels.

/// The levels that a state can have, from the lowest to the highest, each with the least whole level that is not nearer to the one
/// below: the middles of equal steps from −128 to 128, in whole DN.
#[must_use]
pub fn levels(count: u16) -> Vec<(i16, i16)> {
    // Rounded to the nearest whole number.
    let steps = 2 * u32::from(count.max(1));
    let middle = |step: u32| i16::try_from((256 * (2 * step + 1) + steps / 2) / steps).map_or(i16::MAX, |at| at - 128);
    let least = |step: u32| match step.checked_sub(1) {
        // Halves count as the upper one.
        Some(below) => -(-middle(below) - middle(step)).div_euclid(2),
        None => -128,
    };
    (0..u32::from(count)).map(|step| (least(step), middle(step))).collect()
}

#[cfg(test)]
mod tests {
    use super::levels;

    #[test]
    fn every_level_becomes_the_nearest() {
        for count in 2..=128 {
            let levels = levels(count);
            for level in -128..=127 {
                let (_, becomes) = levels.iter().rev().find(|(least, _)| level >= *least).unwrap();
                let nearest = levels.iter().map(|(_, middle)| (middle - level).abs()).min();
                assert_eq!(Some((becomes - level).abs()), nearest, "{level} of {count}");
            }
        }
    }
}
