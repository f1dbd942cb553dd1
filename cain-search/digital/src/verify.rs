//! The verifier of digital programs.

#[cfg(test)]
mod tests;

use core::fmt;

use cain_analysis::owned;
use cain_isa::{Bit, Dreg, Instruction, Times, Word};

use super::prove::{Bdd, Function, Machine, ReplayError, Variable, function_of, wanted};
use super::proved::ProvedOf;
use super::{Declaration, DeclarationError, Format, Formula, Input};

/// A program that was proved to compute its declaration: for all inputs, in all PEs of arrays of any size.
///
/// Only [`verify`] makes one.
pub type Proved = ProvedOf<Declaration, Program>;

/// A program and the registers of its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its words.
    pub listing: Vec<Instruction>,
    /// The registers of each input at the start, lowest bit first.
    pub inputs: Vec<Vec<Dreg>>,
    /// The registers of each output at the end, lowest bit first.
    pub outputs: Vec<Vec<Dreg>>,
}

impl Program {
    /// The number of control words.
    #[must_use]
    pub fn words(&self) -> usize {
        self.listing.iter().map(Instruction::icws).sum()
    }

    /// What the controller does for that declaration.
    #[must_use]
    pub fn program(&self, declaration: &Declaration) -> owned::Program {
        owned::Program::of_listing(&declaration.name, &self.listing, Times::SCAMP5)
    }
}

impl Proved {
    /// The format of an output in its registers, if there is that output.
    #[must_use]
    pub fn output_format(&self, output: usize) -> Option<Format> {
        self.declaration().outputs.get(output)?;
        self.declaration().output_format(output).ok()
    }
}

/// Replays a program on all inputs at once and decides whether it is right for a declaration: outputs hold their
/// kernels, where pixels outside of the array count as 0; kept inputs are preserved, and FLAG is 1 at the end.
///
/// The program may come from anywhere.
pub fn verify(declaration: &Declaration, program: &Program) -> Result<Proved, VerifyError> {
    declaration.check().map_err(VerifyError::Declaration)?;
    check_shape(declaration, program)?;
    let (mut bdd, mut machine) = (Bdd::new(), Machine::new());
    for (input, registers) in program.inputs.iter().enumerate() {
        for (bit, &register) in (0..).zip(registers) {
            let variable = bdd.variable(Variable { bit, y: 0, x: 0, input }).map_err(|_| VerifyError::TooLarge)?;
            machine.give(Bit::Reg(register), variable);
        }
    }
    for (index, &instruction) in program.listing.iter().enumerate() {
        let failed = |error| VerifyError::of(error, index, instruction);
        machine.execute(&mut bdd, instruction).map_err(failed)?;
    }
    for (output, registers) in program.outputs.iter().enumerate() {
        for ((bit, wanted), &register) in (0..).zip(bits_of(&mut bdd, declaration, output)?).zip(registers) {
            if machine.read(Bit::Reg(register)) != Ok(wanted) {
                return Err(VerifyError::Wrong { output, bit, register });
            }
        }
    }
    for (input, registers) in program.inputs.iter().enumerate().filter(|(input, _)| declaration.inputs[*input].keep) {
        for (bit, &register) in (0..).zip(registers) {
            let variable = bdd.variable(Variable { bit, y: 0, x: 0, input }).map_err(|_| VerifyError::TooLarge)?;
            if machine.read(Bit::Reg(register)) != Ok(variable) {
                return Err(VerifyError::Overwritten { input, register });
            }
        }
    }
    if !machine.flag_is_one() {
        return Err(VerifyError::Flag);
    }
    Ok(Proved::new(declaration.clone(), program.clone()))
}

/// The functions that the bits of an output must have, lowest first.
pub(super) fn bits_of(bdd: &mut Bdd, declaration: &Declaration, output: usize) -> Result<Vec<Function>, VerifyError> {
    let format = declaration.output_format(output).map_err(VerifyError::Declaration)?;
    let bits = match &declaration.outputs[output].formula {
        Formula::Sum(kernel) => wanted(bdd, &declaration.inputs, kernel, format),
        Formula::Logic(logic) => function_of(bdd, logic).map(|function| vec![function]),
    };
    bits.map_err(|_| VerifyError::TooLarge)
}

