//! Warnings of the compiler.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Attribute;

/// An item that makes the compiler warn at a place. Macros cannot warn by themselves on stable Rust, but the use of a
/// deprecated constant does, with the message as the reason; `allow(deprecated)` among the attributes of the filter silences
/// it.
pub(crate) fn warning(at: Span, message: &str, attributes: &[Attribute]) -> TokenStream {
    let levels = ["cfg", "allow", "expect", "warn", "deny", "forbid"];
    let shared = attributes.iter().filter(|attribute| levels.iter().any(|level| attribute.path().is_ident(level)));
    let used = quote_spanned!(at=> WARNING);
    quote! {
        #(#shared)*
        const _: () = {
            #[deprecated(note = #message)]
            const WARNING: () = ();
            #used
        };
    }
}
