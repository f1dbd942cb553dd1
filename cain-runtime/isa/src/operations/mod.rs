//! Operations that are not linear, and bits: each a program of a few control words, as data.
//!
//! A kernel is linear, and the search finds its words. What comes between kernels is here: rectification, the larger and
//! the smaller of two planes, thresholds, selection, pooling, and logic and shifts of bits. A [`PlaneOperation`] names its
//! registers; [`words`](PlaneOperation::words) are its words, at compile time if wanted, without allocation:
//!
//! ```
//! use cain_isa::{PlaneOperation, Reg, Words};
//!
//! const RELU: Words = match (PlaneOperation::Relu { y: Reg::A, x: Reg::A }).words() {
//!     Ok(words) => words,
//!     Err(_) => panic!("these registers do not do"),
//! };
//! assert_eq!(RELU.len(), 5);
//! ```
//!
//! # What holds for all of them
//!
//! - FLAG is 1 in every PE before and after. NEWS is overwritten by all that write analogue registers.
//! - The constant transfer error of words (about 20 DN on SCAMP-5) cancels, in results as in comparisons: what is copied
//!   is inverted twice, what is compared has been made by as many words on both sides, or is compared as it was stored.
//!   Only words with two destinations leave the difference of their error to that of others (2 DN as
//!   [measured](crate::ErrorModel::measured)); the operations that halve say so.
//! - Comparisons are strict: `x > y`. A difference beyond the range saturates and keeps its sign.
//! - Every operation is proved for all values by `prove::operation`, with the feature `prove`, in whatever registers
//!   [`words`](PlaneOperation::words) accepts.
//! - Scratch registers lose what they held. `R12` is never written. At the border of the array, values from outside are
//!   what they are on the chip: undefined for analogue planes, as told for bits.

mod analogue;
mod digital;
mod error;
mod operation;
mod pooling;
#[cfg(feature = "prove")]
mod specification;
mod words;

pub use error::OperationError;
pub use operation::{Place, PlaneOperation, Window};
#[cfg(feature = "prove")]
pub use specification::Specification;
pub use words::Words;
