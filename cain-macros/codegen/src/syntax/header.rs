//! `NAME "(" inputs ")" "->" outputs ["using" scratch]`.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Token, parenthesized, token};

use crate::tree::{At, Header, InputRegister};

mod keyword {
    syn::custom_keyword!(using);
}

/// Reads from the name to the last scratch register.
pub(crate) fn parse(input: ParseStream<'_>) -> syn::Result<(Ident, Header<Span>)> {
    let name: Ident = input.parse()?;
    let inputs;
    parenthesized!(inputs in input);
    let inputs = Punctuated::<_, Token![,]>::parse_terminated_with(&inputs, channel)?.into_iter().collect();
    input.parse::<Token![->]>()?;
    let outputs = registers(input)?;
    let scratch = if input.peek(keyword::using) {
        input.parse::<keyword::using>()?;
        Some(registers(input)?)
    } else {
        None
    };
    let header = Header { name: At { value: name.unraw().to_string(), at: name.span() }, inputs, outputs, scratch };
    Ok((name, header))
}

fn channel(input: ParseStream<'_>) -> syn::Result<InputRegister<Span>> {
    let keep = input.parse::<Option<Token![&]>>()?.is_some();
    Ok(InputRegister { register: register(input)?, keep })
}

/// One register, or several in parentheses.
fn registers(input: ParseStream<'_>) -> syn::Result<Vec<At<String, Span>>> {
    if !input.peek(token::Paren) {
        return Ok(vec![register(input)?]);
    }
    let list;
    parenthesized!(list in input);
    Ok(Punctuated::<_, Token![,]>::parse_terminated_with(&list, register)?.into_iter().collect())
}

/// The name of a register, which need not exist.
pub(crate) fn register(input: ParseStream<'_>) -> syn::Result<At<String, Span>> {
    if !input.peek(syn::Ident) {
        return Err(input.error("expected a register such as `A`"));
    }
    let name: Ident = input.parse()?;
    Ok(At { value: name.to_string(), at: name.span() })
}
