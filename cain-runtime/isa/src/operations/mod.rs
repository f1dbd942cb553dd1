//! Non-linear operations and operations on bits: each is a program of a few control words, as data.
//!
//! A kernel is linear, and the search finds its words. This module has the operations between kernels: rectification,
//! the larger and the smaller of two planes, thresholds, selection, pooling, and logic and shifts of bits. A
//! [`PlaneOperation`] names its registers; [`words`](PlaneOperation::words) returns its words, if wanted at compile
//! time, without allocation:
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
//! - FLAG is 1 in every PE before and after. All operations that write analogue registers overwrite NEWS.
//! - The constant transfer error of words (about 20 DN on SCAMP-5) cancels, both in results and in comparisons: copied
//!   values are inverted twice, and compared values either have been made by equally many words on both sides or are
//!   compared as they were stored. Only words with two destinations leave the difference between their error and that
//!   of other words (2 DN as [measured](crate::ErrorModel::measured)); operations that halve mention it.
//! - Comparisons are strict: `x > y`. A difference beyond the range saturates and keeps its sign.
//! - Every operation is proved for all values by `prove::operation`, with the feature `piecewise`, in whatever registers
//!   [`words`](PlaneOperation::words) accepts.
//! - Scratch registers lose what they held. `R12` is never written. At the border of the array, values from outside are
//!   the same as on the chip: undefined for analogue planes, and as specified for bits.

mod analogue;
mod digital;
mod error;
mod limits;
mod operation;
mod place;
mod pooling;
mod steps;
mod window;
mod words;

pub use error::OperationError;
pub use operation::PlaneOperation;
pub use place::Place;
pub use window::Window;
pub use words::Words;
