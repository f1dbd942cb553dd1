//! The search from outside: what it finds, and what it refuses.

mod common;
mod published;
mod random;
mod special;
