//! Images from the photo-sensors, as a program of words.

use super::{ArrayIo, IoError, MAX_GAIN, macro_instruction, transfer};
use crate::isa::{Cell, Op, Reg};

/// Takes an image: `full` becomes 2L − 127 and `half` becomes L for light L that counts 2^(gain − 1) times.
pub(super) fn with_gain<A: ArrayIo + ?Sized>(array: &mut A, full: Reg, half: Reg, gain: u8) -> Result<(), A::Error> {
    if !(1..=MAX_GAIN).contains(&gain) {
        return Err(IoError::Gain(gain).into());
    }
    let read = macro_instruction(Op::GetImageFull, &[full.into(), half.into()])?;
    let subtract = transfer(half.into(), &[Cell::News, Cell::Pix])?;
    // One bus cannot add a register to itself.
    let copy = macro_instruction(Op::Mov, &[full.into(), half.into()])?;
    let double = macro_instruction(Op::Add, &[half.into(), half.into(), full.into()])?;
    // The photo-sensors have been reset just now, so that they hold the −127 DN which the full range begins with.
    let add = transfer(Cell::News, &[full.into(), half.into(), Cell::Pix])?;
    let invert = transfer(full.into(), &[Cell::News])?;

    array.wait_for_frame()?;
    array.execute(read)?;
    array.issue(subtract)?;
    if gain == 1 {
        return Ok(());
    }
    for _ in 1..gain {
        array.execute(copy)?;
        array.execute(double)?;
    }
    array.execute(copy)?;
    array.issue(add)?;
    array.issue(invert)
}
