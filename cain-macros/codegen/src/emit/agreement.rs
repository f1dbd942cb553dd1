//! Checks of what the macro has assumed.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Attribute;

use crate::conditions::Conditions;
use crate::surroundings::Assumption;

/// An item that compiles only if a constant has the value that the macro has read from the source file. It uses the
/// constant, too, which otherwise nothing else might do.
pub(crate) fn agreement(assumption: &Assumption, attributes: &[Attribute]) -> TokenStream {
    let Assumption { name, value, position } = assumption;
    let conditions = Conditions::of(attributes);
    let message = format!(
        "constant `{name}` has another value here than in line {}, where the macro has read it; declare it inside of the block",
        position.line
    );
    let check = quote_spanned!(name.span()=> ::core::assert!(::core::matches!(#name, #value), #message));
    quote! {
        #conditions
        const _: () = #check;
    }
}
