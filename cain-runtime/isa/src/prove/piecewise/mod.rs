//! Programs with FLAG and bits, followed on symbols.
//!
//! What a register holds after a conditional word is one thing where FLAG is 1 and another where it is 0: a [`Value`] is a
//! linear combination of what cells held at the beginning, here and in other PEs, and of such choices. [`Follower`] makes
//! these values, and [`Claims`] decides for all images whether they are the wanted ones: it takes one condition after the other
//! to be true and to be false, follows what that says of others, and compares what is left, which is linear. With
//! every condition a comparison of linear combinations that is decidable, and there is no case that is left out.
//!
//! As in the rest of the prover, PEs outside of the array do not occur.

mod claims;
mod follower;
mod system;
#[cfg(test)]
mod tests;
mod value;

pub use claims::{ClaimError, Claims};
pub use follower::Follower;
pub use value::{Condition, Value};
