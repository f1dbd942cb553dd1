//! Statements and blocks.

use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative as _;
use syn::{Ident, Token, braced, token};

use super::expression::{expr, node, too_deep};
use super::head::type_of;
use super::tokens::{expected, foreign, is_word, is_word_of, name, semicolon, take_word, word};
use super::{MOST, pattern};
use crate::syntax::recover::skip;
use crate::vision::tree::{Action, Block, Expr, If, Statement, Storage, What};

/// A block in braces, and how deep expressions are nested in it. All mistakes of its statements are told.
pub(super) fn block(input: ParseStream<'_>) -> syn::Result<(Block, usize)> {
    if !input.peek(token::Brace) {
        return Err(expected(input, "`{`"));
    }
    let inside;
    let at = braced!(inside in input).span.open();
    let (mut statements, mut value, mut depth) = (Vec::new(), None, 0);
    let mut mistakes: Option<syn::Error> = None;
    while !inside.is_empty() {
        let start = inside.fork();
        let read = entry(&inside, &mut statements);
        match read {
            Ok((None, deep)) => depth = depth.max(deep),
            Ok((Some(of), deep)) => {
                depth = depth.max(deep);
                value = Some(Box::new(of));
            }
            Err(error) => {
                match &mut mistakes {
                    Some(mistakes) => mistakes.combine(error),
                    None => mistakes = Some(error),
                }
                to_next_statement(&start);
                inside.advance_to(&start);
            }
        }
    }
    if let Some(mistakes) = mistakes {
        return Err(mistakes);
    }
    if depth >= MOST {
        return Err(too_deep(at));
    }
    Ok((Block { statements, value, at }, depth + 1))
}

/// Skips a statement: past its `;`, or its last block.
fn to_next_statement(input: ParseStream<'_>) {
    while !input.is_empty() {
        let is_semicolon = input.peek(Token![;]);
        let is_block = input.peek(token::Brace);
        skip(input);
        if is_semicolon || is_block && !is_word(input, "else") && !input.peek(Token![;]) {
            break;
        }
    }
}

/// A statement, which is added to others, or the value of the block; and how deep expressions are nested in it.
fn entry(input: ParseStream<'_>, statements: &mut Vec<Statement>) -> syn::Result<(Option<Expr>, usize)> {
    let at = input.span();
    if is_word(input, "if") {
        let (of, depth) = decision(input)?;
        if input.is_empty() {
            return Ok((Some(node(What::If(Box::new(of)), at, depth)?), depth));
        }
        statements.push(Statement { what: Action::If(of), at });
        return Ok((None, depth));
    }
    if let Some((what, depth)) = statement(input)? {
        statements.push(Statement { what, at });
        return Ok((None, depth));
    }
    if let Some(error) = foreign(input) {
        return Err(error);
    }
    let value = expr(input)?;
    let depth = value.depth;
    if input.is_empty() {
        return Ok((Some(value), depth));
    }
    if input.peek(Token![;]) {
        return Err(syn::Error::new(
            value.at,
            "this value is not used; give it a name with `let`, or leave out `;` where it is \
                                              the value of a function",
        ));
    }
    if input.peek(Token![=]) {
        let message = "only a `var` is assigned, as a whole: `x = ..;`, or `p = (q, r);` for one that is a tuple";
        return Err(syn::Error::new(value.at, message));
    }
    Err(expected(input, "an operator, `;` or `}`"))
}

/// A statement other than `if`, if one begins here; and how deep expressions are nested in it.
fn statement(input: ParseStream<'_>) -> syn::Result<Option<(Action, usize)>> {
    let read = if take_word(input, "let").is_some() {
        if is_word_of(input, "mut") {
            return Err(expected(input, "a name"));
        }
        let pattern = pattern(input)?;
        if input.peek(Token![:]) {
            return Err(syn::Error::new(input.span(), "a `let` has no kind; it is what its value is"));
        }
        let value = assigned(input)?;
        let depth = value.depth;
        semicolon(input, "the value")?;
        (Action::Let { pattern, value }, depth)
    } else if take_word(input, "var").is_some() {
        let pattern = pattern(input)?;
        let kind = if input.peek(Token![:]) { Some(type_of(input)?) } else { None };
        let value = assigned(input)?;
        let depth = value.depth;
        semicolon(input, "the value")?;
        (Action::Var { pattern, kind, value }, depth)
    } else if is_word_of(input, "state") {
        state(input)?
    } else if is_word_of(input, "next") {
        word(input, "next")?;
        let name = name(input, "the name of a state")?;
        let value = assigned(input)?;
        let mask = mask(input)?;
        semicolon(input, "the value")?;
        let depth = value.depth.max(mask.as_ref().map_or(0, |mask| mask.depth));
        (Action::Next { name, value, mask }, depth)
    } else if is_word_of(input, "list") {
        word(input, "list")?;
        let name = name(input, "the name of a list of results")?;
        semicolon(input, "the name")?;
        (Action::List { name }, 0)
    } else if input.peek(Ident::peek_any) && input.peek2(Token![=]) && !input.peek2(Token![==]) {
        let name = name(input, "the name of a `var`")?;
        let value = assigned(input)?;
        let mask = mask(input)?;
        semicolon(input, "the value")?;
        let depth = value.depth.max(mask.as_ref().map_or(0, |mask| mask.depth));
        (Action::Assign { name, value, mask }, depth)
    } else if input.peek(Ident::peek_any) && input.peek2(Token![+=]) {
        let name = name(input, "the name of a list")?;
        input.parse::<Token![+=]>()?;
        let value = expr(input)?;
        let depth = value.depth;
        semicolon(input, "the value")?;
        (Action::Add { name, value }, depth)
    } else {
        return repeated(input);
    };
    Ok(Some(read))
}

