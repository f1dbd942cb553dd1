//! `#[search(..)]` and `#[approximate(..)]`. All other attributes are passed on to the function.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Attribute, LitInt, LitStr, Token};

use super::number::{number, read};
use super::recover::comma_separated;
use crate::errors::Errors;
use crate::names;
use crate::number::Read;
use crate::tree::{Approximate, At, Number, SearchOptions};

/// The attributes of a filter.
#[derive(Default)]
pub(crate) struct Sorted {
    /// Those for the generated function.
    pub(crate) passed: Vec<Attribute>,
    pub(crate) search: SearchOptions<Span>,
    pub(crate) approximate: Option<Approximate<Span>>,
}

/// Reads the attributes about the search and separates them from the others.
pub(crate) fn sort(attributes: Vec<Attribute>, errors: &mut Errors<Span>) -> Sorted {
    let mut sorted = Sorted::default();
    let mut seen = Vec::new();
    for attribute in attributes {
        let name = attribute.path().get_ident().map(Ident::to_string).unwrap_or_default();
        let at = attribute.path().span();
        if seen.contains(&name) {
            errors.add(at, format_args!("`{name}` is given twice; put all its options into one"));
            continue;
        }
        match name.as_str() {
            "search" => {
                sorted.search = search(&attribute, errors);
                seen.push(name);
            }
            "approximate" => {
                sorted.approximate = approximate(&attribute, at, errors);
                seen.push(name);
            }
            _ => match names::near_miss(&name, &["search", "approximate"]) {
                Some(near) => errors.add(at, format_args!("unknown attribute `{name}`; did you mean `{near}`?")),
                None => sorted.passed.push(attribute),
            },
        }
    }
    sorted
}

fn search(attribute: &Attribute, errors: &mut Errors<Span>) -> SearchOptions<Span> {
    let mut search = SearchOptions::default();
    options(attribute, errors, |key, input| match key.to_string().as_str() {
        "nodes" => set(&mut search.nodes, key, whole(input)?),
        "memory" => set(&mut search.memory, key, whole(input)?),
        "objective" => set(&mut search.objective, key, word(input)?),
        "isa" => set(&mut search.isa, key, word(input)?),
        "offset" => set(&mut search.offset, key, word(input)?),
        "max_gain" => set(&mut search.max_gain, key, number_or_text(input)?),
        "accuracy" => set(&mut search.accuracy, key, number_or_text(input)?),
        other => Err(unknown(key, other, &["nodes", "memory", "objective", "isa", "offset", "max_gain", "accuracy"])),
    });
    search
}

fn approximate(attribute: &Attribute, at: Span, errors: &mut Errors<Span>) -> Option<Approximate<Span>> {
    let (mut depth, mut error) = (None, None);
    let before = errors.len();
    options(attribute, errors, |key, input| match key.to_string().as_str() {
        "depth" => set(&mut depth, key, whole(input)?),
        "error" => set(&mut error, key, number_or_text(input)?),
        other => Err(unknown(key, other, &["depth", "error"])),
    });
    if let (Some(depth), Some(error)) = (depth, error) {
        return Some(Approximate { depth, error });
    }
    if errors.len() == before {
        errors.add(at, "`approximate` takes both `depth` and `error`, as in `approximate(depth = 5, error = 0.05)`");
    }
    None
}

/// Reads `KEY = value` for each option.
fn options(
    attribute: &Attribute,
    errors: &mut Errors<Span>,
    mut option: impl FnMut(&Ident, ParseStream<'_>) -> syn::Result<()>,
) {
    let read = attribute.parse_args_with(|input: ParseStream<'_>| {
        comma_separated(input, errors, |input, _| {
            // Keywords such as `macro` may become options one day.
            let key = input.call(Ident::parse_any)?;
            input.parse::<Token![=]>()?;
            option(&key, input)
        });
        Ok(())
    });
    if let Err(error) = read {
        errors.add_syntax(error);
    }
}

pub(super) fn unknown(key: &Ident, name: &str, known: &[&str]) -> syn::Error {
    syn::Error::new(key.span(), names::unknown("option", name, known))
}

pub(super) fn set<T>(option: &mut Option<T>, key: &Ident, value: T) -> syn::Result<()> {
    match option.replace(value) {
        None => Ok(()),
        Some(_) => Err(syn::Error::new(key.span(), format_args!("`{key}` is given twice"))),
    }
}

pub(super) fn whole(input: ParseStream<'_>) -> syn::Result<At<u64, Span>> {
    if !input.peek(LitInt) {
        return Err(input.error("expected a whole number"));
    }
    let literal: LitInt = input.parse()?;
    let value = literal.base10_parse();
    let value = value
        .map_err(|_| syn::Error::new(literal.span(), "expected a whole number of at most 64 bits, not negative"))?;
    Ok(At { value, at: literal.span() })
}

pub(super) fn word(input: ParseStream<'_>) -> syn::Result<At<String, Span>> {
    if !input.peek(Ident::peek_any) {
        return Err(input.error("expected a name"));
    }
    // `macro` is a keyword of Rust.
    let word = input.call(Ident::parse_any)?;
    Ok(At { value: word.to_string(), at: word.span() })
}

/// `3/2`, or the same in quotes as in kernel files.
fn number_or_text(input: ParseStream<'_>) -> syn::Result<Number<Span>> {
    if !input.peek(LitStr) {
        return number(input);
    }
    let literal: LitStr = input.parse()?;
    let Read { value, is_exact } = read(&literal.value(), literal.span())?;
    Ok(Number { value, is_exact, text: literal.value(), at: literal.span(), denominator: None })
}
