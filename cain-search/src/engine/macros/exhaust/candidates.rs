//! Instructions that could be the next one, and values from which a wanted value could be made.

use super::values::{Instruction, Value};
use crate::engine::image::Image;

/// An instruction that could be the next one, or one of those after it.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) instruction: Instruction,
    pub(super) made: Made,
}

#[derive(Clone, Copy)]
pub(super) enum Made {
    /// One value.
    Value(Value),
    /// Half of the operand, and its negative.
    Halves(Value, Value),
    /// Another register with the operand.
    Copy,
}

/// A way to make a wanted value from a value that is not known yet.
pub(super) struct Need {
    pub(super) wanted: usize,
    /// The instruction that makes the wanted value of it.
    pub(super) instruction: Instruction,
}

impl Candidate {
    /// The images of what it makes.
    pub(super) fn images(&self) -> impl Iterator<Item = Image> + use<> {
        let images = match &self.made {
            Made::Value(value) => [Some(value.image), None],
            Made::Halves(plus, minus) => [Some(plus.image), Some(minus.image)],
            Made::Copy => [None, None],
        };
        images.into_iter().flatten()
    }
}
