//! Several tasks on one array: a fast one interrupts a slow one.
//!
//! The array has one set of registers. A program that others may interrupt has
//! [switch points](crate::isa::Switches): places where what it still needs is out of the way of the others, or can be
//! moved there, or can be computed again. They are found and proved when the program is compiled. [`Tasks`] runs what is
//! requested, by priority, and leaves a program only at such points.
//!
//! What is saved are the analogue registers, NEWS and digital registers that the points know about. Not saved is what the
//! controller holds, such as the level of `IN` and the pattern of `SELECT`, nor the light in the photo-sensors: a task
//! sets them itself before it uses them, without a switch point in between.

mod clock;
mod context;
mod counts;
mod requests;
mod scheduler;

pub use clock::{Clock, Ticking};
pub use context::Context;
pub use counts::Counts;
pub use requests::{NoSuchTask, Requests, Ticks};
pub use scheduler::{AddError, Outcome, Schedule, Task, Tasks};
