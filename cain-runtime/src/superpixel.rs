//! Carrying out programs on super-pixels: numbers whose bits are spread over blocks of PEs.
//!
//! Generated functions call this. Their programs are [`SuperPixelPlan`]s; how they are made, and what they are proved for, is in
//! `cain_digital::superpixel`.

use crate::HostController;
use crate::io::{self, ArrayIo};
use crate::isa::superpixel::{Pattern, Step, SuperPixelPlan};

/// Does what has to be done once, before the first [`run`]: the registers that tell each PE where the next lower bit is are
/// written. SELECT is another one after that.
///
/// # Errors
///
/// [`IoError::BlockSize`](io::IoError::BlockSize) if the blocks do not divide the array, and those of the array.
pub fn prepare<A: ArrayIo + ?Sized>(array: &mut A, plan: &SuperPixelPlan) -> Result<(), A::Error> {
    array.size().blocks_of((plan.width.into(), plan.height.into()))?;
    carry_out(array, plan.setup)
}

/// Carries out a program with its conversions.
pub fn run<A: ArrayIo>(array: &mut A, plan: &SuperPixelPlan) -> Result<(), A::Error> {
    carry_out(array, plan.before)?;
    HostController::run(array, &plan.program)?;
    carry_out(array, plan.after)
}

/// Carries out steps.
///
/// ```
/// # #[cfg(feature = "sim")]
/// # fn main() -> Result<(), cain_runtime::sim::SimError> {
/// use cain_runtime::isa::superpixel::{Pattern, Step};
/// use cain_runtime::isa::{Bit, Dreg, asm::digital::*};
/// use cain_runtime::sim::Array;
/// use cain_runtime::superpixel::carry_out;
///
/// // In blocks of 2×1 PEs, the eastern one.
/// let east = Pattern { row: 0, column: 0, free_row_bits: 255, free_column_bits: 254 };
/// let mut array = Array::new(4, 1);
/// carry_out(&mut array, &[Step::Select(east), Step::Instruction(or(R5, &[SELECT]))])?;
/// assert_eq!(array.read_bits(R5)?, [false, true, false, true]);
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "sim"))]
/// # fn main() {}
/// ```
pub fn carry_out<A: ArrayIo + ?Sized>(array: &mut A, steps: &[Step]) -> Result<(), A::Error> {
    steps.iter().try_for_each(|step| match *step {
        Step::Select(pattern) => array.select_pattern(pattern.into()),
        Step::Level(level) => array.set_level(level),
        Step::Instruction(instruction) => array.execute(instruction),
    })
}

impl From<Pattern> for io::Pattern {
    /// The same PEs, in all blocks of arrays that are larger than SCAMP-5 as well.
    fn from(pattern: Pattern) -> Self {
        const BEYOND: u16 = !(u8::MAX as u16);
        Self {
            row: pattern.row.into(),
            column: pattern.column.into(),
            free_row_bits: BEYOND | u16::from(pattern.free_row_bits),
            free_column_bits: BEYOND | u16::from(pattern.free_column_bits),
        }
    }
}
