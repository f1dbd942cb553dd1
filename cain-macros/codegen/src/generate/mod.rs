//! Kernel files as Rust: source files of what the macro makes of them.

#[cfg(feature = "source")]
mod source;

use crate::names;

#[cfg(feature = "source")]
pub use source::{Compiled, Maker, RuntimePath, Source, format, source, text};

/// Whether a word is a keyword of Rust, so that a function of that name is called as `r#word`.
#[must_use]
pub fn is_keyword(word: &str) -> bool {
    names::is_keyword(word)
}
