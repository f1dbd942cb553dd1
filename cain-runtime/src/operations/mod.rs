//! Operations between kernels, as functions on planes and bits: rectification, thresholds, selection, pooling, logic.
//!
//! Every function carries out one [`PlaneOperation`], or two, in the registers of its arguments;
//! [`isa::operations`](crate::isa::operations) describes their words, errors and proofs. Functions whose names end in
//! `_into` keep their operands and write another register; the others replace a plane. FLAG must be 1 in every PE, and
//! is 1 afterwards; NEWS is overwritten.
//!
//! ```
//! # #[cfg(feature = "sim")] {
//! use cain_runtime::operations::{self, Pool};
//! use cain_runtime::{Aregs, Dregs, sim::Array};
//!
//! let (mut array, mut r, mut bits) = (Array::new(4, 1), Aregs::new(), Dregs::new());
//! let mut image = array.load(&mut r.a, &[-9.0, 4.0, 70.0, 5.0])?;
//! operations::relu(&mut array, &mut image)?;
//! operations::max_pool(&mut array, &mut image, Pool::<2, 1>, &mut r.b)?;
//! let bright = operations::threshold(&mut array, &image, 50, &mut bits.r5)?;
//! assert_eq!(array.read(&image)?, [4.0, 70.0, 70.0, 5.0]);
//! assert_eq!(array.read_bit_plane(&bright)?, [false, true, true, false]);
//! # }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! Handles of one array always name different registers, so the words always exist; a call with two handles of the same
//! register does not compile.
//!
//! ```compile_fail,E0080
//! use cain_runtime::isa::{HostController, Word};
//! use cain_runtime::{Areg, Plane, operations, reg};
//!
//! fn twice<H: HostController>(scamp: &mut H, x: &Plane<'_, reg::A>) {
//!     let _ = operations::abs_into(scamp, x, &mut Areg::<reg::A>::new());
//! }
//! # struct Nothing;
//! # impl HostController for Nothing {
//! #     type Error = ();
//! #     fn issue(&mut self, _: Word) -> Result<(), ()> { Ok(()) }
//! # }
//! # twice(&mut Nothing, &Areg::<reg::A>::new().hold());
//! ```

mod bits;
mod planes;

use crate::HostController;
use crate::io::{ArrayIo, IoError};
use crate::isa::{PlaneOperation, Words};

pub use bits::{
    Switches, above, and_into, and_not_into, any_pool_into, choose_into, level_into, majority_into, mask,
    neighbour_into, not_into, or_into, positive, replace, select_into, threshold, xor_into,
};
pub use planes::{
    From, Halvings, Pool, abs, abs_into, at_least, at_most, clamp, leaky_relu, max, max_into, max_pool, mean_pool, min,
    min_into, relu, relu_into, shift_into,
};

/// The words of an operation whose registers are known at compile time.
const fn words(operation: PlaneOperation) -> Words {
    match operation.words() {
        Ok(words) => words,
        Err(_) => panic!("these registers or sizes do not do; there must be one handle per register"),
    }
}

fn send<H: HostController>(scamp: &mut H, words: &Words) -> Result<(), H::Error> {
    words.iter().try_for_each(|&word| scamp.issue(word))
}

/// Carries out an operation, and returns the handle of its result.
macro_rules! carry_out {
    ($scamp:ident, $operation:ident { $($field:ident: $value:expr),* $(,)? }) => {
        $crate::operations::send(
            $scamp,
            const { &$crate::operations::words($crate::isa::PlaneOperation::$operation { $($field: $value),* }) },
        )
    };
}
use carry_out;

/// The negative of a level; an error for the lowest level, which has none.
fn minus(level: i8) -> Result<i8, IoError> {
    level.checked_neg().ok_or(IoError::Level(level))
}

fn set_minus_level<A: ArrayIo>(scamp: &mut A, level: i8) -> Result<(), A::Error> {
    scamp.set_level(minus(level)?)
}
