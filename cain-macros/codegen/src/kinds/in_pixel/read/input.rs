//! The picture of a network in the pixels, and how the array is cut.

use cain_in_pixel::{InPixelError, Pixels};

use crate::errors::Errors;
use crate::kinds::values::whole_up_to;
use crate::tree::{At, Place};
use crate::value::{Entry, Fields, list};

const KEYS: [&str; 6] = ["size", "scale", "bits", "binarise", "block", "array"];
/// PEs along each side of SCAMP-5.
pub(crate) const SIDE: usize = 256;

/// The picture and how the array is cut.
pub(super) struct Input<S> {
    pub(super) size: usize,
    pub(super) scale: usize,
    pub(super) pixels: Pixels,
    /// The least greys of pixels; none if a pixel is the nearest one.
    pub(super) binarise: Vec<u8>,
    /// If there is no second convolution; otherwise the array is one.
    pub(super) block: Option<usize>,
    pub(super) array: usize,
    pub(super) marks: InputMarks<S>,
}

/// The places of what can be wrong with it.
pub(super) struct InputMarks<S> {
    pub(super) size: S,
    pub(super) scale: S,
    pub(super) binarise: S,
    pub(super) block: S,
    pub(super) array: S,
}

impl<S: Place> InputMarks<S> {
    pub(super) fn of(&self, error: &InPixelError) -> Option<S> {
        match error {
            InPixelError::Side(_) => Some(self.array),
            InPixelError::Block { .. } => Some(self.block),
            InPixelError::Picture { .. } => Some(self.size),
            InPixelError::Scale { .. } => Some(self.scale),
            InPixelError::Halves => Some(self.binarise),
            _ => None,
        }
    }
}

/// Reads the picture; with a second convolution there is no block.
pub(super) fn input<S: Place>(
    name: &At<&str, S>,
    fields: &Fields<'_, S>,
    has_second: bool,
    errors: &mut Errors<S>,
) -> Option<Input<S>> {
    let Some(input) = fields.get("input") else {
        let add = S::NOTATION.statement("input = { size = 28, block = 32 }");
        errors.add(name.at, format_args!("network `{}` has no input; add `{add}`", name.value));
        return None;
    };
    let fields = input.table(&S::NOTATION.table("{ size = 28, block = 32 }"), &KEYS, errors)?;
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
    let mut side = |entry: Option<&Entry<'_, S>>, otherwise: usize| match entry {
        Some(entry) => whole_up_to(entry, usize::MAX, errors),
        None => Some(otherwise),
    };
    let [scale, array, binarise] = ["scale", "array", "binarise"].map(|key| fields.get(key));
    let [scale_at, array_at, binarise_at] =
        [&scale, &array, &binarise].map(|entry| entry.as_ref().map_or(input.at, |entry| entry.at));
    let scaled = side(scale.as_ref(), 1);
    let (array, length) = (side(array.as_ref(), SIDE), side(size.as_ref(), 0));
    let block_at = block.as_ref().map_or(input.at, |block| block.at);
    let block = match &block {
        Some(block) => Some(side(Some(block), 0)?),
        None => None,
    };
    if scaled == Some(0)
        && let Some(scale) = &scale
    {
        scale.wrong("pixels of 0×0 PEs; expected at least 1, the default", errors);
        return None;
    }
    let pixels = pixels(fields.get("bits").as_ref(), binarise.as_ref(), errors);
    let marks = InputMarks { size: size?.at, scale: scale_at, binarise: binarise_at, block: block_at, array: array_at };
    let (pixels, binarise) = pixels?;
    Some(Input { size: length?, scale: scaled?, pixels, binarise, block, array: array?, marks })
}

/// What filters see of a pixel, and the least greys of pixels if these are stated.
fn pixels<S: Place>(
    bits: Option<&Entry<'_, S>>,
    binarise: Option<&Entry<'_, S>>,
    errors: &mut Errors<S>,
) -> Option<(Pixels, Vec<u8>)> {
    let of_bits = match bits {
        Some(bits) => match Pixels::of_bits(whole_up_to(bits, usize::MAX, errors)?) {
            Ok(pixels) => pixels,
            Err(error) => {
                errors.add(bits.at, error);
                return None;
            }
        },
        None => Pixels::OneBit,
    };
    let Some(entry) = binarise else {
        return Some((of_bits, Vec::new()));
    };
    if of_bits != Pixels::OneBit {
        entry.wrong("only pixels of one bit are ink or not; leave it out", errors);
        return None;
    }
    let least = list(entry, errors, |entry, errors| whole_up_to(entry, u8::MAX, errors))?;
    match least[..] {
        [_] => Some((Pixels::OneBit, least)),
        [western, eastern] if western < eastern => Some((Pixels::Halves, least)),
        _ => {
            let what = "the least grey of ink such as `128`, or two that increase, for the western and the eastern half \
                        of the array, such as `[64, 192]`";
            entry.expected(what, errors);
            None
        }
    }
}
