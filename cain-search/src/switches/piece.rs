//! What a program consists of between two points where it might be left.

use cain_isa::{Cells, Effect, Instruction};

/// The work between two boundaries.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// Executes an instruction of the array.
    Instruction(Instruction),
    /// Sets the level of `IN`, in DN; `None` if it depends on the chip.
    Level(Option<i8>),
    /// Sets other state that only the controller holds.
    Controller,
    /// Reads cells out, which must happen only once.
    Reads(Cells),
    /// Overwrites cells.
    Writes(Cells),
    /// Does in so many control words what must happen only once: takes a picture, or goes through a loop or a decision, whose
    /// own pieces are apart.
    Once(Effect, u32),
}

impl Piece {
    /// The number of control words.
    pub(super) fn words(&self) -> u32 {
        match self {
            Self::Instruction(instruction) => instruction.words().map(|_| 1).sum(),
            Self::Level(_) | Self::Controller | Self::Reads(_) => 0,
            // One word is enough for a picture.
            Self::Writes(_) => 1,
            Self::Once(_, words) => *words,
        }
    }
}
