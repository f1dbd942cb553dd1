//! Errors in making programs interruptible.

use core::fmt;

use cain_isa::{Bit, Instruction, Reg};

/// The reason why a program cannot be interrupted by others.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SwitchError {
    /// The others overwrite a register that the declaration does not name, in which an image may be stored.
    Foreign {
        /// The register.
        register: Reg,
    },
    /// The program cannot be left at its end: there is no room for its results besides the registers of the others.
    NoRoom {
        /// The registers with results that the others overwrite.
        results: Vec<Reg>,
        /// The number of further registers that would suffice.
        missing: usize,
    },
    /// The program cannot be left at its end: it holds bits that the others overwrite, and has no room for them.
    NoRoomForBits {
        /// The bits.
        bits: Vec<Bit>,
    },
    /// The program cannot be left as soon as required.
    Latency {
        /// The longest time that others may have to wait for it, in control words.
        latency: u32,
        /// The longest time that is allowed.
        allowed: u32,
    },
    /// A point failed its proof.
    Unproved {
        /// The number of instructions of the program that had been executed.
        at: u32,
        /// The instruction that would have failed next.
        next: Option<Instruction>,
    },
}

impl fmt::Display for SwitchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign { register } => write!(
                f,
                "the interrupting filters overwrite `{register}`, which this one does not name; list it in `using` \
                 (in kernel files `scratch`) if it holds nothing"
            ),
            Self::NoRoom { results, .. } => {
                f.write_str("at its end the program holds results in ")?;
                list(f, results)?;
                f.write_str(", which the interrupting filters overwrite, and has no room for them")
            }
            Self::NoRoomForBits { bits } => {
                f.write_str("at its end the program holds ")?;
                list(f, bits)?;
                f.write_str(
                    ", which the interrupting programs overwrite, and has no digital registers free for that; compile those \
                     for other registers",
                )
            }
            Self::Latency { latency, allowed } => {
                let plural = if *latency == 1 { "" } else { "s" };
                write!(f, "others may have to wait for the program for {latency} control word{plural}; at most ")?;
                write!(f, "{allowed} are allowed")
            }
            Self::Unproved { at, next } => {
                write!(f, "leaving the program after {at} instructions is not proved")?;
                match next {
                    Some(instruction) => write!(f, ": `{instruction}` would go wrong"),
                    None => Ok(()),
                }
            }
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, registers: &[impl fmt::Display]) -> fmt::Result {
    let written = |(index, register)| write!(f, "{}`{register}`", if index > 0 { ", " } else { "" });
    registers.iter().enumerate().try_for_each(written)
}

impl core::error::Error for SwitchError {}
