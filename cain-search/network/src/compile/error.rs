//! Errors in compiling a network.

use core::fmt;

use cain_analysis::prove::OperationProofError;
use cain_isa::operations::OperationError;
use cain_isa::{MachineError, Range};
use cain_search::SearchError;
use cain_search::switches::SwitchError;

use crate::{Network, NetworkError};

/// The reason why a network cannot be compiled, and the place.
#[derive(Clone, Debug, PartialEq)]
pub struct CompileError {
    /// The layer, or `None` for the network as a whole.
    pub layer: Option<usize>,
    /// The name of the layer or of the network.
    pub name: String,
    /// The obstacle.
    pub obstacle: Box<Obstacle>,
}

/// An obstacle to compiling a network.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Obstacle {
    /// The layers do not match each other.
    Network(NetworkError),
    /// This compiler does not support the operation on the array.
    Unsupported(&'static str),
    /// Weights or distances exceed exact arithmetic.
    Overflow,
    /// A number is not an exact fraction.
    Inexact(f64),
    /// Values leave the range of registers at every scale.
    Range,
    /// The registers of the machine hold fewer levels than those of SCAMP-5.
    SmallRange(Range),
    /// The machine lacks something that a word needs.
    Machine(MachineError),
    /// Registers cannot hold the levels of the picture.
    Levels((f64, f64)),
    /// Values beyond the border of the array are needed that are this many DN, but 0 DN is read there.
    Beyond(f64),
    /// No program was found for sums.
    Search(SearchError),
    /// An operation cannot be carried out.
    Operation(OperationError),
    /// An operation could not be proved.
    Proof(OperationProofError),
    /// A plane is read whose register has been overwritten.
    Lost,
    /// There are too few analogue registers.
    Registers {
        /// The number of registers that there are.
        found: usize,
        /// The number of registers that would suffice, if any number does.
        enough: Option<usize>,
    },
    /// The network cannot be left for those that may interrupt it, or not as soon as required.
    Interruption {
        /// The reason.
        error: SwitchError,
        /// The number of analogue registers, besides those of the others, that would suffice, if any number does.
        enough: Option<usize>,
    },
    /// There are too few digital registers.
    Bits,
    /// A number has more bits than there are digital registers for it.
    BitsOfResult {
        /// The number of free registers.
        free: usize,
        /// The number of bits.
        needed: usize,
    },
    /// No program in digital registers was found while later layers still need other bits.
    Exact {
        /// The number of bits that later layers read.
        held: usize,
        /// The reason.
        error: cain_digital::SearchError,
    },
    /// A number of this many bits is too wide for an analogue value.
    TooWide(usize),
    /// The given programs do not belong to this network: there is none for this sum, or one that does not compute it.
    Stale(String),
}

impl CompileError {
    pub(super) fn new(network: &Network, layer: Option<usize>, obstacle: Obstacle) -> Self {
        let name = layer.and_then(|layer| network.layers.get(layer)).map_or(&network.name, |layer| &layer.name);
        Self { layer, name: name.clone(), obstacle: Box::new(obstacle) }
    }

    pub(super) fn unsupported(network: &Network, layer: usize, what: &'static str) -> Self {
        Self::new(network, Some(layer), Obstacle::Unsupported(what))
    }

    pub(super) fn overflow(network: &Network, layer: usize) -> Self {
        Self::new(network, Some(layer), Obstacle::Overflow)
    }

    pub(super) fn inexact(network: &Network, layer: usize, number: f64) -> Self {
        Self::new(network, Some(layer), Obstacle::Inexact(number))
    }

    pub(super) fn range(network: &Network, layer: usize) -> Self {
        Self::new(network, Some(layer), Obstacle::Range)
    }

    pub(super) fn levels(network: &Network) -> Self {
        Self::new(network, None, Obstacle::Levels(network.input.levels))
    }

