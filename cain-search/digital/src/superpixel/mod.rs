//! Exact kernels on numbers whose bits are spread over blocks of PEs: super-pixels.
//!
//! A [`Layout`] assigns bits to the PEs of a block; all bits of a number are in the same register. [`search`] finds a
//! program of control words for a [`Declaration`] and [`verify`] decides whether any program computes it, for all
//! inputs.
//!
//! ```
//! use cain_analysis::prove::Polynomial;
//! use cain_digital::superpixel::{Carry, Declaration, Input, Layout, Output, search};
//!
//! // Four bits in a loop, and a number plus its neighbour's in the west.
//! let mut sum = Polynomial::input(0);
//! sum.add_scaled(&Polynomial::input(0), cain_isa::Fraction::ONE, cain_isa::Displacement::new(-1, 0)).unwrap();
//! let declaration = Declaration {
//!     name: "sum".into(),
//!     layout: Layout::new(&[vec![vec![1, 2], vec![4, 3]]])?,
//!     carry: Carry::Propagate,
//!     inputs: vec![Input::new("image".into(), 0)],
//!     outputs: vec![Output::sum("sum".into(), 0, sum)],
//!     nodes: 1000,
//! };
//! let solution = search(&declaration)?;
//! assert_eq!(solution.program.program().words(), 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Registers that are prepared once hold, for each PE, the direction of its next lower bit. So one word moves the
//! carries of all bits of all numbers, and `PROP` carries them through runs of ones.

mod convert;
mod declaration;
mod emit;
mod error;
mod layout;
mod levels;
mod operations;
mod pattern;
mod planes;
mod program;
mod registers;
mod replay;
mod search;
mod signs;
mod trace;
mod verify;

pub use convert::Converter;
pub use declaration::{Carry, ConverterError, Declaration, DeclarationError, Input, Output, Then};
pub use error::{SearchError, Shortage};
pub use layout::{Layout, LayoutError, Place};
pub use program::Program;
pub use search::{Solution, search, search_watched};
pub use trace::{Written, trace};
pub use verify::{Proved, Reason, VerifyError, verify};
