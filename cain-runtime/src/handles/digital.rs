//! Handles of the one-bit registers.

use core::fmt;
use core::marker::PhantomData;

use crate::isa::{self, Bit};
use crate::reg::digital::{self, Register};

/// The exclusive right to use one digital register, like [`Areg`](crate::Areg) for an analogue one.
///
/// ```compile_fail,E0499
/// # use cain_runtime::Dregs;
/// let mut r = Dregs::new();
/// let mask = r.r5.hold();
/// let overwritten = r.r5.hold();
/// drop(mask);
/// ```
pub struct Dreg<R>(PhantomData<R>);

/// A bit per PE that is held in digital register `R`, like [`Plane`](crate::Plane) for an analogue one.
///
/// On the chip, bits must be [refreshed](isa::Op::Refresh) if nothing has used them for about a second.
pub struct BitPlane<'r, R>(PhantomData<&'r mut Dreg<R>>);

impl<R: Register> Dreg<R> {
    /// The handle of a register. Make only one per register and array; two of them would not know of each other.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// The register that may be written with this handle.
    #[must_use]
    pub const fn dreg(&self) -> isa::Dreg {
        R::DREG
    }

    /// Declares that the register now holds bits.
    ///
    /// It is for code that has just written the register: generated functions, simulators and drivers.
    #[must_use]
    pub const fn hold(&mut self) -> BitPlane<'_, R> {
        BitPlane(PhantomData)
    }
}

impl<R: Register> BitPlane<'_, R> {
    /// The register that holds the bits.
    #[must_use]
    pub const fn dreg(&self) -> isa::Dreg {
        R::DREG
    }

    /// The register, in the form that instructions and read-outs take.
    #[must_use]
    pub const fn bit(&self) -> Bit {
        Bit::Reg(R::DREG)
    }
}

impl<R: Register> Default for Dreg<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: Register> fmt::Debug for Dreg<R> {
    /// Writes, for example, `Dreg(R5)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dreg({})", R::DREG)
    }
}

impl<R: Register> fmt::Debug for BitPlane<'_, R> {
    /// Writes, for example, `BitPlane(R5)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BitPlane({})", R::DREG)
    }
}

macro_rules! dregs {
    ($($field:ident: $name:ident,)*) => {
        /// The thirteen digital registers of SCAMP-5, to be used field by field.
        #[derive(Debug, Default)]
        pub struct Dregs {$(
            #[doc = concat!("Register ", stringify!($name), ".")]
            pub $field: Dreg<digital::$name>,
        )*}

        impl Dregs {
            /// The registers of one array. Make only one set per array; two of them would not know of each other.
            #[must_use]
            pub const fn new() -> Self {
                Self { $($field: Dreg::new(),)* }
            }
        }
    };
}

dregs! {
    r0: R0, r1: R1, r2: R2, r3: R3, r4: R4, r5: R5, r6: R6, r7: R7, r8: R8, r9: R9, r10: R10, r11: R11, r12: R12,
}

#[cfg(test)]
mod tests {
    use super::{BitPlane, Dregs};
    use crate::reg::digital;

    #[test]
    fn handles_have_no_size() {
        assert_eq!(size_of::<Dregs>(), 0);
        assert_eq!(size_of::<BitPlane<'static, digital::R5>>(), 0);
    }

    #[cfg(feature = "alloc")]
    #[test]
    fn handles_print_their_register() {
        let mut r = Dregs::new();
        assert_eq!(alloc::format!("{:?} {:?}", r.r0, r.r12.hold()), "Dreg(R0) BitPlane(R12)");
    }
}
