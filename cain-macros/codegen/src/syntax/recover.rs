//! Recovery from syntax errors, so that one does not hide the next.

use proc_macro2::{Span, TokenTree};
use syn::parse::{ParseStream, Peek};
use syn::{Token, token};

use crate::errors::Errors;

/// Skips one token, if there is one.
pub(crate) fn skip(input: ParseStream<'_>) {
    // Fails only at the end, where there is nothing to skip.
    let _ = input.parse::<TokenTree>();
}

/// Reads what is inside of brackets, and skips the rest after a mistake: of tokens that are left there the parser would
/// make the only error of the whole input.
pub(crate) fn inside<T>(
    input: ParseStream<'_>,
    read: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<T> {
    let result = read(input);
    if result.is_err() {
        while !input.is_empty() {
            skip(input);
        }
    }
    result
}

/// Skips the rest of a filter: past its `;` or braces, or up to the beginning of another one.
pub(crate) fn to_next_filter(input: ParseStream<'_>) {
    while !input.is_empty() && !begins_item(input) {
        let ended = input.peek(Token![;]) || input.peek(token::Brace);
        skip(input);
        if ended {
            break;
        }
    }
}

/// Whether another filter or constant begins here.
pub(crate) fn begins_item(input: ParseStream<'_>) -> bool {
    input.peek(Token![#]) || input.peek(Token![pub]) || input.peek(Token![fn]) || input.peek(Token![const])
}

/// Skips tokens up to and including the first separator.
pub(crate) fn past<T: Peek>(input: ParseStream<'_>, separator: T) {
    while !input.is_empty() {
        let ended = input.peek(separator);
        skip(input);
        if ended {
            break;
        }
    }
}

/// Reads a list to its end and reports at most one mistake per entry.
pub(crate) fn comma_separated<T>(
    input: ParseStream<'_>,
    errors: &mut Errors<Span>,
    mut entry: impl FnMut(ParseStream<'_>, &mut Errors<Span>) -> syn::Result<T>,
) -> Vec<T> {
    let mut entries = Vec::new();
    while !input.is_empty() {
        let read = entry(input, errors).and_then(|value| {
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
            Ok(value)
        });
        match read {
            Ok(value) => entries.push(value),
            Err(error) => {
                errors.add_syntax(error);
                past(input, Token![,]);
            }
        }
    }
    entries
}
