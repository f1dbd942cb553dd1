//! What is wrong with a network.

use core::fmt;

use super::declaration::Window;
use super::shapes::{MOST_CHANNELS, MOST_EVENTS, MOST_NUMBERS, MOST_PIXELS, MOST_VALUES, Shape};
use cain_digital::DeclarationError;

/// What is wrong with a network, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkError {
    /// The layer; the network as a whole if `None`.
    pub layer: Option<usize>,
    /// The name of the layer or of the network.
    pub name: String,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a network or a layer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// There is no layer.
    NoLayer,
    /// The picture has no pixels, or more than the array.
    ImageSize {
        /// Its rows.
        height: usize,
        /// Its columns.
        width: usize,
    },
    /// Black and white are the same, or not numbers.
    Levels {
        /// What they are called.
        what: &'static str,
        /// What was found.
        levels: (f64, f64),
    },
    /// The picture that is evaluated does not have the network's size.
    Pixels {
        /// The pixels that were given.
        found: usize,
        /// The pixels of the network's picture.
        expected: usize,
    },
    /// An earlier layer has the same name.
    NameTwice,
    /// A layer reads too few or too many others.
    Sources {
        /// How many it reads.
        found: usize,
        /// Whether it may read several.
        several: bool,
    },
    /// A layer reads one that does not come before it.
    NotEarlier,
    /// A layer of maps reads numbers, or the other way round.
    Kind {
        /// What was found.
        found: Shape,
        /// Whether maps are read.
        maps: bool,
    },
    /// Layers that are combined differ in their shapes.
    Different {
        /// The shape of the first.
        first: Shape,
        /// The shape of another.
        other: Shape,
    },
    /// A list does not have an entry for each channel or number.
    Count {
        /// What is listed.
        what: &'static str,
        /// The number of entries.
        found: usize,
        /// How many would fit.
        expected: usize,
    },
    /// The rows of a kernel or matrix are not equally long, or there are none.
    Ragged {
        /// What has rows.
        what: &'static str,
    },
    /// Sizes, strides and dilations are at least 1.
    Zero {
        /// What is zero.
        what: &'static str,
    },
    /// A size, stride, dilation or padding is larger than the array.
    TooFar {
        /// What is too large.
        what: &'static str,
        /// How large it is.
        found: usize,
    },
    /// A window with the padding is larger than the maps.
    TooLarge {
        /// What the maps are.
        found: Shape,
        /// The rows and columns that one output covers.
        covered: (usize, usize),
    },
    /// A pooling window lies in the padding entirely.
    OnlyPadding,
    /// A read-out window exceeds the maps.
    Beyond {
        /// The window.
        window: Window,
        /// The maps.
        found: Shape,
    },
    /// A weight or another number is infinite or not a number.
    NotFinite {
        /// What it is.
        what: &'static str,
        /// The number.
        found: f64,
    },
    /// The lower bound of a clamp is above the upper one.
    EmptyRange {
        /// The lower bound.
        low: f64,
        /// The upper bound.
        high: f64,
    },
    /// Values are halved more often than any value on the array can be.
    Halvings(u32),
    /// Weights are of no size that controllers have.
    Bits(u32),
    /// Pixels that are 1 are to be listed of what are no bits.
    NoBits(Shape),
    /// Exact numbers are to be read of what is none.
    NotExact(Shape),
    /// There is no program in digital registers for a channel of a layer.
    Digital {
        /// The channel.
        channel: usize,
        /// Why.
        error: DeclarationError,
    },
    /// A list of no pixels, or of more than the controller can hold.
    Capacity(usize),
    /// More channels or numbers than a layer can have.
    TooMany(Shape),
    /// All layers together make more values than a network can.
    TooManyValues,
    /// No other layer reads these maps. Results are numbers.
    Unread(Shape),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.layer.is_some() { "layer" } else { "network" };
        write!(f, "{what} `{}`: {}", self.name, self.problem)
    }
}

