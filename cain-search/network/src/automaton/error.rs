//! Errors in automata.

use core::fmt;

use cain_isa::{MachineError, OperationError};

use super::declaration::{Automaton, Bits};
use crate::{MOST_CHANNELS, MOST_PIXELS};
use cain_search::MAX_SIZE;
use cain_search::SearchError;
use cain_search::switches::SwitchError;

/// An error in an automaton. Layers and outputs are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AutomatonError {
    /// The picture has no pixels, or more than the array has PEs.
    Size {
        /// The number of its rows.
        height: usize,
        /// The number of its columns.
        width: usize,
    },
    /// There is no layer.
    NoLayer,
    /// A kernel has no middle, or is too large.
    Kernel {
        /// The layer.
        layer: usize,
        /// The number of rows of its first kernel.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
    /// The kernels of a layer differ in size.
    Ragged {
        /// The layer.
        layer: usize,
        /// The first output that differs.
        output: usize,
    },
    /// A layer has too many outputs.
    Outputs {
        /// The layer.
        layer: usize,
        /// The number of its outputs.
        found: usize,
    },
    /// A layer does not read as many inputs as there are.
    Inputs {
        /// The layer.
        layer: usize,
        /// The first output with a wrong number of inputs.
        output: usize,
        /// The number of inputs that it has weights for.
        found: usize,
        /// The number of inputs that there are.
        expected: usize,
    },
    /// There are too many weights.
    Weights {
        /// The number of weights.
        found: usize,
    },
    /// There are no classes, or more than numbers in the state.
    Classes {
        /// The number of classes.
        found: usize,
        /// The number of integers in the state.
        state: usize,
    },
    /// A number of bits is not supported.
    Bits {
        /// The name of the number.
        what: &'static str,
        /// The number of bits.
        found: u8,
        /// The least number that is supported.
        least: u8,
        /// The largest number that is supported.
        most: u8,
    },
    /// The denominator of the weights is too large.
    Scale {
        /// Its exponent.
        found: u8,
    },
    /// The machine has too few registers.
    Registers {
        /// The number of registers it has.
        found: usize,
        /// The number of registers that would suffice.
        needed: usize,
    },
    /// A sum does not fit into the registers.
    Sums {
        /// The layer.
        layer: usize,
        /// The bits of a register.
        found: u8,
        /// The number of bits that would suffice.
        needed: u32,
    },
}

impl AutomatonError {
    /// The layer that has the error.
    #[must_use]
    pub fn layer(&self) -> Option<usize> {
        match self {
            Self::Kernel { layer, .. }
            | Self::Ragged { layer, .. }
            | Self::Outputs { layer, .. }
            | Self::Inputs { layer, .. }
            | Self::Sums { layer, .. } => Some(*layer),
            _ => None,
        }
    }
}

