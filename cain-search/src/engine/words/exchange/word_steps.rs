//! The control words of a machine.

use cain_isa::{Fraction, Word};

use super::errors::Errors;
use crate::engine::image::Image;
use crate::engine::terms;
use crate::engine::words::forms::WordForms;
use crate::engine::words::successors::{ByDivisor, Kinds};

/// The control words of a search.
pub(crate) struct WordSteps<'a> {
    pub(super) forms: &'a WordForms,
    /// The words that read and write registers only.
    pub(super) registers: &'a ByDivisor,
    /// The words that read NEWS, by the place that they read it from.
    pub(super) reading: Vec<At<'a>>,
    /// The words that write NEWS, by the place to which they push the value.
    pub(super) news: Vec<At<'a>>,
    /// The inverse of each divisor.
    pub(super) inverse: [Image; Word::MAX_DESTINATIONS],
    pub(super) errors: Errors<'a>,
}

/// The words that read from one place.
pub(super) struct At<'a> {
    /// The shift from there, and its inverse.
    pub(super) shift: Image,
    pub(super) back: Image,
    pub(super) forms: &'a ByDivisor,
}

impl<'a> WordSteps<'a> {
    pub(in super::super) fn new(forms: &'a WordForms, kinds: &'a Kinds, errors: Errors<'a>) -> Self {
        let at = |(step, forms): &'a (u32, ByDivisor)| {
            let from = terms::displacement_of_step(*step);
            At { shift: Image::of_shift(from), back: Image::of_shift(-from), forms }
        };
        let inverse =
            [1, 2, 3].map(|divisor| Fraction::new(1, divisor).and_then(Image::of_fraction).unwrap_or(Image::ONE));
        Self {
            forms,
            registers: &kinds.registers,
            reading: kinds.reading.iter().map(at).collect(),
            news: kinds.news.iter().map(at).collect(),
            inverse,
            errors,
        }
    }
}
