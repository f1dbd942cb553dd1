//! Registers as types, so that a handle knows at compile time which register it is for.
//!
//! [`A`] to [`F`] are the analogue registers of SCAMP-5. Machines with more registers use further letters and numbers:
//! `R<0>` is register R0, and `R` alone is the letter.
//!
//! ```
//! use cain_runtime::isa::Reg;
//! use cain_runtime::reg::{self, Register};
//!
//! assert_eq!(<reg::B as Register>::REG, Reg::B);
//! assert_eq!(<reg::R<18> as Register>::REG.to_string(), "R18");
//! assert_eq!(<reg::R as Register>::REG.to_string(), "R");
//! ```
//!
//! The one-bit registers are in [`digital`].

pub mod digital;

use crate::isa::{Reg, asm};

mod sealed {
    pub trait Sealed {}
}

/// A type of this module, which names one analogue register.
pub trait Register: sealed::Sealed {
    /// The register as a value.
    const REG: Reg;
}

macro_rules! letters {
    ($($name:ident)*) => {$(
        #[doc = concat!("Analogue register ", stringify!($name), ".")]
        #[derive(Debug)]
        pub enum $name {}

        impl sealed::Sealed for $name {}

        impl Register for $name {
            const REG: Reg = asm::$name;
        }
    )*};
}

letters! { A B C D E F G H I J K L M N O P Q S T U V W X Y Z }

/// The value of [`R`]'s parameter if it is written without one.
const LETTER: u8 = u8::MAX;

/// Analogue register Rn, for n up to 229; without a number, the register of the letter R.
///
/// Using a register with a larger number is a compile error.
#[derive(Debug)]
pub enum R<const NUMBER: u8 = LETTER> {}

impl<const NUMBER: u8> sealed::Sealed for R<NUMBER> {}

impl<const NUMBER: u8> Register for R<NUMBER> {
    const REG: Reg = if NUMBER == LETTER { asm::R } else { asm::r(NUMBER) };
}
