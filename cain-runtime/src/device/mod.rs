//! The driver of a device.

mod icw;

pub use icw::{DecodeError, EncodeError, Icw};
