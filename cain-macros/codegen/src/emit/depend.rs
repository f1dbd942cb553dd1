//! Items that make the compiler expand a macro again after a change outside of the source.

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

/// An item by which the crate depends on the file at an absolute path, without including it in the program.
pub(crate) fn depend_on_file(path: &str) -> TokenStream {
    quote! {
        const _: () = {
            let _ = ::core::include_bytes!(#path);
        };
    }
}
