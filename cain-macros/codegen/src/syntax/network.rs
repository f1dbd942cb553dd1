//! The front end for `scamp_network!`: from tokens to the table of a kernel file, with the place of each of its parts.
//!
//! ```text
//! block   = ["#![machine(" option* ")]"] network*
//! network = attribute* visibility ("network" | "in_pixel") NAME "{" ["input" "=" value ";"] layer* "}"
//!         | attribute* visibility "automaton" NAME "{" (KEY "=" value ";")* "}"
//! layer   = NAME "=" OPERATION ["{" [KEY "=" value ("," KEY "=" value)*] "}"] ";"
//! value   = STRING | NAME | "true" | "false" | "[" [value ("," value)*] "]" | "{" [KEY "=" value (",")]* "}"
//!         | number | number ".." number
//! number  = ["-"] (INTEGER | DECIMAL) ["/" INTEGER]
//! ```
//!
//! Keys, operations and values are those of kernel files, so that one reader checks both; only names, fractions and ranges
//! need no quotes. A NAME in capitals may be that of a constant of Rust around the call, whose literal is then the value.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, LitStr, Token, Visibility, braced, bracketed};

use super::{attributes, machine, recover, visibility};
use crate::conditions::Conditions;
use crate::diagnostic::{Position, Positions};
use crate::errors::{Errors, Mistakes};
use crate::lower::machine::Described;
use crate::surroundings::{Assumption, Found, Literal, Surroundings, is_upper_case};
use crate::tree::Interruptible;
use crate::{lower, nesting};

/// The input of one call of the macro.
pub(crate) struct Block {
    /// The path of the runtime crate, which the wrapper of the macro adds.
    pub(crate) runtime: TokenStream,
    pub(crate) machine: Described,
    /// In the order of the source, without those that the compiler leaves out in every build.
    pub(crate) items: Vec<Result<NetworkItem, Mistakes>>,
    /// Those beside the items.
    pub(crate) errors: Errors<Span>,
}

/// A network, as the table of a kernel file.
pub(crate) struct NetworkItem {
    /// Those for the generated function.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) table: Table,
    /// What was assumed about constants around the call.
    pub(crate) assumptions: Vec<Assumption>,
    /// What could not be read of it.
    pub(crate) errors: Errors<Span>,
}

/// What an item declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Network,
    /// A network whose weights are in the pixels.
    InPixel,
    Automaton,
}

impl Kind {
    /// What the input begins with.
    fn peek(input: ParseStream<'_>) -> Option<Self> {
        if input.peek(keyword::network) {
            Some(Self::Network)
        } else if input.peek(keyword::in_pixel) {
            Some(Self::InPixel)
        } else if input.peek(keyword::automaton) {
            Some(Self::Automaton)
        } else {
            None
        }
    }

    /// Its tables in a kernel file.
    const fn tables(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::InPixel => "in_pixel",
            Self::Automaton => "automaton",
        }
    }

    /// An example of an input and of a layer; automata have neither.
    const fn examples(self) -> Option<[&'static str; 2]> {
        match self {
            Self::Network => Some([
                "input = { size = [28, 28], levels = -60..60 };",
                "edge = convolution { kernels = [[[-1, 0, 1]]] };",
            ]),
            Self::InPixel => Some([
                "input = { size = 28, block = 32 };",
                "filters = convolution { size = 4, weights = \"weights.txt\" };",
            ]),
            Self::Automaton => None,
        }
    }
}

mod keyword {
    syn::custom_keyword!(network);
    syn::custom_keyword!(in_pixel);
    syn::custom_keyword!(automaton);
    syn::custom_keyword!(input);
}

