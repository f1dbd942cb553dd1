//! Why a network cannot be compiled.

use core::fmt;

use cain_isa::operations::OperationError;
use cain_isa::prove::OperationProofError;

use crate::{Network, NetworkError};
use cain_search::SearchError;
use cain_search::switches::SwitchError;

/// Why a network cannot be compiled, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct CompileError {
    /// The layer; the network as a whole if `None`.
    pub layer: Option<usize>,
    /// The name of the layer or of the network.
    pub name: String,
    /// What is in the way.
    pub obstacle: Box<Obstacle>,
}

/// What is in the way of compiling a network.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Obstacle {
    /// The layers do not fit each other.
    Network(NetworkError),
    /// Something that the array is not made to do by this compiler.
    Unsupported(&'static str),
    /// Weights or distances beyond exact arithmetic.
    Overflow,
    /// A number that has no exact fraction.
    Inexact(f64),
    /// Values that leave the range of registers at every scale.
    Range,
    /// Levels of the picture that registers do not hold.
    Levels((f64, f64)),
    /// Values are read beyond the border of the array, where 0 DN is read, but these DN are needed.
    Beyond(f64),
    /// No program was found for sums.
    Search(SearchError),
    /// An operation cannot be carried out.
    Operation(OperationError),
    /// An operation could not be proved.
    Proof(OperationProofError),
    /// A plane is read that is not in its register any more.
    Lost,
    /// There are too few analogue registers.
    Registers {
        /// How many there are.
        found: usize,
        /// How many would do, if that many can be.
        enough: Option<usize>,
    },
    /// It cannot be left for those that may interrupt it, or not as soon as wanted.
    Interruption {
        /// Why.
        error: SwitchError,
        /// How many analogue registers would do beside those of the others, if that many can be.
        enough: Option<usize>,
    },
    /// There are too few digital registers.
    Bits,
    /// A number has more bits than there are digital registers for it.
    BitsOfResult {
        /// How many registers are free.
        free: usize,
        /// The bits.
        needed: usize,
    },
    /// No program in digital registers was found, beside so many bits that later layers read.
    Exact {
        /// The bits that later layers read.
        held: usize,
        /// Why.
        error: cain_digital::SearchError,
    },
    /// A number of so many bits is to be an analogue value, whose range has no place for it.
    TooWide(usize),
    /// The programs given are not those of this network: there is none for this sum, or one that does not compute it.
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
                f.write_str("values leave the range of the registers even when halved 16 times; use smaller weights")
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
