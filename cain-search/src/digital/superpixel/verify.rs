//! The verifier of programs on super-pixels.

use core::fmt;

use cain_isa::{Bit, Dreg, Instruction};

use super::declaration::{Declaration, DeclarationError};
use super::program::{Program, Step};
use super::replay::Blocks;
use crate::digital::prove::{Bdd, Function, ReplayError, TooLarge, Variable, bit_of_sum};

/// A program that was proved to compute its declaration: for all inputs, in all blocks of arrays of any size.
///
/// Only [`verify`] makes one. It takes a propagation to go as far as it can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    declaration: Declaration,
    program: Program,
}

impl Proved {
    /// What it computes.
    #[must_use]
    pub const fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// The program.
    #[must_use]
    pub const fn program(&self) -> &Program {
        &self.program
    }
}

/// Replays a program on all inputs at once and decides whether it is right for a declaration: outputs hold their kernels, with
/// what lies outside of the array as 0; inputs that are kept and reserved registers are as they were, and FLAG is 1 at the end.
///
/// The program may come from anywhere.
pub fn verify(declaration: &Declaration, program: &Program) -> Result<Proved, VerifyError> {
    declaration.check().map_err(VerifyError::Declaration)?;
    if program.inputs.len() != declaration.inputs.len() || program.outputs.len() != declaration.outputs.len() {
        return Err(VerifyError::Shape);
    }
    for registers in
        [[&program.inputs[..], &program.reserved].concat(), [&program.outputs[..], &program.reserved].concat()]
    {
        if let Some(twice) = (1..registers.len()).find(|&i| registers[..i].contains(&registers[i])) {
            return Err(VerifyError::Twice(registers[twice]));
        }
    }
    Replay::new(declaration, program)?.run()?;
    Ok(Proved { declaration: declaration.clone(), program: program.clone() })
}

struct Replay<'d> {
    declaration: &'d Declaration,
    program: &'d Program,
    bdd: Bdd,
    blocks: Blocks<'d>,
}

impl<'d> Replay<'d> {
    /// The state after the preparation, with the inputs given.
    fn new(declaration: &'d Declaration, program: &'d Program) -> Result<Self, VerifyError> {
        let layout = &declaration.layout;
        let mut replay = Self { declaration, program, bdd: Bdd::new(), blocks: Blocks::new(layout) };
        for (index, &step) in program.setup.iter().enumerate() {
            match step {
                Step::Select(pattern) => {
                    for place in layout.block() {
                        let is_selected = Function::constant(pattern.selects(layout, place));
                        replay.blocks.give(place, Bit::Select, is_selected);
                    }
                }
                Step::Instruction(instruction) => replay.execute(index, instruction)?,
            }
        }
        for input in 0..declaration.inputs.len() {
            for place in layout.block() {
                let function = replay.given(input, layout.index(place))?;
                replay.blocks.give(place, Bit::Reg(program.inputs[input]), function);
            }
        }
        Ok(replay)
    }

    fn execute(&mut self, index: usize, instruction: Instruction) -> Result<(), VerifyError> {
        let failed = |error| VerifyError::Step { index, instruction, error: Reason::of(error) };
        self.blocks.execute(&mut self.bdd, instruction).map_err(failed)
    }

    /// What the register of an input holds in a PE: a bit of the number, or anything.
    fn given(&mut self, input: usize, index: usize) -> Result<Function, VerifyError> {
        let places = self.declaration.layout.places(self.declaration.inputs[input].bank);
        let bit = places.iter().position(|place| self.declaration.layout.index(*place) == index);
        let number = bit.unwrap_or(places.len() + index);
        let bit = u32::try_from(number).unwrap_or(u32::MAX);
        Ok(self.bdd.variable(Variable { bit, y: 0, x: 0, input })?)
    }

    fn run(mut self) -> Result<(), VerifyError> {
        let layout = &self.declaration.layout;
        let reserved: Vec<(Dreg, Vec<Function>)> = self
            .program
            .reserved
            .iter()
            .map(|&register| {
                let held = layout.block().map(|place| self.blocks.read(place, Bit::Reg(register)));
                held.collect::<Option<_>>().map(|held| (register, held)).ok_or(VerifyError::Overwritten(register))
            })
            .collect::<Result<_, _>>()?;
        for (index, &instruction) in self.program.listing.iter().enumerate() {
            self.execute(index, instruction)?;
        }
        for output in 0..self.declaration.outputs.len() {
            self.check_output(output)?;
        }
        for (input, &register) in
            self.program.inputs.iter().enumerate().filter(|(i, _)| self.declaration.inputs[*i].keep)
        {
            for place in layout.block() {
                let given = self.given(input, layout.index(place))?;
                if self.blocks.read(place, Bit::Reg(register)) != Some(given) {
                    return Err(VerifyError::Overwritten(register));
                }
            }
        }
        for (register, before) in reserved {
            let is_kept = layout
                .block()
                .zip(before)
                .all(|(place, held)| self.blocks.read(place, Bit::Reg(register)) == Some(held));
            if !is_kept {
                return Err(VerifyError::Overwritten(register));
            }
        }
        if self.blocks.flag_is_one() { Ok(()) } else { Err(VerifyError::Flag) }
    }

