//! `#[search(..)]`, `#[approximate(..)]`, `#[interruptible(..)]` and `#[superpixel(..)]`. All other attributes are passed on to the function.

use cain_isa::Range;
use proc_macro2::{Ident, Span};
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Attribute, Lit, LitFloat, LitInt, LitStr, Token};

use super::digital;
use super::number::{number, read};
use super::recover::comma_separated;
use super::superpixel::super_pixel;
use crate::duration;
use crate::errors::Errors;
use crate::names;
use crate::number::{Read, not_whole};
use crate::tree::{Approximate, At, Bits, GainOption, Header, Interruptible, Number, SearchOptions, SuperPixel};

/// The attributes of a filter.
#[derive(Default)]
pub(crate) struct Sorted {
    /// Those for the generated function.
    pub(crate) passed: Vec<Attribute>,
    pub(crate) search: SearchOptions<Span>,
    pub(crate) approximate: Option<Approximate<Span>>,
    pub(crate) interruptible: Option<Interruptible<Span>>,
    /// The bits of a digital filter, which are among the options of the search.
    pub(crate) bits: Option<Bits<Span>>,
    pub(crate) super_pixel: Option<SuperPixel<Span>>,
}

/// Reads the attributes about the search and separates them from the others.
pub(crate) fn sort(attributes: Vec<Attribute>, header: &Header<Span>, errors: &mut Errors<Span>) -> Sorted {
    let mut sorted = Sorted::default();
    let mut seen = Vec::new();
    for attribute in attributes {
        let name = attribute.path().get_ident().map(Ident::to_string).unwrap_or_default();
        let at = attribute.path().span();
        if seen.contains(&name) {
            errors.add(at, format_args!("`{name}` is given twice; put all its options into one"));
            continue;
        }
        match name.as_str() {
            "search" => {
                (sorted.search, sorted.bits) = search(&attribute, header, errors);
                seen.push(name);
            }
            "approximate" => {
                sorted.approximate = approximate(&attribute, at, errors);
                seen.push(name);
            }
            "superpixel" => {
                sorted.super_pixel = super_pixel(&attribute, at, errors);
                seen.push(name);
            }
            "interruptible" => {
                sorted.interruptible = interruptible(&attribute, at, errors);
                seen.push(name);
            }
            _ => match names::near_miss(&name, &["search", "approximate", "interruptible", "superpixel"]) {
                Some(near) => errors.add(at, format_args!("unknown attribute `{name}`; did you mean `{near}`?")),
                None => sorted.passed.push(attribute),
            },
        }
    }
    sorted
}

fn search(
    attribute: &Attribute,
    header: &Header<Span>,
    errors: &mut Errors<Span>,
) -> (SearchOptions<Span>, Option<Bits<Span>>) {
    let (mut search, mut bits) = (SearchOptions::default(), None);
    options(attribute, errors, &[], |key, input| match key.to_string().as_str() {
        "nodes" => set(&mut search.nodes, key, whole(input)?),
        "memory" => set(&mut search.memory, key, whole(input)?),
        "objective" => set(&mut search.objective, key, word(input)?),
        "isa" => set(&mut search.isa, key, word(input)?),
        "offset" => set(&mut search.offset, key, word(input)?),
        "input" => set(&mut search.input, key, range(input)?),
        "max_gain" => set(&mut search.max_gain, key, gain(input)?),
        "accuracy" => set(&mut search.accuracy, key, number_or_text(input)?),
        "max_words" => set(&mut search.max_words, key, whole(input)?),
        "bits" => set(&mut bits, key, digital::bits(input, header)?),
        other => {
            let known =
                ["nodes", "memory", "objective", "isa", "offset", "input", "max_gain", "accuracy", "max_words", "bits"];
            Err(unknown(key, other, &known))
        }
    });
    (search, bits)
}

