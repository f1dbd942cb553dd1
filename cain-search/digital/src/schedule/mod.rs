//! The order of the words of a network, the registers of its bits and the set-up of directions.
//!
//! A beam search: of all states of the registers after the same number of gates, those with the fewest words are kept. The
//! rules of the machine that matter here: R1 to R4 say which neighbours `DNEWS` reads and can hold other bits in between,
//! R12 is written only where R0 is 1, FLAG is written by `WHERE` only, and no word writes a register that it reads.

mod beam;
mod listing;
mod room;
mod state;
mod uses;

pub(super) use beam::{Beam, Schedule, schedule};
