//! The search from outside: what it finds, and what it refuses.

mod common;
mod constrained;
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
