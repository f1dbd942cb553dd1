//! The verifier of programs on super-pixels.

#[cfg(test)]
mod tests;

use core::fmt;

use cain_analysis::owned::{SIDE, Step, lines, step_of};
use cain_isa::{Bit, Dreg, Reg};

use super::declaration::{Declaration, DeclarationError, Then};
use super::layout::Place;
use super::pattern::repeats;
use super::program::Program;
use super::replay::Blocks;
use crate::prove::{Bdd, Function, ReplayError, TooLarge, Variable, bit_of_sum};
use crate::proved::ProvedOf;

/// A program that was proved to compute its declaration: for all inputs, in all blocks of arrays of any size.
///
/// Only [`verify`] makes one. It assumes that a propagation goes as far as it can.
pub type Proved = ProvedOf<Declaration, Program>;

/// Replays a program on all inputs at once and decides whether it is right for a declaration: outputs hold their
/// kernels, where everything outside of the array counts as 0; kept inputs and reserved registers are preserved, and
/// FLAG is 1 at the end.
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
    Replay::given(declaration, program)?.run()?;
    Replay::new(declaration, program)?.check_before()?;
    Replay::new(declaration, program)?.check_after()?;
    Ok(Proved::new(declaration.clone(), program.clone()))
}

pub(super) struct Replay<'d> {
    pub(super) declaration: &'d Declaration,
    pub(super) program: &'d Program,
    pub(super) bdd: Bdd,
    pub(super) blocks: Blocks<'d>,
    /// The contents of the reserved registers in each PE.
    reserved: Vec<(Dreg, Vec<Function>)>,
}

impl<'d> Replay<'d> {
    /// The state at some time after the preparation: only reserved registers still have their contents.
    pub(super) fn new(declaration: &'d Declaration, program: &'d Program) -> Result<Self, VerifyError> {
        let layout = &declaration.layout;
        let (bdd, blocks) = (Bdd::new(), Blocks::new(layout));
        let mut replay = Self { declaration, program, bdd, blocks, reserved: Vec::new() };
        replay.steps(&program.setup)?;
        // Every run must leave FLAG like this for the next one.
        if !replay.blocks.flag_is_one() {
            return Err(VerifyError::Flag);
        }
        for &register in &program.reserved {
            let held = layout.block().map(|place| replay.blocks.read(place, Bit::Reg(register)));
            let held = held.collect::<Option<_>>().ok_or(VerifyError::Overwritten(register))?;
            replay.reserved.push((register, held));
        }
        replay.blocks.forget_all_but(&program.reserved);
        Ok(replay)
    }

    pub(super) fn steps(&mut self, steps: &[Step]) -> Result<(), VerifyError> {
        for (index, step) in steps.iter().enumerate() {
            let failed = |error| VerifyError::Step { index, step: lines(step, SIDE).concat(), error };
            let is_known = match step {
                // The proof covers one block, so all blocks must be treated alike.
                Step::Select(pattern) => repeats(*pattern, &self.declaration.layout),
                Step::Level(_) | Step::Execute(_) => true,
                _ => false,
            };
            if !is_known {
                return Err(failed(Reason::Unsupported));
            }
            let failed = |error| failed(Reason::of(error));
            self.blocks.step(&mut self.bdd, step).map_err(failed)?;
        }
        Ok(())
    }

    /// Lets a register hold a number of a bank, and arbitrary values in other PEs.
    pub(super) fn give(&mut self, number: usize, bank: usize, register: Dreg) -> Result<(), VerifyError> {
        for place in self.declaration.layout.block() {
            let function = self.bdd.variable(self.bit(number, bank, place))?;
            self.blocks.give(place, Bit::Reg(register), function);
        }
        Ok(())
    }

    /// Checks that a register still holds what [`give`](Self::give) put there.
    pub(super) fn check_kept(&mut self, number: usize, bank: usize, register: Dreg) -> Result<(), VerifyError> {
        for place in self.declaration.layout.block() {
            let given = self.bdd.variable(self.bit(number, bank, place))?;
            if self.blocks.read(place, Bit::Reg(register)) != Some(given) {
                return Err(VerifyError::Overwritten(register));
            }
        }
        Ok(())
    }

    /// The variable for the content of a PE in the register of a number: a bit of the number, or an arbitrary value.
    fn bit(&self, number: usize, bank: usize, place: Place) -> Variable {
        let layout = &self.declaration.layout;
        let places = layout.places(bank);
        let bit = places.iter().position(|other| *other == place).unwrap_or(places.len() + layout.index(place));
        Variable { bit: u32::try_from(bit).unwrap_or(u32::MAX), y: 0, x: 0, input: number }
    }

    /// Checks that reserved registers are preserved and FLAG is 1.
    pub(super) fn check_rest(&self) -> Result<(), VerifyError> {
        for (register, before) in &self.reserved {
            let mut now = self.declaration.layout.block().map(|place| self.blocks.read(place, Bit::Reg(*register)));
            if !before.iter().all(|held| now.next() == Some(Some(*held))) {
                return Err(VerifyError::Overwritten(*register));
            }
        }
        if self.blocks.flag_is_one() { Ok(()) } else { Err(VerifyError::Flag) }
    }

    /// The state before the listing.
    pub(super) fn given(declaration: &'d Declaration, program: &'d Program) -> Result<Self, VerifyError> {
        let mut replay = Self::new(declaration, program)?;
        for (number, (input, &register)) in declaration.inputs.iter().zip(&program.inputs).enumerate() {
            replay.give(number, input.bank, register)?;
        }
        Ok(replay)
    }

