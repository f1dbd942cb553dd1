//! Errors in laying out networks in the pixels.

use core::fmt;

/// The reason why a network cannot be laid out in the pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InPixelError {
    /// The array is not a square with a power of two PEs along each side.
    Side(usize),
    /// Blocks that do not divide the array, or are too small.
    Block {
        /// The number of PEs along each side of a block.
        block: usize,
        /// The number of PEs along each side of the array.
        side: usize,
    },
    /// The picture and its margin do not fit into a block.
    Picture {
        /// The number of PEs along each side of the picture in a block.
        picture: usize,
        /// The number of PEs that the margin takes.
        margin: usize,
        /// The number of PEs along each side of a block.
        block: usize,
    },
    /// The size of filters is not supported.
    FilterSize(usize),
    /// The number of filters differs from that of blocks.
    Filters {
        /// The number of filters.
        found: usize,
        /// The number of blocks.
        blocks: usize,
    },
    /// A filter has the wrong number of weights.
    FilterWeights {
        /// The index of the filter.
        filter: usize,
        /// The number of weights it has.
        found: usize,
        /// The number of weights it should have.
        wanted: usize,
    },
    /// A weight of a filter is not −1, 0 or 1.
    NotBinary {
        /// The index of the filter.
        filter: usize,
        /// Its row from the north.
        row: usize,
        /// Its column from the west.
        column: usize,
        /// The weight.
        found: i8,
    },
    /// Pixels have no bits, or too many.
    PixelBits(usize),
    /// The halves of the array should see different bits of pixels, but there is only one block.
    Halves,
    /// The size of pooling windows is not supported.
    Pool(usize),
    /// There are more classes than PEs in a window, or none.
    Classes {
        /// The number of classes.
        found: usize,
        /// The most classes that are possible.
        most: usize,
    },
    /// The dense layer has the wrong number of rows.
    Features {
        /// The number of rows.
        found: usize,
        /// The number of maxima.
        wanted: usize,
    },
    /// The rows of the dense layer differ in length.
    Uneven {
        /// The index of the row.
        feature: usize,
        /// The number of weights it has.
        found: usize,
        /// The number of weights in the first row.
        wanted: usize,
    },
    /// A weight of the dense layer is not −1, 0 or 1.
    NotTernary {
        /// The index of the maximum that it belongs to.
        feature: usize,
        /// The index of the class.
        class: usize,
        /// The weight.
        found: i8,
    },
    /// The weights of a filter do not fit into the digital registers.
    Registers {
        /// The number of bits of a filter.
        bits: usize,
        /// The number of bits that there is room for.
        most: usize,
        /// The number of digital registers for weights.
        registers: usize,
    },
    /// Even at the smallest level, the largest possible sum leaves the range of a register.
    Range {
        /// The number of taps of a filter.
        taps: usize,
        /// The largest value that a register can hold besides the error of a transfer, in DN.
        most: i16,
    },
    /// Exact scores have more bits than there are groups of PEs along a side to hold them.
    Count {
        /// The number of groups along each side of the array.
        groups: usize,
    },
    /// With a second convolution: the number of filters of the first one is not the number of PEs in a group.
    Group(usize),
    /// With a second convolution: a pixel has too few PEs for a group, or too many for the array.
    Scale {
        /// The number of PEs along each side of a pixel.
        scale: usize,
        /// The least number that is possible.
        least: usize,
        /// The largest number that is possible.
        most: usize,
    },
    /// With a second convolution: the size of filters is not supported.
    Taps {
        /// The index of the convolution, from 0.
        convolution: usize,
        /// The number of weights along each side.
        found: usize,
        /// The largest number that is possible.
        most: usize,
    },
    /// There is not exactly one filter for each pair of maps before and after the second convolution.
    SecondFilters {
        /// The number of filters.
        found: usize,
        /// The number of maps before it.
        before: usize,
        /// The number of maps after it.
        after: usize,
    },
    /// With a second convolution: a filter has the wrong number of weights.
    Weights {
        /// The index of the convolution, from 0.
        convolution: usize,
        /// The index of the filter.
        filter: usize,
        /// The number of weights it has.
        found: usize,
        /// The number of weights it should have.
        wanted: usize,
    },
    /// With a second convolution: a weight is neither −1 nor 1.
    NotOne {
        /// The index of the convolution, from 0.
        convolution: usize,
        /// The index of the filter.
        filter: usize,
        /// Its row from the north.
        row: usize,
        /// Its column from the west.
        column: usize,
        /// The weight.
        found: i8,
    },
    /// There are no thresholds, too many, or they do not increase from 1 on.
    Thresholds {
        /// The index of the convolution, from 0.
        convolution: usize,
        /// The thresholds.
        found: Vec<u8>,
    },
    /// No level separates sums that reach a threshold from those that do not.
    Threshold {
        /// The index of the convolution, from 0.
        convolution: usize,
        /// The threshold.
        found: u8,
        /// The nearest threshold for which there is a level.
        near: Option<u8>,
    },
}

