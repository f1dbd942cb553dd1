//! What makes the compiler expand a macro again when something outside of the source has changed.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;

/// An item by which the crate depends on an environment variable, whether it is set or not.
pub(crate) fn depend_on_variable(name: &str) -> TokenStream {
    quote! {
        const _: () = {
            let _ = ::core::option_env!(#name);
        };
    }
}

/// An item by which the crate depends on a file. Nothing of it gets into the program.
pub(crate) fn depend_on_file(path: &Path) -> TokenStream {
    // A path that cannot be spelled cannot be depended on; the file was read all the same.
    let Some(path) = path.to_str() else { return TokenStream::new() };
    quote! {
        const _: () = {
            let _ = ::core::include_bytes!(#path);
        };
    }
}
