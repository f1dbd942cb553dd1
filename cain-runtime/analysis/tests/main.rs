//! Macro instructions, control words and listings beside the prover.

mod expansions;
mod listings;
mod operations;
