//! Digital registers as types.
//!
//! ```
//! use cain_runtime::isa::Dreg;
//! use cain_runtime::reg::digital::{self, Register};
//!
//! assert_eq!(Some(<digital::R5 as Register>::DREG), Dreg::new(5));
//! ```
//!
//! FLAG has no type: like NEWS among the analogue cells, it is scratch space for everything conditional, and holds
//! nothing from one program to the next.

use super::sealed::Sealed;
use crate::isa::Dreg;

/// A type of this module: the name of one digital register.
pub trait Register: Sealed {
    /// The register as a value.
    const DREG: Dreg;
}

macro_rules! registers {
    ($($name:ident = $number:literal, $role:literal;)*) => {$(
        #[doc = concat!("Digital register ", stringify!($name), $role)]
        #[derive(Debug)]
        pub enum $name {}

        impl Sealed for $name {}

        impl Register for $name {
            const DREG: Dreg = Dreg::ALL[$number];
        }
    )*};
}

registers! {
    R0 = 0, ", scratch of the logic macros; `R12` is written only where it is 1.";
    R1 = 1, ", which lets bits in from the south.";
    R2 = 2, ", which lets bits in from the west.";
    R3 = 3, ", which lets bits in from the north.";
    R4 = 4, ", which lets bits in from the east.";
    R5 = 5, ".";
    R6 = 6, ".";
    R7 = 7, ".";
    R8 = 8, ".";
    R9 = 9, ".";
    R10 = 10, ".";
    R11 = 11, ".";
    R12 = 12, ", which propagates; it is written only where `R0` is 1.";
}
