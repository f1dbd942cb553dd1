//! The search from outside: what it finds, and what it refuses.

mod budgets;
mod common;
mod described;
mod extreme;
mod kernels;
mod machines;
mod native;
mod published;
mod random;
mod refused;
mod same;
mod shortest;
mod special;
mod unproved;
