//! The results of a network, computed directly from its declaration.

use crate::Declaration;
use crate::interleaved;

impl Declaration {
    /// The maxima of each block in the order of [`dense`](Self::dense), without a second convolution: the largest
    /// amount by which the sum of the pixels under weights of +1 exceeds that of those under −1.
    ///
    /// `pixels` are given row by row.
    #[must_use]
    pub fn maxima(&self, pixels: &[u8]) -> Vec<u32> {
        let seen = [false, true].map(|is_eastern| self.in_block(pixels, is_eastern));
        let cells = self.cells();
        let mut maxima = Vec::with_capacity(self.dense.len());
        for (number, filter) in self.filters.iter().enumerate() {
            let first = (number / self.blocks() * self.block, number % self.blocks() * self.block);
            for cell in 0..cells * cells {
                let places = (0..self.pool * self.pool).map(|place| {
                    let row = cell / cells * self.pool + place / self.pool;
                    let column = cell % cells * self.pool + place % self.pool;
                    let leaves = |at: usize, first: usize| first + at + self.taps > self.side;
                    if leaves(row, first.0) || leaves(column, first.1) {
                        0
                    } else {
                        self.sum(filter, &seen[usize::from(self.is_eastern(first.1))], row, column)
                    }
                });
                maxima.push(places.max().map_or(0, |most| u32::try_from(most).unwrap_or(0)));
            }
        }
        maxima
    }

    /// The inputs of the dense layer, in the order of [`dense`](Self::dense): the maxima, or the results of the second
    /// convolution.
    #[must_use]
    pub fn features(&self, pixels: &[u8]) -> Vec<u32> {
        match &self.second {
            Some(second) => interleaved::features(self, second, pixels),
            None => self.maxima(pixels),
        }
    }

    /// The score of each class: the sum of the weighted maxima, or of the weighted results of the second convolution.
    #[must_use]
    pub fn scores(&self, pixels: &[u8]) -> Vec<i64> {
        let mut scores = vec![0; self.classes()];
        for (maximum, weights) in self.features(pixels).into_iter().zip(&self.dense) {
            for (score, weight) in scores.iter_mut().zip(weights) {
                *score += i64::from(maximum) * i64::from(*weight);
            }
        }
        scores
    }

    /// The values that filters of one half of the array see in a block and, beyond it, in the margin of the next.
    fn in_block(&self, pixels: &[u8], is_eastern: bool) -> Vec<i32> {
        let width = self.block + self.margin();
        let mut seen = vec![0; width * width];
        for (row, line) in pixels.chunks_exact(self.picture).take(self.picture).enumerate() {
            for (column, pixel) in line.iter().enumerate() {
                for place in 0..self.scale * self.scale {
                    let y = self.margin() + row * self.scale + place / self.scale;
                    let x = self.margin() + column * self.scale + place % self.scale;
                    seen[y * width + x] = self.pixels.seen(*pixel, is_eastern).into();
                }
            }
        }
        seen
    }

    fn sum(&self, filter: &[i8], seen: &[i32], row: usize, column: usize) -> i32 {
        let width = self.block + self.margin();
        let lines = filter.chunks_exact(self.taps).enumerate();
        lines
            .map(|(y, weights)| {
                let pixels = &seen[(row + y) * width + column..];
                weights.iter().zip(pixels).map(|(weight, pixel)| i32::from(*weight) * pixel).sum::<i32>()
            })
            .sum()
    }
}