fn approximate(attribute: &Attribute, at: Span, errors: &mut Errors<Span>) -> Option<Approximate<Span>> {
    let (mut depth, mut error, mut search) = (None, None, None);
    let before = errors.len();
    options(attribute, errors, &["search"], |key, input| match key.to_string().as_str() {
        "depth" => set(&mut depth, key, whole(input)?),
        "error" => set(&mut error, key, number_or_text(input)?),
        "search" => set(&mut search, key, ()),
        other => Err(unknown(key, other, &["depth", "error", "search"])),
    });
    match (depth, error, search.is_some()) {
        (depth, Some(error), true) => return Some(Approximate { depth, error, search: true }),
        (Some(depth), Some(error), false) => return Some(Approximate { depth: Some(depth), error, search: false }),
        _ if errors.len() > before => {}
        (_, _, true) => errors.add(at, "`approximate` takes an `error`, as in `approximate(error = 1/16, search)`"),
        (_, _, false) => errors.add(
            at,
            "`approximate` takes both `depth` and `error`, as in `approximate(depth = 5, error = 0.05)`, or `error` and \
             `search`",
        ),
    }
    None
}

pub(super) fn interruptible(attribute: &Attribute, at: Span, errors: &mut Errors<Span>) -> Option<Interruptible<Span>> {
    let (mut by, mut registers, mut latency) = (None, None, None);
    let before = errors.len();
    options(attribute, errors, &["latency"], |key, input| match key.to_string().as_str() {
        "by" => set(&mut by, key, names_in_brackets(input, "the names of filters in brackets, such as `[reflex]`")?),
        "registers" => set(&mut registers, key, names_in_brackets(input, "registers in brackets, such as `[E, F]`")?),
        "latency" => set(&mut latency, key, at_most(input)?),
        other => Err(unknown(key, other, &["by", "registers", "latency"])),
    });
    if by.is_none() && registers.is_none() {
        if errors.len() == before {
            let both = "`interruptible` takes the filters that may interrupt, as in `interruptible(by = [reflex])`, or the \
                        registers that others overwrite, as in `interruptible(registers = [E, F])`";
            errors.add(at, both);
        }
        return None;
    }
    Some(Interruptible { by: by.unwrap_or_default(), registers: registers.unwrap_or_default(), latency })
}

/// `[reflex, other]`.
pub(super) fn names_in_brackets(input: ParseStream<'_>, expected: &str) -> syn::Result<Vec<At<String, Span>>> {
    if !input.peek(syn::token::Bracket) {
        return Err(input.error(format_args!("expected {expected}")));
    }
    let list;
    syn::bracketed!(list in input);
    let names = list.parse_terminated(word, Token![,])?;
    Ok(names.into_iter().collect())
}

/// `<= 20 us`.
fn at_most(input: ParseStream<'_>) -> syn::Result<At<u64, Span>> {
    const EXPECTED: &str = "expected a time such as `latency <= 20 us`";
    if !input.peek(Token![<=]) {
        return Err(input.error(EXPECTED));
    }
    input.parse::<Token![<=]>()?;
    let number: Lit = input.parse().map_err(|error| syn::Error::new(error.span(), EXPECTED))?;
    let (digits, suffix) = match &number {
        Lit::Int(number) => (number.base10_digits(), number.suffix()),
        Lit::Float(number) => (number.base10_digits(), number.suffix()),
        _ => return Err(syn::Error::new(number.span(), EXPECTED)),
    };
    let unit: Option<Ident> = if suffix.is_empty() { input.parse()? } else { None };
    let unit = unit.map_or_else(|| suffix.to_owned(), |unit| unit.to_string());
    let value = duration::nanoseconds(&format!("{digits} {unit}"));
    let value = value.map_err(|message| syn::Error::new(number.span(), message))?;
    Ok(At { value, at: number.span() })
}

/// Reads `KEY = value` for each option, and only the key of flags.
pub(super) fn options(
    attribute: &Attribute,
    errors: &mut Errors<Span>,
    flags: &[&str],
    mut option: impl FnMut(&Ident, ParseStream<'_>) -> syn::Result<()>,
) {
    let read = attribute.parse_args_with(|input: ParseStream<'_>| {
        comma_separated(input, errors, |input, _| {
            // Keywords such as `macro` may become options one day.
            let key = input.call(Ident::parse_any)?;
            if !flags.contains(&key.to_string().as_str()) {
                input.parse::<Token![=]>()?;
            }
            option(&key, input)
        });
        Ok(())
    });
    if let Err(error) = read {
        errors.add_syntax(error);
    }
}

