//! Takes images from the photo-sensors, by a program of words.

use super::{ArrayIo, IoError, MAX_GAIN, macro_instruction, transfer};
use crate::isa::{Cell, Op, Reg};

/// Takes an image: for light L, amplified by 2^(gain − 1), `full` becomes 2L − 127 and `half` becomes L.
pub(super) fn with_gain<A: ArrayIo + ?Sized>(array: &mut A, full: Reg, half: Reg, gain: u8) -> Result<(), A::Error> {
    if !(1..=MAX_GAIN).contains(&gain) {
        return Err(IoError::Gain(gain).into());
    }
    let read = macro_instruction(Op::GetImageFull, &[full.into(), half.into()])?;
    let subtract = transfer(half.into(), &[Cell::News, Cell::Pix])?;
    // A bus cannot add a register to itself.
    let copy = macro_instruction(Op::Mov, &[full.into(), half.into()])?;
    let double = macro_instruction(Op::Add, &[half.into(), half.into(), full.into()])?;
    // The photo-sensors have just been reset, so they hold −127 DN, the lower end of the full range.
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
