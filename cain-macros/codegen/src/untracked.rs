//! `scamp_kernels!(file = "..")` without kernel files.
//!
//! Reading them has dependencies, which those who declare kernels in place should not pay for.

use std::path::Path;

use proc_macro2::{Span, TokenStream};
use syn::LitStr;

use crate::errors::Errors;
use crate::plans::Plans;

/// Reports which feature is missing.
pub(crate) fn expand(
    file: &LitStr,
    _source: Option<&Path>,
    _runtime: &TokenStream,
    _plans: &Plans,
    errors: &mut Errors<Span>,
) -> TokenStream {
    errors.add(file.span(), "kernel files need the feature `file` of `cain-runtime`; add it to your dependency");
    TokenStream::new()
}
