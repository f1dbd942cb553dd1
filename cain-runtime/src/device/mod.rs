//! The driver of a device: control words as the bits of the chip, and requests over a link.
//!
//! [`Device`] is a [`HostController`](crate::HostController) and an [`ArrayIo`](crate::io::ArrayIo), so generated
//! functions and programs around them run on it as on the simulator. It needs neither the standard library nor an
//! allocator, only a [`Transport`]: `TcpLink` with the feature `std`, `EmbeddedIo` with the feature `embedded-io`, or one
//! of your own.
//!
//! `Board` answers the same requests around any array, with the feature `alloc`. With a simulated
//! array behind it, driver and simulator are tested against each other.
//!
//! # What is published and what is not
//!
//! - The 80 bits of a control word, [`Icw`], are those of the vendor's headers, except for the words of the diffusion
//!   (`blur`, `blurh`, `blurv`) and of the squarer (`sq`), whose lines are known only by name.
//! - The store of 1024 words for all programs is the vendor's; this driver reports an error for a program that is too
//!   long for it.
//! - The [`protocol`], from the frame to the requests, is this project's own. It must be matched to a real board.

#[cfg(feature = "alloc")]
mod board;
mod driver;
#[cfg(feature = "embedded-io")]
mod embedded;
mod error;
mod icw;
#[cfg(feature = "alloc")]
mod loopback;
#[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "only a board reads requests and writes answers"))]
pub mod protocol;
mod readout;
#[cfg(feature = "std")]
mod tcp;
mod transport;

#[cfg(feature = "alloc")]
pub use board::Board;
pub use driver::{Device, StoredProgram};
#[cfg(feature = "embedded-io")]
pub use embedded::EmbeddedIo;
pub use error::{DeviceError, Garbage};
pub use icw::{DecodeError, EncodeError, Icw};
#[cfg(feature = "alloc")]
pub use loopback::Loopback;
pub use protocol::Refusal;
#[cfg(feature = "std")]
pub use tcp::TcpLink;
pub use transport::{LinkError, Transport};
