//! `"=" sum ";"` or `"{" (REG "=" sum ";")+ "}"`, where digital filters take an expression for a sum as well.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::parse::ParseStream;
use syn::{Token, braced, token};

use super::{header, place, recover, sum};
use crate::errors::Errors;
use crate::expression::{self, Expression};
use crate::tree::{At, Header, Sum, Term};

/// Reads the sums, to the end of the filter even after a mistake. Those of digital filters may be expressions.
pub(crate) fn parse(
    input: ParseStream<'_>,
    header: &Header<Span>,
    is_digital: bool,
    errors: &mut Errors<Span>,
) -> Vec<Sum<Span>> {
    let read = if input.peek(token::Brace) {
        braces(input, is_digital, errors)
    } else {
        single(input, header, is_digital, errors)
    };
    read.unwrap_or_else(|error| {
        errors.add_syntax(error);
        recover::to_next_filter(input);
        header.outputs.iter().map(|output| Sum { register: output.clone(), terms: None, logic: None }).collect()
    })
}

fn braces(input: ParseStream<'_>, is_digital: bool, errors: &mut Errors<Span>) -> syn::Result<Vec<Sum<Span>>> {
    let content;
    braced!(content in input);
    let mut sums = Vec::new();
    while !content.is_empty() {
        let read = header::register(&content).map(|register| {
            let read = formula(&content, register.at, is_digital, errors).unwrap_or_else(|error| {
                errors.add_syntax(error);
                recover::past(&content, Token![;]);
                Formula::default()
            });
            read.of(register)
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
    is_digital: bool,
    errors: &mut Errors<Span>,
) -> syn::Result<Vec<Sum<Span>>> {
    let start = place(input, header.name.at);
    if !input.peek(Token![=]) {
        return Err(syn::Error::new(start, "expected `= kernel;` or `{ REGISTER = kernel; .. }`"));
    }
    if header.outputs.len() > 1 {
        return Err(syn::Error::new(start, "several outputs take braces: `{ REGISTER = kernel; .. }`"));
    }
    let read = formula(input, start, is_digital, errors)?;
    Ok(header.outputs.first().map(|output| read.of(output.clone())).into_iter().collect())
}

/// What stands behind a `=`; nothing if it could not be read.
#[derive(Default)]
struct Formula {
    terms: Option<Vec<Term<Span>>>,
    logic: Option<Expression<Span>>,
}

impl Formula {
    fn of(self, register: At<String, Span>) -> Sum<Span> {
        let Self { terms, logic } = self;
        Sum { register, terms, logic }
    }
}

/// A sum, or an expression where one is allowed and there is no matrix.
fn formula(input: ParseStream<'_>, last: Span, is_digital: bool, errors: &mut Errors<Span>) -> syn::Result<Formula> {
    if !is_digital || !input.peek(Token![=]) || has_matrix(input) {
        return Ok(Formula { terms: terms(input, last, errors)?, logic: None });
    }
    let mut last = input.parse::<Token![=]>()?.span;
    let mut tokens = TokenStream::new();
    while !input.peek(Token![;]) {
        if input.is_empty() {
            return Err(syn::Error::new(last, "expected `;` after the expression"));
        }
        let token: TokenTree = input.parse()?;
        last = token.span();
        tokens.extend([token]);
    }
    let end = input.parse::<Token![;]>()?.span;
    let logic = expression::parse(&expression::from_tokens(tokens), end);
    let logic = logic.map_err(|At { value, at }| errors.add(at, value)).ok();
    Ok(Formula { terms: None, logic })
}

/// Whether there is a matrix, `[[..]]`, before the next `;`.
fn has_matrix(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    while let (false, Ok(token)) = (ahead.peek(Token![;]), ahead.parse::<TokenTree>()) {
        let is_list =
            |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket);
        if let TokenTree::Group(group) = &token
            && is_list(&token)
            && group.stream().into_iter().next().is_some_and(|first| is_list(&first))
        {
            return true;
        }
    }
    false
}

/// `"=" sum ";"`; `None` if there were mistakes within the matrices.
fn terms(input: ParseStream<'_>, last: Span, errors: &mut Errors<Span>) -> syn::Result<Option<Vec<Term<Span>>>> {
    let before = errors.len();
    input.parse::<Token![=]>()?;
    let terms = sum::parse(input, last, errors)?;
    let last = terms.last().map_or(last, |term| term.at);
    if !input.peek(Token![;]) {
        return Err(syn::Error::new(place(input, last), "expected `;` after the kernel"));
    }
    input.parse::<Token![;]>()?;
    Ok((errors.len() == before).then_some(terms))
}
