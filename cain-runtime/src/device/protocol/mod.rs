//! The bytes between driver and device.
//!
//! The encoding of control words is the vendor's; see [`Icw`](crate::device::Icw). **Everything else on this page is
//! this project's own**: no description of the link between a SCAMP-5 board and its host is public at this level. A
//! board needs a program that understands it, for which `Board` is the reference, or this page must be matched to what
//! the board speaks.
//!
//! # Frames
//!
//! Numbers are sent low byte first. A request and its answer are one frame each, and a driver sends nothing before the
//! answer to its last request is complete.
//!
//! | bytes | what |
//! |---|---|
//! | 2 | `5C A5` |
//! | 1 | the kind |
//! | 1 | the number of the request, one more than that of the last; the answer has the same |
//! | 4 | the length of the payload |
//! | | the payload |
//! | 2 | CRC-16/IBM-3740 of all of this but the first two bytes |
//!
//! The kind of an answer is that of the request plus `80`, or `FF` if the device refuses; the payload is then a
//! [`Refusal`]: a code of one byte and a detail of four.
//!
//! # Requests
//!
//! | kind | request | payload | answer |
//! |---|---|---|---|
//! | `01` | begins a session, in which the store is empty | version `u16` | version `u16`, width and height `u32`, words that the store has room for `u16` |
//! | `02` | carries out words | fast `u8`, words | |
//! | `03` | puts a program into the store | fast `u8`, one word or more | its number `u16` |
//! | `04` | launches a program | number `u16` | |
//! | `05` | empties the store | | words that it has room for `u16` |
//! | `10` | waits for a frame | | |
//! | `11` | level of `IN` | DN `i8` | |
//! | `12`, `13` | SELECT; RECT | pattern; region | |
//! | `20` | analogue scan | register, region, row step `u16`, column step `u16` | codes |
//! | `21` | means of 8×8 blocks | register | 64 codes |
//! | `22` | digital scan | bit, first and last row `u16` | packed bits |
//! | `23` | events | bit, the most to list `u32` | complete `u8`, then the addresses |
//! | `24` | bounding box | bit | nothing or a region |
//! | `25` | global OR | bit, pattern | `u8` |
//! | `26` | count | digital register, analogue register | `u16` |
//! | `27`, `28` | sums of 16 and of 64 blocks | register | codes |
//! | `29`, `2A` | sum over a pattern; over a region | register, pattern or region | code |
//!
//! The number of a program is valid until the store is emptied, by request `01` or `05`.
//!
//! A word is the eleven bytes of [`Icw::to_bytes`](crate::device::Icw::to_bytes). Fast is 1 if all words are digital
//! and none propagates, so that the controller may run them at its high speed. An analogue register is encoded as its
//! place in the alphabet, from 0; a digital register as its number, and FLAG, SELECT and RECT as 13, 14 and 15.
//! Addresses are row and column, `u16` each and counted from the top right; a region is two addresses; a pattern is
//! row, column, free bits of the row, free bits of the column.

mod field;
pub(crate) mod frame;
mod refusal;
mod request;

pub(crate) use field::{Reader, Writer};
pub use refusal::Refusal;
pub(crate) use request::Request;

/// The version of the protocol on this page.
pub const VERSION: u16 = 1;

/// The number of words that the store of SCAMP-5 has room for, of all programs together (SCAMP-5d library headers).
///
/// The vendor's library silently drops words beyond that.
pub const STORE_WORDS: u16 = 1024;

/// The number that is added to the kind of a request to make the kind of its answer.
pub(crate) const DONE: u8 = 0x80;
/// The kind of an answer that refuses.
pub(crate) const REFUSED: u8 = 0xFF;
