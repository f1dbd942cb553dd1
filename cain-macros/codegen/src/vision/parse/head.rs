//! Heads of programs and functions, and kinds of values.

use syn::parse::ParseStream;
use syn::{Token, parenthesized, token};

use super::expression::expr;
use super::tokens::{comma, expected, is_word_of, name, take_word, word};
use crate::names::near_miss;
use crate::syntax::recover::skip;
use crate::vision::tree::{Entry, Expr, Name, Outcome, Type, Typed};

/// The words for kinds of values, beside ranges.
const KINDS: [&str; 6] = ["levels", "bits", "bool", "number", "digits", "region"];

/// `"(" entry,* ")"`
pub(super) fn entries(input: ParseStream<'_>) -> syn::Result<Vec<Entry>> {
    each(input, "the inputs and parameters of the program, such as `(image, threshold: 0..=127 = 24)`", |input| {
        let name = name(input, "the name of an input or a parameter")?;
        let kind = if input.peek(Token![:]) { Some(type_of(input)?) } else { None };
        let mut default = None;
        if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            default = Some(expr(input)?);
        }
        Ok(Entry { name, kind, default })
    })
}

/// `"->" "(" result,* ")"`
pub(super) fn results(input: ParseStream<'_>) -> syn::Result<Vec<Outcome>> {
    const EXPECTED: &str = "`->` and the results of the program, such as `-> (mask, pixels)`";
    if !input.peek(Token![->]) {
        return Err(expected(input, EXPECTED));
    }
    input.parse::<Token![->]>()?;
    each(input, "the results of the program, such as `(mask, pixels)`", |input| {
        let is_next = is_word_of(input, "next") && take_word(input, "next").is_some();
        Ok(Outcome { name: name(input, "the name of a result")?, is_next })
    })
}

/// `"(" (NAME ["=" expr]),* ")"`
pub(super) fn parameters(input: ParseStream<'_>) -> syn::Result<Vec<(Name, Option<Expr>)>> {
    each(input, "the parameters of the function, such as `(x, times = 1)`", |input| {
        let name = name(input, "the name of a parameter")?;
        if input.peek(Token![:]) {
            return Err(syn::Error::new(
                input.span(),
                "parameters of functions have no types; they are what the caller gives",
            ));
        }
        let mut default = None;
        if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            default = Some(expr(input)?);
        }
        Ok((name, default))
    })
}

/// The entries of a list in parentheses. All mistakes are told.
fn each<T>(
    input: ParseStream<'_>,
    what: &str,
    entry: impl Fn(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<Vec<T>> {
    if !input.peek(token::Paren) {
        return Err(expected(input, what));
    }
    let inside;
    parenthesized!(inside in input);
    let (mut entries, mut mistakes) = (Vec::new(), None::<syn::Error>);
    while !inside.is_empty() {
        match entry(&inside).and_then(|entry| comma(&inside, ")").map(|()| entry)) {
            Ok(entry) => entries.push(entry),
            Err(error) => {
                match &mut mistakes {
                    Some(mistakes) => mistakes.combine(error),
                    None => mistakes = Some(error),
                }
                crate::syntax::recover::past(&inside, Token![,]);
            }
        }
    }
    mistakes.map_or(Ok(entries), Err)
}

/// `":" type`
pub(super) fn type_of(input: ParseStream<'_>) -> syn::Result<Type> {
    input.parse::<Token![:]>()?;
    let at = input.span();
    let next = input.cursor().ident();
    let next = next.map(|(word, _)| word.to_string()).unwrap_or_default();
    let what = match next.as_str() {
        "levels" => {
            skip(input);
            let range = if input.peek(token::Paren) { Some(only(input, "a range such as `0..=127`")?) } else { None };
            Typed::Levels(range)
        }
        "digits" => {
            skip(input);
            Typed::Digits(only(input, "a number of bits")?)
        }
        "bits" | "bool" | "number" | "region" => {
            word(input, &next)?;
            if next == "bits" && input.peek(token::Paren) {
                return Err(syn::Error::new(at, "a number of so many bits in each PE is `digits(n)`"));
            }
            match next.as_str() {
                "bits" => Typed::Bits,
                "bool" => Typed::Bool,
                "number" => Typed::Number,
                _ => Typed::Region,
            }
        }
        word => {
            if let Some(near) = near_miss(word, &KINDS) {
                return Err(syn::Error::new(at, format_args!("unknown kind `{word}`; did you mean `{near}`?")));
            }
            Typed::Range(expr(input)?)
        }
    };
    Ok(Type { what, at })
}

/// The only expression in parentheses.
pub(super) fn only(input: ParseStream<'_>, what: &str) -> syn::Result<Expr> {
    if !input.peek(token::Paren) {
        return Err(expected(input, &format!("{what} in parentheses")));
    }
    let inside;
    parenthesized!(inside in input);
    let value = expr(&inside)?;
    if !inside.is_empty() {
        return Err(expected(&inside, "`)`"));
    }
    Ok(value)
}
