//! Sums of scaled matrices.

use proc_macro2::{Delimiter, Ident, Span};
use syn::parse::ParseStream;
use syn::{Lit, Token, bracketed, token};

use super::constants::{Constants, Named, is_constant_name};
use super::header;
use super::number::{weight, whole};
use super::recover::{self, comma_separated, skip};
use super::span::place;
use crate::errors::Errors;
use crate::tree::{At, Meaning, Number, PRODUCT_TOO_LARGE, Row, Term};

const SCALE_BEHIND: &str = "write the scale in front of the kernel: `1/4 * [[1, 2, 1]]`";
const NO_PRODUCT: &str = "kernels cannot be multiplied, and after `*` comes the input, such as `[[1, 2, 1]] * A`; write \
                          the kernel of both, or a filter for each";
const NO_ROW: &str = "expected a row in brackets; a kernel of one row is written `[[1, 2, 1]]`";

mod keyword {
    syn::custom_keyword!(at);
}

/// `["-"] term (("+" | "-") term)*`. Mistakes within a matrix are collected; any other ends the sum.
pub(crate) fn parse(
    input: ParseStream<'_>,
    last: Span,
    constants: &Constants,
    errors: &mut Errors<Span>,
) -> syn::Result<Vec<Term<Span>>> {
    let mut terms = Vec::new();
    let mut negative = input.parse::<Option<Token![-]>>()?.is_some();
    loop {
        terms.extend(term(input, negative, last, constants, errors)?);
        negative = input.peek(Token![-]);
        if !negative && !input.peek(Token![+]) {
            return Ok(terms);
        }
        skip(input);
    }
}

/// `[number "*"] (matrix [origin] | NAME) ["*" REG]`. A name can stand for several terms.
fn term(
    input: ParseStream<'_>,
    negative: bool,
    last: Span,
    constants: &Constants,
    errors: &mut Errors<Span>,
) -> syn::Result<Vec<Term<Span>>> {
    let scale = scale(input, last, constants)?;
    let mut terms = if input.peek(token::Bracket) {
        let (rows, at) = matrix(input, constants, errors)?;
        vec![Term { negative, scale, rows, at, origin: origin(input)?, input: None }]
    } else {
        named(input, negative, scale.as_ref(), constants)?
    };
    let scale_behind =
        input.peek(Token![*]) && (input.peek2(Lit) || input.peek2(token::Paren) || input.peek2(Token![-]));
    if scale_behind || input.peek(Token![/]) {
        return Err(input.error(SCALE_BEHIND));
    }
    if input.parse::<Option<Token![*]>>()?.is_some() {
        if input.peek(token::Bracket) || names_kernel(input, constants) {
            return Err(syn::Error::new(place(input, last), NO_PRODUCT));
        }
        if input.cursor().ident().is_some_and(|(name, _)| constants.contains(&name)) {
            return Err(input.error(SCALE_BEHIND));
        }
        let register = header::register(input)?;
        for term in &mut terms {
            term.input = Some(register.clone());
        }
    }
    Ok(terms)
}

/// `[number "*"]`, before a kernel.
fn scale(input: ParseStream<'_>, last: Span, constants: &Constants) -> syn::Result<Option<Number<Span>>> {
    if input.peek(token::Bracket) || names_kernel(input, constants) {
        return Ok(None);
    }
    let names_number = input.cursor().ident().is_some_and(|(name, _)| constants.contains(&name));
    if !(names_number || input.peek(Lit) || input.peek(token::Paren) || input.peek(Token![-])) {
        let message = "expected a kernel such as `[[1, 2, 1]]`, or a scale such as `1/4 *` in front of one";
        return Err(no_kernel(input, message, "1", last, constants));
    }
    let number = weight(input, constants)?;
    input.parse::<Token![*]>()?;
    if input.peek(token::Bracket) || names_kernel(input, constants) {
        return Ok(Some(number));
    }
    let message = "expected a kernel such as `[[1, 2, 1]]` after the scale";
    Err(no_kernel(input, message, &number.text, last, constants))
}