    fn exclusive(&mut self, a: Function, b: Function) -> Result<Function, TooLarge> {
        let (only_a, only_b) = (self.bdd.and(a, b.not())?, self.bdd.and(a.not(), b)?);
        self.bdd.or(only_a, only_b)
    }

    fn check_output(&mut self, output: usize) -> Result<(), VerifyError> {
        let declared = &self.declaration.outputs[output];
        let register = self.program.outputs[output];
        let places = self.declaration.layout.places(declared.bank);
        let mut terms = Vec::new();
        for (input, at, weight) in declared.weights() {
            for bit in (0..).take(places.len()) {
                let variable = Variable { bit, y: i32::from(at.y), x: i32::from(at.x), input };
                // Modulo the width, the sign counts as any other bit.
                terms.push((variable, i128::from(weight) << bit));
            }
        }
        terms.sort_unstable();
        let halvings = declared.halvings() as usize;
        let mut wanted = Vec::new();
        let mut carry = Function::FALSE;
        for bit in 0..places.len() {
            let of_sum = u32::try_from((bit + halvings).min(places.len() - 1)).unwrap_or(u32::MAX);
            let of_sum = bit_of_sum(&mut self.bdd, &terms, of_sum)?;
            let of_bias = Function::constant(declared.bias >> bit.min(63) & 1 == 1);
            let half = self.exclusive(of_sum, of_bias)?;
            wanted.push(self.exclusive(half, carry)?);
            let (both, carried) = (self.bdd.and(of_sum, of_bias)?, self.bdd.and(half, carry)?);
            carry = self.bdd.or(both, carried)?;
        }
        if let (true, Some(&sign)) = (declared.relu, wanted.last()) {
            for bit in &mut wanted {
                *bit = self.bdd.and(*bit, sign.not())?;
            }
        }
        for ((bit, &place), wanted) in places.iter().enumerate().zip(wanted) {
            if self.blocks.read(place, Bit::Reg(register)) != Some(wanted) {
                return Err(VerifyError::Wrong { output, bit, register });
            }
        }
        Ok(())
    }
}

/// Why a program is not one for a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// The declaration makes no sense.
    Declaration(DeclarationError),
    /// There are not as many registers as numbers.
    Shape,
    /// Two numbers are said to be in one register.
    Twice(Dreg),
    /// A step cannot be followed.
    Step {
        /// Its place in the preparation or the listing, from 0.
        index: usize,
        /// The instruction.
        instruction: Instruction,
        /// Why.
        error: Reason,
    },
    /// The functions on the way are too large to be followed.
    TooLarge,
    /// A bit of an output is wrong.
    Wrong {
        /// The output.
        output: usize,
        /// The bit, from 0.
        bit: usize,
        /// The register.
        register: Dreg,
    },
    /// A register that must be kept is not.
    Overwritten(Dreg),
    /// FLAG is not 1 at the end.
    Flag,
}

/// Why a step cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It is none on bits.
    Unsupported,
    /// The functions are too large.
    TooLarge,
}

impl Reason {
    const fn of(error: ReplayError) -> Self {
        match error {
            ReplayError::TooLarge => Self::TooLarge,
            ReplayError::Unwritten(_) | ReplayError::Unsupported(_) | ReplayError::Border => Self::Unsupported,
        }
    }
}

impl From<TooLarge> for VerifyError {
    fn from(_: TooLarge) -> Self {
        Self::TooLarge
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declaration(error) => error.fmt(f),
            Self::Shape => f.write_str("there are not as many registers as numbers"),
            Self::Twice(register) => write!(f, "two numbers are in `{register}`"),
            Self::Step { instruction, error, .. } => match error {
                Reason::Unsupported => write!(f, "`{instruction}` is not one of kernels over super-pixels"),
                Reason::TooLarge => f.write_str("the program is too large to be proved"),
            },
            Self::TooLarge => f.write_str("the program is too large to be proved"),
            Self::Wrong { bit, register, .. } => {
                write!(f, "the program does not compute the kernel: bit {bit} in `{register}` is wrong")
            }
            Self::Overwritten(register) => write!(f, "the program overwrites `{register}`, which is kept"),
            Self::Flag => f.write_str("the program does not set FLAG to 1 at the end"),
        }
    }
}

impl core::error::Error for VerifyError {}
