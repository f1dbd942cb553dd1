//! Models in ONNX: an evaluator that knows nothing of networks, and random models. Neither uses the import of the command.

mod call;
mod elementwise;
mod generate;
mod graph;
mod operators;
mod proto;
mod reduction;
mod shape;
mod sliding;
mod tensor;
#[cfg(test)]
mod tests;

pub use generate::{Generated, constructs, generate, level, picture};
pub use graph::Graph;
pub use tensor::{Kind, Number, Tensor};
