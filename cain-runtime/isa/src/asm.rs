//! Instructions by name, for tables written in Rust.
//!
//! The functions are `const`, so that a table of them is checked while it is compiled: an operand that the
//! chip cannot take is a compile error. At run time use [`Macro::new`] and [`Word::new`],
//! which return the reason instead.
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

use crate::{Cell, Direction, Fraction, Instruction, Macro, Op, Operand, Reg, Word};

pub use crate::register_names::*;

/// The neighbour above.
pub const NORTH: Direction = Direction::North;
/// The neighbour to the right.
pub const EAST: Direction = Direction::East;
/// The neighbour below.
pub const SOUTH: Direction = Direction::South;
/// The neighbour to the left.
pub const WEST: Direction = Direction::West;
/// The PE's own NEWS, in words.
pub const NEWS: Cell = Cell::News;
/// NEWS of the neighbour above, in words.
pub const XN: Cell = Cell::Port(NORTH);
/// NEWS of the neighbour to the right, in words.
pub const XE: Cell = Cell::Port(EAST);
/// NEWS of the neighbour below, in words.
pub const XS: Cell = Cell::Port(SOUTH);
/// NEWS of the neighbour to the left, in words.
pub const XW: Cell = Cell::Port(WEST);

/// One constructor per macro instruction; operands in the order of the listing.
macro_rules! instructions {
    ($($name:ident = $op:ident($($arg:ident: $kind:ident),*);)*) => {$(
        #[doc = concat!("The macro instruction [`Op::", stringify!($op), "`].")]
        ///
        /// # Panics
        ///
        /// If the chip cannot take these operands; in a constant that is a compile error.
        #[must_use]
        #[track_caller]
        pub const fn $name($($arg: $kind),*) -> Instruction {
            match Macro::new(Op::$op, &[$(Operand::$kind($arg)),*]) {
                Ok(instruction) => Instruction::Macro(instruction),
                Err(_) => panic!("the chip cannot run this instruction with these operands"),
            }
        }
    )*};
}

instructions! {
    res = Res(y: Reg);
    mov = Mov(y: Reg, x: Reg);
    add = Add(y: Reg, x0: Reg, x1: Reg);
    add3 = Add3(y: Reg, x0: Reg, x1: Reg, x2: Reg);
    sub = Sub(y: Reg, x0: Reg, x1: Reg);
    neg = Neg(y: Reg, x: Reg);
    divq = Divq(y: Reg, x: Reg);
    div = Div(y0: Reg, y1: Reg, y2: Reg);
    div_copy = DivCopy(y0: Reg, y1: Reg, y2: Reg, x: Reg);
    diva = Diva(y0: Reg, y1: Reg, y2: Reg);
    movx = Movx(y: Reg, x: Reg, d: Direction);
    mov2x = Mov2x(y: Reg, x: Reg, d: Direction, e: Direction);
    addx = Addx(y: Reg, x0: Reg, x1: Reg, d: Direction);
    add2x = Add2x(y: Reg, x0: Reg, x1: Reg, d: Direction, e: Direction);
    subx = Subx(y: Reg, x0: Reg, d: Direction, x1: Reg);
    sub2x = Sub2x(y: Reg, x0: Reg, d: Direction, e: Direction, x1: Reg);
}

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
