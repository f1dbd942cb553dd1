//! The declaration of networks whose weights are in the pixels, and their results.

use cain_isa::program::Area;
use cain_isa::{ErrorModel, Machine};
use cain_search::Interruption;

use crate::pixels::Pixels;

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

    /// The largest value that a register can hold besides the error of a transfer, in DN; 0 if there is none.
    pub(crate) fn most_level(&self) -> i16 {
        let range = self.machine.range;
        beside_error(range.max.min(range.min.saturating_neg()))
    }

    /// The largest of these values for sums that thresholds compare with levels of the controller.
    pub(crate) fn most_compared(&self) -> i16 {
        self.most_level().min(beside_error(i8::MAX.into()))
    }

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
    pub(crate) const fn is_eastern(&self, column: usize) -> bool {
        column >= self.side / 2
    }

    /// The number of PEs along each side of the picture in a block.
    pub(crate) const fn extent(&self) -> usize {
        self.picture * self.scale
    }

    /// The rectangle in which the picture is taken: in the last block before the middle of the array.
    pub(crate) const fn taken(&self) -> Area {
        let before = self.blocks() / 2;
        let first = before.saturating_sub(1) * self.block + self.margin();
        Area { top: first, left: first, height: self.extent(), width: self.extent() }
    }

    /// Whether a weight of a filter is 0.
    #[must_use]
    pub fn is_ternary(&self) -> bool {
        self.filters.iter().flatten().any(|weight| *weight == 0)
    }

    /// The number of bits of a weight: one for −1, and possibly another for 1.
    pub(crate) fn bits_of_weight(&self) -> usize {
        if self.is_ternary() { 2 } else { 1 }
    }

    /// The number of bits of a filter.
    pub(crate) fn bits(&self) -> usize {
        self.taps * self.taps * self.bits_of_weight()
    }
}

/// What remains of a level besides the error of a transfer, in DN.
fn beside_error(level: i16) -> i16 {
    let [error, ..] = ErrorModel::measured().offset;
    #[expect(clippy::cast_possible_truncation, reason = "the range of a register is below 2^15")]
    let most = (f32::from(level) - error).floor() as i16;
    most.max(0)
}
