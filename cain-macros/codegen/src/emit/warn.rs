//! Warnings of the compiler.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Attribute;

/// An item that makes the compiler warn at a place. Macros cannot warn by themselves on stable Rust, but an expectation of
/// a lint that never comes does, with its reason as a note. It stays a warning where the crate denies all warnings, and
/// `allow(unfulfilled_lint_expectations)` among the attributes of the filter silences it.
pub(crate) fn warning(at: Span, message: &str, attributes: &[Attribute]) -> TokenStream {
    // An `expect` of the user is about the function, and would be another one here.
    let levels = ["cfg", "allow", "warn", "deny", "forbid"];
    let shared = attributes.iter().filter(|attribute| levels.iter().any(|level| attribute.path().is_ident(level)));
    // Any lint that an empty constant cannot trigger. Its name is what the compiler underlines.
    let lint = quote_spanned!(at=> long_running_const_eval);
    quote! {
        #[warn(warnings)]
        #(#shared)*
        const _: () = {
            #[expect(#lint, reason = #message)]
            const _: () = ();
        };
    }
}
