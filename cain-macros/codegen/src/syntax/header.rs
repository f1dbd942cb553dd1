//! `NAME "(" inputs ")" "->" outputs ["using" scratch]`.

use cain_isa::Reg;
use proc_macro2::{Ident, Span};
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative as _;
use syn::{Token, Type, parenthesized, token};

use super::recover::{past, skip};
use super::span::place;
use crate::errors::Errors;
use crate::names;
use crate::tree::{At, Header, InputRegister};

mod keyword {
    syn::custom_keyword!(using);
}

/// What could be read of a header.
pub(crate) struct Read {
    pub(crate) name: Ident,
    pub(crate) header: Header<Span>,
    /// Whether all of it is known: whether there were no mistakes but such whose meaning is plain.
    pub(crate) is_complete: bool,
}

/// Reads from the name to the last scratch register. Mistakes within lists of registers are collected; any other ends the
/// header.
pub(crate) fn parse(input: ParseStream<'_>, errors: &mut Errors<Span>) -> syn::Result<Read> {
    let name: Ident = input.parse()?;
    generics(input, errors);
    let mut lists = Lists { errors, is_complete: true };
    let inputs;
    parenthesized!(inputs in input);
    let inputs = lists.read(&inputs, channel);
    arrow(input, lists.errors)?;
    let outputs = lists.registers(input)?;
    let scratch = if using(input, lists.errors)? { Some(lists.registers(input)?) } else { None };
    let Lists { is_complete, .. } = lists;
    let header = Header { name: At { value: name.unraw().to_string(), at: name.span() }, inputs, outputs, scratch };
    let has_name = names::declared("filter", &header.name.value).map_err(|message| errors.add(name.span(), message));
    Ok(Read { name, header, is_complete: is_complete && has_name.is_ok() })
}

/// Reports and skips parameters in angle brackets.
fn generics(input: ParseStream<'_>, errors: &mut Errors<Span>) {
    if !input.peek(Token![<]) {
        return;
    }
    errors
        .add_syntax(input.error("a filter has no parameters of types; write its registers only, as in `fn f(A) -> B`"));
    while !input.is_empty() && !input.peek(token::Paren) {
        skip(input);
    }
}

/// `->`; other arrows are reported only.
fn arrow(input: ParseStream<'_>, errors: &mut Errors<Span>) -> syn::Result<()> {
    if input.peek(Token![=>]) {
        errors.add_syntax(input.error("expected `->`"));
        return input.parse::<Token![=>]>().map(drop);
    }
    input.parse::<Token![->]>().map(drop)
}

/// Whether there is the word `using`, or one that must be meant so.
fn using(input: ParseStream<'_>, errors: &mut Errors<Span>) -> syn::Result<bool> {
    if input.peek(keyword::using) {
        input.parse::<keyword::using>()?;
        return Ok(true);
    }
    let Some((word, _)) = input.cursor().ident() else { return Ok(false) };
    let is_meant = names::near_miss(&word.to_string(), &["using"]).is_some();
    if is_meant {
        errors.add(word.span(), format_args!("expected `using`, found `{word}`"));
        skip(input);
    }
    Ok(is_meant)
}

/// Reads lists of registers.
struct Lists<'e> {
    errors: &'e mut Errors<Span>,
    /// Whether every entry so far could be read.
    is_complete: bool,
}

