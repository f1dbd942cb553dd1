//! What may interrupt a program.

use cain_isa::{Cells, Reg, Registers};

/// What may interrupt a program, and how soon it must be possible.
///
/// A program that is found for it can be [left](crate::switches) and come back to, whatever the others write into their
/// registers. Programs in fewer registers are searched for as well, so that values that are in the way find room in the
/// rest; all these searches together have as many [nodes](crate::Options::nodes) as the first one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interruption {
    by: Vec<Cells>,
    latency: Option<u32>,
    room: Registers,
}

impl Interruption {
    /// By programs that overwrite these cells, in ascending order of priority; their inputs count, for images are taken
    /// into them. They may have to wait for `latency` control words at most, if that is bounded.
    #[must_use]
    pub fn new(by: Vec<Cells>, latency: Option<u32>) -> Self {
        Self { by, latency, room: Registers::NONE }
    }

    /// The longest that the others may have to wait, in control words, if it is bounded.
    #[must_use]
    pub fn latency(&self) -> Option<u32> {
        self.latency
    }

    /// What is overwritten when one of the others runs, for each of them: those of a higher priority may interrupt it.
    pub fn overwritten(&self) -> impl Iterator<Item = Cells> {
        let from_each_on = (0..self.by.len()).filter_map(|first| self.by.get(first..));
        from_each_on.map(|by| by.iter().copied().fold(Cells::NEWS, Cells::union))
    }

    /// All that may be overwritten; nothing if nothing interrupts.
    #[must_use]
    pub fn all(&self) -> Cells {
        self.overwritten().next().unwrap_or(Cells::NONE)
    }

    /// The same for a program in fewer registers, with these left as room for what is in the way.
    pub(crate) fn with_room(&self, room: &[Reg]) -> Self {
        Self { room: room.iter().copied().collect(), ..self.clone() }
    }

    /// Registers that the program does not use, and that what is in the way may be moved to.
    pub(crate) fn room(&self) -> Registers {
        self.room
    }
}
