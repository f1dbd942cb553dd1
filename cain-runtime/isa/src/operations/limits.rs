//! How long operations may be.

/// The most words of an operation.
pub(super) const MOST_WORDS: usize = 64;
