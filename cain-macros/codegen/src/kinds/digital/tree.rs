//! What the syntax tree of a filter on bits says beside its sums.

use cain_digital::Format;
use cain_digital::superpixel::{Carry, Converter, Layout};

use crate::place::At;

/// The bits of the numbers of a digital filter.
#[derive(Debug)]
pub(crate) struct Bits<S> {
    pub(crate) at: S,
    /// One for each input, or one for all of them.
    pub(crate) formats: Vec<Format>,
}

/// Where the bits of numbers over super-pixels are, and what is done with them.
#[derive(Debug)]
pub(crate) struct SuperPixel<S> {
    pub(crate) at: S,
    pub(crate) layout: Layout,
    pub(crate) carry: Carry,
    /// The banks of numbers that are not in the first.
    pub(crate) banks: Vec<(String, usize, S)>,
    /// What is added to outputs.
    pub(crate) biases: Vec<(String, i64, S)>,
    /// Outputs of which negative numbers become 0.
    pub(crate) rectified: Vec<At<String, S>>,
    /// Outputs that compare.
    pub(crate) compared: Vec<At<String, S>>,
    /// Inputs that come from analogue registers.
    pub(crate) adc: Vec<Converted<S>>,
    /// Outputs that go to analogue registers as well.
    pub(crate) dac: Vec<Converted<S>>,
}

/// A number that is converted.
#[derive(Debug)]
pub(crate) struct Converted<S> {
    pub(crate) number: String,
    pub(crate) converter: Converter,
    pub(crate) at: S,
}
