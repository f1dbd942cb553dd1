//! Random pictures and their numbers.

use crate::Dice;

/// A random picture with this many pixels, a grey each: either black and white only, or 16 greys whose numbers are
/// integers.
#[must_use]
pub fn picture(dice: &mut Dice, pixels: usize, number: usize) -> Vec<u8> {
    let mut pixel = || if number.is_multiple_of(2) { dice.pick(&[0, 255]) } else { dice.pick(&GREYS) };
    (0..pixels).map(|_| pixel()).collect()
}

const GREYS: [u8; 16] = [0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 255];

/// The number of a grey: from -60 to 60.
#[must_use]
pub fn level(grey: u8) -> f64 {
    -60.0 + 120.0 * f64::from(grey) / 255.0
}
