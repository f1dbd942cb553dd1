//! Takes images from the photo-sensors, by a program of words.

use super::IoError;
use super::gain::MAX_GAIN;
use crate::HostController;
use crate::isa::asm::{A, B, NEWS, PIX, add, bus, mov, reg, respix};
use crate::isa::{Instruction, Reg, Renaming, WordError};

/// For light L, `A` becomes 2L − 127 and `B` becomes L. In between, `A` is the error of a transfer, without which `get_image(A,B)`
/// leaves one in what it reads.
const READ: [Instruction; 6] = [
    bus(&[reg(A)], &[]),
    bus(&[NEWS], &[PIX]),
    bus(&[reg(B)], &[PIX, reg(A)]),
    respix(),
    bus(&[reg(A)], &[reg(B), NEWS, PIX]),
    bus(&[reg(B)], &[NEWS, PIX]),
];
/// Doubles the light in `B`. A bus cannot add a register to itself.
const DOUBLE: [Instruction; 2] = [mov(A, B), add(B, B, A)];
/// For amplified light L in `B`, `A` becomes 2L − 127. The photo-sensors have just been reset, so they hold −127 DN, the lower
/// end of the full range.
const FULL: [Instruction; 3] = [mov(A, B), bus(&[NEWS], &[reg(A), reg(B), PIX]), bus(&[reg(A)], &[NEWS])];

/// A program that takes an image: for light L, amplified by 2^(gain − 1), the first register becomes 2L − 127 and the second L.
pub(super) struct Capture<'r> {
    renaming: Renaming<'r>,
    gain: u8,
}

impl<'r> Capture<'r> {
    pub(super) fn of(registers: &'r [Reg; 2], gain: u8) -> Result<Self, IoError> {
        if !(1..=MAX_GAIN).contains(&gain) {
            return Err(IoError::Gain(gain));
        }
        let same = IoError::Word(WordError::Repeated(registers[0]));
        Ok(Self { renaming: Renaming::new(&[A, B], registers).ok_or(same)?, gain })
    }

    /// Takes the image when the frame has come.
    pub(super) fn read<C: HostController + ?Sized>(&self, array: &mut C) -> Result<(), C::Error> {
        let mut carry_out = |listing: &[Instruction]| {
            listing.iter().try_for_each(|instruction| array.execute(instruction.renamed(self.renaming)))
        };
        carry_out(&READ)?;
        if self.gain > 1 {
            (1..self.gain).try_for_each(|_| carry_out(&DOUBLE))?;
            carry_out(&FULL)?;
        }
        Ok(())
    }
}
