//! Functions that move planes, as programs of words.

use core::iter;

use super::IoError;
use super::instructions::{logic, macro_instruction};
use crate::HostController;
use crate::isa::{Axes, Bit, Direction, Dreg, FromNeighbours, Logic, Op, Operand, Operation, Reg, Word};

/// Options of [`ArrayIo::flood`](super::ArrayIo::flood): how bits spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flood {
    /// The bit that comes in from outside the array.
    pub outside: bool,
    /// The number of `PROP` instructions; on the chip, each of them carries a bit only a limited distance.
    pub repeats: u8,
    /// Whether each PE takes a 1 only from the directions that its `R1` to `R4` permit, instead of from all four sides.
    pub keep_directions: bool,
}

impl Default for Flood {
    /// The vendor's choice: nothing comes in from outside, five repeats, all four sides.
    fn default() -> Self {
        Self { outside: false, repeats: 5, keep_directions: false }
    }
}

/// The neighbours to read from, one after the other, so that the content of a plane moves as wanted.
fn sides(east: i16, north: i16) -> impl Iterator<Item = Direction> {
    let horizontal = if east > 0 { Direction::West } else { Direction::East };
    let vertical = if north > 0 { Direction::South } else { Direction::North };
    let steps = |side, count: i16| iter::repeat_n(side, count.unsigned_abs().into());
    steps(horizontal, east).chain(steps(vertical, north))
}

pub(super) fn shift<A: HostController<Error: From<IoError>> + ?Sized>(
    array: &mut A,
    reg: Reg,
    east: i16,
    north: i16,
) -> Result<(), A::Error> {
    let mut sides = sides(east, north);
    while let Some(first) = sides.next() {
        let step = match sides.next() {
            Some(second) => macro_instruction(Op::Mov2x, &[reg.into(), reg.into(), first.into(), second.into()])?,
            None => macro_instruction(Op::Movx, &[reg.into(), reg.into(), first.into()])?,
        };
        array.execute(step)?;
    }
    Ok(())
}

pub(super) fn diffuse<A: HostController<Error: From<IoError>> + ?Sized>(
    array: &mut A,
    reg: Reg,
    times: u8,
    axes: Axes,
) -> Result<(), A::Error> {
    if times == 0 {
        return Ok(());
    }
    let op = match axes {
        Axes::Both => Op::GaussTimes,
        Axes::Horizontal => Op::GausshTimes,
        Axes::Vertical => Op::GaussvTimes,
    };
    array.execute(macro_instruction(op, &[reg.into(), reg.into(), Operand::Times(times)])?)
}

pub(super) fn shift_bits<A: HostController<Error: From<IoError>> + ?Sized>(
    array: &mut A,
    register: Dreg,
    east: i16,
    north: i16,
    outside: bool,
) -> Result<(), A::Error> {
    is_free(register)?;
    let there = from_neighbours(SCRATCH, register, outside)?;
    let back = from_neighbours(register, SCRATCH, outside)?;
    let copy_back = logic(Operation::Or, register, SCRATCH.into())?;
    let refresh = macro_instruction(Op::Refresh, &[Bit::Reg(register).into()])?;

    let mut sides = sides(east, north);
    let mut open = None;
    while let Some(first) = sides.next() {
        open_only(array, &mut open, first)?;
        array.issue(there)?;
        let Some(second) = sides.next() else { return array.issue(copy_back) };
        open_only(array, &mut open, second)?;
        array.issue(back)?;
        array.execute(refresh)?;
    }
    Ok(())
}

pub(super) fn flood<A: HostController<Error: From<IoError>> + ?Sized>(
    array: &mut A,
    register: Dreg,
    mask: Bit,
    flood: Flood,
) -> Result<(), A::Error> {
    is_free(register)?;
    if let Bit::Reg(mask) = mask
        && (mask == SCRATCH || mask == MOVING)
    {
        return Err(IoError::Reserved(mask).into());
    }
    // `R12` is written only where `R0` is 1, so `R0` receives the mask afterwards.
    let start = [
        fill(Operation::Set, &[SCRATCH])?,
        logic(Operation::Or, MOVING, register.into())?,
        logic(Operation::Or, SCRATCH, mask)?,
    ];
    let step = macro_instruction(if flood.outside { Op::Prop1 } else { Op::Prop0 }, &[])?;
    let finish = logic(Operation::Or, register, MOVING.into())?;

    start.into_iter().try_for_each(|word| array.issue(word))?;
    if !flood.keep_directions {
        array.issue(fill(Operation::Set, &Direction::ALL.map(Direction::switch))?)?;
    }
    for _ in 0..flood.repeats {
        array.execute(step)?;
    }
    array.issue(finish)
}

/// `R0`, the scratch register of these functions and the mask of `PROP`.
const SCRATCH: Dreg = Dreg::ALL[0];
/// `R12`, the register that propagates.
const MOVING: Dreg = Dreg::ALL[Dreg::COUNT - 1];

/// Checks that the function does not need the register itself.
fn is_free(register: Dreg) -> Result<(), IoError> {
    let switch = Direction::ALL.into_iter().any(|side| side.switch() == register);
    if switch || register == SCRATCH || register == MOVING { Err(IoError::Reserved(register)) } else { Ok(()) }
}

/// Switches on reading from this side and switches it off from all others, unless that is already so.
fn open_only<A: HostController<Error: From<IoError>> + ?Sized>(
    array: &mut A,
    open: &mut Option<Direction>,
    side: Direction,
) -> Result<(), A::Error> {
    if *open == Some(side) {
        return Ok(());
    }
    let words =
        [fill(Operation::Clr, &Direction::ALL.map(Direction::switch))?, fill(Operation::Set, &[side.switch()])?];
    words.into_iter().try_for_each(|word| array.issue(word))?;
    *open = Some(side);
    Ok(())
}

fn from_neighbours(to: Dreg, from: Dreg, outside: bool) -> Result<Word, IoError> {
    Ok(Word::FromNeighbours(FromNeighbours::new(to, from.into(), outside)?))
}

fn fill(operation: Operation, registers: &[Dreg]) -> Result<Word, IoError> {
    Ok(Logic::new(operation, registers, &[])?.into())
}
