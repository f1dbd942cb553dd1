//! The parameters of a program as fields.

use cain_vision::declaration::{Declaration, Parameter};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::docs::line;
use super::super::frame::allow_spelling;
use super::super::program::signed;
use crate::names;

/// The structure with the parameters, and their defaults; nothing if there are none.
pub(super) fn parameters(declaration: &Declaration, inner: &TokenStream) -> Option<TokenStream> {
    let all = &declaration.parameters;
    if all.is_empty() {
        return None;
    }
    let docs = line(&format!("The numbers that are set for each frame of the program `{}`.", declaration.name));
    let fields = all.iter().map(|parameter| {
        let (docs, name, kind) = (line(&described(parameter)), field(parameter), kind(parameter));
        quote!(#docs #inner #name: #kind)
    });
    // Clippy wants that to be derived that can be.
    let is_derived = all.iter().all(|parameter| parameter.default == 0);
    let derived = is_derived.then(|| quote!(, ::core::default::Default));
    let written = (!is_derived).then(|| {
        let defaults = all.iter().map(|parameter| {
            let (name, default) = (field(parameter), default(parameter));
            quote!(#name: #default)
        });
        quote! {
            impl ::core::default::Default for Parameters {
                fn default() -> Self {
                    Self { #(#defaults),* }
                }
            }
        }
    });
    let names: Vec<Ident> = all.iter().map(field).collect();
    let spelling = allow_spelling(&names);
    Some(quote! {
        #docs
        #spelling
        #[allow(clippy::struct_excessive_bools)]
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::cmp::PartialEq, ::core::cmp::Eq #derived)]
        #inner struct Parameters {
            #(#fields,)*
        }

        #written
    })
}

/// The parameters as whole numbers, in their order.
pub(super) fn values(declaration: &Declaration) -> Vec<TokenStream> {
    let value = |parameter: &Parameter| {
        let name = field(parameter);
        if parameter.is_bool {
            quote!(<::core::primitive::i64 as ::core::convert::From<::core::primitive::bool>>::from(parameters.#name))
        } else {
            quote!(parameters.#name)
        }
    };
    declaration.parameters.iter().map(value).collect()
}

fn field(parameter: &Parameter) -> Ident {
    names::parameter(&parameter.name)
}

fn kind(parameter: &Parameter) -> TokenStream {
    if parameter.is_bool { quote!(::core::primitive::bool) } else { quote!(::core::primitive::i64) }
}

fn default(parameter: &Parameter) -> TokenStream {
    if parameter.is_bool {
        let is_set = parameter.default != 0;
        quote!(#is_set)
    } else {
        signed(parameter.default)
    }
}

/// What it may be, and what it is.
fn described(parameter: &Parameter) -> String {
    let Parameter { name, range: (least, most), default, is_bool, .. } = parameter;
    if *is_bool {
        format!("`{name}`: {} unless it is set.", *default != 0)
    } else {
        format!("`{name}`: {least} to {most}, {default} unless it is set.")
    }
}
