//! Errors of declarations.

use core::fmt;

use cain_isa::{ErrorModelError, Fraction, MachineError, Range, Reg};

use super::need::Need;
use super::options::{InstructionSet, Options};

/// An error in a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeclarationError {
    /// There is no input.
    NoInput,
    /// There is no output.
    NoOutput,
    /// A register is named for two inputs.
    InputTwice(Reg),
    /// A register is named for two outputs.
    OutputTwice(Reg),
    /// A register is an output and also an input that must be kept.
    KeptOutput(Reg),
    /// A scratch register is also an input, an output, or named twice.
    ScratchTwice(Reg),
    /// The machine has no such analogue register.
    NoSuchRegister(Reg),
    /// The machine has no instruction of the set that does something a kernel needs.
    Missing {
        /// The register of the output.
        reg: Reg,
        /// What the kernel needs.
        need: Need,
        /// The instruction set of the declaration.
        instructions: InstructionSet,
    },
    /// A kernel reads an input channel that does not exist.
    NoSuchChannel(u16),
    /// The divisions of the instruction set cannot reach a weight.
    Unreachable {
        /// The register of the output.
        reg: Reg,
        /// The weight.
        weight: Fraction,
        /// The instruction set of the declaration.
        instructions: InstructionSet,
    },
    /// The memory allowed, in MiB, is less or more than a search can have.
    Memory(u64),
    /// The error model of the chip is invalid.
    Errors(ErrorModelError),
    /// The range of the inputs contains no value, or only 0.
    EmptyInput(Range),
    /// Inputs may have values that the registers cannot hold.
    InputBeyondRegisters {
        /// The range of the inputs.
        input: Range,
        /// The range of the registers.
        registers: Range,
    },
    /// The gain allowed is smaller than 1, the gain of the inputs.
    MaxGainBelowInputs(Fraction),
    /// A kernel has a larger gain than any value may have.
    MaxGain {
        /// The register of the output.
        reg: Reg,
        /// The gain of the kernel.
        gain: Fraction,
        /// The largest gain that is allowed.
        max_gain: Fraction,
    },
    /// Programs that may [interrupt](crate::Interruption) this one overwrite a register that the declaration does not
    /// name and that may hold an image.
    OverwrittenByOthers(Reg),
}

impl fmt::Display for DeclarationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoInput => f.write_str("a kernel needs at least one input register"),
            Self::NoOutput => f.write_str("a kernel needs at least one output register"),
            Self::InputTwice(reg) => write!(f, "register `{reg}` is named for two inputs; give each its own"),
            Self::OutputTwice(reg) => write!(f, "register `{reg}` is named for two outputs; give each its own"),
            Self::KeptOutput(reg) => write!(
                f,
                "input `{reg}` is kept (`&{reg}`) and cannot be an output as well; write `{reg}` to let it be overwritten, or choose another output"
            ),
            Self::ScratchTwice(reg) => {
                write!(f, "register `{reg}` is already in use; scratch registers are beside inputs and outputs")
            }
            Self::NoSuchRegister(reg) => MachineError::Register(*reg).fmt(f),
            Self::Missing { reg, need, instructions } => {
                let set = match instructions {
                    InstructionSet::Native => "its control words",
                    InstructionSet::Macro | InstructionSet::Basic => "its macro instructions",
                };
                write!(f, "the kernel of `{reg}` needs {need}, which the machine does not have among {set}")?;
                let names = match instructions {
                    InstructionSet::Native => Vec::new(),
                    InstructionSet::Macro | InstructionSet::Basic => need.providers(*instructions),
                };
                if names.is_empty() { Ok(()) } else { write!(f, "; the search does it by `{}`", names.join("`, `")) }
            }
            Self::NoSuchChannel(channel) => write!(f, "there is no input channel {channel}"),
            Self::Unreachable { reg, weight, instructions } => {
                let (denominators, why) = instructions.denominators();
                write!(
                    f,
                    "the kernel of `{reg}` has the weight {weight}, whose denominator is not {denominators}; {why}"
                )
            }
            Self::Memory(found) => write!(
                f,
                "a `memory` of {found} MiB is not possible; allow from {} to {} MiB",
                Options::LEAST_MEMORY,
                Options::MOST_MEMORY
            ),
            Self::Errors(error) => error.fmt(f),
            Self::EmptyInput(Range { min, max }) if min > max => {
                write!(f, "the input range {min}..{max} is empty; write {max}..{min}")
            }
            Self::EmptyInput(input) => {
                write!(f, "with the input range {input} all inputs are 0; allow other values, such as 0..127")
            }
            Self::InputBeyondRegisters { input, registers } => {
                write!(
                    f,
                    "the input range {input} exceeds that of the registers, which hold {registers}; stay within that"
                )
            }
            Self::MaxGainBelowInputs(max_gain) => {
                write!(f, "a `max_gain` of {max_gain} is below 1, the gain of the inputs themselves; allow at least 1")
            }
            Self::MaxGain { reg, gain, max_gain } => write!(
                f,
                "the kernel of `{reg}` has a gain of {gain}, which is more than the `max_gain` of {max_gain}; allow at least {gain}"
            ),
            Self::OverwrittenByOthers(reg) => write!(
                f,
                "the interrupting filters overwrite `{reg}`, which this one does not name; list it in `using` (in \
                 kernel files `scratch`) if it holds nothing"
            ),
        }
    }
}

impl core::error::Error for DeclarationError {}
