//! What programs for SCAMP-5 do: what is needed of the machine where programs are made, which is never the controller.
//!
//! [`cain_isa`] is the machine as constant data, without a heap. On it stand, for compilers and tests:
//!
//! - [`owned`]: programs while they are being compiled, what they cost, and how they are written down;
//! - [`evaluate`]: an abstract machine that carries out control words over any domain of values;
//! - [`prove`]: the exact prover, which computes what a program does.
//!
//! ```
//! use cain_analysis::prove::Prover;
//! use cain_isa::{HostController, Instruction, Reg};
//!
//! // Average with the neighbour to the east, in place.
//! let listing = ["div(B,C,A);", "subx(A,B,east,C);"];
//!
//! let mut prover = Prover::new(&[Reg::A]);
//! for line in listing {
//!     prover.execute(line.parse::<Instruction>().unwrap()).unwrap();
//! }
//! assert_eq!(prover.value(Reg::A).unwrap().to_string(), "1/2 + 1/2·x");
//! assert_eq!(prover.report().icws, 7);
//! ```
#![no_std]

extern crate alloc;

pub mod evaluate;
pub mod owned;
pub mod prove;
pub mod sorted;

pub use owned::Owned;
