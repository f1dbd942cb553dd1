//! Sums of scaled matrices.

use proc_macro2::{Delimiter, Ident, Span, TokenTree};
use syn::parse::ParseStream;
use syn::{Lit, Token, token};

use super::constants::{Constants, is_constant_name};
use super::header;
use super::recover::skip;
use super::span::place;
use crate::errors::Errors;
use crate::sums::{self, Constants as _, Named, Use, Wanted};
use crate::tree::{At, Meaning, Number, Term};
use crate::value::{Entry, tokens};

const SCALE_BEHIND: &str = "write the scale in front of the kernel: `1/4 * [[1, 2, 1]]`";
const NO_PRODUCT: &str = "kernels cannot be multiplied, and after `*` comes the input, such as `[[1, 2, 1]] * A`; write \
                          the kernel of both, or a filter for each";

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
        let tokens: TokenTree = input.parse()?;
        let at = tokens.span();
        let read = tokens::Reader::of_kernels(errors).value(&[tokens], at);
        let rows = read.and_then(|value| sums::matrix(&Entry::of("", &value), constants, errors));
        let origin = origin(input, errors)?;
        rows.map(|rows| Term { negative, scale, rows, at, origin, input: None }).into_iter().collect()
    } else {
        named(input, negative, scale.as_ref(), constants, errors)?
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
    let (first, word) = (place(input, last), input.cursor().ident());
    let number = weight(input, last, constants)?;
    if !input.peek(Token![*]) && !input.peek(token::Bracket) {
        let text = word.map_or(number.text, |(name, _)| name.to_string());
        let message = format!(
            "`{text}` is a number; expected a kernel such as `[[1, 2, 1]]`, or one behind it, as in `{text} * [[1, 2, 1]]`"
        );
        return Err(syn::Error::new(first, message));
    }
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
    match constants.get(&name.to_string(), name.span(), Wanted::Kernel) {
        Some(Named::Meaning(meaning)) => matches!(*meaning, Meaning::Kernel(_)),
        Some(Named::Mistaken | Named::Unusable(_)) => {
            // In front of a kernel it must be a number.
            let factor = rest.punct().filter(|(operator, _)| operator.as_char() == '*').map(|(_, factor)| factor);
            let is_kernel = |name| constants.contains(&name);
            !factor.is_some_and(|factor| {
                factor.group(Delimiter::Bracket).is_some() || factor.ident().is_some_and(|(name, _)| is_kernel(name))
            })
        }
        Some(Named::Unknown(_)) | None => false,
    }
}

/// A number with a sign or in parentheses, or the name of one.
pub(crate) fn weight(input: ParseStream<'_>, last: Span, constants: &Constants) -> syn::Result<Number<Span>> {
    let mut tokens = Vec::new();
    let ahead = input.fork();
    while tokens.len() == tokens::length(&tokens) && !ahead.peek(Token![;]) && !ahead.is_empty() {
        tokens.push(ahead.parse()?);
    }
    tokens.truncate(tokens::length(&tokens));
    for _ in &tokens {
        skip(input);
    }
    let mut errors = Errors::default();
    let read = tokens::Reader::of_kernels(&mut errors).value(&tokens, last);
    let number = read.and_then(|value| sums::number(&Entry::of("", &value), constants, &mut errors));
    number.ok_or_else(|| errors.into_syntax(last))
}

/// The terms that a constant stands for, scaled.
fn named(
    input: ParseStream<'_>,
    negative: bool,
    scale: Option<&Number<Span>>,
    constants: &Constants,
    errors: &mut Errors<Span>,
) -> syn::Result<Vec<Term<Span>>> {
    let name: Ident = input.parse()?;
    let at = name.span();
    let meaning = match constants.get(&name.to_string(), at, Wanted::Kernel) {
        Some(Named::Meaning(meaning)) => meaning,
        Some(Named::Unusable(why) | Named::Unknown(why)) => return Err(syn::Error::new(at, why)),
        Some(Named::Mistaken) | None => return Ok(Vec::new()),
    };
    // A constant of Rust has no place for it.
    if input.peek(keyword::at) && !constants.is_outside(&name) {
        return Err(input.error("the origin of a named kernel belongs to its declaration; move `at [..]` there"));
    }
    let origin = origin(input, errors)?;
    let Meaning::Kernel(kernel) = &*meaning else { return Ok(Vec::new()) };
    let used = Use { negative, scale, origin: origin.as_ref(), input: None, at };
    sums::named(kernel, &used, constants.uses()).map_err(|message| syn::Error::new(at, message))
}

/// Something else where a kernel is expected. A register is the kernel of one weight.
fn no_kernel(input: ParseStream<'_>, message: &str, scale: &str, last: Span, constants: &Constants) -> syn::Error {
    let error = |message| syn::Error::new(place(input, last), message);
    match input.cursor().ident() {
        Some((name, _)) if constants.contains(&name) => error(format!("{message}; `{name}` is a number")),
        Some((name, _)) if is_constant_name(&name) => error(constants.unknown(&name.to_string(), Wanted::Kernel)),
        Some((register, _)) => error(format!("{message}; `{register}` itself is written `[[{scale}]] * {register}`")),
        None => error(message.to_owned()),
    }
}

/// `"at" "[" row "," column "]"`.
fn origin(input: ParseStream<'_>, errors: &mut Errors<Span>) -> syn::Result<Option<At<(usize, usize), Span>>> {
    if !input.peek(keyword::at) {
        return Ok(None);
    }
    input.parse::<keyword::at>()?;
    if !input.peek(token::Bracket) {
        return Err(input.error("expected a row and a column, both from 0, such as `at [1, 1]`"));
    }
    let position: TokenTree = input.parse()?;
    let at = position.span();
    let read = tokens::Reader::new("", errors).value(&[position], at);
    Ok(read.and_then(|value| sums::position(&Entry::of("", &value), errors)))
}
