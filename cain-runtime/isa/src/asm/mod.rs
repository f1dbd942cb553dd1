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

pub mod digital;

use crate::{Bus, Cell, Direction, Fraction, Instruction, Macro, Op, Operand, Reg, Square, Sum, Word};

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
/// The photo-sensor, in words.
pub const PIX: Cell = Cell::Pix;
/// The level from the controller, in words.
pub const IN: Cell = Cell::In;

/// One constructor per macro instruction; operands in the order of the listing.
macro_rules! instructions {
    ($($name:ident = $op:ident($($arg:ident: $kind:ident),*);)*) => {
        /// The names of these functions.
        pub(crate) const NAMES: &[(Op, &str)] = &[$((Op::$op, stringify!($name))),*];
    $(
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
use instructions;

/// How often an instruction is repeated.
type Times = u8;

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
    res2 = Res2(a: Reg, b: Reg);
    mov_from = MovFrom(y: Reg, x: Reg, d: Direction);
    sub_from = SubFrom(y: Reg, x0: Reg, d: Direction, x1: Reg);
    abs = Abs(y: Reg, x: Reg);
    respix = Respix();
    respix_read = RespixRead(y: Reg);
    get_image = GetImage(y: Reg);
    get_image_full = GetImageFull(y: Reg, h: Reg);
    getpix = Getpix(y: Reg, p: Reg);
    getpix_full = GetpixFull(y: Reg, h: Reg, p: Reg);
    newsblur = Newsblur(y: Reg, x: Reg);
    newsblurh = Newsblurh(y: Reg, x: Reg);
    newsblurv = Newsblurv(y: Reg, x: Reg);
    newsblur_times = NewsblurTimes(y: Reg, x: Reg, n: Times);
    newsblurh_times = NewsblurhTimes(y: Reg, x: Reg, n: Times);
    newsblurv_times = NewsblurvTimes(y: Reg, x: Reg, n: Times);
    gauss = Gauss(y: Reg, x: Reg);
    gaussh = Gaussh(y: Reg, x: Reg);
    gaussv = Gaussv(y: Reg, x: Reg);
    gauss_times = GaussTimes(y: Reg, x: Reg, n: Times);
    gaussh_times = GausshTimes(y: Reg, x: Reg, n: Times);
    gaussv_times = GaussvTimes(y: Reg, x: Reg, n: Times);
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

/// A cell becomes minus the average of the NEWS of these neighbours: `mean(reg(A), &[EAST, WEST])`.
///
/// # Panics
///
/// If the destination is NEWS or a direction is named twice; in a constant that is a compile error.
#[must_use]
#[track_caller]
pub const fn mean(destination: Cell, ports: &[Direction]) -> Instruction {
    match Bus::mean(destination, ports) {
        Ok(bus) => Instruction::Word(Word::Bus(bus)),
        Err(_) => panic!("these cells break a rule of the bus"),
    }
}

/// NEWS becomes the square of the sum of one or two cells.
///
/// # Panics
///
/// If the cells break a rule of the bus; in a constant that is a compile error.
#[must_use]
#[track_caller]
pub const fn sq(cells: &[Cell]) -> Instruction {
    match Square::new(cells) {
        Ok(square) => Instruction::Word(Word::Square(square)),
        Err(_) => panic!("these cells break a rule of the bus"),
    }
}

/// FLAG becomes 1 where the sum of the cells is positive, and 0 elsewhere: `where_positive(&[reg(A), reg(B)])`.
///
/// # Panics
///
/// If one bus cannot form the sum; in a constant that is a compile error.
#[must_use]
#[track_caller]
pub const fn where_positive(cells: &[Cell]) -> Instruction {
    match Sum::new(cells) {
        Ok(sum) => Instruction::Word(Word::Where(sum)),
        Err(_) => panic!("these cells break a rule of the bus"),
    }
}

/// FLAG becomes 1 in every PE.
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
