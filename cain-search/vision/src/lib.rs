//! Whole vision programs: what is done frame after frame, with states, numbers that the host sets, loops and decisions.

mod compile;
pub mod declaration;
mod library;
pub mod reference;

pub use compile::{CompileError, Compiled, compile};
pub use library::Shape;
