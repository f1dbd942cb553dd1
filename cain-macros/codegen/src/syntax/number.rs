//! Numbers.

use std::fmt::Display;

use cain_isa::Fraction;
use proc_macro2::Span;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative as _;
use syn::{Ident, LitFloat, LitInt, Token, parenthesized, token};

use super::constants::{Constants, Named};
use super::recover::inside;
use crate::number::{self, Read};
use crate::tree::{At, Meaning, Number};

/// Reads `3`, `-1/16`, `0.25` or the name of a constant, also in parentheses and with a sign before them.
pub(crate) fn weight(input: ParseStream<'_>, constants: &Constants) -> syn::Result<Number<Span>> {
    either(input, |input| if input.peek(Ident) { named(input, constants) } else { literal(input) })
}

/// A number with a sign or in parentheses, whose digits or name another function reads.
fn either(
    input: ParseStream<'_>,
    unsigned: impl Fn(ParseStream<'_>) -> syn::Result<Number<Span>>,
) -> syn::Result<Number<Span>> {
    let negative = is_negative(input)?;
    let number = if input.peek(token::Paren) {
        let inner;
        parenthesized!(inner in input);
        inside(&inner, |input| alone(input, unsigned))?
    } else {
        unsigned(input)?
    };
    Ok(if negative { number.negated() } else { number })
}

/// Whether the signs in front of a number make it negative. There are two of them in front of a negative one that another
/// macro was given.
fn is_negative(input: ParseStream<'_>) -> syn::Result<bool> {
    let mut is_negative = false;
    while input.parse::<Option<Token![-]>>()?.is_some() {
        is_negative = !is_negative;
    }
    Ok(is_negative)
}

/// A number with nothing behind it.
fn alone(
    input: ParseStream<'_>,
    unsigned: impl Fn(ParseStream<'_>) -> syn::Result<Number<Span>>,
) -> syn::Result<Number<Span>> {
    let negative = is_negative(input)?;
    let number = unsigned(input)?;
    let number = if negative { number.negated() } else { number };
    if input.is_empty() { Ok(number) } else { Err(input.error("expected `)` after the number")) }
}

/// The number that a constant stands for; any number for one whose declaration has a mistake.
fn named(input: ParseStream<'_>, constants: &Constants) -> syn::Result<Number<Span>> {
    let ahead = input.fork();
    let name: Ident = ahead.parse()?;
    let at = name.span();
    let number = match constants.get(&name) {
        Named::Constant(value) => match value.into_owned() {
            Meaning::Number(number) => number,
            Meaning::Kernel(_) => {
                return Err(syn::Error::new(at, format_args!("`{name}` is a kernel; expected a number")));
            }
        },
        Named::Unusable(why) => return Err(syn::Error::new(at, why)),
        Named::Mistaken => Number { value: Fraction::ONE, is_exact: true, text: "1".to_owned(), at, denominator: None },
        Named::Unknown if constants.is_missing(&name) => {
            return Err(syn::Error::new(at, constants.unknown(&name, "1/4")));
        }
        Named::Unknown => return literal(input),
    };
    input.advance_to(&ahead);
    Ok(number)
}

fn literal(input: ParseStream<'_>) -> syn::Result<Number<Span>> {
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

/// A count.
pub(crate) fn whole(input: ParseStream<'_>) -> syn::Result<At<u64, Span>> {
    if input.peek(LitFloat) {
        let literal: LitFloat = input.parse()?;
        return Err(syn::Error::new(literal.span(), number::not_whole(literal.base10_digits())));
    }
    if !input.peek(LitInt) {
        return Err(input.error("expected a whole number"));
    }
    let literal: LitInt = input.parse()?;
    let value = literal.base10_parse();
    let value = value
        .map_err(|_| syn::Error::new(literal.span(), "expected a whole number of at most 64 bits, not negative"))?;
    Ok(At { value, at: literal.span() })
}
