//! Controllers that watch what another controller is sent.
//!
//! All of them can be put around any controller, around each other too, and pass everything on, controller functions
//! ([`ArrayIo`](crate::io::ArrayIo)) too where the controller has them. What fails there is not counted and not recorded.

mod counter;
#[cfg(feature = "alloc")]
mod meter;
#[cfg(feature = "alloc")]
mod readouts;
#[cfg(feature = "alloc")]
mod recorder;
mod timing;

pub use counter::Counter;
#[cfg(feature = "alloc")]
pub use meter::{Expense, Meter, Report};
#[cfg(feature = "alloc")]
pub use recorder::Recorder;
pub use timing::{Tally, Timing};
