//! Reverse search for the shortest SCAMP-5 programs that compute sets of convolution kernels.

mod approximate;
mod declaration;
mod engine;
mod kernel;
mod metrics;
mod solution;
mod verify;

pub use approximate::{ApproximateError, Approximated, Approximation, nearest};
pub use declaration::{Declaration, DeclarationError, Input, InstructionSet, Matrix, Objective, Options, Output};
pub use kernel::{Kernel, KernelError, MAX_SIZE};
pub use metrics::{depth, noise};
pub use solution::{SearchError, Solution, Statistics};
pub use verify::verify;
mod search;
pub use search::{Progress, search, search_watched};
