//! What makes the compiler expand a macro again when something outside of the source has changed.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;

use crate::plan::Plan;

/// An item by which the crate depends on an environment variable, whether it is set or not.
pub(crate) fn depend_on_variable(name: &str) -> TokenStream {
    quote! {
        const _: () = {
            let _ = ::core::option_env!(#name);
        };
    }
}

/// An item by which the crate depends on the plan file that a plan was read from.
pub(crate) fn depend_on_plan(plan: &Plan) -> TokenStream {
    // A path that cannot be spelled cannot be depended on; the file was read all the same.
    plan.file().as_deref().and_then(Path::to_str).map(depend_on_file).unwrap_or_default()
}

/// An item by which the crate depends on the file at an absolute path. Nothing of it gets into the program.
pub(crate) fn depend_on_file(path: &str) -> TokenStream {
    quote! {
        const _: () = {
            let _ = ::core::include_bytes!(#path);
        };
    }
}
