//! Takes images from the photo-sensors, by a program of words.

use super::IoError;
use super::gain::MAX_GAIN;
use super::instructions::{macro_instruction, transfer};
use crate::HostController;
use crate::isa::{Cell, Instruction, Op, Reg, Word};

/// The instructions that take an image: for light L, amplified by 2^(gain − 1), `full` becomes 2L − 127 and `half` becomes L.
pub(super) struct Capture {
    read: Instruction,
    subtract: Word,
    copy: Instruction,
    double: Instruction,
    add: Word,
    invert: Word,
    gain: u8,
}

impl Capture {
    pub(super) fn of(full: Reg, half: Reg, gain: u8) -> Result<Self, IoError> {
        if !(1..=MAX_GAIN).contains(&gain) {
            return Err(IoError::Gain(gain));
        }
        Ok(Self {
            read: macro_instruction(Op::GetImageFull, &[full.into(), half.into()])?,
            subtract: transfer(half.into(), &[Cell::News, Cell::Pix])?,
            // A bus cannot add a register to itself.
            copy: macro_instruction(Op::Mov, &[full.into(), half.into()])?,
            double: macro_instruction(Op::Add, &[half.into(), half.into(), full.into()])?,
            // The photo-sensors have just been reset, so they hold −127 DN, the lower end of the full range.
            add: transfer(Cell::News, &[full.into(), half.into(), Cell::Pix])?,
            invert: transfer(full.into(), &[Cell::News])?,
            gain,
        })
    }

    /// Takes the image when the frame has come.
    pub(super) fn read<C: HostController + ?Sized>(self, array: &mut C) -> Result<(), C::Error> {
        array.execute(self.read)?;
        array.issue(self.subtract)?;
        if self.gain == 1 {
            return Ok(());
        }
        for _ in 1..self.gain {
            array.execute(self.copy)?;
            array.execute(self.double)?;
        }
        array.execute(self.copy)?;
        array.issue(self.add)?;
        array.issue(self.invert)
    }
}
