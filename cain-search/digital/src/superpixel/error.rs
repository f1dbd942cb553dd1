//! Why there is no program on super-pixels.

use core::fmt;

use super::declaration::{Declaration, DeclarationError};
use super::operations::{build, direct};
use super::verify::VerifyError;

/// The reason why there is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchError {
    /// The declaration is invalid.
    Declaration(DeclarationError),
    /// The budget was used up before a first program was found.
    Budget {
        /// The budget.
        nodes: u64,
    },
    /// No program was found for the existing registers, though there may be one.
    Registers(Shortage),
    /// The program found is wrong or cannot be proved, which is a bug of the search.
    Unproved(VerifyError),
}

impl From<DeclarationError> for SearchError {
    fn from(error: DeclarationError) -> Self {
        Self::Declaration(error)
    }
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declaration(error) => error.fmt(f),
            Self::Budget { nodes } => write!(f, "no program found within {nodes} search nodes; allow more"),
            Self::Registers(shortage) => shortage.fmt(f),
            Self::Unproved(error) => write!(f, "the program that was found cannot be proved: {error}"),
        }
    }
}

impl core::error::Error for SearchError {}

/// What the registers of a PE are needed for, where they do not suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortage {
    /// The directions in which PEs have their next lower bit; each takes a register.
    pub directions: usize,
    /// The different biases, each of which takes a register.
    pub biases: usize,
    /// The inputs.
    pub inputs: usize,
    /// The inputs that are kept.
    pub kept: usize,
    /// The outputs.
    pub outputs: usize,
}

impl Shortage {
    /// The registers for numbers, directions and biases: the others are those that control words read or write themselves.
    const REGISTERS: usize = 7;

    pub(super) fn of(declaration: &Declaration) -> Self {
        Self {
            directions: declaration.layout.directions().count(),
            biases: build(declaration, &direct(declaration), false).constants().len(),
            inputs: declaration.inputs.len(),
            kept: declaration.inputs.iter().filter(|input| input.keep).count(),
            outputs: declaration.outputs.len(),
        }
    }
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { directions, biases, inputs, kept, outputs } = *self;
        let registers = Self::REGISTERS;
        write!(
            f,
            "no program found within the {registers} registers that a PE has for numbers: directions of lower bits take {directions}"
        )?;
        if biases > 0 {
            write!(f, " and biases {biases}")?;
        }
        let remedies = [
            (directions > 1, "an `order` whose bits go in fewer directions"),
            (biases > 0, "no bias"),
            (kept > 0, "fewer inputs in `keep`"),
            (inputs > 1, "fewer inputs"),
            (outputs > 1, "one filter for each output"),
        ];
        let remedies: Vec<&str> = remedies.into_iter().filter(|(helps, _)| *helps).map(|(_, remedy)| remedy).collect();
        match remedies.split_last() {
            None => f.write_str("; declare a smaller kernel"),
            Some((only, [])) => write!(f, "; declare {only}"),
            Some((last, rest)) => write!(f, "; declare {}, or {last}", rest.join(", ")),
        }
    }
}