pub(super) fn unknown(key: &Ident, name: &str, known: &[&str]) -> syn::Error {
    syn::Error::new(key.span(), names::unknown("option", name, known))
}

pub(super) fn set<T>(option: &mut Option<T>, key: &Ident, value: T) -> syn::Result<()> {
    match option.replace(value) {
        None => Ok(()),
        Some(_) => Err(syn::Error::new(key.span(), format_args!("`{key}` is given twice"))),
    }
}

pub(super) fn whole(input: ParseStream<'_>) -> syn::Result<At<u64, Span>> {
    if input.peek(LitFloat) {
        let literal: LitFloat = input.parse()?;
        return Err(syn::Error::new(literal.span(), not_whole(literal.base10_digits())));
    }
    if !input.peek(LitInt) {
        return Err(input.error("expected a whole number"));
    }
    let literal: LitInt = input.parse()?;
    let value = literal.base10_parse();
    let value = value
        .map_err(|_| syn::Error::new(literal.span(), "expected a whole number of at most 64 bits, not negative"))?;
    Ok(At { value, at: literal.span() })
}

pub(super) fn word(input: ParseStream<'_>) -> syn::Result<At<String, Span>> {
    if input.peek(LitStr) {
        let literal: LitStr = input.parse()?;
        let message = format!("expected a name without quotes, such as `{}`", literal.value());
        let is_word = syn::parse_str::<Ident>(&literal.value()).is_ok() || literal.value() == "macro";
        return Err(syn::Error::new(literal.span(), if is_word { message } else { "expected a name".to_owned() }));
    }
    if !input.peek(Ident::peek_any) {
        return Err(input.error("expected a name"));
    }
    // `macro` is a keyword of Rust.
    let word = input.call(Ident::parse_any)?;
    Ok(At { value: word.to_string(), at: word.span() })
}

/// `any`, or a number.
fn gain(input: ParseStream<'_>) -> syn::Result<GainOption<Span>> {
    if input.peek(Ident::peek_any) {
        word(input).map(GainOption::Name)
    } else {
        number_or_text(input).map(GainOption::AtMost)
    }
}

/// `-128..127`; both ends belong to it, so that `..=` means the same.
fn range(input: ParseStream<'_>) -> syn::Result<At<Range, Span>> {
    let at = input.span();
    let min = level(input)?;
    if input.peek(Token![..=]) {
        input.parse::<Token![..=]>()?;
    } else if input.peek(Token![..]) {
        input.parse::<Token![..]>()?;
    } else {
        return Err(input.error("expected a range such as `-128..127`"));
    }
    let max = level(input)?;
    Ok(At { value: Range { min, max }, at })
}

/// A whole number of DN.
fn level(input: ParseStream<'_>) -> syn::Result<i16> {
    let sign = input.parse::<Option<Token![-]>>()?.map_or("", |_| "-");
    if !input.peek(LitInt) {
        return Err(input.error("expected a whole number of DN, as in `-128..127`"));
    }
    let literal: LitInt = input.parse()?;
    let level = format!("{sign}{}", literal.base10_digits()).parse();
    let level = level.ok().filter(|_| literal.suffix().is_empty());
    level.ok_or_else(|| syn::Error::new(literal.span(), "expected a whole number of DN of at most 16 bits"))
}

/// `3/2`, or the same in quotes as in kernel files.
fn number_or_text(input: ParseStream<'_>) -> syn::Result<Number<Span>> {
    if !input.peek(LitStr) {
        return number(input);
    }
    let literal: LitStr = input.parse()?;
    let Read { value, is_exact } = read(&literal.value(), literal.span())?;
    Ok(Number { value, is_exact, text: literal.value(), at: literal.span(), denominator: None })
}
