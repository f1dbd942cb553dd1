//! From tokens to values.
//!
//! ```text
//! map    = [entry ("," entry)* [","]]
//! entry  = KEY "=" value | KEY "(" map ")" | FLAG | "latency" "<=" number UNIT
//! value  = STRING | NAME | "true" | "false" | "[" [value ("," value)*] "]" | "{" map "}" | "(" map ")"
//!        | number | number ".." number
//! number = ["-"] (INTEGER | DECIMAL) ["/" INTEGER], also in parentheses
//! ```
//!
//! A NAME in capitals may be that of a constant of Rust around the call, whose literal is then the value.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
#[cfg(feature = "networks")]
use syn::Attribute;
use syn::Lit;
use syn::ext::IdentExt as _;

use super::{Map, Spelling, Text, Value, What};
use crate::errors::Errors;
use crate::surroundings::{Assumption, Found, Literal, Surroundings, is_upper_case};
use crate::tree::At;

const NUMBER: &str = "expected a number such as `-3`, `0.25` or `1/4`, a range such as `-60..60`, a name, or an array in \
                      brackets";
const TIME: &str = "expected a time such as `latency <= 20 us`";
/// The key with an upper limit, which is written `<=`.
const LATENCY: &str = "latency";

/// Reads values, and collects what is wrong with the tokens.
pub(crate) struct Reader<'r> {
    /// Where constants are looked up, if names can be those of constants.
    pub(crate) surroundings: Option<&'r Surroundings<'r>>,
    /// Keys that have no value.
    pub(crate) flags: &'r [&'r str],
    /// A key and its value, for messages.
    pub(crate) example: &'r str,
    /// What was assumed about constants.
    pub(crate) assumptions: Vec<Assumption>,
    pub(crate) errors: &'r mut Errors<Span>,
}

impl<'r> Reader<'r> {
    /// A reader of values without constants and flags.
    pub(crate) fn new(example: &'r str, errors: &'r mut Errors<Span>) -> Self {
        Self { surroundings: None, flags: &[], example, assumptions: Vec::new(), errors }
    }

    /// Keys with values, without those in which there is a mistake.
    pub(crate) fn map(&mut self, tokens: TokenStream) -> Map<Span> {
        let mut map = Map::default();
        for part in parts(tokens) {
            if let Some((key, value)) = self.entry(&part) {
                self.add(&mut map, &key, value);
            }
        }
        map
    }

    /// Adds a key to a map; reports one that is there already.
    pub(crate) fn add(&mut self, map: &mut Map<Span>, key: &Ident, value: Value<Span>) {
        let name = key.unraw().to_string();
        if !map.add(At { value: name.clone(), at: key.span() }, value) {
            self.errors.add(key.span(), format_args!("`{name}` is given twice"));
        }
    }

    /// Adds the options in the parentheses of an attribute, under its name.
    #[cfg(feature = "networks")]
    pub(crate) fn attribute(&mut self, map: &mut Map<Span>, attribute: &Attribute) -> syn::Result<()> {
        if let Some(name) = attribute.path().get_ident() {
            let options = self.map(attribute.parse_args()?);
            self.add(map, name, Value { what: What::Map(options), at: name.span() });
        }
        Ok(())
    }

