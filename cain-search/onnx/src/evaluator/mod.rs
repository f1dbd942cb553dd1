//! Evaluates the operators of a model, in double precision.
//!
//! It knows nothing of networks and shares nothing with the import, which is checked by it.

pub(crate) mod call;
mod elementwise;
mod graph;
mod operators;
pub(crate) mod proto;
mod reduction;
mod shape;
mod sliding;
pub(crate) mod tensor;
#[cfg(test)]
mod tests;

pub use graph::{Graph, Run};
pub use tensor::{Kind, Number, Tensor};
