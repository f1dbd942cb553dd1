//! Evaluates the operators of a model, in double precision.
//!
//! It knows nothing of networks. With the import, which is checked by it, it shares only how messages are bytes.

pub(crate) mod call;
mod elementwise;
mod graph;
mod letters;
mod operators;
mod ordered;
pub(crate) mod proto;
mod quantised;
mod reduction;
mod repeated;
mod shape;
mod sliding;
mod sparse;
pub(crate) mod tensor;
#[cfg(test)]
mod tests;

pub use graph::{Graph, Run};
pub use tensor::{Kind, Number, Tensor};
