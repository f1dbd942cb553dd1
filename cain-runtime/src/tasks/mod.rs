//! Several tasks on one array: a fast one interrupts a slow one.
//!
//! The array has one set of registers. A program that others may interrupt has [switch points](crate::isa::Switches):
//! places where what it still needs is out of the way of the others, or can be moved there, or can be computed again.
//! They are found and proved when the program is compiled. [`Tasks`] runs requested tasks by priority, and leaves a
//! program only at such points.
//!
//! The analogue registers, NEWS, FLAG and digital registers that the points list are saved. The state of the
//! controller, which is the level of `IN` and the pattern of `SELECT` and `RECT`, is restored by
//! [programs](crate::program) of steps; other tasks set it themselves before they use it, without a switch point in
//! between. The light in the photo-sensors is not saved.

mod atomic;
mod batches;
mod clock;
mod context;
mod counts;
#[cfg(all(test, loom, feature = "sim"))]
mod interleavings;
#[cfg(all(test, not(loom)))]
mod interrupts;
mod period;
mod requests;
mod scheduler;

pub use clock::{Clock, LONGEST, Ticking, Ticks};
pub use context::Context;
pub use counts::Counts;
pub use requests::{NoSuchTask, Requests};
pub use scheduler::{AddError, Outcome, Schedule, Task, Tasks};
