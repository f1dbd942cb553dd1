//! Controllers that observe what is sent to another controller.
//!
//! They can all be wrapped around any controller, including each other, and pass on everything, including controller
//! functions ([`ArrayIo`](crate::io::ArrayIo)) if the controller has them. What fails there is neither counted nor
//! recorded.

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

/// Gives access to the controller inside a wrapper.
macro_rules! watches {
    ($watcher:ident) => {
        impl<H> $watcher<H> {
            /// The controller that everything is passed on to.
            pub const fn controller(&self) -> &H {
                &self.controller
            }

            /// Mutable access to the controller that everything is passed on to; what it is sent directly is not
            /// observed.
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