/// Reads `[runtime] networks`, with constants of Rust that are around the call.
pub(crate) fn parse(input: TokenStream, surroundings: &Surroundings<'_>) -> Block {
    let mut errors = Errors::default();
    let mut block =
        Block { runtime: TokenStream::new(), machine: Described::SCAMP5, items: Vec::new(), errors: Errors::default() };
    if let Some((place, message)) = nesting::too_deep(input.clone()) {
        block.errors.add(place, message);
        return block;
    }
    let input = nesting::without_invisible(input);
    let read = |input: ParseStream<'_>| {
        let runtime;
        bracketed!(runtime in input);
        block.runtime = runtime.parse()?;
        let inner = input.call(Attribute::parse_inner)?;
        let mut mistakes = Errors::default();
        let described = lower::machine::machine(&machine::machine(&inner, &mut mistakes), &mut mistakes);
        block.machine = if mistakes.is_empty() { described } else { Described::ANY };
        errors.append(mistakes);
        while !input.is_empty() {
            let (mut conditions, mut errors) = (Conditions::default(), Errors::default());
            let item = item(input, surroundings, &mut conditions, &mut errors).map_err(|error| {
                errors.add_syntax(error);
                to_next_network(input);
            });
            if !conditions.are_never_met() {
                block.items.push(match item {
                    Ok(item) => Ok(NetworkItem { errors, ..item }),
                    Err(()) => Err(Mistakes { conditions, errors }),
                });
            }
        }
        Ok(())
    };
    if let Err(error) = read.parse2(input) {
        errors.add_syntax(error);
    }
    block.errors = errors;
    block
}

/// A network, whose conditions are known even if it cannot be read.
fn item(
    input: ParseStream<'_>,
    surroundings: &Surroundings<'_>,
    conditions: &mut Conditions,
    errors: &mut Errors<Span>,
) -> syn::Result<NetworkItem> {
    let attributes = attributes(input, errors)?;
    *conditions = Conditions::of(&attributes);
    let visibility = visibility(input)?;
    let Some(kind) = Kind::peek(input) else {
        return Err(
            input.error("expected a network such as `network digits { input = { .. }; edge = convolution { .. }; }`")
        );
    };
    input.call(Ident::parse_any)?;
    let name = input.call(Ident::parse_any)?;
    let (search, attributes): (Vec<_>, Vec<_>) =
        attributes.into_iter().partition(|attribute| attribute.path().is_ident("search"));
    let (interruptible, attributes): (Vec<_>, Vec<_>) =
        attributes.into_iter().partition(|attribute| attribute.path().is_ident("interruptible"));
    let mut table = Writer::of(kind.tables(), &name, surroundings);
    for attribute in search {
        let options: TokenStream = attribute.parse_args()?;
        table.key("search", attribute.path().get_ident().map_or_else(Span::call_site, Ident::span));
        table.options(options, errors);
        table.push("\n", None);
    }
    for attribute in interruptible {
        let at = attribute.path().get_ident().map_or_else(Span::call_site, Ident::span);
        if let Some(interruptible) = attributes::interruptible(&attribute, at, errors) {
            table.interruptible(&interruptible, at);
        }
    }
    let body;
    braced!(body in input);
    let (mut has_input, mut has_layers) = (false, false);
    while !body.is_empty() {
        let statement = if kind == Kind::Automaton {
            option(&body, &mut table, errors)
        } else if body.peek(keyword::input) {
            has_input = true;
            option(&body, &mut table, errors)
        } else {
            has_layers = true;
            layer(&body, &mut table, errors)
        };
        if let Err(error) = statement {
            errors.add_syntax(error);
            to_next_layer(&body);
        }
    }
    if let Some([input, layer]) = kind.examples() {
        for (is_there, what, example) in [(has_input, "input", input), (has_layers, "layers", layer)] {
            if !is_there {
                errors.add(name.span(), format_args!("network `{name}` has no {what}; add `{example}`"));
            }
        }
    }
    let Writer { table, assumptions, .. } = table;
    Ok(NetworkItem { attributes, visibility, name, table, assumptions, errors: Errors::default() })
}

/// `input = { .. };`
fn option(body: ParseStream<'_>, table: &mut Writer<'_>, errors: &mut Errors<Span>) -> syn::Result<()> {
    if !body.peek(Ident::peek_any) {
        return Err(body.error("expected a key and its value, such as `classes = 10;`"));
    }
    let key = body.call(Ident::parse_any)?;
    body.parse::<Token![=]>()?;
    table.key(&key.unraw().to_string(), key.span());
    table.value(&until_semicolon(body)?, key.span(), errors);
    table.push("\n", None);
    Ok(())
}