/// A loop, if one begins here.
fn repeated(input: ParseStream<'_>) -> syn::Result<Option<(Action, usize)>> {
    let (what, depth) = if take_word(input, "repeat").is_some() {
        let is_counted =
            input.cursor().ident().is_some_and(|(_, rest)| rest.ident().is_some_and(|(next, _)| next == "in"));
        let counter = if is_counted { Some(name(input, "the name of a counter")?) } else { None };
        if is_counted {
            word(input, "in")?;
        }
        if input.peek(token::Brace) {
            return Err(expected(input, "a number of passes"));
        }
        let count = expr(input)?;
        let most = if input.peek(Token![,]) { Some(at_most(input)?) } else { None };
        let (body, inside) = block(input)?;
        let depth = inside.max(count.depth).max(most.as_ref().map_or(0, |most| most.depth));
        (Action::Repeat { counter, count, most, body }, depth)
    } else if let Some(at) = take_word(input, "while") {
        let condition = expr(input)?;
        let most = limit(input, at, "while any(rest)")?;
        let (body, inside) = block(input)?;
        let depth = inside.max(condition.depth).max(most.depth);
        (Action::While { condition, most, body }, depth)
    } else if let Some(at) = take_word(input, "until") {
        if take_word(input, "stable").is_none() {
            return Err(expected(input, "`stable` behind `until`"));
        }
        let stable = name(input, "the name of a `var` of bits")?;
        let most = limit(input, at, "until stable shape")?;
        let (body, inside) = block(input)?;
        let depth = inside.max(most.depth);
        (Action::Until { stable, most, body }, depth)
    } else if take_word(input, "for").is_some() {
        let pattern = pattern(input)?;
        word(input, "in")?;
        let list = expr(input)?;
        let (body, inside) = block(input)?;
        let depth = inside.max(list.depth);
        (Action::For { pattern, list, body }, depth)
    } else {
        return Ok(None);
    };
    Ok(Some((what, depth)))
}

/// `"=" expr`
fn assigned(input: ParseStream<'_>) -> syn::Result<Expr> {
    if !input.peek(Token![=]) {
        return Err(expected(input, "`=` and a value"));
    }
    input.parse::<Token![=]>()?;
    expr(input)
}

/// `["where" expr]`
fn mask(input: ParseStream<'_>) -> syn::Result<Option<Expr>> {
    take_word(input, "where").map(|_| expr(input)).transpose()
}

/// `"," "at" "most" expr`
fn at_most(input: ParseStream<'_>) -> syn::Result<Expr> {
    if !input.peek(Token![,]) {
        return Err(expected(input, "`, at most` and a number"));
    }
    input.parse::<Token![,]>()?;
    if !is_word_of(input, "at") {
        return Err(expected(input, "`at most` and a number"));
    }
    word(input, "at")?;
    word(input, "most")?;
    expr(input)
}

/// The limit that a loop without a count needs.
fn limit(input: ParseStream<'_>, at: proc_macro2::Span, example: &str) -> syn::Result<Expr> {
    if input.peek(token::Brace) {
        let message = format!("a loop without a count needs a limit: `{example}, at most 16 {{ .. }}`");
        return Err(syn::Error::new(at, message));
    }
    at_most(input)
}

/// `"state" NAME [":" type] "=" expr ["," storage] ";"`
fn state(input: ParseStream<'_>) -> syn::Result<(Action, usize)> {
    word(input, "state")?;
    let name = name(input, "the name of a state")?;
    let kind = if input.peek(Token![:]) { Some(type_of(input)?) } else { None };
    if !input.peek(Token![=]) {
        return Err(expected(input, "`=` and what the state is before the first frame"));
    }
    let first = assigned(input)?;
    let mut depth = first.depth;
    let mut storage = None;
    if input.peek(Token![,]) {
        input.parse::<Token![,]>()?;
        let (levels, bits) = (is_word(input, "levels"), is_word(input, "bits"));
        if take_word(input, "analogue").is_some() {
            storage = Some(Storage::Analogue);
        } else if levels || bits {
            skip(input);
            let count = super::head::only(input, "a number of levels or bits")?;
            depth = depth.max(count.depth);
            storage = Some(if levels { Storage::Levels(count) } else { Storage::Bits(count) });
        } else {
            return Err(expected(input, "`analogue`, `levels(n)` or `bits(n)`"));
        }
    }
    semicolon(input, "the state")?;
    Ok((Action::State { name, kind, first, storage }, depth))
}

/// `"if" expr block ["else" (block | if)]`, and how deep expressions are nested in it.
pub(super) fn decision(input: ParseStream<'_>) -> syn::Result<(If, usize)> {
    let mut chain = Vec::new();
    let mut last = None;
    loop {
        let at = word(input, "if")?;
        let condition = expr(input)?;
        let (then, depth) = block(input)?;
        chain.push((at, condition, then, depth));
        if chain.len() > MOST {
            return Err(too_deep(at));
        }
        if take_word(input, "else").is_none() {
            break;
        }
        if !is_word(input, "if") {
            last = Some(block(input)?);
            break;
        }
    }
    let mut whole = None;
    while let Some((at, condition, then, inside)) = chain.pop() {
        let (otherwise, beside) = match last.take() {
            Some((otherwise, depth)) => (Some(otherwise), depth),
            None => (None, 0),
        };
        let depth = inside.max(beside).max(condition.depth) + 1;
        let of = If { condition: Box::new(condition), then, otherwise };
        if chain.is_empty() {
            whole = Some((of, depth));
        } else {
            let value = Some(Box::new(node(What::If(Box::new(of)), at, depth)?));
            last = Some((Block { statements: Vec::new(), value, at }, depth));
        }
    }
    whole.ok_or_else(|| expected(input, "`if`"))
}
