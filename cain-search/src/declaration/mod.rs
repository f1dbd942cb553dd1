//! Declarations: what programs have to compute.

mod error;
mod gain;
mod interruption;
mod matrix;
mod need;
mod needs;
mod options;
mod technique;
mod text;

use cain_analysis::prove::Polynomial;
use cain_analysis::sorted::{Map, Set};
use cain_isa::{Machine, Reg};

pub use error::DeclarationError;
pub use interruption::Interruption;
pub use matrix::Matrix;
pub use need::Need;
pub use options::{InstructionSet, MaxGain, Objective, OffsetRule, Options, Patience};
pub use technique::Technique;

/// A filter to be compiled: kernels in registers, computed from inputs in registers.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// The name of the filter.
    pub name: String,
    /// The inputs, in channel order.
    pub inputs: Vec<Input>,
    /// The outputs. Their registers may be those of inputs that are not kept.
    pub outputs: Vec<Output>,
    /// Further registers that the program may overwrite.
    pub scratch: Vec<Reg>,
    /// The machine that the program will run on.
    pub machine: Machine,
    /// How to search for the program.
    pub options: Options,
}

/// An input image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// The register that holds it.
    pub reg: Reg,
    /// Whether the register is only read. Otherwise it may be overwritten.
    pub keep: bool,
}

/// A wanted kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The register that receives the result.
    pub reg: Reg,
    /// The kernel, over the channels of the declaration's inputs.
    pub kernel: Polynomial,
}

impl Declaration {
    /// All registers that the program may overwrite, without repetition, in register order.
    #[must_use]
    pub fn writable(&self) -> Vec<Reg> {
        let inputs = self.inputs.iter().filter(|input| !input.keep).map(|input| input.reg);
        let outputs = self.outputs.iter().map(|output| output.reg);
        inputs.chain(outputs).chain(self.scratch.iter().copied()).collect::<Set<_>>().into_iter().collect()
    }

    /// The number of weights of all kernels together.
    #[must_use]
    pub fn weights(&self) -> usize {
        self.outputs.iter().map(|output| output.kernel.terms().len()).sum()
    }

    /// The same declaration without interruptions.
    pub(crate) fn uninterrupted(&self) -> Self {
        let options = Options { interruption: None, ..self.options.clone() };
        Self { options, ..self.clone() }
    }

    /// Checks that a declaration is valid and that the machine has everything that its kernels certainly need.
    pub fn validate(&self) -> Result<(), DeclarationError> {
        self.check()?;
        match self.options.approximate {
            Some(_) => Ok(()),
            None => self.check_needs(),
        }
    }

    /// Checks that a declaration is valid.
    pub(crate) fn check(&self) -> Result<(), DeclarationError> {
        if self.inputs.is_empty() {
            return Err(DeclarationError::NoInput);
        }
        if self.outputs.is_empty() {
            return Err(DeclarationError::NoOutput);
        }
        if !(Options::LEAST_MEMORY..=Options::MOST_MEMORY).contains(&self.options.memory) {
            return Err(DeclarationError::Memory(self.options.memory));
        }
        self.options.error_model.check().map_err(DeclarationError::Errors)?;
        self.options.check_input(&self.machine)?;
        self.options.check_max_gain()?;
        let mut inputs = Map::new();
        for input in &self.inputs {
            if inputs.insert(input.reg, input.keep).is_some() {
                return Err(DeclarationError::InputTwice(input.reg));
            }
        }
        let mut outputs = Set::new();
        for output in &self.outputs {
            if !outputs.insert(output.reg) {
                return Err(DeclarationError::OutputTwice(output.reg));
            }
            if inputs.get(&output.reg) == Some(&true) {
                return Err(DeclarationError::KeptOutput(output.reg));
            }
            for (atom, weight) in output.kernel.terms() {
                if usize::from(atom.channel) >= self.inputs.len() {
                    return Err(DeclarationError::NoSuchChannel(atom.channel));
                }
                if self.options.approximate.is_none() && !self.options.instructions.reaches(weight) {
                    let instructions = self.options.instructions;
                    return Err(DeclarationError::Unreachable { reg: output.reg, weight, instructions });
                }
            }
            self.check_gain_of(output)?;
        }
        let mut scratch = Set::new();
        for &reg in &self.scratch {
            if inputs.contains_key(&reg) || outputs.contains(&reg) || !scratch.insert(reg) {
                return Err(DeclarationError::ScratchTwice(reg));
            }
        }
        let mut named = inputs.keys().chain(&outputs).chain(&scratch);
        if let Some(&reg) = named.find(|reg| !self.machine.registers.contains(**reg)) {
            return Err(DeclarationError::NoSuchRegister(reg));
        }
        // Callers may keep images in registers that the declaration does not name.
        let Some(interruption) = &self.options.interruption else { return Ok(()) };
        let is_named = |reg: &Reg| inputs.contains_key(reg) || outputs.contains(reg) || scratch.contains(reg);
        let foreign = interruption.all().analogue().without(interruption.room());
        match foreign.iter().find(|reg| !is_named(reg)) {
            Some(reg) => Err(DeclarationError::OverwrittenByOthers(reg)),
            None => Ok(()),
        }
    }
}
