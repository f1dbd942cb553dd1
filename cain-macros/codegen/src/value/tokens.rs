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

use super::number::NUMBER as OF_KERNEL;
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
    /// Whether numbers are those of kernels, for which names can stand, also with a sign or in parentheses.
    pub(crate) is_of_kernels: bool,
    /// What was assumed about constants.
    pub(crate) assumptions: Vec<Assumption>,
    pub(crate) errors: &'r mut Errors<Span>,
}

impl<'r> Reader<'r> {
    /// A reader of values without constants and flags.
    pub(crate) fn new(example: &'r str, errors: &'r mut Errors<Span>) -> Self {
        Self { surroundings: None, flags: &[], example, is_of_kernels: false, assumptions: Vec::new(), errors }
    }

    /// A reader of matrices and of numbers in sums of kernels.
    pub(crate) fn of_kernels(errors: &'r mut Errors<Span>) -> Self {
        Self { is_of_kernels: true, ..Self::new("", errors) }
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
            _ if self.is_of_kernels => return Some(of_kernel(tokens, after)),
            [TokenTree::Group(group)] if is_map(group) => return Some(self.group(group)),
            [TokenTree::Ident(word)] if word == "true" || word == "false" => What::Bool(word == "true"),
            [TokenTree::Ident(word)] => return self.name(word),
            [TokenTree::Literal(literal)] => match Lit::new(literal.clone()) {
                Lit::Str(text) => What::Text(Text {
                    value: text.value(),
                    start: Some(at),
                    denominator: None,
                    spelling: Spelling::Quoted,
                }),
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
        let mistake = |Mistake(at, message): Mistake| {
            self.errors.add(at.unwrap_or(last), message.unwrap_or_else(|| NUMBER.to_owned()));
        };
        number(tokens).map_err(mistake).ok()
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
                Some(Value { what: What::Text(Text { value: name, start: Some(at), denominator: None, spelling }), at })
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

/// What is wrong with a number, if it is one, and where if that is not its end.
struct Mistake(Option<Span>, Option<String>);

impl Mistake {
    const fn no_number(at: Option<Span>) -> Self {
        Self(at, None)
    }

    fn new(at: Span, message: impl Into<String>) -> Self {
        Self(Some(at), Some(message.into()))
    }
}

/// The text of a number in decimal.
struct Digits {
    is_negative: bool,
    text: String,
    is_whole: bool,
    /// Where the denominator of a fraction is.
    denominator: Option<Span>,
}

impl Digits {
    fn signed(&self) -> String {
        if self.is_negative { format!("-{}", self.text) } else { self.text.clone() }
    }
}

/// A number, a fraction or a range.
fn number(tokens: &[TokenTree]) -> Result<What<Span>, Mistake> {
    let text = |value, denominator| {
        let start = tokens.first().map(TokenTree::span);
        What::Text(Text { value, start, denominator, spelling: Spelling::Bare })
    };
    let mut rest = tokens;
    let first = end(&mut rest)?;
    let Some(dots) = rest.first().map(TokenTree::span) else {
        return Ok(match first.signed() {
            fraction if fraction.contains('/') => text(fraction, first.denominator),
            digits if first.is_whole => What::Integer(digits),
            digits => What::Decimal(digits),
        });
    };
    if !(take(&mut rest, '.') && take(&mut rest, '.')) {
        return Err(Mistake::no_number(Some(dots)));
    }
    if take(&mut rest, '.') {
        let message = "a range has two points, as in `-60..60`; a number after it begins with a digit, as in `0.5`";
        return Err(Mistake::new(dots, message));
    }
    // Both ends belong to it.
    take(&mut rest, '=');
    let last = end(&mut rest)?;
    match rest {
        [] => Ok(text(format!("{}..{}", first.signed(), last.signed()), None)),
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
            [other, ..] => Err(Mistake::new(other.span(), "expected `)` after the number")),
        };
    }
    let first = tokens.first().map(TokenTree::span);
    let (text, is_whole) = digits(tokens)?;
    if !take(tokens, '/') {
        return Ok(Digits { is_negative, text, is_whole, denominator: None });
    }
    let denominator = tokens.first().map(TokenTree::span);
    let (below, below_is_whole) = digits(tokens)?;
    for (at, is_whole) in [(first, is_whole), (denominator, below_is_whole)] {
        if let Some(at) = at.filter(|_| !is_whole) {
            return Err(Mistake::new(at, "a fraction is made of whole numbers; write `1/8` or `0.125`"));
        }
    }
    Ok(Digits { is_negative, text: format!("{text}/{below}"), is_whole: false, denominator })
}

/// A number of a kernel, or a name that stands for one. Mistakes are reported when it is read, in the order of the source.
fn of_kernel(tokens: &[TokenTree], after: Span) -> Value<Span> {
    if let Some(behind) = tokens.get(length(tokens)) {
        return Value { what: What::Unreadable("expected `,`".to_owned()), at: behind.span() };
    }
    let at = unsigned(tokens).unwrap_or(after);
    if let Some(name) = signed_name(tokens) {
        return Value { what: What::Text(Text::plain(name, at)), at };
    }
    number(tokens).map_or_else(
        |Mistake(at, message)| {
            let message = message.unwrap_or_else(|| format!("expected {OF_KERNEL}"));
            Value { what: What::Unreadable(message), at: at.or(tokens.last().map(TokenTree::span)).unwrap_or(after) }
        },
        |what| Value { what, at },
    )
}

/// How many of these tokens a number of a kernel takes, or whatever else comes first.
pub(crate) fn length(tokens: &[TokenTree]) -> usize {
    let is_mark =
        |token: Option<&TokenTree>, mark| matches!(token, Some(TokenTree::Punct(found)) if found.as_char() == mark);
    let signs = tokens.iter().take_while(|token| is_mark(Some(token), '-')).count();
    let is_fraction = matches!(tokens.get(signs), Some(TokenTree::Literal(_))) && is_mark(tokens.get(signs + 1), '/');
    tokens.len().min(signs + if is_fraction { 3 } else { 1 })
}

/// The place of a number without its signs and parentheses.
fn unsigned(tokens: &[TokenTree]) -> Option<Span> {
    let is_sign = |token: &&TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == '-');
    let first = tokens.iter().find(|token| !is_sign(token))?;
    match first {
        TokenTree::Group(group) => unsigned(&group.stream().into_iter().collect::<Vec<_>>()),
        token => Some(token.span()),
    }
}

/// A name, with a minus in front if the signs there make one.
fn signed_name(tokens: &[TokenTree]) -> Option<String> {
    let mut rest = tokens;
    let mut is_negative = false;
    while take(&mut rest, '-') {
        is_negative = !is_negative;
    }
    let name = match rest {
        [TokenTree::Ident(word)] => word.to_string(),
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => {
            signed_name(&group.stream().into_iter().collect::<Vec<_>>())?
        }
        _ => return None,
    };
    Some(match name.strip_prefix('-') {
        _ if !is_negative => name,
        Some(name) => name.to_owned(),
        None => format!("-{name}"),
    })
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
        return Err(Mistake::new(literal.span(), message));
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
