//! The declaration of a network.

use cain_isa::{Fraction, Machine};

use super::geometry::Padding;
use cain_digital::Logic;
use cain_search::{Interruption, Options};

/// A network to be compiled.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Its name.
    pub name: String,
    /// The picture that it sees.
    pub input: Image,
    /// Pictures of the kind that it will see, each with its greys row by row. Its errors are predicted for them when it is
    /// compiled; if there are none, for [synthetic ones](Self::typical_pictures).
    pub pictures: Vec<Vec<u8>>,
    /// How far the sums of its convolutions over maps go for the pictures that it sees, as a share of what they could be with
    /// any picture; at most 1. What goes further saturates.
    pub largest_sums: Fraction,
    /// Its layers, each after those that it reads.
    pub layers: Vec<Layer>,
    /// The machine to run on.
    pub machine: Machine,
    /// The options of the searches for its layers' programs.
    pub options: Options,
    /// The programs that may interrupt it, and how soon it must let them.
    pub interruption: Option<Interruption>,
}

impl Network {
    /// The multiply-accumulates of one call on the controller.
    #[must_use]
    pub fn controller_macs(&self) -> usize {
        let dense = |layer: &Layer| match &layer.operation {
            Operation::Dense { weights, .. } => weights.iter().map(Vec::len).sum(),
            _ => 0,
        };
        self.layers.iter().map(dense).sum()
    }

    /// Whether the share of the [largest sums](Self::largest_sums) makes a difference.
    #[must_use]
    pub fn has_sums_over_maps(&self) -> bool {
        let is_sum = |layer: &Layer| matches!(layer.operation, Operation::Convolution { .. });
        self.layers.iter().any(|layer| is_sum(layer) && !layer.from.contains(&Source::Image))
    }
}

/// The grey picture that a network sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Image {
    /// The number of rows.
    pub height: usize,
    /// The number of columns.
    pub width: usize,
    /// The values on the array of a black and of a white pixel, in DN.
    pub levels: (f64, f64),
    /// The numbers of the network for black and white. If they are the [`levels`](Self::levels), the network computes in
    /// DN.
    pub range: (f64, f64),
    /// Pixels of at least this grey are taken as white, all others as black.
    pub binarise: Option<u8>,
}

impl Image {
    /// The number of the network for a pixel.
    #[must_use]
    pub fn number(&self, pixel: u8) -> f64 {
        self.between(self.range, pixel)
    }

    /// The value on the array for a pixel, in DN.
    #[must_use]
    pub fn level(&self, pixel: u8) -> f64 {
        self.between(self.levels, pixel)
    }

    fn between(&self, (black, white): (f64, f64), pixel: u8) -> f64 {
        match self.binarise {
            Some(least) if pixel >= least => white,
            Some(_) => black,
            None => black + (white - black) * f64::from(pixel) / f64::from(u8::MAX),
        }
    }
}

/// A step of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Its name, which no other layer has.
    pub name: String,
    /// The sources that it reads.
    pub from: Vec<Source>,
    /// The operation.
    pub operation: Operation,
}

/// A source that a layer reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The picture: maps of one channel.
    Image,
    /// An earlier layer.
    Layer(usize),
}

