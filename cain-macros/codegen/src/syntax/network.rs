//! The front end for `scamp_network!`: from tokens to trees of values.
//!
//! ```text
//! block   = ["#![machine(" option* ")]"] network*
//! network = attribute* visibility ("network" | "in_pixel") NAME "{" ["input" "=" value ";"] layer* "}"
//!         | attribute* visibility "automaton" NAME "{" (KEY "=" value ";")* "}"
//! layer   = NAME "=" OPERATION ["{" map "}"] ";"
//! ```
//!
//! Keys, operations and values are those of kernel files; [`tokens`] has the syntax of maps and values.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, Token, Visibility, braced, bracketed};

use super::{at_call, attributes, recover, visibility};
use crate::conditions::Conditions;
use crate::errors::{Errors, Mistakes};
use crate::kinds;
use crate::lower::machine::Described;
use crate::nesting;
use crate::surroundings::{Assumption, Surroundings};
use crate::tree::At;
use crate::value::{Map, Text, Value, What, tokens};

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

/// A network.
pub(crate) struct NetworkItem {
    /// The name of its table in kernel files.
    pub(crate) kind: &'static str,
    /// Those for the generated function.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    /// What it says: the keys of kernel files, with its layers under `layer`.
    pub(crate) table: Value<Span>,
    /// What was assumed about constants around the call.
    pub(crate) assumptions: Vec<Assumption>,
    /// What could not be read of it.
    pub(crate) errors: Errors<Span>,
}

/// The kind of declaration that the input begins with, which is the name of its table in kernel files.
fn kind(input: ParseStream<'_>) -> Option<&'static str> {
    let found = input.fork().call(Ident::parse_any).ok()?;
    kinds::TABLES.iter().flatten().map(|[table, _]| *table).find(|table| found == *table)
}

mod keyword {
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
        block.machine = attributes::machine(&inner, &mut errors);
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
    let Some(kind) = kind(input) else {
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
    let mut reader = tokens::Reader::new("nodes = 200_000", errors);
    let mut map = Map::default();
    for attribute in interruptible {
        reader.example = "by = [reflex]";
        reader.attribute(&mut map, &attribute)?;
    }
    reader.surroundings = Some(surroundings);
    for attribute in search {
        reader.example = "nodes = 200_000";
        reader.attribute(&mut map, &attribute)?;
    }
    reader.example = "stride = 2";
    let body;
    braced!(body in input);
    let mut layers = Vec::new();
    while !body.is_empty() {
        let statement = if kind == "automaton" || body.peek(keyword::input) {
            option(&body, &mut map, &mut reader)
        } else {
            layer(&body, &mut reader).map(|layer| layers.push(layer))
        };
        if let Err(error) = statement {
            reader.errors.add_syntax(error);
            to_next_layer(&body);
        }
    }
    if let Some(first) = layers.first() {
        let at = first.at;
        map.add(At { value: "layer".to_owned(), at }, Value { what: What::List(layers), at });
    }
    let assumptions = reader.assumptions;
    let table = Value { what: What::Map(map), at: name.span() };
    let visibility = at_call(visibility);
    Ok(NetworkItem { kind, attributes, visibility, name, table, assumptions, errors: Errors::default() })
}

/// `input = { .. };`
fn option(body: ParseStream<'_>, map: &mut Map<Span>, reader: &mut tokens::Reader<'_>) -> syn::Result<()> {
    if !body.peek(Ident::peek_any) {
        return Err(body.error("expected a key and its value, such as `classes = 10;`"));
    }
    let key = body.call(Ident::parse_any)?;
    body.parse::<Token![=]>()?;
    let tokens = until_semicolon(body)?;
    if let Some(value) = reader.value(&tokens, key.span()) {
        reader.add(map, &key, value);
    }
    Ok(())
}

/// `edge = convolution { .. };`
fn layer(body: ParseStream<'_>, reader: &mut tokens::Reader<'_>) -> syn::Result<Value<Span>> {
    if !body.peek(Ident::peek_any) {
        return Err(body.error("expected a layer such as `edge = convolution { kernels = [[[-1, 0, 1]]] };`"));
    }
    let name = body.call(Ident::parse_any)?;
    body.parse::<Token![=]>()?;
    if !body.peek(Ident::peek_any) {
        return Err(body.error("expected the operation of the layer, such as `convolution { .. }` or `relu`"));
    }
    let operation = body.call(Ident::parse_any)?;
    let mut layer = Map::default();
    for (key, word) in [("name", &name), ("op", &operation)] {
        let (text, at) = (Text::plain(word.unraw().to_string(), word.span()), word.span());
        layer.add(At { value: key.to_owned(), at }, Value { what: What::Text(text), at });
    }
    if body.peek(syn::token::Brace) {
        let keys;
        braced!(keys in body);
        for (key, value) in reader.map(keys.parse()?) {
            // What kernel files have as keys of a layer.
            if ["name", "op"].contains(&key.value.as_str()) {
                let message =
                    "name and operation are in front of the braces, as in `edge = convolution { .. };`; remove this";
                reader.errors.add(key.at, message);
            } else {
                layer.add(key, value);
            }
        }
    }
    if !body.peek(Token![;]) {
        return Err(body.error("expected `;` after the layer, or `{ key = value }` before it"));
    }
    body.parse::<Token![;]>()?;
    Ok(Value { what: What::Map(layer), at: name.span() })
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
    while !(input.is_empty() || kind(input).is_some() || input.peek(Token![#]) || input.peek(Token![pub])) {
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
