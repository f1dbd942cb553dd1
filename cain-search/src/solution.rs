//! The result of a search.

use core::fmt;

use cain_isa::{Fraction, Reg, Stop};

use crate::switches::SwitchError;
use crate::{DeclarationError, Proved};

/// A proved program, with statistics of the search that found it.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The program.
    pub program: Proved,
    /// How the search went.
    pub statistics: Statistics,
}

/// How a search went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// The nodes used; see [`Options::nodes`](crate::Options::nodes).
    pub nodes: u64,
    /// The nodes used when the first program was found.
    pub nodes_to_first: u64,
    /// The nodes used when the returned program was found.
    pub nodes_to_best: u64,
    /// A proved lower bound: no program of the instruction set that overwrites only the allowed registers has fewer
    /// instructions.
    pub lower_bound: u32,
    /// The reason why the search stopped.
    pub stop: Stop,
}

/// The reason why there is no program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SearchError {
    /// The declaration is invalid.
    Declaration(DeclarationError),
    /// The budget was used up before a first program was found.
    Budget {
        /// The budget.
        nodes: u64,
        /// The registers that could be overwritten.
        writable: Vec<Reg>,
        /// A number of registers to overwrite that certainly suffices; unknown if the gain is limited.
        enough: Option<usize>,
        /// What else would make a program possible.
        remedy: Option<Remedy>,
    },
    /// The search ended without a program in the allowed registers: there is none that its bags can express, nor, as
    /// far as the budget lasted, one of up to three instructions. A longer one may exist.
    Registers {
        /// The registers that could be overwritten.
        writable: Vec<Reg>,
        /// A number of registers to overwrite that certainly suffices; unknown if the gain is limited.
        enough: Option<usize>,
        /// What else would make a program possible.
        remedy: Option<Remedy>,
    },
    /// Programs were found, but the predicted error of each is larger than allowed.
    Inaccurate {
        /// The largest root mean square that is allowed, in DN.
        limit: Fraction,
        /// The smallest root mean square that was found, in DN, to thousandths.
        best: f64,
    },
    /// Programs were found, but all are longer than allowed.
    TooLong {
        /// The number of control words that is allowed.
        limit: u64,
        /// The number of control words of the shortest program that was found.
        words: u64,
        /// The number of outputs.
        outputs: usize,
        /// Why the search ended.
        stop: Stop,
    },
    /// Programs were found, but none can be interrupted, or none soon enough.
    Interruption {
        /// The reason for the program that comes nearest.
        error: SwitchError,
        /// How many more registers, not used by the others, would suffice, and how many control words the others might
        /// then have to wait.
        enough: Option<(usize, u32)>,
    },
    /// The weights exceed the integers of the search: in units of their common denominator, which may be at most 2^28,
    /// each weight may be at most 2^30.
    Overflow,
}

/// What has to be allowed so that there is a program in the same registers, as far as short searches can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// Whether outputs have to hold offset errors.
    pub offset: bool,
    /// The gain that values need, if it is larger than allowed.
    pub max_gain: Option<Fraction>,
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declaration(error) => error.fmt(f),
            Self::Budget { nodes, writable, .. } => {
                write!(f, "no program found within {nodes} search nodes that overwrites only {}", Listed(writable))
            }
            Self::Registers { writable, .. } => {
                write!(f, "no program found that overwrites only {}", Listed(writable))
            }
            Self::Inaccurate { limit, best } => write!(
                f,
                "no program found whose predicted error is at most {} DN; the most accurate one found has {best} DN",
                limit.to_f64()
            ),
            Self::TooLong { limit, words, outputs, stop } => {
                write!(f, "the shortest program found has {words} control words, and `max_words` allows {limit}; allow more")?;
                // Otherwise a larger budget leads to the same program.
                let or = match stop {
                    Stop::Nodes => ", or a larger budget",
                    Stop::Patience => ", or more `patience`",
                    _ => "",
                };
                f.write_str(or)?;
                // An estimate, as if all outputs took the same number of words.
                let fitting = limit.saturating_mul(u64::try_from(*outputs).unwrap_or(u64::MAX)) / (*words).max(1);
                match (outputs, fitting) {
                    (1, _) => Ok(()),
                    (_, 0) => write!(f, ": not even one of the {outputs} outputs would fit"),
                    (_, fitting) => {
                        write!(f, ", or make several filters of it: about {fitting} of the {outputs} outputs would fit")
                    }
                }
            }
            Self::Interruption { error, .. } => error.fmt(f),
            Self::Overflow => {
                f.write_str("the weights do not fit the search: in units of their common denominator, which may be at most 2^28, each may be at most 2^30")
            }
        }
    }
}

/// A list of registers for use in a sentence.
struct Listed<'a>(&'a [Reg]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, reg) in self.0.iter().enumerate() {
            let before = match i {
                0 => "",
                _ if i + 1 == self.0.len() => " and ",
                _ => ", ",
            };
            write!(f, "{before}`{reg}`")?;
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