impl fmt::Display for InPixelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Side(side) => {
                write!(f, "an array of {side}×{side} PEs; expected a power of two from 8 to 256 along each side")
            }
            Self::Block { block, side } => write!(
                f,
                "blocks of {block}×{block} PEs; expected a power of two from 8 to {side}, the side of the array"
            ),
            Self::Picture { picture, margin, block } => write!(
                f,
                "a picture of {picture}×{picture} PEs with a margin of {margin} does not fit a block of {block}×{block}; \
                 expected 1 to {}",
                block.saturating_sub(*margin)
            ),
            Self::FilterSize(size) => write!(f, "filters of {size}×{size} weights; expected 2×2 to 5×5"),
            Self::Filters { found, blocks } => {
                write!(f, "{found} filters for {blocks} blocks; expected one for each block")
            }
            Self::FilterWeights { filter, found, wanted } | Self::Weights { filter, found, wanted, .. } => {
                write!(f, "filter {filter} has {found} weights; expected {wanted}")
            }
            Self::NotBinary { filter, row, column, found } => write!(
                f,
                "the weight of filter {filter} in row {row}, column {column} is {found}; expected -1, 0 or 1, \
                 because a pixel stores it as one bit or as two"
            ),
            Self::PixelBits(bits) => write!(f, "pixels of {bits} bits; expected 1 or 2"),
            Self::Halves => f.write_str(
                "halves of the array that see different bits of a pixel; expected two blocks or more along each side",
            ),
            Self::Pool(pool) => {
                write!(f, "pooling windows of {pool}×{pool} PEs; expected 2×2 or 4×4, which divide a block")
            }
            Self::Classes { found, most } => {
                write!(f, "{found} classes; expected 1 to {most}, one for each PE of a pooling window or of a group")
            }
            Self::Features { found, wanted } => {
                write!(f, "the dense layer has {found} rows; expected {wanted}, one for each maximum")
            }
            Self::Uneven { feature, found, wanted } => {
                write!(
                    f,
                    "row {feature} of the dense layer has {found} weights; expected {wanted}, as in the first row"
                )
            }
            Self::NotTernary { feature, class, found } => write!(
                f,
                "the weight of maximum {feature} for class {class} is {found}; expected -1, 0 or 1, because a pixel \
                 stores it as two bits"
            ),
            Self::Registers { bits, most, registers } => write!(
                f,
                "the {bits} bits of a filter do not fit: {registers} digital registers are left, which hold {most} of \
                 them; expected filters of at most {0}×{0} weights -1 and 1, or {1}×{1} weights -1, 0 and 1",
                most.isqrt(),
                (most / 2).isqrt()
            ),
            Self::Range { taps, most } => write!(
                f,
                "sums of {taps} pixels leave the range: no level from 2 DN on keeps half of them within ±{most} DN"
            ),
            Self::Count { groups } => write!(
                f,
                "exact scores take a bit in each of some groups side by side, and there are only {groups} on the array; make the \
                 array larger"
            ),
            Self::Group(found) => {
                write!(f, "{found} filters before a second convolution; expected 4 or 16, one for each PE of a group")
            }
            Self::Scale { scale, least, most } => write!(
                f,
                "pixels of {scale}×{scale} PEs; expected a power of two of at least {least} along each side, because each PE \
                 of a pixel has a filter before a second convolution, and at most {most}, which fit into a block"
            ),
            Self::Taps { found, most, .. } => {
                write!(f, "filters of {found}×{found} weights; with a second convolution expected 2×2 to {most}×{most}")
            }
            Self::SecondFilters { found, before, after } => write!(
                f,
                "{found} filters; expected {}, one for each of {after} maps and each of {before} maps before",
                before * after
            ),
            Self::NotOne { filter, row, column, found, .. } => write!(
                f,
                "the weight of filter {filter} in row {row}, column {column} is {found}; expected -1 or 1, because a pixel \
                 stores it as one bit if there is a second convolution"
            ),
            Self::Thresholds { found, .. } => {
                write!(f, "thresholds {found:?}; expected one to three numbers that increase, from 1 on")
            }
            Self::Threshold { found, near, .. } => {
                write!(f, "no level of a comparison tells sums of {found} from those of {}", found.saturating_sub(1))?;
                near.map_or(Ok(()), |near| write!(f, "; expected another threshold, such as {near}"))
            }
        }
    }
}

impl core::error::Error for InPixelError {}
