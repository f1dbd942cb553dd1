//! Figures of a program beside its length.

mod depth;
mod noise;

pub use depth::depth;
pub(crate) use noise::Errors;
pub use noise::noise;
