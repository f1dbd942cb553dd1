//! Expressions: operators by how tight they bind, and what they combine.

use cain_isa::{Fraction, ParseFractionError};
use proc_macro2::Span;
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Ident, Lit, Token, bracketed, parenthesized, token};

use super::tokens::{comma, expected, is_word, is_word_of, name, take_word};
use super::{MOST, list, operator, statement};
use crate::syntax::recover::skip;
use crate::vision::tree::{Argument, Expr, Place, What};

const EXPECTED: &str = "an expression such as `image@east - image`";

/// An expression and its operator.
pub(super) fn expr(input: ParseStream<'_>) -> syn::Result<Expr> {
    operator::binary(input, 0)
}

/// A node over others; nothing is nested deeper than can be walked with recursion.
pub(super) fn node(what: What, at: Span, depth: usize) -> syn::Result<Expr> {
    if depth > MOST {
        return Err(too_deep(at));
    }
    Ok(Expr { what, at, depth })
}

/// The message about something that is nested too deep.
pub(super) fn too_deep(at: Span) -> syn::Error {
    syn::Error::new(at, format_args!("this is nested more than {MOST} deep; give a part of it a name with `let`"))
}

/// `("-" | "!")* postfix`
pub(super) fn prefix(input: ParseStream<'_>) -> syn::Result<Expr> {
    let mut signs = Vec::new();
    while input.peek(Token![-]) || input.peek(Token![!]) {
        signs.push((input.peek(Token![-]), input.span()));
        skip(input);
    }
    let mut of = postfix(input)?;
    for (is_negative, at) in signs.into_iter().rev() {
        let depth = of.depth + 1;
        let what = if is_negative { What::Negative(Box::new(of)) } else { What::Not(Box::new(of)) };
        of = node(what, at, depth)?;
    }
    Ok(of)
}

/// A value, and what is read of it.
fn postfix(input: ParseStream<'_>) -> syn::Result<Expr> {
    let mut of = primary(input)?;
    loop {
        let at = input.span();
        if input.peek(Token![@]) {
            skip(input);
            let (place, depth) = place(input)?;
            let depth = of.depth.max(depth) + 1;
            of = node(What::At(Box::new(of), Box::new(place)), at, depth)?;
        } else if input.peek(token::Bracket) {
            let inside;
            bracketed!(inside in input);
            let index = expr(&inside)?;
            if !inside.is_empty() {
                return Err(expected(&inside, "`]`"));
            }
            let depth = of.depth.max(index.depth) + 1;
            of = node(What::Index(Box::new([of, index])), at, depth)?;
        } else if input.peek(Token![.]) && !input.peek(Token![..]) {
            skip(input);
            let of_at = of.at;
            let depth = of.depth + 1;
            if let Some(index) = index(input)? {
                let index = Expr { what: What::Number(index.into()), at: of_at, depth: 0 };
                of = node(What::Index(Box::new([of, index])), at, depth)?;
            } else {
                let field = name(input, "a field such as `top`")?;
                of = node(What::Field(Box::new(of), field), at, depth)?;
            }
        } else {
            return Ok(of);
        }
    }
}

/// The number of an element behind a dot.
fn index(input: ParseStream<'_>) -> syn::Result<Option<i32>> {
    if input.cursor().literal().is_none() {
        return Ok(None);
    }
    let Lit::Int(index) = literal(input)? else {
        return Err(syn::Error::new(
            input.span(),
            "expected the number of an element; write `[0][1]` for one within another",
        ));
    };
    index.base10_parse().map(Some)
}

/// Where a plane is read, and how deep that is nested.
fn place(input: ParseStream<'_>) -> syn::Result<(Place, usize)> {
    if !input.peek(token::Paren) {
        let at = input.span();
        let name = name(input, "a direction such as `east`, or PEs to the east and to the north such as `(3, -2)`")?;
        return Ok((Place::Pair(Expr { what: What::Name(name.value), at, depth: 0 }), 0));
    }
    let at = input.span();
    let inside;
    parenthesized!(inside in input);
    let mut parts = Vec::new();
    while !inside.is_empty() {
        let first = expr(&inside)?;
        let second = if inside.is_empty() || inside.peek(Token![,]) { None } else { Some(direction(&inside)?) };
        parts.push((first, second));
        comma(&inside, ")")?;
    }
    let depth = parts.iter().map(|(first, _)| first.depth).max().unwrap_or(0);
    let is_direction = |what: &What| matches!(what, What::Name(name) if super::is_direction(name));
    let has_steps = parts.iter().any(|(first, second)| second.is_some() || is_direction(&first.what));
    if has_steps {
        let steps = parts.into_iter().map(|(first, second)| match second {
            Some(direction) => (Some(first), direction),
            None => (None, first),
        });
        return Ok((Place::Steps(steps.collect()), depth));
    }
    let mut pair: Vec<Expr> = parts.into_iter().map(|(first, _)| first).collect();
    let pair = match pair.pop() {
        Some(only) if pair.is_empty() => only,
        last => {
            pair.extend(last);
            node(What::Tuple(pair), at, depth + 1)?
        }
    };
    Ok((Place::Pair(pair), depth + 1))
}

