//! What a machine lacks.

use core::fmt;

use super::reading::NewsReading;
use crate::{Dreg, Op, Reg};

/// Something that an instruction needs and the machine does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MachineError {
    /// An analogue register.
    Register(Reg),
    /// A digital register.
    Bit(Dreg),
    /// A macro instruction.
    Macro(Op),
    /// More destinations on one bus.
    Destinations {
        /// The most that the machine allows.
        most: u8,
    },
    /// More sources on one bus.
    Sources {
        /// The most that the machine allows.
        most: u8,
    },
    /// A way of reading NEWS.
    Reading(NewsReading),
}

impl fmt::Display for MachineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Register(reg) => write!(f, "the machine has no analogue register `{reg}`"),
            Self::Bit(dreg) => write!(f, "the machine has no digital register `{dreg}`"),
            Self::Macro(op) => write!(f, "the machine has no instruction `{}`", op.constructor()),
            Self::Destinations { most: 1 } => f.write_str("the machine's words write one cell"),
            Self::Destinations { most } => write!(f, "the machine's words write at most {most} cells"),
            Self::Sources { most: 1 } => f.write_str("the machine's words read one cell"),
            Self::Sources { most } => write!(f, "the machine's words read at most {most} cells"),
            Self::Reading(NewsReading::Own) => f.write_str("the machine's words do not read NEWS"),
            Self::Reading(NewsReading::Port) => f.write_str("the machine's words do not read the NEWS of a neighbour"),
            Self::Reading(NewsReading::Mean) => f.write_str("the machine's words do not average several neighbours"),
        }
    }
}

impl core::error::Error for MachineError {}
