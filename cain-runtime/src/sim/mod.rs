//! The array in software: planes of numbers instead of voltages.
//!
//! [`Array`] is a [`HostController`](crate::HostController), so the functions that drive the chip run on it as they
//! are. It knows no macro instructions and no ports: it carries out the [`Word::transfers`](crate::isa::Word::transfers) of
//! every word on all PEs at once.
//!
//! Digital registers, FLAG and the photo-sensors work as on the chip: analogue cells are written only where the FLAG of
//! the PE that owns them is 1; `R12` is written only where `R0` is 1. What is unknown about the chip is a setting: what
//! lies outside the array, how far `PROP` carries, what `blur` and `sq` do, and how fast bits decay that are passed on
//! without a refresh.
//!
//! An [`ErrorModel`] describes how the arithmetic differs from exact arithmetic; all its random numbers follow from a
//! seed and are the same on every computer.
//!
//! Values are in DN, the chip's 8-bit scale: −128 to 127, with 0 in the middle. An image of bytes v is loaded
//! as v − 128. Pixels are in rows: row 0 is north (the top of the image), column 0 is west (its left side).
//!
//! ```
//! use cain_runtime::isa::{HostController, asm::*};
//! use cain_runtime::{Aregs, sim::Array};
//!
//! let mut array = Array::new(3, 2);
//! let mut r = Aregs::new();
//! let a = array.load(&mut r.a, &[
//!     1.0, 2.0, 3.0,
//!     4.0, 5.0, 6.0,
//! ])?;
//! array.execute(movx(B, A, EAST))?; // every PE takes the value to its right
//! assert_eq!(array.read_reg(B)?, [
//!     2.0, 3.0, 0.0,
//!     5.0, 6.0, 0.0,
//! ]);
//! assert_eq!(array.read(&a)?[0], 1.0);
//! # Ok::<(), cain_runtime::sim::SimError>(())
//! ```

mod array;
mod bit_decay;
mod bits;
mod camera;
mod cells;
mod diffuse;
mod digital;
mod draw;
mod error;
mod forwarding;
mod given;
mod integers;
mod planes;
mod propagate;
mod readout;
mod saturate;
mod schedule;
mod sums;
mod super_pixels;
mod transfer;
mod words;
mod writes;

pub use array::Array;
pub use bit_decay::BitErrors;
pub use camera::{Camera, CameraError, FrameSource};
pub use error::SimError;
pub use integers::{IntegerArray, IntegerError, IntegerProgram};
pub use propagate::Propagation;

pub use crate::isa::{Drift, ErrorModel, Saturation};