    /// Replays the listing on numbers.
    fn run(mut self) -> Result<(), VerifyError> {
        let listing: Vec<Step> = self.program.listing.iter().copied().map(step_of).collect();
        self.steps(&listing)?;
        for output in 0..self.declaration.outputs.len() {
            self.check_output(output)?;
        }
        for (number, (input, &register)) in self.declaration.inputs.iter().zip(&self.program.inputs).enumerate() {
            if input.keep {
                self.check_kept(number, input.bank, register)?;
            }
        }
        self.check_rest()
    }

    /// The bits of the sum of terms and a constant.
    fn sum(
        &mut self,
        mut terms: Vec<(Variable, i128)>,
        bits: usize,
        halvings: usize,
        bias: i64,
    ) -> Result<Vec<Function>, TooLarge> {
        terms.sort_unstable();
        let mut wanted = Vec::new();
        let mut carry = Function::FALSE;
        for bit in 0..bits {
            let of_sum = u32::try_from((bit + halvings).min(bits - 1)).unwrap_or(u32::MAX);
            let of_sum = bit_of_sum(&mut self.bdd, &terms, of_sum)?;
            let of_bias = Function::constant(bias >> bit.min(63) & 1 == 1);
            let half = self.exclusive(of_sum, of_bias)?;
            wanted.push(self.exclusive(half, carry)?);
            let (both, carried) = (self.bdd.and(of_sum, of_bias)?, self.bdd.and(half, carry)?);
            carry = self.bdd.or(both, carried)?;
        }
        Ok(wanted)
    }

    /// Whether the first of two numbers is greater, from the lowest bit on.
    fn greater(&mut self, first: &[Function], second: &[Function]) -> Result<Function, TooLarge> {
        let mut greater = Function::FALSE;
        for (bit, (&a, &b)) in first.iter().zip(second).enumerate() {
            // A set sign makes a number smaller.
            let (a, b) = if bit + 1 == first.len() { (b, a) } else { (a, b) };
            let differ = self.exclusive(a, b)?;
            let (here, below) = (self.bdd.and(differ, a)?, self.bdd.and(differ.not(), greater)?);
            greater = self.bdd.or(here, below)?;
        }
        Ok(greater)
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
                // Modulo the width, the sign counts like any other bit.
                terms.push((variable, i128::from(weight) << bit));
            }
        }
        let (bits, halvings) = (places.len(), declared.halvings() as usize);
        let wanted = if declared.then == Then::Compare {
            let (more, less): (Vec<_>, Vec<_>) = terms.into_iter().partition(|(_, value)| value.is_positive());
            let less = less.into_iter().map(|(variable, value)| (variable, -value)).collect();
            let more = self.sum(more, bits, 0, declared.bias.max(0))?;
            let less = self.sum(less, bits, 0, declared.bias.min(0).wrapping_neg())?;
            vec![self.greater(&more, &less)?; bits]
        } else {
            let mut wanted = self.sum(terms, bits, halvings, declared.bias)?;
            if let (Then::Rectify, Some(&sign)) = (declared.then, wanted.last()) {
                for bit in &mut wanted {
                    *bit = self.bdd.and(*bit, sign.not())?;
                }
            }
            wanted
        };
        for ((bit, &place), wanted) in places.iter().enumerate().zip(wanted) {
            if self.blocks.read(place, Bit::Reg(register)) != Some(wanted) {
                return Err(VerifyError::Wrong { output, bit, register });
            }
        }
        Ok(())
    }
}

/// The reason why a program does not compute a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// The declaration is invalid.
    Declaration(DeclarationError),
    /// The number of registers does not match the number of inputs or outputs.
    Shape,
    /// Two numbers have the same register.
    Twice(Dreg),
    /// A step cannot be followed.
    Step {
        /// Its index in its part of the program, from 0.
        index: usize,
        /// The step, in the vendor's spelling.
        step: String,
        /// The reason.
        error: Reason,
    },
    /// Intermediate functions are too large to be followed.
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
    /// A bit of a converted input is wrong.
    WrongCode {
        /// The input.
        input: usize,
        /// The bit, from 0.
        bit: usize,
    },
    /// An output is converted to another level.
    WrongLevel {
        /// The output.
        output: usize,
        /// The analogue register.
        register: Reg,
    },
    /// A register that must be preserved is not.
    Overwritten(Dreg),
    /// FLAG is not 1 at the end.
    Flag,
}

/// The reason why a step cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It is not a step on bits.
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
            Self::Step { step, error, .. } => match error {
                Reason::Unsupported => write!(f, "`{step}` is not one of kernels over super-pixels"),
                Reason::TooLarge => f.write_str("the program is too large to be proved"),
            },
            Self::TooLarge => f.write_str("the program is too large to be proved"),
            Self::Wrong { bit, register, .. } => {
                write!(f, "the program does not compute the kernel: bit {bit} in `{register}` is wrong")
            }
            Self::WrongCode { bit, .. } => write!(f, "the program does not convert an input: bit {bit} is wrong"),
            Self::WrongLevel { register, .. } => {
                write!(f, "the program does not convert an output: the level in `{register}` is wrong")
            }
            Self::Overwritten(register) => write!(f, "the program overwrites `{register}`, which is kept"),
            Self::Flag => f.write_str("the program does not set FLAG to 1 at the end"),
        }
    }
}

impl core::error::Error for VerifyError {}
