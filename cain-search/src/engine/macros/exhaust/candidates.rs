//! Candidates for the next instruction, and the values from which a wanted value could be made.

use super::values::{Instruction, Value};
use crate::engine::image::Image;

/// An instruction that could come next, or later.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) instruction: Instruction,
    pub(super) made: Made,
}

#[derive(Clone, Copy)]
pub(super) enum Made {
    /// A single value.
    Value(Value),
    /// Half of the operand, and the negative of it.
    Halves(Value, Value),
    /// The operand in one more register.
    Copy,
}

/// A way to make a wanted value from a value that is not yet known.
pub(super) struct Need {
    pub(super) wanted: usize,
    /// The instruction that makes the wanted value from it.
    pub(super) instruction: Instruction,
}

impl Candidate {
    /// The images of the values that it makes.
    pub(super) fn images(&self) -> impl Iterator<Item = Image> + use<> {
        let images = match &self.made {
            Made::Value(value) => [Some(value.image), None],
            Made::Halves(plus, minus) => [Some(plus.image), Some(minus.image)],
            Made::Copy => [None, None],
        };
        images.into_iter().flatten()
    }
}
