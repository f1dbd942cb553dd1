//! Follows programs with FLAG and bits on symbols.
//!
//! After a conditional word, a register holds one value where FLAG is 1 and another one where it is 0: a [`Value`] is a
//! linear combination of the initial contents of cells, here and in other PEs, and of such choices. [`Follower`] makes
//! these values, and [`Claims`] decides for all images whether they are the wanted ones: it assumes one condition after
//! the other to be true and to be false, infers the values of others, and compares the rest, which is linear. Since
//! every condition is a comparison of linear combinations, this is decidable, and no case is left out.
//!
//! As in the rest of the prover, PEs outside of the array are not considered.

mod claims;
mod follower;
mod system;
#[cfg(test)]
mod tests;
mod value;

pub use claims::{ClaimError, Claims};
pub use follower::Follower;
pub use value::{Condition, Value};
