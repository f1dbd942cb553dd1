//! Instructions by name, for tables written in Rust.
//!
//! The functions are `const`, so a table of instructions is checked when it is compiled: an operand that the chip
//! cannot take is a compile error. At run time, use [`Macro::new`](crate::Macro::new) and [`Word::new`], which return
//! the reason instead.
//!
//! ```
//! use cain_isa::asm::*;
//! use cain_isa::Instruction;
//!
//! const HALF_SUM: [Instruction; 2] = [div(B, C, A), subx(A, B, EAST, C)];
//! assert_eq!(HALF_SUM[1].to_string(), "subx(A,B,east,C);");
//! ```
//!
//! ```compile_fail
//! # use cain_isa::asm::*;
//! const IN_PLACE: cain_isa::Instruction = divq(B, B);
//! ```

pub mod digital;

use crate::{Bus, Cell, Cells, Direction, Fraction, Instruction, Kept, Reg, Registers, Square, Sum, SwitchPoint, Word};

pub use crate::definition::{analogue::*, arithmetic::*};
pub use crate::register_names::*;

/// The neighbour above.
pub const NORTH: Direction = Direction::North;
/// The neighbour to the right.
pub const EAST: Direction = Direction::East;
/// The neighbour below.
pub const SOUTH: Direction = Direction::South;
/// The neighbour to the left.
pub const WEST: Direction = Direction::West;
/// The PE's own NEWS, as a cell of words.
pub const NEWS: Cell = Cell::News;
/// The NEWS of the neighbour above, as a cell of words.
pub const XN: Cell = Cell::Port(NORTH);
/// The NEWS of the neighbour to the right, as a cell of words.
pub const XE: Cell = Cell::Port(EAST);
/// The NEWS of the neighbour below, as a cell of words.
pub const XS: Cell = Cell::Port(SOUTH);
/// The NEWS of the neighbour to the left, as a cell of words.
pub const XW: Cell = Cell::Port(WEST);
/// The photo-sensor, as a cell of words.
pub const PIX: Cell = Cell::Pix;
/// The level from the controller, as a cell of words.
pub const IN: Cell = Cell::In;

/// A native control word: `bus(&[NEWS], &[reg(A), reg(B)])`.
///
/// # Panics
///
/// If the cells break a rule of the bus; in a constant that is a compile error.
#[must_use]
#[track_caller]
pub const fn bus(destinations: &[Cell], sources: &[Cell]) -> Instruction {
    match Word::new(destinations, sources) {
        Ok(word) => Instruction::Word(word),
        Err(_) => panic!("these cells break a rule of the bus"),
    }
}

/// Sets a register to minus NEWS.
#[must_use]
pub const fn from_news(reg: Reg) -> Instruction {
    Instruction::Word(Word::Bus(Bus::assemble(&[Cell::Reg(reg)], &[NEWS])))
}

/// Sets a cell to minus the average of the NEWS of these neighbours: `mean(reg(A), &[EAST, WEST])`.
///
/// # Panics
///
/// If the destination is NEWS or a direction is named twice; in a constant, that is a compile error.
#[must_use]
#[track_caller]
pub const fn mean(destination: Cell, ports: &[Direction]) -> Instruction {
    match Bus::mean(destination, ports) {
        Ok(bus) => Instruction::Word(Word::Bus(bus)),
        Err(_) => panic!("these cells break a rule of the bus"),
    }
}

/// Sets NEWS to the square of the sum of one or two cells.
///
/// # Panics
///
/// If the cells break a rule of the bus; in a constant, that is a compile error.
#[must_use]
#[track_caller]
pub const fn sq(cells: &[Cell]) -> Instruction {
    match Square::new(cells) {
        Ok(square) => Instruction::Word(Word::Square(square)),
        Err(_) => panic!("these cells break a rule of the bus"),
    }
}

/// Sets FLAG to 1 where the sum of the cells is positive, and to 0 elsewhere: `where_positive(&[reg(A), reg(B)])`.
///
/// # Panics
///
/// If one bus cannot form the sum; in a constant, that is a compile error.
#[must_use]
#[track_caller]
pub const fn where_positive(cells: &[Cell]) -> Instruction {
    match Sum::new(cells) {
        Ok(sum) => Instruction::Word(Word::Where(sum)),
        Err(_) => panic!("these cells break a rule of the bus"),
    }
}

/// Sets FLAG to 1 in every PE.
#[must_use]
pub const fn all() -> Instruction {
    Instruction::Word(Word::All)
}

/// A register as a cell of a word.
#[must_use]
pub const fn reg(reg: Reg) -> Cell {
    Cell::Reg(reg)
}

/// An exact fraction.
///
/// # Panics
///
/// If the denominator is zero; in a constant that is a compile error.
#[must_use]
#[track_caller]
pub const fn ratio(numerator: i64, denominator: i64) -> Fraction {
    match Fraction::new(numerator, denominator) {
        Some(fraction) => fraction,
        None => panic!("the denominator is zero"),
    }
}

/// The cells that programs on these registers overwrite: the registers, and NEWS.
#[must_use]
pub const fn overwritten(registers: &[Reg]) -> Cells {
    Cells::registers(Registers::of(registers)).union(Cells::NEWS)
}

/// A point after `at` instructions where a program may be left, to continue with instruction `resume`, at a cost of
/// `extra` control words.
#[must_use]
pub const fn point(at: u32, resume: u32, extra: u32, kept: &[Kept]) -> SwitchPoint<'_> {
    SwitchPoint { at, resume, kept, bits: &[], levels: &[], sets_flag: false, extra }
}

/// A value of register `home` that is kept in another register.
#[must_use]
pub const fn kept(home: Reg, register: Reg) -> Kept {
    Kept { home: Some(home), register }
}

/// The value of NEWS, kept in a register.
#[must_use]
pub const fn kept_news(register: Reg) -> Kept {
    Kept { home: None, register }
}
