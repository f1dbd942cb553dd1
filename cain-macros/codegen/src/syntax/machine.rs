//! `#![machine(..)]` at the beginning of a block.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Attribute, LitInt, Token, bracketed, parenthesized, token};

use super::attributes::{set, unknown, whole, word};
use super::number::number;
use super::recover::{self, comma_separated};
use crate::errors::Errors;
use crate::tree::{At, ERRORS, Listed, MachineOptions, Number, TIMES};

/// Reads the inner attributes of a block; only `machine` is known.
pub(crate) fn machine(attributes: &[Attribute], errors: &mut Errors<Span>) -> MachineOptions<Span> {
    let mut machine = MachineOptions::default();
    let mut is_given = false;
    for attribute in attributes {
        let at = attribute.path().span();
        if !attribute.path().is_ident("machine") {
            errors.add(at, "unknown attribute of a block of kernels; expected `#![machine(..)]`");
        } else if std::mem::replace(&mut is_given, true) {
            errors.add(at, "`machine` is given twice; put all its options into one");
        } else {
            let read = attribute.parse_args_with(|input: ParseStream<'_>| {
                comma_separated(input, errors, |input, errors| part(input, &mut machine, errors));
                Ok(())
            });
            if let Err(error) = read {
                errors.add_syntax(error);
            }
        }
    }
    machine
}

/// `registers = 18`, `bus(sources = 2)` and the like.
fn part(input: ParseStream<'_>, machine: &mut MachineOptions<Span>, errors: &mut Errors<Span>) -> syn::Result<()> {
    let key = input.call(Ident::parse_any)?;
    match key.to_string().as_str() {
        "registers" => {
            equals(input)?;
            set(&mut machine.registers, &key, registers(input)?)
        }
        "bits" => {
            equals(input)?;
            set(&mut machine.bits, &key, whole(input)?)
        }
        "instructions" => {
            equals(input)?;
            set(&mut machine.instructions, &key, instructions(input)?)
        }
        "bus" => options(input, errors, |key, input| match key.to_string().as_str() {
            "destinations" => set(&mut machine.destinations, key, whole(input)?),
            "sources" => set(&mut machine.sources, key, whole(input)?),
            "reads" => set(&mut machine.reads, key, word(input)?),
            other => Err(unknown(key, other, &["destinations", "sources", "reads"])),
        }),
        "nanoseconds" => options(input, errors, |key, input| {
            let name = key.to_string();
            match TIMES.iter().zip(&mut machine.times).find(|(known, _)| **known == name) {
                Some((_, time)) => set(time, key, whole(input)?),
                None => Err(unknown(key, &name, &TIMES)),
            }
        }),
        "range" => options(input, errors, |key, input| match key.to_string().as_str() {
            "min" => set(&mut machine.min, key, number(input)?),
            "max" => set(&mut machine.max, key, number(input)?),
            other => Err(unknown(key, other, &["min", "max"])),
        }),
        "errors" => options(input, errors, |key, input| {
            let name = key.to_string();
            if name == "offset" {
                return set(&mut machine.offset, key, numbers(input)?);
            }
            match ERRORS.iter().zip(&mut machine.errors).find(|(known, _)| **known == name) {
                Some((_, constant)) => set(constant, key, number(input)?),
                None => Err(unknown(key, &name, &[&ERRORS[..], &["offset"]].concat())),
            }
        }),
        other => {
            let known = ["registers", "bits", "instructions", "bus", "nanoseconds", "range", "errors"];
            Err(unknown(&key, other, &known))
        }
    }
}

fn equals(input: ParseStream<'_>) -> syn::Result<()> {
    input.parse::<Token![=]>().map(drop)
}

/// `(KEY = value, ..)`.
fn options(
    input: ParseStream<'_>,
    errors: &mut Errors<Span>,
    mut option: impl FnMut(&Ident, ParseStream<'_>) -> syn::Result<()>,
) -> syn::Result<()> {
    if !input.peek(token::Paren) {
        return Err(input.error("expected options in parentheses"));
    }
    let inside;
    parenthesized!(inside in input);
    comma_separated(&inside, errors, |input, _| {
        let key = input.call(Ident::parse_any)?;
        equals(input)?;
        option(&key, input)
    });
    Ok(())
}

fn registers(input: ParseStream<'_>) -> syn::Result<Listed<u64, Span>> {
    if input.peek(LitInt) {
        return whole(input).map(Listed::All);
    }
    list(input, "expected a number of registers, or a list such as `[A, B, R7]`").map(Listed::Each)
}

/// A number, or several in brackets.
fn numbers(input: ParseStream<'_>) -> syn::Result<At<Vec<Number<Span>>, Span>> {
    if !input.peek(token::Bracket) {
        let number = number(input)?;
        return Ok(At { at: number.at, value: vec![number] });
    }
    let inside;
    let at = bracketed!(inside in input).span.open();
    let value = recover::inside(&inside, |input| input.parse_terminated(number, Token![,]))?.into_iter().collect();
    Ok(At { value, at })
}

fn instructions(input: ParseStream<'_>) -> syn::Result<Listed<String, Span>> {
    if input.peek(Ident::peek_any) {
        return word(input).map(Listed::All);
    }
    list(input, "expected `all`, `basic`, or a list such as `[mov, movx, add]`").map(Listed::Each)
}

/// Names in brackets.
fn list(input: ParseStream<'_>, expected: &str) -> syn::Result<At<Vec<At<String, Span>>, Span>> {
    if !input.peek(token::Bracket) {
        return Err(input.error(expected));
    }
    let inside;
    let at = bracketed!(inside in input).span.open();
    let names = recover::inside(&inside, |input| input.parse_terminated(word, Token![,]))?;
    Ok(At { value: names.into_iter().collect(), at })
}