    pub(super) fn operation(network: &Network, layer: Option<usize>, error: OperationError) -> Self {
        Self::new(network, layer, Obstacle::Operation(error))
    }
}

impl CompileError {
    pub(super) fn proof(network: &Network, error: OperationProofError) -> Self {
        Self::new(network, None, Obstacle::Proof(error))
    }
}

impl From<NetworkError> for CompileError {
    fn from(error: NetworkError) -> Self {
        Self { layer: error.layer, name: error.name.clone(), obstacle: Box::new(Obstacle::Network(error)) }
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Obstacle::Network(error) = &*self.obstacle {
            return error.fmt(f);
        }
        let what = if self.layer.is_some() { "layer" } else { "network" };
        write!(f, "{what} `{}`: {}", self.name, self.obstacle)
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Network(error) => error.fmt(f),
            Self::Unsupported(what) => write!(f, "the compiler does not do {what}"),
            Self::Overflow => f.write_str("weights or distances are too large to be handled exactly"),
            Self::Inexact(number) => {
                write!(f, "{number} has too many digits for the array; round it to a multiple of 1/2^24")
            }
            Self::Range => {
                f.write_str("values leave the range of the registers even when halved 16 times: the weights, as whole numbers of their \
                     common fraction, are too large; use smaller ones, or multiples of a coarser fraction")
            }
            Self::SmallRange(range) => write!(
                f,
                "the registers of the machine hold {range} DN, but values of networks take up to {} DN; use a machine whose \
                 `range` has these, or filters",
                Range::SCAMP5
            ),
            Self::Machine(error) => {
                write!(f, "{error}, which the operations of networks need; use a machine that can do more")
            }
            Self::Levels((low, high)) => write!(
                f,
                "the levels {low}..{high} of the image cannot be shown; use numbers between -126 and 126 with few digits"
            ),
            Self::Beyond(wanted) => write!(
                f,
                "reads beyond the border of the array, where values are 0 DN, but needs {wanted:.3} DN there; use `levels` and a \
                 `range` for which that is 0 DN, a smaller picture, or no padding"
            ),
            Self::Search(error @ SearchError::Budget { .. }) => write!(f, "{error}; allow more `nodes`"),
            Self::Search(error) => error.fmt(f),
            Self::Operation(error) => error.fmt(f),
            Self::Proof(error) => error.fmt(f),
            Self::Lost => f.write_str("reads a plane that is not in its register any more"),
            Self::Registers { found, enough: Some(enough) } => write!(
                f,
                "needs more planes at once than {found} registers hold; {enough} registers would do, or fewer channels"
            ),
            Self::Registers { found, enough: None } => {
                write!(f, "needs more planes at once than {found} registers hold; use fewer channels")
            }
            Self::Interruption { error, enough: None } => error.fmt(f),
            Self::Interruption { error, enough: Some(enough) } => {
                write!(
                    f,
                    "{error}; with {enough} analogue registers that the others do not use it would never be in their way"
                )
            }
            Self::Stale(sum) => {
                write!(f, "the plan is for another network or other options: it has no program for `{sum}`")
            }
            Self::BitsOfResult { free, needed } => write!(
                f,
                "the number has {needed} bits, but {free} of 7 digital registers hold nothing that later layers read; use smaller \
                 weights, a threshold before other layers, or another order of layers"
            ),
            Self::Exact { held: 0, error } => error.fmt(f),
            Self::Exact { held, error } => {
                let bits = if *held == 1 {
                    "1 bit that later layers read"
                } else {
                    &format!("{held} bits that later layers read")
                };
                write!(f, "{error}; there are {bits} beside it")
            }
            Self::TooWide(bits) => write!(
                f,
                "reads a number of {bits} bits as analogue values, whose range has room for 6 bits, or 7 with a sign; use a \
                 threshold, or smaller weights"
            ),
            Self::Bits => f.write_str("needs more bits at once than there are digital registers; use fewer channels"),
        }
    }
}

impl core::error::Error for CompileError {}
