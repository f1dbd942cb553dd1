//! Items that make the compiler expand a macro again after a change outside of the source.

use proc_macro2::TokenStream;
use quote::quote;

use crate::plan_file::PlanPath;

/// An item by which the crate depends on an environment variable, whether it is set or not.
pub(crate) fn depend_on_variable(name: &str) -> TokenStream {
    quote! {
        const _: () = {
            let _ = ::core::option_env!(#name);
        };
    }
}

/// An item by which the crate depends on a plan file, if there is one.
pub(crate) fn depend_on_plan(file: Option<&PlanPath>) -> TokenStream {
    // A path that is not UTF-8 cannot be written as a literal; builds just do not notice changes of that file.
    file.and_then(|file| file.path.to_str()).map(depend_on_file).unwrap_or_default()
}

/// An item by which the crate depends on the file at an absolute path, without including it in the program.
pub(crate) fn depend_on_file(path: &str) -> TokenStream {
    quote! {
        const _: () = {
            let _ = ::core::include_bytes!(#path);
        };
    }
}