/// `edge = convolution { .. };`
fn layer(body: ParseStream<'_>, table: &mut Writer<'_>, errors: &mut Errors<Span>) -> syn::Result<()> {
    if !body.peek(Ident::peek_any) {
        return Err(body.error("expected a layer such as `edge = convolution { kernels = [[[-1, 0, 1]]] };`"));
    }
    let name = body.call(Ident::parse_any)?;
    body.parse::<Token![=]>()?;
    if !body.peek(Ident::peek_any) {
        return Err(body.error("expected the operation of the layer, such as `convolution { .. }` or `relu`"));
    }
    let operation = body.call(Ident::parse_any)?;
    table.layer(&name, &operation);
    if body.peek(syn::token::Brace) {
        let keys;
        braced!(keys in body);
        let keys: TokenStream = keys.parse()?;
        name_and_operation_again(&keys, errors);
        table.keys(keys, "\n", errors);
    }
    if !body.peek(Token![;]) {
        return Err(body.error("expected `;` behind the layer, or its keys in braces before that"));
    }
    body.parse::<Token![;]>()?;
    Ok(())
}

/// Reports what files have as keys of a layer, and the macro in front of the braces.
fn name_and_operation_again(keys: &TokenStream, errors: &mut Errors<Span>) {
    for part in parts(keys.clone()) {
        if let Some(TokenTree::Ident(key)) = part.first().filter(|key| ["name", "op"].contains(&&*key.to_string())) {
            let message =
                "name and operation are in front of the braces, as in `edge = convolution { .. };`; remove this";
            errors.add(key.span(), message);
        }
    }
}

/// The tokens up to the next semicolon, which is passed.
fn until_semicolon(body: ParseStream<'_>) -> syn::Result<Vec<TokenTree>> {
    let mut tokens = Vec::new();
    while !body.peek(Token![;]) {
        if body.is_empty() {
            return Err(body.error("expected `;`"));
        }
        tokens.push(body.parse()?);
    }
    body.parse::<Token![;]>()?;
    Ok(tokens)
}

