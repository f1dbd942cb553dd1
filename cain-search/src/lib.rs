//! Reverse search for the shortest SCAMP-5 programs that compute sets of convolution kernels.
//!
//! A [`Declaration`] names inputs, outputs with their kernels, and the registers that may be used. [`search()`] finds a
//! program for it, and [`verify()`] decides whether a given program computes it. Only `verify` makes a [`Proved`]
//! program.
//!
//! ```
//! use cain_analysis::prove::Polynomial;
//! use cain_isa::{Fraction, Machine, Reg};
//! use cain_search::{Declaration, Input, Kernel, Options, Output, search, verify};
//!
//! // The mean of each pixel and its east neighbour, in place, with two registers to spare.
//! let mut mean = Polynomial::new();
//! let row = vec![Fraction::ZERO, Fraction::ONE, Fraction::ONE];
//! Kernel::new(vec![row])?.add_to(&mut mean, Fraction::new(1, 2).unwrap(), 0)?;
//!
//! let declaration = Declaration {
//!     name: "mean".into(),
//!     inputs: vec![Input { reg: Reg::A, keep: false }],
//!     outputs: vec![Output { reg: Reg::A, kernel: mean }],
//!     scratch: vec![Reg::B, Reg::C],
//!     machine: Machine::SCAMP5,
//!     options: Options::default(),
//! };
//! let solution = search(&declaration)?;
//! let listing = solution.program.listing();
//! assert_eq!(listing.len(), 3);
//!
//! // Every line is needed.
//! assert_eq!(verify(&declaration, listing).as_ref(), Ok(&solution.program));
//! assert!(verify(&declaration, &listing[1..]).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it searches
//!
//! Values are linear combinations of shifted inputs. The search starts from the *bag* of wanted kernels and undoes one
//! instruction after the other: it replaces the results of an instruction by its operands, until only inputs are left
//! (Stow et al. 2022). It divides by binomials, takes out what repeats within a kernel or between kernels, splits by
//! sign and magnitude, and lets terms cancel. Of all bags that cost the same number of instructions, the most promising
//! are expanded first, by an estimate that was fitted to random kernels; ever wider sweeps follow each other until the
//! budget is used up, or nothing better has been found for long. Programs of a few instructions, and parts of the best program, are searched exhaustively. The
//! engine learns what instructions do from [`cain_isa`], by carrying them out.
//!
//! For [`InstructionSet::Native`] the steps are single control words, and a bag consists of the values in registers and
//! in NEWS. The first program comes from macro instructions. If the constant transfer error has to cancel, finished
//! programs are compensated by a search for subsets of words that remove it.
//!
//! Maps of hundreds of weights are computed output by output, from a table of sums that they share, and improved by
//! annealing.
//!
//! The search runs on the threads lent to it through [`threads`].
//!
//! # What is promised
//!
//! - A returned program computes its kernels exactly and writes no register that it must not write.
//! - Budgets are amounts of work, counted in nodes. The same declaration and options give the same program on any
//!   machine, and a larger budget never gives a worse one.
//! - Threads, hash seeds and the time of day have no influence, and memory only through [`Options::memory`].
//! - No program of the instruction set has fewer instructions than [`Statistics::lower_bound`].
//!   [`Stop::Proved`](cain_isa::Stop::Proved) means that the objective has reached its bound.
//! - The crate handles no syntax, no files and no clock.

mod approximate;
pub mod book;
mod costs;
mod declaration;
mod engine;
mod fractions;
mod kernel;
mod large;
mod metrics;
mod random;
mod search;
mod solution;
mod sort;
pub mod switches;
pub mod threads;
mod verify;

/// The version of the searches. It is raised whenever one of this crate, of `cain-digital` or of `cain-network`, or the
/// opening book, may give another program for the same declaration and options: plan files tell it, and what builds keep of earlier searches is of
/// no use to another version.
pub const VERSION: u32 = 11;

pub use approximate::{ApproximateError, Approximated, Approximation, nearest};
pub use costs::compare;
pub use declaration::{
    Declaration, DeclarationError, Input, InstructionSet, Interruption, Matrix, MaxGain, Need, Objective, OffsetRule,
    Options, Output, Patience, Technique,
};
pub use kernel::{Kernel, KernelError, MAX_SIZE};
pub use metrics::{Accuracy, ImageStatistics, accuracy, depth, noise, tenths, thousandths};
#[cfg(feature = "sample")]
pub use search::sample::{Sample, SampledBag, SampledGoal, sample};
pub use search::{search, search_watched, search_without_remedy};
pub use solution::{Remedy, SearchError, Solution, Statistics};
pub use verify::{Proved, VerifyError, verify, verify_within};
