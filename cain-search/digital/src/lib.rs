//! Exact kernels on numbers in the digital registers of one PE.
//!
//! A [`Declaration`] names inputs with their bits and outputs with their kernels. [`search`] finds a program of control words
//! for it and [`verify`] decides whether any program computes it, for all inputs.
//!
//! ```
//! use cain_analysis::prove::Polynomial;
//! use cain_isa::{Fraction, Instruction};
//! use cain_digital::{Declaration, Format, Input, Output, Program, search, verify};
//!
//! // The number of white pixels among three, of a thresholded image.
//! let input = Polynomial::input(0);
//! let mut row = input.clone();
//! for x in [-1, 1] {
//!     row.add_scaled(&input, Fraction::ONE, cain_isa::Displacement::new(x, 0)).unwrap();
//! }
//! let declaration = Declaration {
//!     name: "row".into(),
//!     inputs: vec![Input { name: "image".into(), format: Format::new(1, false).unwrap(), keep: false, at: None }],
//!     outputs: vec![Output { name: "count".into(), formula: row.into() }],
//!     flag: true,
//!     nodes: 10_000,
//! };
//! let solution = search(&declaration)?;
//! let program = solution.program.program();
//! assert_eq!(program.words(), 12);
//! assert_eq!(program.outputs[0].len(), 2);
//!
//! // Every word is needed.
//! let shorter = Program { listing: program.listing[1..].to_vec(), ..program.clone() };
//! assert!(verify(&declaration, &shorter).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it searches
//!
//! The search works from the outputs back to the inputs, on three levels. The first decides which partial sums are
//! made: it factors out repetitions within a kernel and between kernels. The second makes gates of every sum, bit by
//! bit, with the adders that take the fewest words together; sums and carries stay spread over two registers where the
//! next word can read both. The third finds an order and registers for all bits by a beam search under the rules of the
//! chip. The best of many sums and orders is replayed on Boolean functions before it is returned.

mod candidates;
mod declaration;
mod effort;
mod format;
#[cfg(test)]
mod grid;
mod logic;
mod network;
mod placed;
mod prove;
mod proved;
mod schedule;
mod search;
mod sums;
pub mod superpixel;
mod trace;
mod verify;

pub use declaration::{Declaration, DeclarationError, Formula, Input, Output};
pub use format::Format;
pub use logic::Logic;
pub use placed::{ALIKE, in_registers};
pub use proved::{ProvedOf, SolutionOf, Statistics};
pub use search::{Fitting, SearchError, Solution, search, search_watched};
pub use trace::{Written, trace};
pub use verify::{Program, Proved, VerifyError, verify};
