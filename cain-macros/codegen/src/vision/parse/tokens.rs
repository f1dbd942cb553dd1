//! Words and signs, and what is said where others are expected.

use proc_macro2::{Span, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Ident, Token};

use crate::syntax::recover::skip;
use crate::vision::tree::Name;

/// The words that cannot be names, since statements and expressions begin or go on with them.
const RESERVED: [&str; 14] =
    ["let", "var", "repeat", "while", "until", "for", "if", "else", "where", "in", "true", "false", "argmin", "argmax"];

/// The message that something else was expected, at the next token.
pub(super) fn expected(input: ParseStream<'_>, what: &str) -> syn::Error {
    match input.cursor().token_tree() {
        Some((token, _)) => {
            let found = match &token {
                TokenTree::Group(group) => match group.delimiter() {
                    proc_macro2::Delimiter::Brace => "{".to_owned(),
                    proc_macro2::Delimiter::Bracket => "[".to_owned(),
                    _ => "(".to_owned(),
                },
                token => token.to_string(),
            };
            let at = match &token {
                TokenTree::Group(group) => group.span_open(),
                token => token.span(),
            };
            syn::Error::new(at, format_args!("expected {what}, found `{found}`{}", hint(&found)))
        }
        None => syn::Error::new(input.span(), format_args!("expected {what}")),
    }
}

/// What is written here instead of something of other languages.
fn hint(found: &str) -> &'static str {
    match found {
        "where" => {
            "; behind `where` stand the bits for an assignment or `next`; elsewhere write `if b { x } else { y }`"
        }
        "and" | "or" | "xor" => "; bits and truth values are combined with `&`, `|` and `^`",
        "?" => "; one of two values is `if b { x } else { y }`",
        "as" => {
            "; `if b { 1 } else { 0 }` makes levels of bits, `x > 0` bits of levels, `digits(x, n)` numbers of a few bits"
        }
        "mut" => "; a name that is assigned again is declared with `var`",
        _ => "",
    }
}

/// What is said about a word of Rust with which no statement begins.
pub(super) fn foreign(input: ParseStream<'_>) -> Option<syn::Error> {
    let (word, _) = input.cursor().ident()?;
    let help = match word.to_string().as_str() {
        "loop" => "loops are `repeat n { .. }`, `while .., at most n { .. }` and `until stable b, at most n { .. }`",
        "break" | "continue" => {
            "a loop ends after a number of passes, when the condition of `while` fails, or with `until stable`"
        }
        "return" => "results are named behind `->`; the value of a function is its last expression",
        "match" => "decisions are made with `if`",
        "fn" | "const" | "static" => "functions and constants stand outside of programs",
        _ => return None,
    };
    Some(syn::Error::new(word.span(), format_args!("there is no `{word}` here: {help}")))
}

/// Whether the next token is that word.
pub(super) fn is_word(input: ParseStream<'_>, word: &str) -> bool {
    input.cursor().ident().is_some_and(|(next, _)| next == word)
}

/// Whether the next tokens are that word and a name behind it.
pub(super) fn is_word_of(input: ParseStream<'_>, word: &str) -> bool {
    input.cursor().ident().is_some_and(|(next, rest)| next == word && rest.ident().is_some())
}

/// Takes that word, if it is there.
pub(super) fn take_word(input: ParseStream<'_>, word: &str) -> Option<Span> {
    let (found, _) = input.cursor().ident().filter(|(next, _)| next == word)?;
    skip(input);
    Some(found.span())
}

/// Takes that word.
pub(super) fn word(input: ParseStream<'_>, word: &str) -> syn::Result<Span> {
    take_word(input, word).ok_or_else(|| expected(input, &format!("`{word}`")))
}

/// Takes a name, which `what` describes.
pub(super) fn name(input: ParseStream<'_>, what: &str) -> syn::Result<Name> {
    let Some((ident, _)) = input.cursor().ident() else { return Err(expected(input, what)) };
    let value = ident.unraw().to_string();
    if RESERVED.contains(&value.as_str()) {
        return Err(syn::Error::new(
            ident.span(),
            format_args!("expected {what}, found `{value}`, which is a word of the language"),
        ));
    }
    if value == "_" || value == "self" || value == "Self" || value == "super" || value == "crate" {
        return Err(syn::Error::new(ident.span(), format_args!("expected {what}, found `{value}`")));
    }
    let ident: Ident = input.call(Ident::parse_any)?;
    Ok(Name { value, at: ident.span() })
}

/// Takes a semicolon, behind what is `after`.
pub(super) fn semicolon(input: ParseStream<'_>, after: &str) -> syn::Result<()> {
    if input.peek(Token![;]) {
        return input.parse::<Token![;]>().map(drop);
    }
    Err(expected(input, &format!("`;` after {after}")))
}

/// Takes the comma between entries of a list, unless the list ends.
pub(super) fn comma(input: ParseStream<'_>, ends: &str) -> syn::Result<()> {
    if input.is_empty() {
        return Ok(());
    }
    if input.peek(Token![,]) {
        return input.parse::<Token![,]>().map(drop);
    }
    Err(expected(input, &format!("`,` or `{ends}`")))
}