    fn entry(&mut self, part: &[TokenTree]) -> Option<(Ident, Value<Span>)> {
        let [TokenTree::Ident(key), rest @ ..] = part else {
            if let Some(first) = part.first() {
                self.expected_entry(first.span());
            }
            return None;
        };
        let value = match rest {
            [] if self.flags.iter().any(|flag| key == flag) => Value { what: What::Bool(true), at: key.span() },
            [TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => self.group(group),
            [TokenTree::Punct(less), TokenTree::Punct(equals), value @ ..]
                if key == LATENCY && less.as_char() == '<' && equals.as_char() == '=' =>
            {
                self.time(value, equals.span())?
            }
            [first, ..] if key == LATENCY => {
                self.errors.add(first.span(), TIME);
                return None;
            }
            [TokenTree::Punct(equals), value @ ..] if equals.as_char() == '=' => self.value(value, equals.span())?,
            _ => {
                self.expected_entry(rest.first().map_or(key.span(), TokenTree::span));
                return None;
            }
        };
        Some((key.clone(), value))
    }

    fn expected_entry(&mut self, at: Span) {
        let example = self.example;
        self.errors.add(at, format_args!("expected a key and its value, such as `{example}`"));
    }

    /// A value; `after` is the place before it, where it is missing if there is none.
    pub(crate) fn value(&mut self, tokens: &[TokenTree], after: Span) -> Option<Value<Span>> {
        let at = tokens.first().map_or(after, TokenTree::span);
        let what = match tokens {
            [TokenTree::Group(group)] if is_list(group) => {
                let parts = parts(group.stream()).into_iter();
                let values: Vec<_> = parts.map(|part| self.value(&part, at)).collect();
                What::List(values.into_iter().collect::<Option<_>>()?)
            }
            [TokenTree::Group(group)] if is_map(group) => return Some(self.group(group)),
            [TokenTree::Ident(word)] if word == "true" || word == "false" => What::Bool(word == "true"),
            [TokenTree::Ident(word)] => return self.name(word),
            [TokenTree::Literal(literal)] => match Lit::new(literal.clone()) {
                Lit::Str(text) => What::Text(Text { value: text.value(), start: Some(at), spelling: Spelling::Quoted }),
                _ => self.number(tokens, after)?,
            },
            _ => self.number(tokens, after)?,
        };
        Some(Value { what, at })
    }

    fn group(&mut self, group: &Group) -> Value<Span> {
        Value { what: What::Map(self.map(group.stream())), at: group.span() }
    }

    /// A number and its unit.
    fn time(&mut self, tokens: &[TokenTree], after: Span) -> Option<Value<Span>> {
        let (number, unit) = match tokens {
            [TokenTree::Literal(number)] => (number, None),
            [TokenTree::Literal(number), TokenTree::Ident(unit)] => (number, Some(unit)),
            _ => {
                self.errors.add(tokens.first().map_or(after, TokenTree::span), TIME);
                return None;
            }
        };
        let at = number.span();
        let (digits, suffix) = match Lit::new(number.clone()) {
            Lit::Int(number) => (number.base10_digits().to_owned(), number.suffix().to_owned()),
            Lit::Float(number) => (number.base10_digits().to_owned(), number.suffix().to_owned()),
            _ => {
                self.errors.add(at, TIME);
                return None;
            }
        };
        let unit = unit.map_or_else(String::new, ToString::to_string);
        Some(Value { what: What::Text(Text::plain(format!("{digits} {suffix}{unit}"), at)), at })
    }

    fn number(&mut self, tokens: &[TokenTree], after: Span) -> Option<What<Span>> {
        // What is missing is so behind the last token.
        let last = tokens.last().map_or(after, TokenTree::span);
        number(tokens).map_err(|Mistake(at, message)| self.errors.add(at.unwrap_or(last), message)).ok()
    }

    /// The value of a constant around the call, or else the name of something.
    fn name(&mut self, word: &Ident) -> Option<Value<Span>> {
        let (name, at) = (word.unraw().to_string(), word.span());
        let surroundings = self.surroundings.filter(|_| is_upper_case(&name));
        match surroundings.map(|surroundings| surroundings.constant(word)) {
            Some(Found::Constant(constant)) => {
                let value = constant_value(&constant.literal, at);
                self.assumptions.push(constant.assumed_at(word));
                Some(value)
            }
            Some(Found::Unusable(why)) => {
                self.errors.add(at, why);
                None
            }
            missing => {
                let spelling = if missing.is_some() { Spelling::LikeConstant } else { Spelling::Bare };
                Some(Value { what: What::Text(Text { value: name, start: Some(at), spelling }), at })
            }
        }
    }
}

fn is_list(group: &Group) -> bool {
    group.delimiter() == Delimiter::Bracket
}

/// Whether there are keys in a group, and not a number in parentheses.
fn is_map(group: &Group) -> bool {
    let is_number = || {
        let first = group.stream().into_iter().next();
        first.is_some_and(|first| !matches!(first, TokenTree::Ident(_)))
    };
    group.delimiter() == Delimiter::Brace || group.delimiter() == Delimiter::Parenthesis && !is_number()
}

/// The value of a constant of Rust, all of it at that place.
fn constant_value(literal: &Literal, at: Span) -> Value<Span> {
    let what = match literal {
        Literal::Number(digits) if digits.contains(['.', 'e', 'E']) => What::Decimal(digits.clone()),
        Literal::Number(digits) => What::Integer(digits.clone()),
        Literal::List(entries) => What::List(entries.iter().map(|entry| constant_value(entry, at)).collect()),
    };
    Value { what, at }
}

/// What is wrong with a number, and where if that is not its end.
struct Mistake(Option<Span>, String);

impl Mistake {
    fn no_number(at: Option<Span>) -> Self {
        Self(at, NUMBER.to_owned())
    }
}

/// The text of a number in decimal.
struct Digits {
    is_negative: bool,
    text: String,
    is_whole: bool,
}

impl Digits {
    fn signed(&self) -> String {
        if self.is_negative { format!("-{}", self.text) } else { self.text.clone() }
    }
}

/// A number, a fraction or a range.
fn number(tokens: &[TokenTree]) -> Result<What<Span>, Mistake> {
    let text = |value, tokens: &[TokenTree]| {
        What::Text(Text { value, start: tokens.first().map(TokenTree::span), spelling: Spelling::Bare })
    };
    let mut rest = tokens;
    let first = end(&mut rest)?;
    let Some(dots) = rest.first().map(TokenTree::span) else {
        return Ok(match first.signed() {
            fraction if fraction.contains('/') => text(fraction, tokens),
            digits if first.is_whole => What::Integer(digits),
            digits => What::Decimal(digits),
        });
    };
    if !(take(&mut rest, '.') && take(&mut rest, '.')) {
        return Err(Mistake::no_number(Some(dots)));
    }
    if take(&mut rest, '.') {
        let message = "a range has two points, as in `-60..60`; a number after it begins with a digit, as in `0.5`";
        return Err(Mistake(Some(dots), message.to_owned()));
    }
    // Both ends belong to it.
    take(&mut rest, '=');
    let last = end(&mut rest)?;
    match rest {
        [] => Ok(text(format!("{}..{}", first.signed(), last.signed()), tokens)),
        [other, ..] => Err(Mistake::no_number(Some(other.span()))),
    }
}

/// A number, or the end of a range.
fn end(tokens: &mut &[TokenTree]) -> Result<Digits, Mistake> {
    let mut is_negative = false;
    while take(tokens, '-') {
        // Two of them in front of a negative number that another macro was given.
        is_negative = !is_negative;
    }
    if let [TokenTree::Group(group), rest @ ..] = *tokens
        && group.delimiter() == Delimiter::Parenthesis
    {
        *tokens = rest;
        let inside: Vec<TokenTree> = group.stream().into_iter().collect();
        let mut inner = inside.as_slice();
        let digits = end(&mut inner)?;
        return match inner {
            [] => Ok(Digits { is_negative: is_negative != digits.is_negative, ..digits }),
            [other, ..] => Err(Mistake::no_number(Some(other.span()))),
        };
    }
    let (mut text, mut is_whole) = digits(tokens)?;
    if take(tokens, '/') {
        text = format!("{text}/{}", digits(tokens)?.0);
        is_whole = false;
    }
    Ok(Digits { is_negative, text, is_whole })
}

/// Takes a mark, if it is there.
fn take(tokens: &mut &[TokenTree], mark: char) -> bool {
    match tokens {
        [TokenTree::Punct(found), rest @ ..] if found.as_char() == mark => {
            *tokens = rest;
            true
        }
        _ => false,
    }
}

/// The digits of a literal in decimal, and whether the number is whole.
fn digits(tokens: &mut &[TokenTree]) -> Result<(String, bool), Mistake> {
    let [TokenTree::Literal(literal), rest @ ..] = *tokens else {
        return Err(Mistake::no_number(tokens.first().map(TokenTree::span)));
    };
    let (digits, suffix, is_whole) = match Lit::new(literal.clone()) {
        Lit::Int(number) => (number.base10_digits().to_owned(), number.suffix().to_owned(), true),
        Lit::Float(number) => (number.base10_digits().to_owned(), number.suffix().to_owned(), false),
        _ => return Err(Mistake::no_number(Some(literal.span()))),
    };
    if !suffix.is_empty() {
        let message = format!("numbers are exact and have no type; write `{digits}` without `{suffix}`");
        return Err(Mistake(Some(literal.span()), message));
    }
    *tokens = rest;
    Ok((digits, is_whole))
}

/// The parts between commas; a comma at the end begins none.
fn parts(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    for token in tokens {
        match (&token, parts.last_mut()) {
            // A comma with nothing before it is what is wrong with that part.
            (TokenTree::Punct(mark), Some(part)) if mark.as_char() == ',' => {
                if part.is_empty() {
                    part.push(token);
                }
                parts.push(Vec::new());
            }
            (_, Some(part)) => part.push(token),
            _ => {}
        }
    }
    if parts.last().is_some_and(Vec::is_empty) {
        parts.pop();
    }
    parts
}
