//! The crate as its users see it. What a feature adds is tested where the feature is on.

#[cfg(all(feature = "device", feature = "prove", feature = "sim"))]
mod agreement;
#[cfg(feature = "sim")]
mod array;
mod dense;
#[cfg(all(feature = "device", feature = "macros", feature = "sim", feature = "std"))]
mod device;
#[cfg(feature = "sim")]
mod digital;
#[cfg(all(feature = "embedded-io", feature = "sim"))]
mod embedded;
#[cfg(feature = "sim")]
mod errors;
#[cfg(all(feature = "device", feature = "sim", feature = "std"))]
mod faults;
#[cfg(feature = "sim")]
mod flag;
#[cfg(all(feature = "device", feature = "sim", feature = "std"))]
mod frame;
#[cfg(feature = "sim")]
mod frames;
#[cfg(feature = "sim")]
mod io;
#[cfg(feature = "sim")]
mod kinds;
#[cfg(all(feature = "device", feature = "sim", feature = "std"))]
mod limits;
mod machines;
#[cfg(feature = "sim")]
mod neighbours;
#[cfg(feature = "sim")]
mod operations;
#[cfg(feature = "pictures")]
mod pictures;
#[cfg(feature = "sim")]
mod tasks;
#[cfg(all(feature = "device", feature = "sim", feature = "std"))]
mod tcp;
#[cfg(feature = "prove")]
mod trace;
