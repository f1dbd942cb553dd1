//! `bits = 2`, `bits = -4`, or `bits = (image = 1, mask = -4)`.

use cain_digital::Format;
use proc_macro2::{Ident, Span};
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{LitInt, Token, parenthesized, token};

use crate::lower;
use crate::names;
use crate::tree::{Bits, Header};

/// Reads the bits of all inputs, or of each.
pub(super) fn bits(input: ParseStream<'_>, header: &Header<Span>) -> syn::Result<Bits<Span>> {
    let at = input.span();
    if !input.peek(token::Paren) {
        return Ok(Bits { at, formats: vec![format(input)?] });
    }
    let list;
    parenthesized!(list in input);
    let given = Punctuated::<(Ident, Format), Token![,]>::parse_terminated_with(&list, |input| {
        let name: Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok((name, format(input)?))
    })?;
    let known: Vec<&str> = header.inputs.iter().map(|input| input.register.value.as_str()).collect();
    for (i, (name, _)) in given.iter().enumerate() {
        if !known.contains(&name.to_string().as_str()) {
            let message = names::unknown("input", &name.to_string(), &known);
            return Err(syn::Error::new(name.span(), message));
        }
        if given.iter().take(i).any(|(earlier, _)| earlier == name) {
            return Err(syn::Error::new(name.span(), format_args!("`{name}` is given twice")));
        }
    }
    let of = |name: &&str| {
        let found = given.iter().find(|(given, _)| given == *name).map(|(_, format)| *format);
        found.ok_or_else(|| syn::Error::new(at, format_args!("input `{name}` has no bits; add `{name} = 1`")))
    };
    Ok(Bits { at, formats: known.iter().map(of).collect::<syn::Result<_>>()? })
}

fn format(input: ParseStream<'_>) -> syn::Result<Format> {
    let sign = input.parse::<Option<Token![-]>>()?.map_or("", |_| "-");
    if !input.peek(LitInt) {
        return Err(input.error("expected a number of bits such as `2`, or `-4` for signed numbers"));
    }
    let literal: LitInt = input.parse()?;
    let text = format!("{sign}{}", literal.base10_digits());
    let width = text.parse().ok().filter(|_| literal.suffix().is_empty());
    lower::digital::format(width, &text).map_err(|message| syn::Error::new(literal.span(), message))
}
