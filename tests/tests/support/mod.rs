//! What several tests need.

use proc_macro2::TokenStream;

/// What the macro makes of these kernels, as a formatted source file.
pub(crate) fn expand(kernels: &str) -> String {
    let input: TokenStream = format!("[::cain_runtime] {kernels}").parse().expect("the test's tokens");
    let file = syn::parse2(cain_codegen::expand(input)).expect("the expansion is a list of items");
    prettyplease::unparse(&file)
}
