//! Expansions of the macro.

use cain_codegen::Plans;
use proc_macro2::TokenStream;

/// The expansion of these filters with these plans, as a formatted source file.
pub(crate) fn expand(filters: &str, plans: &Plans) -> String {
    let input: TokenStream = format!("[::cain_runtime] {filters}").parse().expect("the test's tokens");
    cain_codegen::generate::format(&cain_codegen::expand_with(input, |_| None, plans))
}