/// An operation of a layer.
///
/// Maps are on the array: channels of rows of numbers, row 0 in the north and column 0 in the west. A read-out makes
/// numbers of them for the controller. Sizes, strides and positions are in rows and columns of the maps, in this order.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Weighted sums of pixels over all channels; the kernel is not rotated.
    Convolution {
        /// The weights by output channel, input channel, row and column.
        kernels: Vec<Vec<Vec<Vec<Fraction>>>>,
        /// The summand of each output channel.
        bias: Vec<f64>,
        /// The distances between outputs.
        stride: (usize, usize),
        /// The distances between the pixels that a kernel weighs.
        dilation: (usize, usize),
        /// Zeros around the maps.
        padding: Padding,
    },
    /// Numbers or maps times a factor, plus a summand.
    Affine {
        /// The factor of each channel or number, or one for all.
        scale: Vec<Fraction>,
        /// The summand of each channel or number, or one for all.
        shift: Vec<f64>,
    },
    /// Negative numbers become 0.
    Relu,
    /// Negative numbers are divided by 2^`exponent`.
    LeakyRelu {
        /// The number of halvings.
        exponent: u32,
    },
    /// Absolute values.
    Abs,
    /// Numbers below `low` become `low`, those above `high` become `high`.
    Clamp {
        /// The least value.
        low: f64,
        /// The largest value.
        high: f64,
    },
    /// The largest of several maps, pixel by pixel.
    Maximum,
    /// The smallest of several maps, pixel by pixel.
    Minimum,
    /// Bits.
    Threshold {
        /// The threshold of each channel, or one for all.
        at: Vec<f64>,
        /// Whether values equal to the threshold count as above.
        inclusive: bool,
        /// The number that a 0 stands for.
        below: f64,
        /// The number that a 1 stands for.
        above: f64,
    },
    /// Exact weighted sums of integers over all channels, computed in digital registers. The inputs are [exact
    /// numbers](Network::exact); the kernel is not rotated.
    Digital {
        /// The weights, which are integers, by output channel, input channel, row and column.
        kernels: Vec<Vec<Vec<Vec<Fraction>>>>,
        /// The distances between outputs.
        stride: (usize, usize),
        /// The distances between the pixels that a kernel weighs.
        dilation: (usize, usize),
        /// Zeros around the maps.
        padding: Padding,
    },
    /// Bits that are Boolean functions of the bits of [exact numbers](Network::exact) around each pixel. The inputs of
    /// a function are the channels of all maps, one after the other; outside of the maps, bits are 0.
    Logic {
        /// The function of each output channel.
        functions: Vec<Logic>,
    },
    /// The largest value of windows. Padding has no values.
    MaxPool {
        /// The size of a window.
        size: (usize, usize),
        /// The distances between windows.
        stride: (usize, usize),
        /// The distances between the pixels of a window.
        dilation: (usize, usize),
        /// The padding around the maps, into which windows may reach.
        padding: Padding,
    },
    /// The mean value of windows.
    MeanPool {
        /// The size of a window.
        size: (usize, usize),
        /// The distances between windows.
        stride: (usize, usize),
        /// The distances between the pixels of a window.
        dilation: (usize, usize),
        /// The padding around the maps, into which windows may reach.
        padding: Padding,
        /// Whether padding counts as zeros; otherwise the mean is taken over the pixels only.
        count_padding: bool,
    },
    /// The channels of several maps, one after the other.
    Concatenate,
    /// A read-out of the sums or means over all windows of each channel. For lists of pixels, the number of them in
    /// each window.
    Windows {
        /// The windows of every channel.
        windows: Vec<Window>,
        /// Whether sums are divided by the number of pixels in the window.
        mean: bool,
    },
    /// A read-out of all values: channels, rows, columns.
    Plane,
    /// A read-out of bits: for each channel a list of the pixels that are 1.
    Events {
        /// The most pixels of a list.
        capacity: usize,
    },
    /// Sums of weighted numbers.
    Dense {
        /// The weights by output and input.
        weights: Vec<Vec<f64>>,
        /// The summand of each output.
        bias: Vec<f64>,
        /// The width of a weight on the controller: 8 or 16 bits.
        bits: u32,
    },
    /// Negative numbers become 0.
    Rectify,
    /// Probabilities: the exponentials, divided by their sum.
    Softmax,
    /// The index of the largest number, or the first of equal ones.
    Argmax,
    /// Several lists of numbers, one after the other.
    Join,
}

impl Operation {
    /// The name of the operation in kernel files.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Convolution { .. } => "convolution",
            Self::Affine { .. } => "affine",
            Self::Relu => "relu",
            Self::LeakyRelu { .. } => "leaky_relu",
            Self::Abs => "abs",
            Self::Clamp { .. } => "clamp",
            Self::Maximum => "maximum",
            Self::Minimum => "minimum",
            Self::Threshold { .. } => "threshold",
            Self::Digital { .. } => "digital",
            Self::Logic { .. } => "logic",
            Self::MaxPool { .. } => "max_pool",
            Self::MeanPool { .. } => "mean_pool",
            Self::Concatenate => "concatenate",
            Self::Windows { .. } => "windows",
            Self::Plane => "plane",
            Self::Events { .. } => "events",
            Self::Dense { .. } => "dense",
            Self::Rectify => "rectify",
            Self::Softmax => "softmax",
            Self::Argmax => "argmax",
            Self::Join => "join",
        }
    }

    /// Whether it may read more than one layer.
    #[must_use]
    pub fn reads_several(&self) -> bool {
        matches!(self, Self::Logic { .. } | Self::Maximum | Self::Minimum | Self::Concatenate | Self::Join)
    }
}

/// A part of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its first row.
    pub top: usize,
    /// Its first column.
    pub left: usize,
    /// The number of its rows.
    pub height: usize,
    /// The number of its columns.
    pub width: usize,
}

impl Window {
    /// Adjacent windows of the given size, row by row, none of which crosses the border; an empty list if there would
    /// be too many.
    #[must_use]
    pub fn tiles(map: (usize, usize), size: (usize, usize)) -> Vec<Self> {
        let (height, width) = size;
        let along = |length: usize, size: usize| length.checked_div(size).unwrap_or(0);
        let (rows, columns) = (along(map.0, height), along(map.1, width));
        let tile = |row, column| Self { top: row * height, left: column * width, height, width };
        (0..rows).flat_map(|row| (0..columns).map(move |column| tile(row, column))).collect()
    }

    /// The number of pixels.
    #[must_use]
    pub const fn area(&self) -> usize {
        self.height * self.width
    }
}

impl Network {
    /// The layers that no other layer reads.
    #[must_use]
    pub fn heads(&self) -> Vec<usize> {
        let mut is_read = vec![false; self.layers.len()];
        for source in self.layers.iter().flat_map(|layer| &layer.from) {
            if let Source::Layer(layer) = *source
                && let Some(is_read) = is_read.get_mut(layer)
            {
                *is_read = true;
            }
        }
        (0..self.layers.len()).filter(|&layer| !is_read[layer]).collect()
    }

    /// The name of a layer or of the picture, for messages.
    #[must_use]
    pub fn name_of(&self, source: Source) -> &str {
        match source {
            Source::Image => "image",
            Source::Layer(layer) => self.layers.get(layer).map_or("", |layer| &layer.name),
        }
    }
}