impl fmt::Display for AutomatonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { height, width } => {
                write!(f, "the picture has {height}×{width} cells; expected 1 to {MOST_PIXELS} rows and columns")
            }
            Self::NoLayer => f.write_str("there is no layer; add at least one, which makes the update of the state"),
            Self::Kernel { layer: 0, rows, columns } => {
                write!(f, "layer 1: a kernel has {rows}×{columns} weights; expected odd numbers up to {MAX_SIZE}")
            }
            Self::Kernel { layer, rows, columns } => write!(
                f,
                "layer {}: a kernel has {rows}×{columns} weights; expected 1×1, since only the first layer looks at other cells",
                layer + 1
            ),
            Self::Ragged { layer, output } => write!(
                f,
                "layer {}: a kernel of output {output} has another size than the first one of the layer; make them all equally large",
                layer + 1
            ),
            Self::Outputs { layer, found } => {
                write!(f, "layer {} has {found} outputs; at most {MOST_CHANNELS} are supported", layer + 1)
            }
            Self::Inputs { layer: 0, output, found, expected } => write!(
                f,
                "layer 1: output {output} has weights for {found} inputs; expected {expected}: the grey, and a number of the state for each output of the last layer"
            ),
            Self::Inputs { layer, output, found, expected } => write!(
                f,
                "layer {}: output {output} has weights for {found} inputs; expected {expected}, the outputs of the layer before",
                layer + 1
            ),
            Self::Weights { found } => {
                write!(f, "there are {found} weights; at most {} are supported", Automaton::MOST_WEIGHTS)
            }
            Self::Classes { found, state } => write!(
                f,
                "{found} classes do not fit the {state} outputs of the last layer, which are the hidden numbers of the state and then the classes; expected 1 to {state}"
            ),
            Self::Bits { what, found, least, most } => {
                write!(f, "`{what}` has {found} bits; expected {least} to {most}")
            }
            Self::Scale { found } => {
                write!(f, "the denominator of the weights is 2^{found}; expected at most 2^{}", Automaton::MOST_SCALE)
            }
            Self::Registers { found, needed } => write!(
                f,
                "the machine has {found} registers; the state, the results of two layers and a sum need {needed}"
            ),
            Self::Sums { layer, found, needed } => {
                write!(
                    f,
                    "layer {}: its sums need registers of {needed} bits, these have {found}; expected `register = {needed}`",
                    layer + 1
                )?;
                if *needed > Bits::MOST.1.into() {
                    write!(f, ", of which at most {} are supported: use smaller weights or fewer bits", Bits::MOST.1)?;
                }
                Ok(())
            }
        }
    }
}

impl core::error::Error for AutomatonError {}

/// The reason why an automaton was not compiled.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CompileAutomatonError {
    /// The declaration is invalid.
    Declaration(AutomatonError),
    /// There is no program for a layer.
    Search {
        /// The layer, counted from 0.
        layer: usize,
        /// The reason.
        error: SearchError,
    },
    /// No program was given for a layer, or one that computes something else.
    Program {
        /// The layer, counted from 0.
        layer: usize,
    },
    /// A program has intermediate values that do not fit into the registers.
    Intermediate {
        /// The layer, counted from 0.
        layer: usize,
        /// The bits of a register.
        found: u8,
        /// The number of bits that would suffice.
        needed: u32,
    },
    /// A program has intermediate values that are not multiples of a power of two.
    Thirds {
        /// The layer, counted from 0.
        layer: usize,
    },
    /// The machine lacks something that a word of a step needs.
    Machine(MachineError),
    /// There is no such operation, which a step needs.
    Operation(OperationError),
    /// A step cannot be left for those that may interrupt it, or not as soon as required.
    Interruption {
        /// The reason.
        error: SwitchError,
        /// The number of registers, apart from those that the others use, that would suffice, if known.
        enough: Option<usize>,
    },
}

impl fmt::Display for CompileAutomatonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declaration(error) => error.fmt(f),
            Self::Machine(error) => write!(f, "{error}, which automata need; use a machine that can do more"),
            Self::Operation(error) => error.fmt(f),
            Self::Interruption { error, .. } => error.fmt(f),
            Self::Search { layer, error } => write!(f, "layer {}: {error}", layer + 1),
            Self::Program { layer } => write!(f, "layer {}: there is no program of what it computes", layer + 1),
            Self::Intermediate { layer, found, needed } => write!(
                f,
                "layer {}: values on the way need registers of {needed} bits, these have {found}; expected `register = {needed}`",
                layer + 1
            ),
            Self::Thirds { layer } => {
                write!(f, "layer {}: the program found divides by three; use `isa = \"macro\"`", layer + 1)
            }
        }
    }
}

impl core::error::Error for CompileAutomatonError {}

impl From<OperationError> for CompileAutomatonError {
    fn from(error: OperationError) -> Self {
        Self::Operation(error)
    }
}

impl From<AutomatonError> for CompileAutomatonError {
    fn from(error: AutomatonError) -> Self {
        Self::Declaration(error)
    }
}
