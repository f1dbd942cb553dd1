//! The declaration of networks whose weights are in the pixels, and their results.

use cain_isa::Machine;

use super::{InPixelError, Pixels, interleaved};
use cain_search::Interruption;

/// A network: binary or ternary filters, maxima over windows, perhaps a second convolution, and a ternary dense layer.
///
/// It sees a square picture in every block, whose [pixels](Pixels) are integers from 0 on: 0 is background. A filter's
/// result at a pixel is the sum of its weights times the pixels from there to the east and to the south.
///
/// *Without a second convolution* there is a filter in each block of the array. Negative results become 0, and those
/// whose taps leave the *array* are 0 too. The margin around the picture is so wide that no result involves the picture
/// of another block.
///
/// *With one*, the array is a single block, and each pixel of the picture takes several PEs, which have different
/// filters. Everything outside of the array counts as 0. Results become small integers: the number of thresholds in a
/// list that they reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The number of PEs along each side of the array.
    pub side: usize,
    /// The number of PEs along each side of a block.
    pub block: usize,
    /// The number of pixels along each side of the picture.
    pub picture: usize,
    /// The number of PEs along each side of a pixel.
    pub scale: usize,
    /// The part of a pixel that filters see.
    pub pixels: Pixels,
    /// The number of weights along each side of a filter.
    pub taps: usize,
    /// The filters, one for each block, row by row; each with its weights, row by row. Weights are −1 or 1, or also 0,
    /// in which case every weight takes two bits instead of one.
    pub filters: Vec<Vec<i8>>,
    /// The number of results along each side of a pooling window, which is also its stride.
    pub pool: usize,
    /// The second convolution, of the maxima.
    pub second: Option<Second>,
    /// The weights for the classes of each maximum of each block, or of each result of the second convolution map by
    /// map, row by row: −1, 0 or 1.
    pub dense: Vec<Vec<i8>>,
    /// The machine that the programs are for.
    pub machine: Machine,
    /// The programs that may interrupt it, and how soon it must let them.
    pub interruption: Option<Interruption>,
}

/// A second convolution, and the operations on the results of both.
///
/// It has a filter for each pair of a map of maxima and a map that it makes; each result is the sum of its filters over
/// all maps of maxima.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Second {
    /// The number of weights along each side of a filter.
    pub taps: usize,
    /// The weights of the filters, row by row, −1 or 1: first, for the first map that is made, the filters of all maps
    /// of maxima, and then those for the next.
    pub filters: Vec<Vec<i8>>,
    /// The thresholds of the first convolution and of this one: a result becomes the number of thresholds that it
    /// reaches. They increase, from 1 on.
    pub thresholds: [Vec<u8>; 2],
    /// The way in which scores are added up.
    pub scores: Scores,
}

/// The way in which scores are added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scores {
    /// The converter of the array yields their sums, in steps that are coarser than the results.
    #[default]
    Analogue,
    /// They are added up as bits, exactly.
    Exact,
}

impl Second {
    /// The most thresholds of a convolution: the resulting numbers have two bits.
    pub const MOST_THRESHOLDS: usize = 3;
    /// The largest side of a filter.
    pub const MOST_TAPS: usize = 4;
}

impl Declaration {
    /// The largest side of a filter.
    pub const MOST_TAPS: usize = 5;

    /// The number of blocks along each side of the array.
    #[must_use]
    pub const fn blocks(&self) -> usize {
        self.side / self.block
    }

    /// The number of maxima along each side of a block.
    #[must_use]
    pub const fn cells(&self) -> usize {
        self.block / self.pool
    }

    /// The number of classes.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.dense.first().map_or(0, Vec::len)
    }

    /// The number of PEs from the north and west border of a block to its picture.
    #[must_use]
    pub const fn margin(&self) -> usize {
        let pixel = if self.second.is_some() { self.scale } else { 1 };
        self.taps.saturating_sub(1).saturating_mul(pixel)
    }

    /// Whether a column belongs to the eastern half of the array.
    pub(super) const fn is_eastern(&self, column: usize) -> bool {
        column >= self.side / 2
    }

    /// The number of PEs along each side of the picture in a block.
    pub(super) const fn extent(&self) -> usize {
        self.picture * self.scale
    }

    /// Whether a weight of a filter is 0.
    #[must_use]
    pub fn is_ternary(&self) -> bool {
        self.filters.iter().flatten().any(|weight| *weight == 0)
    }

    /// The number of bits of a weight: one for −1, and possibly another for 1.
    pub(super) fn bits_of_weight(&self) -> usize {
        if self.is_ternary() { 2 } else { 1 }
    }

    /// The number of bits of a filter.
    pub(super) fn bits(&self) -> usize {
        self.taps * self.taps * self.bits_of_weight()
    }

    /// Checks the declaration; returns the first error.
    pub fn check(&self) -> Result<(), InPixelError> {
        let Self { side, block, taps, pool, .. } = *self;
        if !side.is_power_of_two() || !(8..=256).contains(&side) {
            return Err(InPixelError::Side(side));
        }
        if let Some(second) = &self.second {
            return interleaved::check(self, second);
        }
        if !(2..=Self::MOST_TAPS).contains(&taps) {
            return Err(InPixelError::FilterSize(taps));
        }
        if !block.is_power_of_two() || block > side || block < 8 {
            return Err(InPixelError::Block { block, side });
        }
        let picture = self.picture.saturating_mul(self.scale);
        if picture == 0 || picture > block - self.margin() {
            return Err(InPixelError::Picture { picture, margin: self.margin(), block });
        }
        if self.pixels == Pixels::Halves && block == side {
            return Err(InPixelError::Halves);
        }
        if ![2, 4].contains(&pool) {
            return Err(InPixelError::Pool(pool));
        }
        self.check_filters()?;
        self.check_dense()
    }

    fn check_filters(&self) -> Result<(), InPixelError> {
        let (blocks, wanted) = (self.blocks() * self.blocks(), self.taps * self.taps);
        if self.filters.len() != blocks {
            return Err(InPixelError::Filters { found: self.filters.len(), blocks });
        }
        for (filter, weights) in self.filters.iter().enumerate() {
            if weights.len() != wanted {
                return Err(InPixelError::FilterWeights { filter, found: weights.len(), wanted });
            }
            if let Some(place) = weights.iter().position(|weight| !(-1..=1).contains(weight)) {
                let (row, column) = (place / self.taps, place % self.taps);
                return Err(InPixelError::NotBinary { filter, row, column, found: weights[place] });
            }
        }
        Ok(())
    }

    fn check_dense(&self) -> Result<(), InPixelError> {
        self.check_features(self.filters.len() * self.cells() * self.cells(), self.pool * self.pool)
    }

    /// Checks that there are weights for `wanted` features and at most `most` classes.
    pub(super) fn check_features(&self, wanted: usize, most: usize) -> Result<(), InPixelError> {
        if self.dense.len() != wanted {
            return Err(InPixelError::Features { found: self.dense.len(), wanted });
        }
        let classes = self.classes();
        if !(1..=most).contains(&classes) {
            return Err(InPixelError::Classes { found: classes, most });
        }
        for (feature, weights) in self.dense.iter().enumerate() {
            if weights.len() != classes {
                return Err(InPixelError::Uneven { feature, found: weights.len(), wanted: classes });
            }
            if let Some(class) = weights.iter().position(|weight| !(-1..=1).contains(weight)) {
                return Err(InPixelError::NotTernary { feature, class, found: weights[class] });
            }
        }
        Ok(())
    }

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
