//! Registers as Rust values: the right to write a register, and the image that a register holds.
//!
//! Handles have size zero. They exist so that the compiler sees what a program does with the few registers of a PE.

mod digital;

use core::fmt;
use core::marker::PhantomData;

use crate::isa::Reg;
use crate::reg::{self, Register};

pub use digital::{BitPlane, Dreg, Dregs};

/// The exclusive right to use one analogue register.
///
/// Writing the register borrows this handle mutably, so the register cannot be overwritten while a [`Plane`] in it is
/// still needed.
///
/// ```compile_fail,E0499
/// # use cain_runtime::Aregs;
/// let mut r = Aregs::new();
/// let image = r.a.hold();
/// let overwritten = r.a.hold();
/// drop(image);
/// ```
///
/// When the plane is no longer needed, the register is free again:
///
/// ```
/// # use cain_runtime::Aregs;
/// let mut r = Aregs::new();
/// let image = r.a.hold();
/// drop(image);
/// let next = r.a.hold();
/// # drop(next);
/// ```
pub struct Areg<R>(PhantomData<R>);

/// An image that is held in register `R`.
///
/// It borrows the register from its [`Areg`], and can be neither copied nor created out of nothing. A kernel that
/// overwrites its input takes the plane by value, so it cannot be used again.
///
/// Handles track which registers a program uses, not what they hold: reading a register that was never written is an
/// error of the array.
pub struct Plane<'r, R>(PhantomData<&'r mut Areg<R>>);

impl<R: Register> Areg<R> {
    /// The handle of a register, for arrays with other registers than [`Aregs`] has.
    ///
    /// Make only one handle per register and array; two of them would not know of each other.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// The register that may be written with this handle.
    #[must_use]
    pub const fn reg(&self) -> Reg {
        R::REG
    }

    /// Declares that the register now holds an image.
    ///
    /// It is for code that has just written the register: generated functions, simulators and drivers.
    #[must_use]
    pub const fn hold(&mut self) -> Plane<'_, R> {
        Plane(PhantomData)
    }
}

impl<R: Register> Plane<'_, R> {
    /// The register that holds the image.
    #[must_use]
    pub const fn reg(&self) -> Reg {
        R::REG
    }
}

impl<R: Register> Default for Areg<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: Register> fmt::Debug for Areg<R> {
    /// Writes, for example, `Areg(A)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Areg({})", R::REG)
    }
}

impl<R: Register> fmt::Debug for Plane<'_, R> {
    /// Writes, for example, `Plane(A)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Plane({})", R::REG)
    }
}

/// The six analogue registers of SCAMP-5, to be used field by field.
#[derive(Debug, Default)]
pub struct Aregs {
    /// Register A.
    pub a: Areg<reg::A>,
    /// Register B.
    pub b: Areg<reg::B>,
    /// Register C.
    pub c: Areg<reg::C>,
    /// Register D.
    pub d: Areg<reg::D>,
    /// Register E.
    pub e: Areg<reg::E>,
    /// Register F.
    pub f: Areg<reg::F>,
}

impl Aregs {
    /// The registers of one array. Make only one set per array; two of them would not know of each other.
    #[must_use]
    pub const fn new() -> Self {
        Self { a: Areg::new(), b: Areg::new(), c: Areg::new(), d: Areg::new(), e: Areg::new(), f: Areg::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::{Aregs, Plane};
    use crate::reg;

    #[test]
    fn handles_have_no_size() {
        assert_eq!(size_of::<Aregs>(), 0);
        assert_eq!(size_of::<Plane<'static, reg::A>>(), 0);
    }

    #[cfg(feature = "alloc")]
    #[test]
    fn handles_print_their_register() {
        let mut register = super::Areg::<reg::R<18>>::new();
        assert_eq!(alloc::format!("{register:?} {:?}", super::Areg::<reg::R>::new()), "Areg(R18) Areg(R)");
        assert_eq!(alloc::format!("{:?}", register.hold()), "Plane(R18)");
    }
}
