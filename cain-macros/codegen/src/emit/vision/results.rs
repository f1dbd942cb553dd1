//! The results of a program as fields.

use cain_isa::program::{Held, Term};
use cain_vision::Compiled;
use cain_vision::declaration::{Declaration, Kind, Output, Result as Outcome, Statement, Value};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::super::docs::line;
use super::super::frame::allow_spelling;
use super::interface::{bit, place, reg};
use crate::names::identifiers_of_layers;

/// The structure with the results.
pub(super) fn fields(runtime: &TokenStream, declaration: &Declaration, inner: &TokenStream) -> TokenStream {
    let docs = line(&format!("What a frame of the program `{}` results in.", declaration.name));
    let life = is_on_the_array(declaration).then(|| quote!(<'f>));
    let names = names(declaration);
    let allow = allow_spelling(&names);
    let fields = declaration.results.iter().zip(names).map(|(result, name)| {
        let (docs, kind) = described(runtime, declaration, result);
        let docs = line(&docs);
        quote!(#docs #inner #name: #kind)
    });
    quote! {
        #docs
        #allow
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::cmp::PartialEq)]
        #inner struct Results #life {
            #(#fields,)*
        }
    }
}

/// The type of the structure where it is returned.
pub(super) fn kind(declaration: &Declaration) -> TokenStream {
    if is_on_the_array(declaration) { quote!(Results<'_>) } else { quote!(Results) }
}

/// The fields with their values after a frame.
pub(super) fn values(runtime: &TokenStream, compiled: &Compiled) -> Vec<TokenStream> {
    let declaration = compiled.declaration();
    let value = |(result, name): (&Output, Ident)| {
        let value = value(runtime, compiled, &result.of);
        quote!(#name: #value)
    };
    declaration.results.iter().zip(names(declaration)).map(value).collect()
}

fn value(runtime: &TokenStream, compiled: &Compiled, of: &Outcome) -> TokenStream {
    let number = |value: &Value| place(compiled.number(*value));
    match of {
        Outcome::Value(value) => match compiled.result(*value) {
            Some(Held::Reg(held)) => {
                let held = reg(runtime, held);
                quote!(#runtime::program::Levels::new(#held))
            }
            Some(Held::Bit(held)) => {
                let held = bit(runtime, held);
                quote!(#runtime::program::Bits::new(#held))
            }
            None => {
                let number = number(value);
                quote!(self.0.number(#number))
            }
        },
        Outcome::Numbers(values) => {
            let places = values.iter().map(number);
            let numbers = quote!([#(#places),*].map(|place| self.0.number(place)));
            if values.len() == 5 {
                quote!(#runtime::program::Bounds::of(#numbers))
            } else {
                quote!(#runtime::program::Point::of(#numbers))
            }
        }
        Outcome::Tuple(values) => {
            let places = values.iter().map(number);
            quote!([#(#places),*].map(|place| self.0.number(place)))
        }
        Outcome::Events(value, most) => {
            let held = match compiled.result(*value) {
                Some(Held::Bit(held)) => bit(runtime, held),
                // Events are those of a plane of bits.
                _ => TokenStream::new(),
            };
            let most = place(usize::try_from(*most).unwrap_or(usize::MAX));
            quote!(#runtime::program::Events::new(#held, #most))
        }
        Outcome::List(list) => {
            let (first, capacity) = compiled.list(*list).map_or((0, 0), |list| (list.first, list.capacity));
            let [first, capacity] = [first, capacity].map(place);
            quote!(#runtime::program::List::new(self.0.numbers(#first), #capacity))
        }
    }
}

/// What a result is, and its type.
fn described(runtime: &TokenStream, declaration: &Declaration, result: &Output) -> (String, TokenStream) {
    let name = &result.name;
    let option = |kind: TokenStream| quote!(::core::option::Option<#kind>);
    match &result.of {
        Outcome::Value(value) => match declaration.values.get(value.0) {
            Some(Kind::Bits) => (
                format!("`{name}`: a plane of bits, on the array until the next frame."),
                quote!(#runtime::program::Bits<'f>),
            ),
            Some(Kind::Number { low, high }) => {
                // Ends beyond the numbers that there are say nothing.
                let range = match (*low > -Term::LARGEST, *high < Term::LARGEST) {
                    (true, true) => format!(" from {low} to {high}"),
                    (true, false) => format!(" of at least {low}"),
                    (false, true) => format!(" of at most {high}"),
                    (false, false) => String::new(),
                };
                (format!("`{name}`: a number{range}."), quote!(::core::primitive::i64))
            }
            _ => (
                format!("`{name}`: a plane of levels, on the array until the next frame."),
                quote!(#runtime::program::Levels<'f>),
            ),
        },
        Outcome::Numbers(values) => match values.len() {
            5 => (format!("`{name}`: a rectangle, if there is one."), option(quote!(#runtime::program::Bounds))),
            _ => (format!("`{name}`: a PE, if there is one."), option(quote!(#runtime::program::Point))),
        },
        Outcome::Tuple(values) => {
            let count = place(values.len());
            (format!("`{name}`: numbers."), quote!([::core::primitive::i64; #count]))
        }
        Outcome::Events(_, most) => (
            format!(
                "`{name}`: the PEs of a plane of bits that are 1, at most {most}, on the array until the next frame."
            ),
            quote!(#runtime::program::Events<'f>),
        ),
        Outcome::List(list) => {
            let width = place(width(&declaration.body, *list).unwrap_or(1));
            (format!("`{name}`: what was listed."), quote!(#runtime::program::List<'f, #width>))
        }
    }
}

fn names(declaration: &Declaration) -> Vec<Ident> {
    let names: Vec<&str> = declaration.results.iter().map(|result| result.name.as_str()).collect();
    identifiers_of_layers(&names, Span::call_site())
}

/// Whether a result is still on the array, or a list.
fn is_on_the_array(declaration: &Declaration) -> bool {
    declaration.results.iter().any(|result| match &result.of {
        Outcome::Value(value) => !matches!(declaration.values.get(value.0), Some(Kind::Number { .. })),
        Outcome::Numbers(_) | Outcome::Tuple(_) => false,
        Outcome::List(_) | Outcome::Events(..) => true,
    })
}

/// The numbers of an entry of a list.
pub(super) fn width(body: &[Statement], list: usize) -> Option<usize> {
    body.iter().find_map(|statement| match statement {
        Statement::List { list: found, numbers } if *found == list => Some(numbers.len()),
        other => other.bodies().into_iter().find_map(|within| width(within, list)),
    })
}
