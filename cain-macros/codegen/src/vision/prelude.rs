//! The functions and constants of the language that are written in it.

use crate::lower::machine::Described;
use proc_macro2::TokenStream;

use super::tree::File;
use super::{Place, parse};
use crate::errors::Errors;

const TEXT: &str = include_str!("prelude.cain");

/// Gives them to something.
pub(super) fn with<T>(run: impl FnOnce(&File) -> T) -> T {
    let tokens: TokenStream = TEXT.parse().unwrap_or_default();
    run(&parse::file(tokens, (Place::File, Described::SCAMP5), &mut Errors::default()))
}
