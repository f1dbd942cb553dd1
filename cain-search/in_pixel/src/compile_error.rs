//! Reasons why there is no program for a network.

use cain_search::switches::SwitchError;

use crate::error::InPixelError;
use crate::proof_error::InPixelProofError;

/// The reason why there is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompileError {
    /// The network cannot be laid out.
    Network(InPixelError),
    /// The machine lacks something that a word needs.
    Machine(cain_isa::MachineError),
    /// There is no such word.
    Word(cain_isa::WordError),
    /// The machine lacks an operation.
    Operation(cain_isa::OperationError),
    /// The programs could not be proved, which is a bug of the compiler.
    Proof(InPixelProofError),
    /// The program cannot be left for those that may interrupt it, or not as soon as required.
    Interruption(SwitchError),
}

impl core::fmt::Display for CompileError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Network(error) => error.fmt(f),
            Self::Machine(error) => {
                write!(f, "{error}, which networks in the pixels need; use a machine that can do more")
            }
            Self::Word(error) => error.fmt(f),
            Self::Operation(error) => error.fmt(f),
            Self::Proof(error) => error.fmt(f),
            Self::Interruption(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for CompileError {}

impl From<InPixelError> for CompileError {
    fn from(error: InPixelError) -> Self {
        Self::Network(error)
    }
}

impl From<cain_isa::WordError> for CompileError {
    fn from(error: cain_isa::WordError) -> Self {
        Self::Word(error)
    }
}

impl From<cain_isa::OperationError> for CompileError {
    fn from(error: cain_isa::OperationError) -> Self {
        Self::Operation(error)
    }
}

impl From<InPixelProofError> for CompileError {
    fn from(error: InPixelProofError) -> Self {
        Self::Proof(error)
    }
}
