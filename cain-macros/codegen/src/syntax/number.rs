//! Numbers.

use std::fmt::Display;

use proc_macro2::Span;
use syn::parse::ParseStream;
use syn::{LitFloat, LitInt, Token, parenthesized, token};

use super::recover::inside;
use crate::number::{self, Read};
use crate::tree::{At, Number};

/// Reads `3`, `-1/16`, `0.25`, also in parentheses and with a sign before them.
pub(crate) fn number(input: ParseStream<'_>) -> syn::Result<Number<Span>> {
    let negative = input.parse::<Option<Token![-]>>()?.is_some();
    let number = if input.peek(token::Paren) {
        let inner;
        parenthesized!(inner in input);
        inside(&inner, alone)?
    } else {
        unsigned(input)?
    };
    Ok(if negative { negated(number) } else { number })
}

/// A number with nothing behind it.
fn alone(input: ParseStream<'_>) -> syn::Result<Number<Span>> {
    let number = signed(input)?;
    if input.is_empty() { Ok(number) } else { Err(input.error("expected `)` after the number")) }
}

fn signed(input: ParseStream<'_>) -> syn::Result<Number<Span>> {
    let negative = input.parse::<Option<Token![-]>>()?.is_some();
    let number = unsigned(input)?;
    Ok(if negative { negated(number) } else { number })
}

fn negated(number: Number<Span>) -> Number<Span> {
    let text = match number.text.strip_prefix('-') {
        Some(text) => text.to_owned(),
        None => format!("-{}", number.text),
    };
    Number { value: number.value.negated(), text, ..number }
}

fn unsigned(input: ParseStream<'_>) -> syn::Result<Number<Span>> {
    let numerator = digits(input)?;
    if !input.peek(Token![/]) {
        let Read { value, is_exact } = read(&numerator.value, numerator.at)?;
        return Ok(Number { value, is_exact, text: numerator.value, at: numerator.at, denominator: None });
    }
    input.parse::<Token![/]>()?;
    let denominator = digits(input)?;
    for part in [&numerator, &denominator] {
        if part.value.contains(['.', 'e', 'E']) {
            return Err(syn::Error::new(part.at, "a fraction is made of whole numbers; write `1/8` or `0.125`"));
        }
    }
    let text = format!("{}/{}", numerator.value, denominator.value);
    let Read { value, is_exact } = read(&text, denominator.at)?;
    Ok(Number { value, is_exact, text, at: numerator.at, denominator: Some(denominator) })
}

/// The value of a text; an error is reported at that place.
pub(crate) fn read(text: &str, at: Span) -> syn::Result<Read> {
    number::read(text).map_err(|error| syn::Error::new(at, error))
}

/// The digits of one literal, in decimal and without underscores.
fn digits(input: ParseStream<'_>) -> syn::Result<At<String, Span>> {
    if input.peek(LitInt) {
        let literal: LitInt = input.parse()?;
        plain(literal.base10_digits(), literal.suffix(), literal.span())
    } else if input.peek(LitFloat) {
        let literal: LitFloat = input.parse()?;
        plain(literal.base10_digits(), literal.suffix(), literal.span())
    } else {
        Err(input.error("expected a number such as `3`, `-1/16` or `0.25`"))
    }
}

fn plain(digits: &str, suffix: &str, at: Span) -> syn::Result<At<String, Span>> {
    let error = |message: &dyn Display| Err(syn::Error::new(at, message));
    if !suffix.is_empty() {
        return error(&format_args!("numbers are exact and have no type; write `{digits}` without `{suffix}`"));
    }
    Ok(At { value: digits.to_owned(), at })
}
