//! What several tests need.

use cain_codegen::Plans;
use proc_macro2::TokenStream;

/// What the macro makes of these kernels with such plans, as a formatted source file.
pub(crate) fn expand(kernels: &str, plans: &Plans) -> String {
    let input: TokenStream = format!("[::cain_runtime] {kernels}").parse().expect("the test's tokens");
    cain_codegen::generate::format(&cain_codegen::expand_with(input, |_| None, plans))
}

/// Compares an expansion with `snapshots/NAME.snap`.
pub(crate) fn assert_snapshot(name: &str, expansion: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, expansion));
}
