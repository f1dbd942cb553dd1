//! Errors in networks.

use core::fmt;

use super::declaration::Window;
use super::limits::{MOST_CHANNELS, MOST_EVENTS, MOST_NUMBERS, MOST_PIXELS, MOST_VALUES, SMALLEST_SHARE};
use super::shape::Shape;
use cain_digital::DeclarationError;
use cain_isa::Fraction;

/// An error in a network, and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkError {
    /// The layer, or `None` for the network as a whole.
    pub layer: Option<usize>,
    /// The name of the layer or of the network.
    pub name: String,
    /// The problem.
    pub problem: Problem,
}

/// A problem with a network or a layer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// There is no layer.
    NoLayer,
    /// The picture has no pixels, or more than the array has PEs.
    ImageSize {
        /// The number of its rows.
        height: usize,
        /// The number of its columns.
        width: usize,
    },
    /// Black and white are equal, or not numbers.
    Levels {
        /// The name of the levels.
        what: &'static str,
        /// The levels found.
        levels: (f64, f64),
    },
    /// The share of the largest sums is larger than 1 or too small.
    LargestSums(Fraction),
    /// The picture that is evaluated does not have the network's size.
    Pixels {
        /// The number of pixels that were given.
        found: usize,
        /// The number of pixels of the network's picture.
        expected: usize,
    },
    /// An earlier layer has the same name.
    NameTwice,
    /// A layer reads too few or too many others.
    Sources {
        /// The number of layers it reads.
        found: usize,
        /// Whether it may read several.
        several: bool,
    },
    /// A layer reads one that does not precede it.
    NotEarlier,
    /// A layer of maps reads numbers, or vice versa.
    Kind {
        /// The shape found.
        found: Shape,
        /// Whether maps are expected.
        maps: bool,
    },
    /// Layers that are combined differ in shape.
    Different {
        /// The shape of the first.
        first: Shape,
        /// The shape of another.
        other: Shape,
    },
    /// A list does not have an entry for each channel or number.
    Count {
        /// The name of the list.
        what: &'static str,
        /// The number of entries.
        found: usize,
        /// The number of entries expected.
        expected: usize,
    },
    /// Kernels differ in size, or rows of one in length.
    Kernels,
    /// The rows of a kernel or matrix are not equally long, or there are none.
    Ragged {
        /// The name of the object with rows.
        what: &'static str,
    },
    /// A size, stride or dilation is 0; they must be at least 1.
    Zero {
        /// The name of the value.
        what: &'static str,
    },
    /// A size, stride, dilation or padding is larger than the array.
    TooFar {
        /// The name of the value.
        what: &'static str,
        /// The value.
        found: usize,
    },
    /// A window with the padding is larger than the maps.
    TooLarge {
        /// The shape of the maps.
        found: Shape,
        /// The rows and columns that one output covers.
        covered: (usize, usize),
    },
    /// A pooling window lies entirely in the padding.
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
        /// The name of the number.
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
    /// The width of weights is not one that controllers support.
    Bits(u32),
    /// A list of pixels is to be made of maps that are not bits.
    NoBits(Shape),
    /// An operation on exact numbers reads something else.
    NotExact(Shape),
    /// There is no program in digital registers for a channel of a layer.
    Digital {
        /// The channel.
        channel: usize,
        /// The reason.
        error: DeclarationError,
    },
    /// A list has no pixels, or more than the controller can hold.
    Capacity(usize),
    /// A layer has too many channels or numbers.
    TooMany(Shape),
    /// All layers together make more values than a network may.
    TooManyValues,
    /// No other layer reads these maps, but results must be numbers.
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
            Self::LargestSums(found) => {
                write!(f, "`largest_sums` is {found}; expected a share from 1/{SMALLEST_SHARE} to 1, such as 1/4")
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
            Self::Kernels => f.write_str(
                "kernels must have equally many rows, all of them equally long, and at least one row and column",
            ),
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