impl Lists<'_> {
    /// One register, or several in parentheses.
    fn registers(&mut self, input: ParseStream<'_>) -> syn::Result<Vec<At<String, Span>>> {
        if !input.peek(token::Paren) {
            return Ok(vec![register(input)?]);
        }
        let list;
        parenthesized!(list in input);
        Ok(self.read(&list, |input, _| register(input)))
    }

    /// All entries of a list, to its end.
    fn read<T>(
        &mut self,
        input: ParseStream<'_>,
        entry: impl Fn(ParseStream<'_>, &mut Errors<Span>) -> syn::Result<T>,
    ) -> Vec<T> {
        let mut entries = Vec::new();
        while !input.is_empty() {
            match entry(input, self.errors).and_then(|entry| self.comma(input).map(|()| entry)) {
                Ok(entry) => entries.push(entry),
                Err(error) => {
                    self.errors.add_syntax(error);
                    self.is_complete = false;
                    past(input, Token![,]);
                }
            }
        }
        entries
    }

    /// The separator of entries. Where another entry follows without one, that is all that is wrong.
    fn comma(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        if input.is_empty() {
            return Ok(());
        }
        if input.peek(syn::Ident) || input.peek(Token![&]) {
            self.errors.add_syntax(input.error("expected `,` between registers"));
            return Ok(());
        }
        input.parse::<Token![,]>().map(drop)
    }
}

/// `["&"] REG`.
fn channel(input: ParseStream<'_>, errors: &mut Errors<Span>) -> syn::Result<InputRegister<Span>> {
    let keep = keep(input, errors)?;
    let register = register(input)?;
    if !input.peek(Token![:]) {
        return Ok(InputRegister { register, keep });
    }
    input.parse::<Token![:]>()?;
    typed(input, register, errors)
}

/// What stands behind the colon of `image: A` or `image: &Plane`. Where it is a type, the name is the input.
fn typed(
    input: ParseStream<'_>,
    name: At<String, Span>,
    errors: &mut Errors<Span>,
) -> syn::Result<InputRegister<Span>> {
    let ends = |input: ParseStream<'_>| input.is_empty() || input.peek(Token![,]);
    let (ahead, mut mistakes) = (input.fork(), Errors::default());
    let keep = keep(&ahead, &mut mistakes)?;
    if let Ok(register) = register(&ahead)
        && ends(&ahead)
        && !is_type(&register.value)
    {
        input.advance_to(&ahead);
        let (mark, value) = (if keep { "&" } else { "" }, &register.value);
        errors.append(mistakes);
        errors.add(name.at, format_args!("an input is a register and has no other name; write `{mark}{value}`"));
        return Ok(InputRegister { register, keep });
    }
    let at = place(input, name.at);
    let kind = input.parse::<Type>();
    let keep = matches!(&kind, Ok(Type::Reference(reference)) if reference.mutability.is_none());
    let mark = if keep { "&" } else { "" };
    let error =
        syn::Error::new(at, format_args!("the inputs of a filter have no types; write `{mark}{}` alone", name.value));
    if kind.is_err() || !ends(input) {
        return Err(error);
    }
    errors.add_syntax(error);
    Ok(InputRegister { register: name, keep })
}

/// Whether a word is a type and neither a register nor a plane.
fn is_type(word: &str) -> bool {
    const PRIMITIVE: [&str; 3] = ["bool", "char", "str"];
    let is_number =
        |kind: &str| word.strip_prefix(kind).is_some_and(|bits| bits == "size" || bits.parse::<u8>().is_ok());
    let is_primitive = PRIMITIVE.contains(&word) || ["i", "u", "f"].into_iter().any(is_number);
    is_primitive || word.parse::<Reg>().is_err() && names::plane(word).is_err()
}

/// Whether there is a `&`, which keeps the image of an input.
fn keep(input: ParseStream<'_>, errors: &mut Errors<Span>) -> syn::Result<bool> {
    let reference = input.parse::<Option<Token![&]>>()?;
    if !input.peek(Token![mut]) {
        return Ok(reference.is_some());
    }
    errors.add_syntax(input.error("an input that may be overwritten is the register alone; leave out `&mut`"));
    skip(input);
    Ok(false)
}

/// The name of a register, which need not exist.
pub(crate) fn register(input: ParseStream<'_>) -> syn::Result<At<String, Span>> {
    if !input.peek(syn::Ident) {
        return Err(input.error("expected a register such as `A`"));
    }
    let name: Ident = input.parse()?;
    Ok(At { value: name.to_string(), at: name.span() })
}
