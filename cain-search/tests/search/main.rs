//! Tests the search from outside: the programs that it finds, and the declarations that it refuses.

mod budgets;
mod common;
mod constrained;
mod described;
mod extreme;
mod interruptible;
mod kernels;
mod large;
mod machines;
mod native;
mod nearby;
mod patience;
mod published;
mod random;
mod range;
mod refused;
mod same;
mod several;
mod shortest;
mod special;
mod unproved;
