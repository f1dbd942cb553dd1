//! Mistakes, collected so that the user sees all of them at once.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::quote;

use crate::conditions::Conditions;
use crate::printable::Printable;

/// Mistakes in the order in which they were found, each with its place.
#[derive(Debug)]
pub(crate) struct Errors<S> {
    list: Vec<(S, String)>,
}

impl<S> Default for Errors<S> {
    fn default() -> Self {
        Self { list: Vec::new() }
    }
}

impl<S> Errors<S> {
    pub(crate) fn add(&mut self, at: S, message: impl Display) {
        self.list.push((at, Printable(message).to_string()));
    }

    /// Adds a mistake, unless its message was the last one.
    #[cfg(feature = "programs")]
    pub(crate) fn add_once(&mut self, at: S, message: impl Display) {
        let message = Printable(message).to_string();
        if self.list.last().is_none_or(|(_, last)| *last != message) {
            self.list.push((at, message));
        }
    }

    pub(crate) fn append(&mut self, mut other: Self) {
        self.list.append(&mut other.list);
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Brings the mistakes into the order of their places.
    #[cfg(feature = "networks")]
    pub(crate) fn sort_by_key<K: Ord>(&mut self, mut place: impl FnMut(&S) -> K) {
        self.list.sort_by_cached_key(|(at, _)| place(at));
    }

    #[cfg(any(feature = "toml", feature = "blocks", feature = "programs"))]
    pub(crate) fn into_list(self) -> Vec<(S, String)> {
        self.list
    }
}

impl From<syn::Error> for Errors<Span> {
    fn from(error: syn::Error) -> Self {
        let mut errors = Self::default();
        errors.add_syntax(error);
        errors
    }
}

impl Errors<Span> {
    /// The first of them; one at that place without a message if there is none.
    pub(crate) fn into_syntax(self, place: Span) -> syn::Error {
        let (at, message) = self.list.into_iter().next().unwrap_or((place, String::new()));
        syn::Error::new(at, message)
    }

    /// Adds the errors of the parser.
    pub(crate) fn add_syntax(&mut self, error: syn::Error) {
        for error in error {
            self.add(error.span(), &error);
        }
    }
}

/// Mistakes in an item with these conditions.
#[derive(Debug)]
pub(crate) struct Mistakes {
    pub(crate) conditions: Conditions,
    pub(crate) errors: Errors<Span>,
}

impl From<Errors<Span>> for Mistakes {
    fn from(errors: Errors<Span>) -> Self {
        Self { conditions: Conditions::default(), errors }
    }
}

impl Mistakes {
    /// One `compile_error!` per mistake, at its place. Builds that leave out the item have none of them.
    pub(crate) fn to_compile_errors(&self) -> TokenStream {
        let error = |(span, message): &(Span, String)| {
            let (conditions, error) = (&self.conditions, syn::Error::new(*span, message).to_compile_error());
            quote!(#conditions #error)
        };
        self.errors.list.iter().map(error).collect()
    }
}

#[cfg(test)]
impl Errors<Span> {
    /// The source text under each mistake, and its message.
    pub(crate) fn underlined(&self) -> Vec<(String, String)> {
        self.list.iter().map(|(span, message)| (span.source_text().unwrap_or_default(), message.clone())).collect()
    }
}
