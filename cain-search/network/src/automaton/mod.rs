//! Neural cellular automata: networks with a state that every cell updates, step after step.
//!
//! An [`Automaton`] declares what a cell computes, in integers: layers of weighted sums turn the picture's grey and the
//! states around a cell into an update of its state. [`Reference`] computes steps exactly; [`compile`] finds the
//! programs of all layers, for a machine with enough registers, and the cost of a step.
//!
//! ```
//! use cain_isa::Machine;
//! use cain_search::Options;
//! use cain_network::automaton::{Automaton, Bits, Cells, Layer, Reference};
//!
//! // A cell counts, in eighths of its own grey and with one label, how bright it is.
//! let automaton = Automaton {
//!     name: "bright".into(),
//!     size: (1, 2),
//!     alive: 26,
//!     classes: 1,
//!     scale: 3,
//!     bits: Bits { state: 10, activation: 9, update: 9, register: 16 },
//!     layers: vec![Layer { kernels: vec![vec![vec![vec![1]], vec![vec![0]]]] }],
//!     machine: Machine::SCAMP5,
//!     options: Options::default(),
//!     interruption: None,
//! };
//! automaton.check()?;
//! let mut cells = Cells::new(&automaton, &[25, 255]);
//! Reference::new(&automaton).step(&mut cells, &[true, true]);
//! // The first cell does not live; 255/8 is rounded down.
//! assert_eq!(cells.state(0), [0, 31]);
//! # Ok::<(), cain_network::automaton::AutomatonError>(())
//! ```

mod check;
mod compile;
mod declaration;
mod error;
mod noise;
mod reference;
mod registers;
mod step;
#[cfg(test)]
mod tests;

pub use compile::{CompiledAutomaton, CompiledLayer, assemble, compile, compile_with, declarations};
pub use declaration::{Automaton, Bits, Layer};
pub use error::{AutomatonError, CompileAutomatonError};
pub use noise::Noise;
pub use reference::{Cells, Reference, Saturated};
pub use registers::Registers;
pub use step::clock_periods;
