//! Digital instructions by name; all their operands are bits.
//!
//! ```
//! use cain_isa::Instruction;
//! use cain_isa::asm::digital::*;
//!
//! const BORDER: [Instruction; 2] = [not_in_place(R6), and(R5, R6, FLAG)];
//! assert_eq!(BORDER[1].to_string(), "AND(R5,R6,FLAG);");
//! ```
//!
//! ```compile_fail
//! # use cain_isa::asm::digital::*;
//! const SCRATCH: cain_isa::Instruction = and(R5, R0, R6);
//! ```

use crate::{Bit, Bits, Direction, Directions, Dreg, FromNeighbours, Instruction, Logic, Operation, Word};

pub use crate::definition::digital::*;

macro_rules! registers {
    ($($name:ident = $number:literal),* $(,)?) => {$(
        #[doc = concat!("Digital register ", stringify!($name), ".")]
        pub const $name: Bit = Bit::Reg(Dreg::ALL[$number]);
    )*};
}

registers! {
    R0 = 0, R1 = 1, R2 = 2, R3 = 3, R4 = 4, R5 = 5, R6 = 6, R7 = 7, R8 = 8, R9 = 9, R10 = 10, R11 = 11, R12 = 12,
}

/// Whether analogue cells of the PE are written.
pub const FLAG: Bit = Bit::Flag;
/// Whether the controller's row and column selectors address the PE.
pub const SELECT: Bit = Bit::Select;
/// Whether the PE lies in the controller's rectangle.
pub const RECT: Bit = Bit::Rect;

/// The set of these directions, as an operand of `DNEWS`.
#[must_use]
pub const fn directions(directions: &[Direction]) -> Directions {
    Directions::new(directions)
}

/// Sets the targets to 1: one to four digital registers.
///
/// # Panics
///
/// If there are more targets or they are not registers; in a constant, that is a compile error.
#[must_use]
#[track_caller]
pub const fn set(targets: &[Bit]) -> Instruction {
    logic(Operation::Set, targets, &[])
}

/// Sets the targets to 0: one to four digital registers.
///
/// # Panics
///
/// If there are more targets or they are not registers; in a constant, that is a compile error.
#[must_use]
#[track_caller]
pub const fn clr(targets: &[Bit]) -> Instruction {
    logic(Operation::Clr, targets, &[])
}

/// Sets the target to the OR of one to four sources.
///
/// # Panics
///
/// If the target is among the sources or is not a register; in a constant, that is a compile error.
#[must_use]
#[track_caller]
pub const fn or(target: Bit, sources: &[Bit]) -> Instruction {
    logic(Operation::Or, &[target], sources)
}

/// Sets the target to 1 where all of one to four sources are 0, and to 0 elsewhere.
///
/// # Panics
///
/// If the target is among the sources or is not a register; in a constant, that is a compile error.
#[must_use]
#[track_caller]
pub const fn nor(target: Bit, sources: &[Bit]) -> Instruction {
    logic(Operation::Nor, &[target], sources)
}

/// Sets FLAG to the OR of one to three bits.
///
/// # Panics
///
/// If there are more bits; in a constant, that is a compile error.
#[must_use]
#[track_caller]
pub const fn where_bits(bits: &[Bit]) -> Instruction {
    match Bits::new(bits) {
        Ok(bits) => Instruction::Word(Word::WhereBits(bits)),
        Err(_) => panic!("`WHERE` takes one to three bits"),
    }
}

/// Sets the target to the OR of a bit of those neighbours that `R1` to `R4` enable.
///
/// # Panics
///
/// If the target is the source or one of `R1` to `R4`; in a constant, that is a compile error.
#[must_use]
#[track_caller]
pub const fn from_neighbours(target: Bit, source: Bit, outside: bool) -> Instruction {
    match FromNeighbours::new(register(target), source, outside) {
        Ok(word) => Instruction::Word(Word::FromNeighbours(word)),
        Err(_) => panic!("the word reads the register that it writes"),
    }
}

#[track_caller]
const fn logic(operation: Operation, targets: &[Bit], sources: &[Bit]) -> Instruction {
    let mut registers = [Dreg::ALL[0]; Logic::MAX_OPERANDS];
    assert!(targets.len() <= Logic::MAX_OPERANDS, "a digital word has at most four targets");
    let mut i = 0;
    while i < targets.len() {
        registers[i] = register(targets[i]);
        i += 1;
    }
    match Logic::new(operation, registers.split_at(targets.len()).0, sources) {
        Ok(word) => Instruction::Word(Word::Logic(word)),
        Err(_) => panic!("the chip has no digital word with these operands"),
    }
}

#[track_caller]
const fn register(bit: Bit) -> Dreg {
    match bit {
        Bit::Reg(register) => register,
        _ => panic!("`FLAG`, `SELECT` and `RECT` cannot be written"),
    }
}
