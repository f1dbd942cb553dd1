//! The attack itself: inputs that once failed, and its models beside onnxruntime.

mod graphs;
mod onnxruntime;
mod regressions;
