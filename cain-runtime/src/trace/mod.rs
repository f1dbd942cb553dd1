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
pub use timing::Timing;

pub use crate::isa::Tally;

/// How to reach the controller that a watcher is put around.
macro_rules! watches {
    ($watcher:ident) => {
        impl<H> $watcher<H> {
            /// The controller that everything is passed on to.
            pub const fn controller(&self) -> &H {
                &self.controller
            }

            /// The controller that everything is passed on to, to change it; what it is sent directly is not watched.
            pub const fn controller_mut(&mut self) -> &mut H {
                &mut self.controller
            }

            /// Gives the controller back.
            pub fn into_controller(self) -> H {
                self.controller
            }
        }
    };
}

watches!(Counter);
#[cfg(feature = "alloc")]
watches!(Meter);
#[cfg(feature = "alloc")]
watches!(Recorder);
