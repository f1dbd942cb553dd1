//! Sums of scaled matrices.

use proc_macro2::Span;
use syn::parse::ParseStream;
use syn::{Lit, Token, bracketed, token};

use super::attributes::whole;
use super::number::number;
use super::recover::{self, comma_separated, skip};
use super::{header, place};
use crate::errors::Errors;
use crate::tree::{At, Row, Term};

mod keyword {
    syn::custom_keyword!(at);
}

/// `["-"] term (("+" | "-") term)*`. Mistakes within a matrix are collected; any other ends the sum.
pub(crate) fn parse(input: ParseStream<'_>, last: Span, errors: &mut Errors<Span>) -> syn::Result<Vec<Term<Span>>> {
    let mut terms = Vec::new();
    let mut negative = input.parse::<Option<Token![-]>>()?.is_some();
    loop {
        terms.push(term(input, negative, last, errors)?);
        negative = input.peek(Token![-]);
        if !negative && !input.peek(Token![+]) {
            return Ok(terms);
        }
        skip(input);
    }
}

/// `[number "*"] matrix [origin] ["*" REG]`.
fn term(input: ParseStream<'_>, negative: bool, last: Span, errors: &mut Errors<Span>) -> syn::Result<Term<Span>> {
    let mut scale = None;
    if !input.peek(token::Bracket) {
        if !(input.peek(Lit) || input.peek(token::Paren) || input.peek(Token![-])) {
            let message = "expected a kernel such as `[[1, 2, 1]]`, or a scale such as `1/4 *` in front of one";
            return Err(no_kernel(input, message, "1", last));
        }
        let number = scale.insert(number(input)?);
        input.parse::<Token![*]>()?;
        if !input.peek(token::Bracket) {
            let message = "expected a kernel such as `[[1, 2, 1]]` after the scale";
            return Err(no_kernel(input, message, &number.text, last));
        }
    }
    let (rows, at) = matrix(input, errors)?;
    let origin = origin(input)?;
    let scale_behind =
        input.peek(Token![*]) && (input.peek2(Lit) || input.peek2(token::Paren) || input.peek2(Token![-]));
    if scale_behind || input.peek(Token![/]) {
        return Err(input.error("write the scale in front of the kernel: `1/4 * [[1, 2, 1]]`"));
    }
    let register = match input.parse::<Option<Token![*]>>()? {
        Some(_) => Some(header::register(input)?),
        None => None,
    };
    Ok(Term { negative, scale, rows, at, origin, input: register })
}

/// Something else where a kernel is expected. A register is the kernel of one weight.
fn no_kernel(input: ParseStream<'_>, message: &str, scale: &str, last: Span) -> syn::Error {
    let error = |message| syn::Error::new(place(input, last), message);
    match input.cursor().ident() {
        Some((register, _)) => error(format!("{message}; `{register}` itself is written `[[{scale}]] * {register}`")),
        None => error(message.to_owned()),
    }
}

/// `"at" "[" row "," column "]"`.
fn origin(input: ParseStream<'_>) -> syn::Result<Option<At<(usize, usize), Span>>> {
    if !input.peek(keyword::at) {
        return Ok(None);
    }
    input.parse::<keyword::at>()?;
    if !input.peek(token::Bracket) {
        return Err(input.error("expected a row and a column, both from 0, such as `at [1, 1]`"));
    }
    let position;
    let at = bracketed!(position in input).span.join();
    let value = recover::inside(&position, |input| {
        let row = index(input)?;
        input.parse::<Token![,]>()?;
        let column = index(input)?;
        input.parse::<Option<Token![,]>>()?;
        if input.is_empty() { Ok((row, column)) } else { Err(input.error("expected `]` after the column")) }
    })?;
    Ok(Some(At { value, at }))
}

/// A row or a column; one outside of every matrix where an index has fewer bits.
fn index(input: ParseStream<'_>) -> syn::Result<usize> {
    whole(input).map(|index| usize::try_from(index.value).unwrap_or(usize::MAX))
}

/// The rows of a matrix, and its place.
fn matrix(input: ParseStream<'_>, errors: &mut Errors<Span>) -> syn::Result<(Vec<Row<Span>>, Span)> {
    let rows;
    let brackets = bracketed!(rows in input);
    Ok((comma_separated(&rows, errors, row), brackets.span.join()))
}

fn row(input: ParseStream<'_>, errors: &mut Errors<Span>) -> syn::Result<Row<Span>> {
    if !input.peek(token::Bracket) {
        return Err(input.error("expected a row in brackets; a kernel of one row is written `[[1, 2, 1]]`"));
    }
    let weights;
    let brackets = bracketed!(weights in input);
    let weights = comma_separated(&weights, errors, |input, _| number(input));
    Ok(Row { weights, at: brackets.span.join() })
}
