//! What a search returns.

use core::fmt;

use cain_isa::prove::{Mismatch, ProveError, Report};
use cain_isa::{Fraction, Instruction, Reg, Stop};

use crate::DeclarationError;

/// A proved program and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The program.
    pub listing: Vec<Instruction>,
    /// What the prover found: counts, headroom, registers.
    pub report: Report,
    /// How the search went.
    pub statistics: Statistics,
}

/// How a search went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// Nodes used: bags expanded.
    pub nodes: u64,
    /// Nodes used when the first program was found.
    pub nodes_to_first: u64,
    /// Nodes used when the returned program was found.
    pub nodes_to_best: u64,
    /// No program of the instruction set has fewer instructions.
    pub lower_bound: u32,
    /// Why the search stopped.
    pub stop: Stop,
}

/// Why there is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchError {
    /// The declaration makes no sense.
    Declaration(DeclarationError),
    /// The budget was used up before a first program was found.
    Budget {
        /// The budget.
        nodes: u64,
        /// The registers that could be overwritten.
        writable: Vec<Reg>,
    },
    /// The search ended without a program in the registers allowed.
    Registers {
        /// The registers that could be overwritten.
        writable: Vec<Reg>,
        /// Whether a bound on the gain was in force as well.
        headroom: Option<Fraction>,
    },
    /// A weight is too large for the search.
    Overflow,
    /// The machine cannot follow the program: a fault of this crate.
    Unprovable(ProveError),
    /// The program does not compute the kernels: a fault of this crate.
    Wrong(Mismatch),
    /// The program overwrites a register that it must not: a fault of this crate.
    Overwritten(Reg),
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declaration(error) => error.fmt(f),
            Self::Budget { nodes, writable } => {
                write!(f, "no program found within {nodes} search nodes that overwrites only {}", Listed(writable))?;
                f.write_str("; allow more with `#[search(nodes = ..)]`, or more scratch registers with `using (..)`")
            }
            Self::Registers { writable, headroom } => {
                write!(f, "no program found that overwrites only {}", Listed(writable))?;
                f.write_str("; allow more scratch registers with `using (..)`")?;
                match headroom {
                    Some(bound) => write!(f, ", or a larger `headroom` than {bound}"),
                    None => Ok(()),
                }
            }
            Self::Overflow => {
                f.write_str("the weights are too large for the search; at most 2^30 in units of the smallest")
            }
            Self::Unprovable(error) => write!(f, "the program found cannot be proved ({error}); please report this"),
            Self::Wrong(error) => write!(f, "the program found is wrong ({error}); please report this"),
            Self::Overwritten(reg) => write!(f, "the program found overwrites `{reg}`; please report this"),
        }
    }
}

/// Registers as they stand in a sentence.
struct Listed<'a>(&'a [Reg]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, reg) in self.0.iter().enumerate() {
            write!(f, "{}`{reg}`", if i > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl core::error::Error for SearchError {}

impl From<DeclarationError> for SearchError {
    fn from(error: DeclarationError) -> Self {
        Self::Declaration(error)
    }
}