/// Passes what is left of a network, and at least one token.
fn to_next_network(input: ParseStream<'_>) {
    recover::skip(input);
    while !(input.is_empty() || Kind::peek(input).is_some() || input.peek(Token![#]) || input.peek(Token![pub])) {
        recover::skip(input);
    }
}

/// Passes what is left of a statement.
fn to_next_layer(body: ParseStream<'_>) {
    while !body.is_empty() && !body.peek(Token![;]) {
        recover::skip(body);
    }
    if body.peek(Token![;]) {
        recover::skip(body);
    }
}

/// A text in the format of kernel files, and what its parts were made of.
pub(crate) struct Table {
    text: String,
    /// Where each part begins, in ascending order.
    spans: Vec<(usize, Span)>,
}

impl Table {
    /// The text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// What the text at positions was made of.
    pub(crate) fn spans(&self) -> impl Fn(Position) -> Span + use<> {
        let mut positions = Positions::new(&self.text);
        let places: Vec<_> = self.spans.iter().map(|&(at, span)| (positions.of(at), span)).collect();
        move |place| {
            let before = places.iter().take_while(|(start, _)| *start <= place).last();
            before.or(places.first()).map_or_else(Span::call_site, |(_, span)| *span)
        }
    }
}

/// Writes a table.
struct Writer<'s> {
    table: Table,
    /// `network.NAME` or `in_pixel.NAME`, with quotes.
    path: String,
    surroundings: &'s Surroundings<'s>,
    assumptions: Vec<Assumption>,
}

impl<'s> Writer<'s> {
    fn of(tables: &str, name: &Ident, surroundings: &'s Surroundings<'s>) -> Self {
        let plain = quoted(&name.unraw().to_string());
        let path = format!("{tables}.{plain}");
        let table = Table { text: String::new(), spans: Vec::new() };
        let mut writer = Self { table, path, surroundings, assumptions: Vec::new() };
        writer.push(&format!("[{tables}."), Some(name.span()));
        writer.push(&plain, Some(name.span()));
        writer.push("]\n", None);
        writer
    }

    fn push(&mut self, text: &str, span: Option<Span>) {
        let Table { text: written, spans } = &mut self.table;
        spans.extend(span.map(|span| (written.len(), span)));
        *written += text;
    }

    fn key(&mut self, key: &str, span: Span) {
        self.push(&quoted(key), Some(span));
        self.push(" = ", None);
    }

    fn layer(&mut self, name: &Ident, operation: &Ident) {
        let header = format!("[[{}.layer]]\n", self.path);
        self.push(&header, Some(name.span()));
        for (key, value) in [("name", name), ("op", operation)] {
            self.key(key, value.span());
            self.push(&quoted(&value.unraw().to_string()), Some(value.span()));
            self.push("\n", None);
        }
    }

    /// Keys with values, between commas in the source.
    fn keys(&mut self, tokens: TokenStream, separator: &str, errors: &mut Errors<Span>) {
        for (i, part) in parts(tokens).into_iter().enumerate() {
            if i > 0 {
                self.push(separator, None);
            }
            match part.split_first() {
                Some((TokenTree::Ident(key), [TokenTree::Punct(equals), value @ ..])) if equals.as_char() == '=' => {
                    self.key(&key.unraw().to_string(), key.span());
                    self.value(value, key.span(), errors);
                }
                Some((other, _)) => errors.add(other.span(), "expected a key and its value, such as `stride = 2`"),
                None => {}
            }
        }
        self.push(if separator == "\n" { "\n" } else { "" }, None);
    }

    /// A table in one line.
    fn options(&mut self, tokens: TokenStream, errors: &mut Errors<Span>) {
        self.push("{ ", None);
        self.keys(tokens, ", ", errors);
        self.push(" }", None);
    }

    /// Who may interrupt the network.
    fn interruptible(&mut self, interruptible: &Interruptible<Span>, at: Span) {
        self.key("interruptible", at);
        self.push("{ ", None);
        for (key, names) in [("by", &interruptible.by), ("registers", &interruptible.registers)] {
            if names.is_empty() {
                continue;
            }
            self.push(&format!("{key} = ["), Some(at));
            for name in names {
                self.push(&quoted(&name.value), Some(name.at));
                self.push(", ", None);
            }
            self.push("], ", None);
        }
        if let Some(latency) = &interruptible.latency {
            self.push("latency = ", None);
            self.push(&quoted(&format!("{} ns", latency.value)), Some(latency.at));
        }
        self.push(" }\n", None);
    }

    /// A value; `at` is the place of what has it, to report that there is none.
    fn value(&mut self, tokens: &[TokenTree], at: Span, errors: &mut Errors<Span>) {
        let first = tokens.first().map_or(at, TokenTree::span);
        match tokens {
            [TokenTree::Group(group)] if group.delimiter() == Delimiter::Bracket => {
                self.push("[", Some(first));
                for part in parts(group.stream()) {
                    self.value(&part, first, errors);
                    self.push(", ", None);
                }
                self.push("]", None);
            }
            [TokenTree::Group(group)] if group.delimiter() == Delimiter::Brace => {
                self.push("", Some(first));
                self.options(group.stream(), errors);
            }
            [TokenTree::Ident(word)] if word == "true" || word == "false" => self.push(&word.to_string(), Some(first)),
            [TokenTree::Ident(word)] => self.name(word, errors),
            [TokenTree::Literal(literal)] => match syn::parse2::<LitStr>(TokenTree::from(literal.clone()).into()) {
                Ok(text) => self.push(&quoted(&text.value()), Some(first)),
                Err(_) => self.number(tokens, at, errors),
            },
            _ => self.number(tokens, at, errors),
        }
    }

    /// A number, or what is wrong with it; `at` is the place before it.
    fn number(&mut self, tokens: &[TokenTree], at: Span, errors: &mut Errors<Span>) {
        let first = tokens.first().map_or(at, TokenTree::span);
        match number(tokens) {
            Ok(number) => self.push(&number, Some(first)),
            Err((place, message)) => {
                // What is missing is so behind the last token.
                errors.add(place.unwrap_or(tokens.last().map_or(at, TokenTree::span)), message);
                // Any value, so that the rest can be read.
                self.push("0", Some(first));
            }
        }
    }

    /// The value of a constant around the call, or else the name of a layer or an option.
    fn name(&mut self, word: &Ident, errors: &mut Errors<Span>) {
        let name = word.unraw().to_string();
        let found = if is_upper_case(&name) { Some(self.surroundings.constant(word)) } else { None };
        match found {
            Some(Found::Constant(constant)) => {
                self.push(&written(&constant.literal), Some(word.span()));
                self.assumptions.push(constant.assumed_at(word));
            }
            Some(Found::Unusable(why)) => errors.add(word.span(), why),
            Some(Found::Missing(_)) | None => self.push(&quoted(&name), Some(word.span())),
        }
    }
}

/// A value as in kernel files.
fn written(literal: &Literal) -> String {
    match literal {
        // TOML has digits behind each point.
        Literal::Number(number) if number.ends_with('.') => format!("{number}0"),
        Literal::Number(number) => number.clone(),
        Literal::List(entries) => format!("[{}]", entries.iter().map(written).collect::<Vec<_>>().join(", ")),
    }
}

/// What is wrong with a number, and where if that is not its end.
type Mistake = (Option<Span>, &'static str);

const NUMBER: &str = "expected a number such as `-3`, `0.25` or `1/4`, a range such as `-60..60`, a name, or an array in \
                      brackets";

/// A number or a range as in kernel files, where fractions and ranges are in quotes.
fn number(tokens: &[TokenTree]) -> Result<String, Mistake> {
    let mut rest = tokens;
    let first = end(&mut rest)?;
    let Some(dots) = rest.first().map(TokenTree::span) else {
        return Ok(if first.contains('/') { quoted(&first) } else { first });
    };
    if !(take(&mut rest, '.') && take(&mut rest, '.')) {
        return Err((Some(dots), NUMBER));
    }
    if take(&mut rest, '.') {
        return Err((
            Some(dots),
            "a range has two points, as in `-60..60`; a number after it begins with a digit, as in `0.5`",
        ));
    }
    // Both ends belong to it.
    take(&mut rest, '=');
    let last = end(&mut rest)?;
    match rest {
        [] => Ok(quoted(&format!("{first}..{last}"))),
        [other, ..] => Err((Some(other.span()), NUMBER)),
    }
}

/// A number, or the end of a range.
fn end(tokens: &mut &[TokenTree]) -> Result<String, Mistake> {
    let mut text = String::new();
    while take(tokens, '-') {
        // Two of them in front of a negative number that another macro was given.
        text = if text.is_empty() { "-".to_owned() } else { String::new() };
    }
    text += &digits(tokens)?;
    if take(tokens, '/') {
        text = format!("{text}/{}", digits(tokens)?);
    }
    Ok(text)
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

/// The digits of a literal as kernel files have them.
fn digits(tokens: &mut &[TokenTree]) -> Result<String, Mistake> {
    let [TokenTree::Literal(literal), rest @ ..] = tokens else {
        return Err((tokens.first().map(TokenTree::span), NUMBER));
    };
    let digits = literal.to_string();
    let is_number = digits.starts_with(|first: char| first.is_ascii_digit());
    let digits = digits.replace('_', "");
    if !is_number || digits.parse::<f64>().is_err() {
        return Err((Some(literal.span()), NUMBER));
    }
    *tokens = rest;
    // Other than in Rust, no zeros are in front of other digits.
    let significant = digits.trim_start_matches('0');
    let begins_with_digit = significant.starts_with(|first: char| first.is_ascii_digit());
    let zero = if !begins_with_digit && significant.len() < digits.len() { "0" } else { "" };
    let end = if digits.ends_with('.') { "0" } else { "" };
    Ok(format!("{zero}{significant}{end}"))
}

/// The parts between commas; a comma at the end begins none.
fn parts(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    for token in tokens {
        match (&token, parts.last_mut()) {
            (TokenTree::Punct(mark), _) if mark.as_char() == ',' => parts.push(Vec::new()),
            (_, Some(part)) => part.push(token),
            _ => {}
        }
    }
    if parts.last().is_some_and(Vec::is_empty) {
        parts.pop();
    }
    parts
}

/// A text in quotes, as TOML has it.
fn quoted(text: &str) -> String {
    let escaped = |character: char| match character {
        '"' | '\\' => format!("\\{character}"),
        character if character.is_control() => format!("\\u{:04X}", u32::from(character)),
        character => character.to_string(),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}