impl core::error::Error for NetworkError {}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLayer => f.write_str("there is no layer"),
            Self::ImageSize { height, width } => {
                write!(f, "the image has {height}×{width} pixels; from 1×1 to {MOST_PIXELS}×{MOST_PIXELS} are possible")
            }
            Self::Levels { what, levels: (black, white) } => {
                write!(f, "the {what} {black}..{white} of the image must be two different numbers")
            }
            Self::Pixels { found, expected } => write!(f, "{found} pixels are given, but the image has {expected}"),
            Self::NameTwice => f.write_str("an earlier layer has the same name; rename one"),
            Self::Sources { found, several: true } => write!(f, "reads {found} layers; expected one or more"),
            Self::Sources { found, several: false } => write!(f, "reads {found} layers; expected one"),
            Self::NotEarlier => f.write_str("reads a layer that does not come before it; change the order"),
            Self::Kind { found, maps: true } => {
                write!(f, "reads {found}, which are on the controller; expected maps on the array")
            }
            Self::Kind { found, maps: false } => {
                write!(f, "reads {found}; expected numbers, which `windows` or `plane` make of maps")
            }
            Self::Different { first, other } => {
                write!(f, "reads {first} and {other}; expected the same size of all")
            }
            Self::Count { what, found, expected } => write!(f, "{found} {what}; expected {expected}"),
            Self::Ragged { what } => write!(f, "the rows of the {what} must be equally long, and at least one long"),
            Self::Zero { what } => write!(f, "the {what} is 0; expected at least 1"),
            Self::TooFar { what, found } => {
                write!(f, "the {what} is {found}, which is more than the {MOST_PIXELS} pixels of the array")
            }
            Self::TooLarge { found, covered: (rows, columns) } => {
                write!(f, "covers {rows}×{columns} pixels, but reads {found}; expected a smaller one, or more padding")
            }
            Self::OnlyPadding => f.write_str("a window lies in the padding entirely; expected a smaller padding"),
            Self::Beyond { window: Window { top, left, height, width }, found } => {
                write!(f, "the window of {height}×{width} pixels at row {top} and column {left} exceeds the {found}")
            }
            Self::NotFinite { what, found } => write!(f, "the {what} has the value {found}; expected a finite number"),
            Self::EmptyRange { low, high } => {
                write!(f, "clamps to {low}..{high}, which is empty; expected {high}..{low}")
            }
            Self::Halvings(exponent) => {
                write!(f, "the slope 1/2^{exponent} is too small; expected an exponent of at most 20")
            }
            Self::NoBits(found) => write!(f, "reads {found}; expected maps of bits, which `threshold` makes"),
            Self::NotExact(found) => write!(
                f,
                "reads {found}; expected bits that stand for 0 and 1, or numbers in bits, which `threshold`, `digital` and \
                 `logic` make"
            ),
            Self::Digital { channel, error } => write!(f, "channel {channel}: {error}"),
            Self::Capacity(capacity) => {
                write!(f, "lists {capacity} pixels; expected a capacity from 1 to {MOST_EVENTS}")
            }
            Self::Bits(bits) => write!(f, "weights of {bits} bits; expected 8 or 16"),
            Self::TooMany(shape @ Shape::Maps { .. }) => {
                write!(f, "makes {shape}; at most {MOST_CHANNELS} channels are possible")
            }
            Self::TooMany(shape) => write!(f, "makes {shape}; at most {MOST_NUMBERS} numbers are possible"),
            Self::TooManyValues => {
                write!(f, "with this layer, all layers together make more than {MOST_VALUES} values of a picture")
            }
            Self::Unread(found) => {
                let readouts = match found {
                    Shape::Maps { bits: true, .. } => "`windows`, `plane` or `events`",
                    _ => "`windows` or `plane`",
                };
                write!(
                    f,
                    "makes {found}, which no other layer reads; add a layer that reads them out, {readouts}, or remove this one"
                )
            }
        }
    }
}
