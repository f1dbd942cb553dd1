//! Chooses the order of a network's words, the registers of its bits and the set-up of directions.
//!
//! This is a beam search: of all register states after the same number of gates, it keeps those with the fewest words.
//! The following rules of the machine matter: R1 to R4 determine which neighbours `DNEWS` reads, and can hold other
//! bits in between; R12 is written only where R0 is 1; only `WHERE` writes FLAG; and no word writes a register that it
//! reads.

mod beam;
mod inputs;
mod listing;
mod make_room;
mod room;
mod state;
mod uses;

pub(super) use beam::{Beam, schedule};
pub(super) use listing::Schedule;
pub(super) use uses::Given;
