//! Random pictures.

use cain_isa::random::SplitMix64;

/// The pixels of all pictures together are about this many.
const PIXELS: usize = 1 << 15;
/// The least and the most number of pictures.
const COUNT: (usize, usize) = (6, 32);

fn grey(random: &mut SplitMix64) -> u8 {
    random.next_number().to_be_bytes()[0]
}

/// Pictures of these numbers of rows and columns: black, white, noise, points, bars and ramps.
pub(super) fn pictures((height, width): (usize, usize)) -> Vec<Vec<u8>> {
    let mut random = SplitMix64::new(1);
    let count = (PIXELS / (height * width).max(1)).clamp(COUNT.0, COUNT.1);
    (0..count).map(|number| picture(&mut random, number, (height, width))).collect()
}

fn picture(random: &mut SplitMix64, number: usize, (height, width): (usize, usize)) -> Vec<u8> {
    let mut pixels = vec![0; height * width];
    match number {
        0 => {}
        1 => pixels.fill(255),
        _ => match number % 5 {
            0 => pixels.fill_with(|| grey(random)),
            1 => pixels.fill_with(|| if random.below(3) == 0 { 255 } else { 0 }),
            // A few points.
            2 => (0..=random.below(8)).for_each(|_| {
                let (place, grey) = (random.below(height * width), grey(random));
                pixels.iter_mut().skip(place).take(1).for_each(|pixel| *pixel = grey);
            }),
            // Bars on a background.
            3 => {
                pixels.fill(grey(random) / 4);
                for _ in 0..=random.below(4) {
                    let (top, left, grey) = (random.below(height), random.below(width), grey(random) / 2 + 128);
                    let (rows, columns) = (1 + random.below(height - top), 1 + random.below(width - left));
                    for row in pixels.chunks_mut(width).skip(top).take(rows) {
                        row.iter_mut().skip(left).take(columns).for_each(|pixel| *pixel = grey);
                    }
                }
            }
            // A ramp with some noise.
            _ => {
                let (down, right) = (random.below(255), random.below(255));
                for (place, pixel) in pixels.iter_mut().enumerate() {
                    let (row, column) = (place / width, place % width);
                    let grey = (down * row / height + right * column / width + random.below(16)).min(255);
                    *pixel = u8::try_from(grey).unwrap_or(u8::MAX);
                }
            }
        },
    }
    pixels
}
