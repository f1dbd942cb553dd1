#![cfg_attr(all(feature = "macros", feature = "sim"), doc = include_str!("../README.md"))]
#![cfg_attr(
    not(all(feature = "macros", feature = "sim")),
    doc = "Convolution kernels for SCAMP-5 focal-plane sensor-processors, compiled to typed Rust functions."
)]
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod automaton;
pub mod dense;
#[cfg(feature = "device")]
pub mod device;
mod handles;
mod include;
pub mod io;
#[cfg(feature = "macros")]
mod macros;
pub mod network;
pub mod operations;
#[cfg(feature = "pictures")]
pub mod pictures;
pub mod program;
pub mod reg;
#[cfg(feature = "sim")]
pub mod sim;
pub mod tasks;
pub mod trace;

#[cfg(feature = "prove")]
pub use cain_analysis::prove;
pub use cain_isa as isa;
pub use cain_isa::HostController;
pub use handles::{Areg, Aregs, BitPlane, Dreg, Dregs, Plane};

/// What `scamp_kernels!`, `scamp_network!` and `scamp_program!` expand to; not for direct use.
#[cfg(feature = "macros")]
#[doc(hidden)]
pub mod __private {
    pub use cain_macros::{scamp_kernels, scamp_network, scamp_program};
}