/// Whether the next word is a constant that stands for a kernel, or may do so but for a mistake.
fn names_kernel(input: ParseStream<'_>, constants: &Constants) -> bool {
    let Some((name, rest)) = input.cursor().ident() else { return false };
    match constants.get(&name) {
        Named::Constant(value) => matches!(*value, Meaning::Kernel(_)),
        Named::Mistaken | Named::Unusable(_) => {
            // In front of a kernel it must be a number.
            let factor = rest.punct().filter(|(operator, _)| operator.as_char() == '*').map(|(_, factor)| factor);
            let is_kernel = |name| constants.contains(&name);
            !factor.is_some_and(|factor| {
                factor.group(Delimiter::Bracket).is_some() || factor.ident().is_some_and(|(name, _)| is_kernel(name))
            })
        }
        Named::Unknown => false,
    }
}

/// The terms that a constant stands for, scaled.
fn named(
    input: ParseStream<'_>,
    negative: bool,
    scale: Option<&Number<Span>>,
    constants: &Constants,
) -> syn::Result<Vec<Term<Span>>> {
    let name: Ident = input.parse()?;
    let value = match constants.get(&name) {
        Named::Constant(value) => value,
        Named::Unusable(why) => return Err(syn::Error::new(name.span(), why)),
        Named::Mistaken | Named::Unknown => return Ok(Vec::new()),
    };
    // A constant of Rust has no place for it.
    if input.peek(keyword::at) && !constants.is_outside(&name) {
        return Err(input.error("the origin of a named kernel belongs to its declaration; move `at [..]` there"));
    }
    let origin = origin(input)?;
    let Meaning::Kernel(kernel) = &*value else { return Ok(Vec::new()) };
    constants.count(kernel, name.span())?;
    let scaled = |term: &Term<Span>| {
        let scaled = term.scaled(scale, name.span()).ok_or_else(|| syn::Error::new(name.span(), PRODUCT_TOO_LARGE))?;
        let origin = origin.clone().or(scaled.origin.clone());
        Ok(Term { negative: negative != term.negative, origin, ..scaled })
    };
    kernel.iter().map(scaled).collect()
}

/// Something else where a kernel is expected. A register is the kernel of one weight.
fn no_kernel(input: ParseStream<'_>, message: &str, scale: &str, last: Span, constants: &Constants) -> syn::Error {
    let error = |message| syn::Error::new(place(input, last), message);
    match input.cursor().ident() {
        Some((name, _)) if constants.contains(&name) => error(format!("{message}; `{name}` is a number")),
        Some((name, _)) if is_constant_name(&name) => error(constants.unknown(&name, "1/4 * [[1, 2, 1]]")),
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
fn matrix(
    input: ParseStream<'_>,
    constants: &Constants,
    errors: &mut Errors<Span>,
) -> syn::Result<(Vec<Row<Span>>, Span)> {
    let rows;
    let brackets = bracketed!(rows in input);
    // One mistake, however many weights there are.
    if !rows.is_empty() && !rows.peek(token::Bracket) {
        let error = |input: ParseStream<'_>| Err(input.error(NO_ROW));
        return recover::inside(&rows, error);
    }
    let rows = comma_separated(&rows, errors, |input, errors| row(input, constants, errors));
    Ok((rows, brackets.span.join()))
}

fn row(input: ParseStream<'_>, constants: &Constants, errors: &mut Errors<Span>) -> syn::Result<Row<Span>> {
    if !input.peek(token::Bracket) {
        return Err(input.error(NO_ROW));
    }
    let weights;
    let brackets = bracketed!(weights in input);
    let weights = comma_separated(&weights, errors, |input, _| weight(input, constants));
    Ok(Row { weights, at: brackets.span.join() })
}
