//! Errors of declarations.

use core::fmt;

use cain_isa::{ErrorModelError, Fraction, MachineError, Range, Reg};

use super::options::{InstructionSet, Options};

/// What is wrong with a declaration.
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
    /// The machine has no instruction of the set that does what a kernel needs.
    Missing {
        /// The output.
        reg: Reg,
        /// What it needs.
        need: Need,
        /// The instruction set.
        instructions: InstructionSet,
    },
    /// A kernel reads an input channel that does not exist.
    NoSuchChannel(u16),
    /// A weight cannot be reached by the divisions of the instruction set.
    Unreachable {
        /// The output.
        reg: Reg,
        /// The weight.
        weight: Fraction,
        /// The instruction set.
        instructions: InstructionSet,
    },
    /// Less or more memory is allowed than a search can have, in MiB.
    Memory(u64),
    /// The errors of the chip are not possible.
    Errors(ErrorModelError),
    /// There is no value in the range of the inputs, or only 0.
    EmptyInput(Range),
    /// Inputs may have values that the registers do not hold.
    InputBeyondRegisters {
        /// The range of the inputs.
        input: Range,
        /// That of the registers.
        registers: Range,
    },
    /// A gain is allowed that is smaller than 1, the gain of the inputs.
    MaxGainBelowInputs(Fraction),
    /// A kernel has a larger gain than is allowed of any value.
    MaxGain {
        /// The output.
        reg: Reg,
        /// Its gain.
        gain: Fraction,
        /// The largest gain allowed.
        max_gain: Fraction,
    },
    /// Programs that may [interrupt](crate::Interruption) this one overwrite a register that the declaration does not
    /// name, in which an image may be.
    OverwrittenByOthers(Reg),
}

/// What every program for a kernel has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A weight is a fraction.
    Halve,
    /// The denominator of a weight has a three.
    DivideByThree,
    /// A weight is negative.
    Negate,
    /// The kernel has several weights, or one that is neither a whole nor a half of a whole.
    Add,
    /// The pixel that is read is not that of the PE.
    Shift,
    /// The kernel is zero.
    Clear,
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Halve => "halving",
            Self::DivideByThree => "dividing by three",
            Self::Negate => "negation",
            Self::Add => "addition",
            Self::Shift => "a move between PEs",
            Self::Clear => "setting a register to zero",
        })
    }
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
                write!(f, "the kernel of `{reg}` needs {need}, which the machine does not have among {set}")
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
                "the interrupting filters overwrite `{reg}`, which this one does not name; list it in `using` if it \
                 holds nothing"
            ),
        }
    }
}

impl core::error::Error for DeclarationError {}
