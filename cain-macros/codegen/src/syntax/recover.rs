//! Recovery from syntax errors, so that one does not hide the next.

use proc_macro2::TokenTree;
use syn::parse::{ParseStream, Peek};
use syn::{Token, token};

/// Skips one token, if there is one.
pub(crate) fn skip(input: ParseStream<'_>) {
    // Fails only at the end, where there is nothing to skip.
    let _ = input.parse::<TokenTree>();
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
