//! The picture of a network in the pixels, and how the array is cut.

use cain_search::in_pixel::InPixelError;

use super::super::super::entry::{Entry, Fields};
use super::super::super::notation::Mark;
use super::super::values::whole_up_to;
use super::{EXAMPLE, HALF, INPUT_KEYS, SIDE};
use crate::errors::Errors;
use crate::tree::At;

/// The picture and how the array is cut.
pub(super) struct Input {
    pub(super) size: usize,
    pub(super) scale: usize,
    pub(super) bits: usize,
    pub(super) binarise: u8,
    /// If there is no second convolution; otherwise the array is one.
    pub(super) block: Option<usize>,
    pub(super) array: usize,
    pub(super) marks: InputMarks,
}

/// The places of what can be wrong with it.
pub(super) struct InputMarks {
    pub(super) size: Mark,
    pub(super) scale: Mark,
    pub(super) bits: Mark,
    pub(super) block: Mark,
    pub(super) array: Mark,
}

impl InputMarks {
    pub(super) fn of(&self, error: &InPixelError) -> Option<Mark> {
        match error {
            InPixelError::Side(_) => Some(self.array),
            InPixelError::Block { .. } => Some(self.block),
            InPixelError::Picture { .. } => Some(self.size),
            InPixelError::Scale { .. } => Some(self.scale),
            InPixelError::PixelBits(_) => Some(self.bits),
            _ => None,
        }
    }
}

/// Reads the picture; with a second convolution there is no block.
pub(super) fn input(
    name: &At<&str, Mark>,
    fields: &Fields<'_>,
    has_second: bool,
    errors: &mut Errors<Mark>,
) -> Option<Input> {
    let Some(input) = fields.get("input") else {
        errors.add(name.at, format_args!("network `{}` has no input; add {EXAMPLE}", name.value));
        return None;
    };
    let fields = input.table(&input.notation.table("{ size = 28, block = 32 }"), &INPUT_KEYS, errors)?;
    let mut required = |key: &str, example: &str| {
        let found = fields.get(key);
        if found.is_none() {
            input.wrong(format_args!("`{key}` is missing; add `{key} = {example}`"), errors);
        }
        found
    };
    let size = required("size", "28");
    let block = if has_second { None } else { Some(required("block", "32")?) };
    if has_second && let Some(block) = fields.get("block") {
        block.wrong("with a second convolution the array is one block; leave it out", errors);
    }
    let mut side = |entry: Option<&Entry<'_>>, otherwise: usize| match entry {
        Some(entry) => whole_up_to(entry, usize::MAX, errors),
        None => Some(otherwise),
    };
    let [scale, array, bits] = ["scale", "array", "bits"].map(|key| fields.get(key));
    let [scale_at, array_at, bits_at] =
        [&scale, &array, &bits].map(|entry| entry.as_ref().map_or(input.at, |entry| entry.at));
    let [scale, bits] = [&scale, &bits].map(|entry| side(entry.as_ref(), 1));
    let (array, length) = (side(array.as_ref(), SIDE), side(size.as_ref(), 0));
    let block_at = block.as_ref().map_or(input.at, |block| block.at);
    let block = match &block {
        Some(block) => Some(side(Some(block), 0)?),
        None => None,
    };
    let binarise = match fields.get("binarise") {
        Some(least) => {
            if bits.is_some_and(|bits| bits > 1) {
                least.wrong("only pixels of one bit are ink or not; leave it out", errors);
            }
            whole_up_to(&least, u8::MAX, errors)
        }
        None => Some(HALF),
    };
    let marks = InputMarks { size: size?.at, scale: scale_at, bits: bits_at, block: block_at, array: array_at };
    let (bits, binarise) = bits.zip(binarise)?;
    Some(Input { size: length?, scale: scale?, bits, binarise, block, array: array?, marks })
}
