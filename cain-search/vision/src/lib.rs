//! Whole vision programs: what is done frame after frame, with states, numbers that the host sets, loops and decisions.

mod accuracy;
mod compile;
mod compiled;
pub mod declaration;
mod median;
mod moments;
mod plan;
mod proof;
pub mod reference;

pub use compile::{CompileError, compile, compile_pinned};
pub use compiled::Compiled;
pub use moments::{Happening, Moment};
pub use plan::{ListPlace, StatePlace};