/// A direction behind a number of PEs.
fn direction(input: ParseStream<'_>) -> syn::Result<Expr> {
    let at = input.span();
    let name = name(input, "a direction such as `east`")?;
    Ok(Expr { what: What::Name(name.value), at, depth: 0 })
}

fn primary(input: ParseStream<'_>) -> syn::Result<Expr> {
    let at = input.span();
    if input.cursor().literal().is_some() {
        return Ok(Expr { what: What::Number(number(input)?), at, depth: 0 });
    }
    if input.peek(token::Paren) {
        return list::tuple(input, at);
    }
    if input.peek(token::Bracket) {
        return list::list(input, at);
    }
    if is_word(input, "if") {
        let (of, depth) = statement::decision(input)?;
        return node(What::If(Box::new(of)), at, depth);
    }
    if let Some(at) = take_word(input, "until") {
        if take_word(input, "stable").is_none() {
            return Err(expected(input, "`stable` behind `until`"));
        }
        return Ok(Expr { what: What::UntilStable, at, depth: 0 });
    }
    for (truth, word) in [(true, "true"), (false, "false")] {
        if let Some(at) = take_word(input, word) {
            return Ok(Expr { what: What::Truth(truth), at, depth: 0 });
        }
    }
    for (is_largest, word) in [(true, "argmax"), (false, "argmin")] {
        if let Some(at) = take_word(input, word) {
            return list::best(input, is_largest, at);
        }
    }
    if is_word_of(input, "next") {
        let message = "`next` is not read: it gives a state what it is after the frame; give that a name with `let`, and read the name";
        return Err(syn::Error::new(at, message));
    }
    let name = name(input, EXPECTED)?;
    if !input.peek(token::Paren) {
        return Ok(Expr { what: What::Name(name.value), at, depth: 0 });
    }
    let inside;
    parenthesized!(inside in input);
    let mut arguments = Vec::new();
    while !inside.is_empty() {
        let is_named = inside.peek(Ident::peek_any) && inside.peek2(Token![=]) && !inside.peek2(Token![==]);
        let name = if is_named { Some(self::name(&inside, "the name of an argument")?) } else { None };
        if is_named {
            inside.parse::<Token![=]>()?;
        }
        arguments.push(Argument { name, value: expr(&inside)? });
        comma(&inside, ")")?;
    }
    let depth = arguments.iter().map(|argument| argument.value.depth).max().unwrap_or(0) + 1;
    node(What::Call(name, arguments), at, depth)
}

/// A literal. Those that are too long for a number are not read, which takes time with the square of the length.
fn literal(input: ParseStream<'_>) -> syn::Result<Lit> {
    const LONGEST: usize = 100;
    match input.cursor().literal() {
        Some((literal, _)) if literal.to_string().len() > LONGEST => {
            Err(syn::Error::new(literal.span(), ParseFractionError::Overflow))
        }
        _ => input.parse(),
    }
}

/// An exact number.
fn number(input: ParseStream<'_>) -> syn::Result<Fraction> {
    let literal = literal(input)?;
    let at = literal.span();
    let (text, suffix) = match &literal {
        Lit::Int(number) => (number.base10_digits().to_owned(), number.suffix().to_owned()),
        Lit::Float(number) => (number.base10_digits().to_owned(), number.suffix().to_owned()),
        other => {
            let found = quote::quote!(#other);
            return Err(syn::Error::new(at, format_args!("expected {EXPECTED}, found `{found}`")));
        }
    };
    if !suffix.is_empty() {
        return Err(syn::Error::new(at, format_args!("numbers have no types; write `{text}`")));
    }
    text.parse().map_err(|error: ParseFractionError| syn::Error::new(at, error))
}
