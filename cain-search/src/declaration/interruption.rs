//! What may interrupt a program, and how soon.

use cain_isa::{Cells, Reg, Registers};

/// The programs that may interrupt a program, and how soon it must be possible.
///
/// A program that is found for it can be [left](crate::switches) and resumed, whatever the others write into their
/// registers. Programs in fewer registers are searched for as well, so that values that the others would overwrite find
/// room in the remaining registers; all these searches together have as many [nodes](crate::Options::nodes) as the
/// first one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interruption {
    by: Vec<Cells>,
    latency: Option<u32>,
    room: Registers,
}

impl Interruption {
    /// An interruption by programs that overwrite these cells, in ascending order of priority; the cells include their
    /// inputs, into which images are taken. The others have to wait for at most `latency` control words, if that is
    /// given.
    #[must_use]
    pub fn new(by: Vec<Cells>, latency: Option<u32>) -> Self {
        Self { by, latency, room: Registers::NONE }
    }

    /// The longest time that the others may have to wait, in control words, if it is limited.
    #[must_use]
    pub fn latency(&self) -> Option<u32> {
        self.latency
    }

    /// For each of the others, the cells that are overwritten while it runs: its own, and those of programs with a
    /// higher priority, which may interrupt it.
    pub fn overwritten(&self) -> impl Iterator<Item = Cells> {
        let from_each_on = (0..self.by.len()).filter_map(|first| self.by.get(first..));
        from_each_on.map(|by| by.iter().copied().fold(Cells::NEWS, Cells::union))
    }

    /// All cells that may be overwritten; none if nothing interrupts.
    #[must_use]
    pub fn all(&self) -> Cells {
        self.overwritten().next().unwrap_or(Cells::NONE)
    }

    /// The interruption for a program in fewer registers, with these left free for values that the others would
    /// overwrite.
    pub(crate) fn with_room(&self, room: &[Reg]) -> Self {
        Self { room: room.iter().copied().collect(), ..self.clone() }
    }

    /// Registers that the program does not use, to which values that the others would overwrite can be moved.
    pub(crate) fn room(&self) -> Registers {
        self.room
    }
}
