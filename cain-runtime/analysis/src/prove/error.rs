//! Errors of proofs.

use core::fmt;

use cain_isa::{Fraction, MachineError, Reg, Store, Word};

use super::Atom;

/// The reason why a program cannot be followed exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProveError {
    /// The machine for which the program is proved lacks an instruction; see [`Prover::on`](super::Prover::on).
    Machine(MachineError),
    /// A cell is read that contains neither an input nor a result.
    Unwritten(Store),
    /// A word is not a transfer between analogue cells: its effect depends on the images, so no polynomial describes
    /// it.
    NotATransfer(Word),
    /// A word that does more than compare, choose and add: a propagation, a diffusion, a square or a reset.
    NotPiecewise(Word),
    /// A weight does not fit 64 bits, or a displacement leaves ±32767 PEs.
    Overflow,
    /// More weights are read than this limit allows.
    Limit(u64),
}

impl fmt::Display for ProveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Machine(error) => error.fmt(f),
            Self::Unwritten(Store::Reg(reg)) => {
                write!(f, "register `{reg}` is read before anything is written to it")
            }
            Self::Unwritten(Store::News) => f.write_str("NEWS is read before anything is written to it"),
            Self::Unwritten(Store::Pix | Store::In) => f.write_str(
                "a program that reads `PIX` or `IN` cannot be proved; load an image into a register instead",
            ),
            Self::NotATransfer(word) => {
                write!(f, "`{word}` is no transfer between analogue cells, which is all that can be proved")
            }
            Self::NotPiecewise(word) => {
                write!(f, "`{word}` can be proved neither as a transfer nor as a choice between values")
            }
            Self::Overflow => f.write_str("a weight or a displacement is too large to be followed exactly"),
            Self::Limit(weights) => write!(f, "the program goes on after it has read {weights} weights of its values"),
        }
    }
}

impl core::error::Error for ProveError {}

impl From<MachineError> for ProveError {
    fn from(error: MachineError) -> Self {
        Self::Machine(error)
    }
}

/// The first difference between a register and the wanted polynomial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mismatch {
    /// The register was never written.
    Nothing {
        /// The register.
        reg: Reg,
    },
    /// A weight differs; it is the first one in the order of atoms.
    Weight {
        /// The register.
        reg: Reg,
        /// The input pixel.
        atom: Atom,
        /// Its weight in the kernel.
        wanted: Fraction,
        /// Its weight in the register.
        found: Fraction,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing { reg } => write!(f, "register `{reg}` is never written"),
            Self::Weight { reg, atom, wanted, found } => write!(
                f,
                "register `{reg}` weighs input {} at {} with {found} instead of {wanted}",
                atom.channel, atom.displacement
            ),
        }
    }
}

impl core::error::Error for Mismatch {}
