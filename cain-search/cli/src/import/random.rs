//! Random pictures.

/// The pixels of all pictures together are about this many.
const PIXELS: usize = 1 << 15;
/// The least and the most number of pictures.
const COUNT: (usize, usize) = (6, 32);

/// The same random numbers each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound.
    fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound.max(1)).unwrap_or(u64::MAX);
        usize::try_from(self.next() % bound).unwrap_or_default()
    }

    fn grey(&mut self) -> u8 {
        self.next().to_be_bytes()[0]
    }
}

/// Pictures of these numbers of rows and columns: black, white, noise, points, bars and ramps.
pub(super) fn pictures((height, width): (usize, usize)) -> Vec<Vec<u8>> {
    let mut random = Random(1);
    let count = (PIXELS / (height * width).max(1)).clamp(COUNT.0, COUNT.1);
    (0..count).map(|number| picture(&mut random, number, (height, width))).collect()
}

fn picture(random: &mut Random, number: usize, (height, width): (usize, usize)) -> Vec<u8> {
    let mut pixels = vec![0; height * width];
    match number {
        0 => {}
        1 => pixels.fill(255),
        _ => match number % 5 {
            0 => pixels.fill_with(|| random.grey()),
            1 => pixels.fill_with(|| if random.below(3) == 0 { 255 } else { 0 }),
            // A few points.
            2 => (0..=random.below(8)).for_each(|_| {
                let (place, grey) = (random.below(height * width), random.grey());
                pixels.iter_mut().skip(place).take(1).for_each(|pixel| *pixel = grey);
            }),
            // Bars on a background.
            3 => {
                pixels.fill(random.grey() / 4);
                for _ in 0..=random.below(4) {
                    let (top, left, grey) = (random.below(height), random.below(width), random.grey() / 2 + 128);
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
