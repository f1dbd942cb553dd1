//! Carrying out neural cellular automata on arrays whose registers hold integers.
//!
//! What an automaton is, and how its programs are made, is in `cain_network::automaton`. Its [plan](AutomatonPlan) is carried out
//! here on any array that an [`IntegerIo`] controls; SCAMP-5 is none, the simulator's `IntegerArray` is one.

use crate::HostController;
use crate::io::IoError;
use crate::isa::automaton::AutomatonPlan;
use crate::isa::program::{Format, Step};
use crate::isa::random::SplitMix64;
use crate::isa::{Dreg, Instruction, Reg};

/// The controller of an array whose registers hold integers. Rows count from the north, columns from the west.
pub trait IntegerIo: HostController<Error: From<IoError>> {
    /// Carries out the instructions of a listing. It is the same one whenever it is at the same place, so that a controller
    /// need not read it again.
    fn execute_listing(&mut self, listing: &'static [Instruction]) -> Result<(), Self::Error> {
        listing.iter().try_for_each(|&instruction| self.execute(instruction))
    }

    /// Rounds and limits the numbers of a register in every PE.
    fn store(&mut self, reg: Reg, format: Format) -> Result<(), Self::Error>;

    /// Writes a register: the number for a row and a column.
    fn write(&mut self, reg: Reg, number: impl FnMut(usize, usize) -> i32) -> Result<(), Self::Error>;

    /// Writes a digital register: the bit for a row and a column.
    fn write_bits(&mut self, register: Dreg, bit: impl FnMut(usize, usize) -> bool) -> Result<(), Self::Error>;

    /// Reads a digital register: `see` gets row, column and bit of every PE.
    fn read_bits(&mut self, register: Dreg, see: impl FnMut(usize, usize, bool)) -> Result<(), Self::Error>;
}

/// Shows a picture to cells whose states are 0, and draws their random bits and rules with a seed.
///
/// A picture has a byte for each pixel, row by row; pixels that are missing are black.
pub fn begin<A: IntegerIo>(array: &mut A, plan: &AutomatonPlan, picture: &[u8], seed: u64) -> Result<(), A::Error> {
    for &reg in plan.state.iter().skip(1) {
        array.write(reg, |_, _| 0)?;
    }
    let mut drawn = SplitMix64::new(seed);
    let (height, width) = plan.size;
    for register in [plan.bits.noise, plan.bits.rule] {
        let draw = |row, column| row < height && column < width && drawn.next_bit();
        array.write_bits(register, draw)?;
    }
    show(array, plan, picture)
}

/// Shows another picture. Cells that live in both keep their state, and that of all others becomes 0.
pub fn show<A: IntegerIo>(array: &mut A, plan: &AutomatonPlan, picture: &[u8]) -> Result<(), A::Error> {
    let pixel = |row, column| pixel(plan, picture, row, column);
    if let Some(&grey) = plan.state.first() {
        array.write(grey, |row, column| i32::from(pixel(row, column).unwrap_or(0)) << plan.guard)?;
    }
    array.write_bits(plan.bits.alive, |row, column| pixel(row, column).is_some_and(|grey| grey >= plan.alive))?;
    array.execute_listing(plan.clear)
}

/// A pixel of a picture, if the PE is in it.
fn pixel(plan: &AutomatonPlan, picture: &[u8], row: usize, column: usize) -> Option<u8> {
    let (height, width) = plan.size;
    (row < height && column < width).then(|| picture.get(row * width + column).copied().unwrap_or(0))
}

/// Carries out a step of all cells.
///
/// # Errors
///
/// [`IoError::Step`] if the step of the automaton has steps that arrays of integers do not have, and those of the array.
pub fn step<A: IntegerIo>(array: &mut A, plan: &AutomatonPlan) -> Result<(), A::Error> {
    plan.step.steps().try_for_each(|step| match step {
        Step::Execute(listing) => array.execute_listing(listing),
        Step::Store(reg, format) => array.store(*reg, *format),
        _ => Err(IoError::Step(step.kind()).into()),
    })
}

/// Finds the classes of all cells that live, and writes them row by row, as many as there is room for; nothing where a cell
/// does not live.
pub fn classes<A: IntegerIo>(array: &mut A, plan: &AutomatonPlan, cells: &mut [Option<u16>]) -> Result<(), A::Error> {
    cells.fill(None);
    let width = plan.size.1;
    for (class, listing) in (0..).zip(plan.classes) {
        array.execute_listing(listing)?;
        array.read_bits(plan.bits.class, |row, column, is_it| {
            let cell = (is_it && column < width).then(|| cells.get_mut(row * width + column)).flatten();
            if let Some(cell) = cell {
                *cell = Some(class);
            }
        })?;
    }
    Ok(())
}
