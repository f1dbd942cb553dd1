//! `"=" sum ";"` or `"{" (REG "=" sum ";")+ "}"`.

use proc_macro2::Span;
use syn::parse::ParseStream;
use syn::{Token, braced, token};

use super::constants::Constants;
use super::{header, place, recover, sum};
use crate::errors::Errors;
use crate::tree::{Header, Sum, Term};

/// Reads the sums, to the end of the filter even after a mistake.
pub(crate) fn parse(
    input: ParseStream<'_>,
    header: &Header<Span>,
    constants: &Constants,
    errors: &mut Errors<Span>,
) -> Vec<Sum<Span>> {
    let read = if input.peek(token::Brace) {
        braces(input, constants, errors)
    } else {
        single(input, header, constants, errors)
    };
    read.unwrap_or_else(|error| {
        errors.add_syntax(error);
        recover::to_next_filter(input);
        header.outputs.iter().map(|output| Sum { register: output.clone(), terms: None }).collect()
    })
}

fn braces(input: ParseStream<'_>, constants: &Constants, errors: &mut Errors<Span>) -> syn::Result<Vec<Sum<Span>>> {
    let content;
    braced!(content in input);
    let mut sums = Vec::new();
    while !content.is_empty() {
        let read = header::register(&content).map(|register| {
            let terms = terms(&content, register.at, constants, errors).unwrap_or_else(|error| {
                errors.add_syntax(error);
                recover::past(&content, Token![;]);
                None
            });
            Sum { register, terms }
        });
        match read {
            Ok(sum) => sums.push(sum),
            Err(error) => {
                errors.add_syntax(error);
                recover::past(&content, Token![;]);
            }
        }
    }
    Ok(sums)
}

fn single(
    input: ParseStream<'_>,
    header: &Header<Span>,
    constants: &Constants,
    errors: &mut Errors<Span>,
) -> syn::Result<Vec<Sum<Span>>> {
    let start = place(input, header.name.at);
    if !input.peek(Token![=]) {
        return Err(syn::Error::new(start, "expected `= kernel;` or `{ REGISTER = kernel; .. }`"));
    }
    if header.outputs.len() > 1 {
        return Err(syn::Error::new(start, "several outputs take braces: `{ REGISTER = kernel; .. }`"));
    }
    let terms = terms(input, start, constants, errors)?;
    Ok(header.outputs.first().map(|output| Sum { register: output.clone(), terms }).into_iter().collect())
}

/// `"=" sum ";"`; `None` if there were mistakes within the matrices, or in the constants that are used.
fn terms(
    input: ParseStream<'_>,
    last: Span,
    constants: &Constants,
    errors: &mut Errors<Span>,
) -> syn::Result<Option<Vec<Term<Span>>>> {
    let before = errors.len();
    constants.take_mistake();
    input.parse::<Token![=]>()?;
    let terms = sum::parse(input, last, constants, errors)?;
    let last = terms.last().map_or(last, |term| term.at);
    if !input.peek(Token![;]) {
        return Err(syn::Error::new(place(input, last), "expected `;` after the kernel"));
    }
    input.parse::<Token![;]>()?;
    Ok((errors.len() == before && !constants.take_mistake()).then_some(terms))
}
