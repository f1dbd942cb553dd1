//! Tuples, lists and matrices, and what is made of each element of a list.

use proc_macro2::{Delimiter, Span};
use syn::parse::ParseStream;
use syn::{Token, bracketed, parenthesized, token};

use super::expression::{expr, node};
use super::pattern;
use super::tokens::{comma, expected, take_word, word};
use crate::vision::tree::{Each, Expr, What};

/// `"(" expr,* ")"`: one of them without a comma is itself.
pub(super) fn tuple(input: ParseStream<'_>, at: Span) -> syn::Result<Expr> {
    let inside;
    parenthesized!(inside in input);
    let mut of = Vec::new();
    let mut has_comma = false;
    while !inside.is_empty() {
        of.push(expr(&inside)?);
        has_comma |= inside.peek(Token![,]);
        comma(&inside, ")")?;
    }
    let depth = of.iter().map(|of| of.depth).max().unwrap_or(0) + 1;
    match of.pop() {
        Some(only) if of.is_empty() && !has_comma => Ok(only),
        last => {
            of.extend(last);
            node(What::Tuple(of), at, depth)
        }
    }
}

/// A list, a matrix, or a value for each element of a list.
pub(super) fn list(input: ParseStream<'_>, at: Span) -> syn::Result<Expr> {
    let inside;
    bracketed!(inside in input);
    let mut of = Vec::new();
    while !inside.is_empty() {
        of.push(expr(&inside)?);
        if of.len() == 1 && take_word(&inside, "for").is_some() {
            let Some(value) = of.pop() else { break };
            return each(&inside, value, at);
        }
        comma(&inside, "]")?;
    }
    let mut depth = of.iter().map(|of| of.depth).max().unwrap_or(0) + 1;
    let has_origin =
        input.cursor().ident().is_some_and(|(word, rest)| word == "at" && rest.group(Delimiter::Bracket).is_some());
    let mut origin = None;
    if has_origin {
        word(input, "at")?;
        let inside;
        bracketed!(inside in input);
        let row = expr(&inside)?;
        if !inside.peek(Token![,]) {
            return Err(expected(&inside, "a row and a column, both from 0, such as `at [1, 1]`"));
        }
        inside.parse::<Token![,]>()?;
        let column = expr(&inside)?;
        if !inside.is_empty() {
            return Err(expected(&inside, "`]`"));
        }
        depth = depth.max(row.depth + 1).max(column.depth + 1);
        origin = Some(Box::new([row, column]));
    }
    node(What::List(of, origin), at, depth)
}

/// `pattern "in" expr ("for" pattern "in" expr)*`, behind a value and `for`.
fn each(inside: ParseStream<'_>, mut value: Expr, at: Span) -> syn::Result<Expr> {
    let mut lists = Vec::new();
    loop {
        let pattern = pattern(inside)?;
        word(inside, "in")?;
        lists.push((pattern, expr(inside)?));
        if take_word(inside, "for").is_none() {
            break;
        }
    }
    if !inside.is_empty() {
        return Err(expected(inside, "`for` or `]`"));
    }
    let mut what: fn(Box<Each>) -> What = What::Each;
    for (pattern, list) in lists.into_iter().rev() {
        let depth = value.depth.max(list.depth) + 1;
        value = node(what(Box::new(Each { value, pattern, list })), at, depth)?;
        what = What::Joined;
    }
    Ok(value)
}

/// `"(" pattern "in" expr "," expr ")"`
pub(super) fn best(input: ParseStream<'_>, is_largest: bool, at: Span) -> syn::Result<Expr> {
    if !input.peek(token::Paren) {
        let example = if is_largest { "argmax" } else { "argmin" };
        return Err(expected(
            input,
            &format!("a list and a number of each, as in `{example}(k in 1..=4, count(x > k))`"),
        ));
    }
    let inside;
    parenthesized!(inside in input);
    let pattern = pattern(&inside)?;
    word(&inside, "in")?;
    let list = expr(&inside)?;
    if !inside.peek(Token![,]) {
        return Err(expected(&inside, "`,` and a number for each element"));
    }
    inside.parse::<Token![,]>()?;
    let value = expr(&inside)?;
    comma(&inside, ")")?;
    if !inside.is_empty() {
        return Err(expected(&inside, "`)`"));
    }
    let depth = value.depth.max(list.depth) + 1;
    node(What::Best { is_largest, each: Box::new(Each { value, pattern, list }) }, at, depth)
}
