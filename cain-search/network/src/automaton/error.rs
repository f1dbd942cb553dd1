//! What is wrong with an automaton.

use core::fmt;

use cain_isa::OperationError;

use super::declaration::{Automaton, Bits};
use crate::{MOST_CHANNELS, MOST_PIXELS};
use cain_search::MAX_SIZE;
use cain_search::SearchError;
use cain_search::switches::SwitchError;

/// What is wrong with an automaton. Layers and outputs are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AutomatonError {
    /// The picture has no pixels, or more than the array.
    Size {
        /// Its rows.
        height: usize,
        /// Its columns.
        width: usize,
    },
    /// There is no layer.
    NoLayer,
    /// A kernel has no middle, or is too large.
    Kernel {
        /// The layer.
        layer: usize,
        /// Rows of its first kernel.
        rows: usize,
        /// Columns.
        columns: usize,
    },
    /// The kernels of a layer differ in their sizes.
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
        /// How many.
        found: usize,
    },
    /// A layer reads something else than there is.
    Inputs {
        /// The layer.
        layer: usize,
        /// The first output that does.
        output: usize,
        /// The inputs that it has weights for.
        found: usize,
        /// The inputs that there are.
        expected: usize,
    },
    /// There are too many weights.
    Weights {
        /// How many.
        found: usize,
    },
    /// There are no classes, or more than numbers of the state.
    Classes {
        /// How many.
        found: usize,
        /// The numbers of the state.
        state: usize,
    },
    /// A number of bits that is not supported.
    Bits {
        /// Whose.
        what: &'static str,
        /// The number.
        found: u8,
        /// The least one.
        least: u8,
        /// The largest one.
        most: u8,
    },
    /// The denominator of the weights is too large.
    Scale {
        /// Its exponent.
        found: u8,
    },
    /// The machine has too few registers.
    Registers {
        /// How many it has.
        found: usize,
        /// How many would do.
        needed: usize,
    },
    /// A sum does not fit the registers.
    Sums {
        /// The layer.
        layer: usize,
        /// The bits of a register.
        found: u8,
        /// How many would do.
        needed: u32,
    },
}

impl AutomatonError {
    /// The layer that is wrong.
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
                "layer {}: the kernels of output {output} have another size than those of output 0; make them all equally large",
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

/// Why an automaton was not compiled.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CompileAutomatonError {
    /// The declaration is wrong.
    Declaration(AutomatonError),
    /// There is no program for a layer.
    Search {
        /// The layer, counted from 0.
        layer: usize,
        /// Why.
        error: SearchError,
    },
    /// A layer was given no program, or one that computes something else.
    Program {
        /// The layer, counted from 0.
        layer: usize,
    },
    /// A program has values on the way that do not fit the registers.
    Intermediate {
        /// The layer, counted from 0.
        layer: usize,
        /// The bits of a register.
        found: u8,
        /// How many would do.
        needed: u32,
    },
    /// A program has values on the way that are not multiples of a power of two.
    Thirds {
        /// The layer, counted from 0.
        layer: usize,
    },
    /// The machine has no such operation as a step takes.
    Operation(OperationError),
    /// A step cannot be left for those that may interrupt it, or not as soon as wanted.
    Interruption {
        /// Why.
        error: SwitchError,
        /// How many registers that those do not use would do, if that is known.
        enough: Option<usize>,
    },
}

impl fmt::Display for CompileAutomatonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declaration(error) => error.fmt(f),
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

impl From<AutomatonError> for CompileAutomatonError {
    fn from(error: AutomatonError) -> Self {
        Self::Declaration(error)
    }
}
