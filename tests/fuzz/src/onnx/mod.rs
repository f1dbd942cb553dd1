//! Models in ONNX: an evaluator that knows nothing of networks, and random models.

// The import of the command checks what it writes by the same evaluator.
#[path = "../../../../cain-search/onnx/src/evaluator/mod.rs"]
mod evaluator;
mod generate;
#[cfg(test)]
mod tests;
#[path = "../../../../cain-search/onnx/src/wire/mod.rs"]
mod wire;

pub use evaluator::{Graph, Kind, Number, Run, Tensor};
pub use generate::{Generated, constructs, generate, level, picture};
