//! What several tests need.

use proc_macro2::TokenStream;

/// What the macro makes of these kernels, as a formatted source file.
pub(crate) fn expand(kernels: &str) -> String {
    let input: TokenStream = format!("[::cain_runtime] {kernels}").parse().expect("the test's tokens");
    cain_codegen::generate::format(&cain_codegen::expand(input, |_| None))
}