/// Checks that there are as many registers as bits, and no register twice.
fn check_shape(declaration: &Declaration, program: &Program) -> Result<(), VerifyError> {
    let widths = |lists: &[Vec<Dreg>]| lists.iter().map(Vec::len).collect::<Vec<usize>>();
    let inputs: Vec<usize> = declaration.inputs.iter().map(|input| input.format.bits() as usize).collect();
    let mut outputs = Vec::new();
    for output in 0..declaration.outputs.len() {
        let format = declaration.output_format(output).map_err(VerifyError::Declaration)?;
        outputs.push(format.bits() as usize);
    }
    let is_elsewhere = |(input, registers): (&Input, &Vec<Dreg>)| input.at.is_some_and(|at| registers != &[at]);
    let are_elsewhere = declaration.inputs.iter().zip(&program.inputs).any(is_elsewhere);
    if widths(&program.inputs) != inputs || widths(&program.outputs) != outputs || are_elsewhere {
        return Err(VerifyError::Shape);
    }
    for lists in [&program.inputs, &program.outputs] {
        let registers: Vec<Dreg> = lists.iter().flatten().copied().collect();
        if let Some(twice) = (1..registers.len()).find(|&i| registers[..i].contains(&registers[i])) {
            return Err(VerifyError::Twice(registers[twice]));
        }
    }
    Ok(())
}

/// The reason why a program does not compute a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// The declaration is invalid.
    Declaration(DeclarationError),
    /// The numbers do not have the registers that the declaration needs.
    Shape,
    /// Two bits have the same register.
    Twice(Dreg),
    /// A word reads a bit that was never written.
    Unwritten {
        /// Its index in the listing, from 0.
        index: usize,
        /// The bit.
        bit: Bit,
    },
    /// A word cannot be followed on bits.
    Unsupported {
        /// Its index in the listing, from 0.
        index: usize,
        /// The word.
        word: Word,
    },
    /// A word brings in a value from outside of the array that does not correspond to pixels of 0 there.
    Border {
        /// Its index in the listing, from 0.
        index: usize,
        /// The instruction.
        instruction: Instruction,
    },
    /// Intermediate functions are too large to be followed.
    TooLarge,
    /// A bit of an output is wrong.
    Wrong {
        /// The output.
        output: usize,
        /// The bit, from 0.
        bit: u32,
        /// The register.
        register: Dreg,
    },
    /// An input that must be preserved is not.
    Overwritten {
        /// The input.
        input: usize,
        /// The register.
        register: Dreg,
    },
    /// FLAG is not 1 at the end.
    Flag,
}

impl VerifyError {
    fn of(error: ReplayError, index: usize, instruction: Instruction) -> Self {
        match error {
            ReplayError::TooLarge => Self::TooLarge,
            ReplayError::Unwritten(bit) => Self::Unwritten { index, bit },
            ReplayError::Unsupported(word) => Self::Unsupported { index, word },
            ReplayError::Border => Self::Border { index, instruction },
        }
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declaration(error) => error.fmt(f),
            Self::Shape => f.write_str("the numbers have other widths than the kernel needs"),
            Self::Twice(register) => write!(f, "two bits are in `{register}`"),
            Self::Unwritten { bit, .. } => write!(f, "`{bit}` is read before anything is written to it"),
            Self::Unsupported { word, .. } => write!(f, "`{word}` is not a word of digital kernels"),
            Self::Border { instruction, .. } => {
                write!(f, "`{instruction}` reads something wrong at the border of the array")
            }
            Self::TooLarge => f.write_str("the program is too large to be proved"),
            Self::Wrong { bit, register, .. } => {
                write!(f, "the program does not compute the kernel: bit {bit} in `{register}` is wrong")
            }
            Self::Overwritten { register, .. } => write!(f, "the program overwrites `{register}`, which is kept"),
            Self::Flag => f.write_str("the program does not set FLAG to 1 at the end"),
        }
    }
}

impl core::error::Error for VerifyError {}
