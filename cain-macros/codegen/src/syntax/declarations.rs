//! `"const" NAME "=" (number | sum) ";"`: the declarations of constants in a block.
//!
//! A constant may be used before it is declared, as in Rust. What it is made of is read after the constants that it names.

use cain_analysis::sorted::Map;
use cain_isa::Registers;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};
use syn::spanned::Spanned as _;
use syn::{Attribute, Token, Visibility};

use super::constants::{Constants, is_register};
use super::recover::{begins_item, skip};
use super::sum;
use crate::diagnostic::twice;
use crate::errors::Errors;
use crate::lower::constants::{check, in_order};
use crate::surroundings::{Surroundings, is_upper_case};
use crate::tree::Meaning;

/// A declaration whose value has not been read.
struct Declared {
    name: Ident,
    /// `None` after a mistake, which has been reported.
    value: Option<TokenStream>,
    /// The last token of it.
    end: Span,
}

/// Reads the constants among the items of a block, and leaves the input as it is.
pub(crate) fn read(
    input: ParseStream<'_>,
    registers: &Registers,
    surroundings: &Surroundings<'_>,
    errors: &mut Errors<Span>,
) -> Constants {
    let mut constants = Constants::default();
    let mut declared: Map<String, Declared> = Map::new();
    for constant in declarations(input, errors) {
        let name = constant.name.to_string();
        if is_register(&name, registers) {
            errors.add(constant.name.span(), format_args!("`{name}` is a register; give the constant another name"));
        }
        match declared.get(&name) {
            Some(known) => {
                let first = surroundings.place_of(known.name.span()).map(|place| place.position.line);
                errors.add(constant.name.span(), twice("constant", &name, first));
            }
            None => {
                declared.insert(name, constant);
            }
        }
    }
    let is_declared = |name: &str| declared.contains_key(name);
    constants.add_surrounding(input, is_declared, registers, surroundings);
    for name in ordered(&declared, errors) {
        if let Some(constant) = declared.remove(&name) {
            let value = meaning(&constants, &constant, errors);
            constants.add(name, constant.name.span(), value);
        }
    }
    for (name, constant) in declared {
        constants.add_circular(name, constant.name.span());
    }
    constants
}

/// The number or kernel of a declaration; `None` after a mistake.
fn meaning(constants: &Constants, constant: &Declared, errors: &mut Errors<Span>) -> Option<Meaning<Span>> {
    let before = errors.len();
    constants.take_mistake();
    let read = |input: ParseStream<'_>| {
        let ahead = input.fork();
        if let Ok(number) = sum::weight(&ahead, constant.end, constants)
            && ahead.is_empty()
        {
            input.advance_to(&ahead);
            return Ok(Meaning::Number(number));
        }
        let terms = sum::parse(input, constant.end, constants, errors)?;
        if !input.is_empty() {
            return Err(input.error("expected `;` after the constant"));
        }
        Ok(Meaning::Kernel(terms))
    };
    let value = read.parse2(constant.value.clone()?).map_err(|error| errors.add_syntax(error)).ok()?;
    if let Meaning::Kernel(terms) = &value
        && errors.len() == before
    {
        check(terms, errors);
    }
    (errors.len() == before && !constants.take_mistake()).then_some(value)
}

/// Skips a declaration, which has been read before, and checks what is in front of it.
pub(crate) fn skip_declaration(
    input: ParseStream<'_>,
    attributes: &[Attribute],
    visibility: &Visibility,
    errors: &mut Errors<Span>,
) {
    for attribute in attributes.iter().filter(|attribute| !attribute.path().is_ident("doc")) {
        errors.add(attribute.pound_token.span, "a constant has no attributes but its documentation");
    }
    if !matches!(visibility, Visibility::Inherited) {
        errors.add(visibility.span(), "a constant is for the filters of its block alone; leave out the visibility");
    }
    skip(input);
    while !input.is_empty() && !begins_item(input) {
        let is_end = input.peek(Token![;]);
        skip(input);
        if is_end {
            break;
        }
    }
}

/// The declarations of a block, wherever they are among its filters.
fn declarations(input: ParseStream<'_>, errors: &mut Errors<Span>) -> Vec<Declared> {
    let input = input.fork();
    let mut declarations = Vec::new();
    // Of a function, where there should be none.
    let mut is_parameter = false;
    while !input.is_empty() {
        if input.peek(Token![const]) && !is_parameter {
            match name(&input) {
                Ok(name) => {
                    let mut end = name.span();
                    let value = value(&input, &name, &mut end).map_err(|error| errors.add_syntax(error)).ok();
                    declarations.push(Declared { name, value, end });
                }
                Err(error) => errors.add_syntax(error),
            }
        } else {
            is_parameter = input.peek(Token![<]) || input.peek(Token![,]);
            skip(&input);
        }
    }
    declarations
}

/// `"const" NAME`.
fn name(input: ParseStream<'_>) -> syn::Result<Ident> {
    input.parse::<Token![const]>()?;
    if !input.peek(syn::Ident) {
        return Err(input.error("expected a name for the constant, such as `const WEIGHT = 1/4;`"));
    }
    let name: Ident = input.parse()?;
    if !is_upper_case(&name.to_string()) {
        let message = format!("`{name}` may be a plane; write names of constants in upper case");
        return Err(syn::Error::new(name.span(), message));
    }
    Ok(name)
}

/// `"=" .. ";"`; `end` becomes the last token of the value.
fn value(input: ParseStream<'_>, name: &Ident, end: &mut Span) -> syn::Result<TokenStream> {
    if input.peek(Token![:]) {
        return Err(input.error(format!("constants are exact and have no type; write `const {name} = ..;`")));
    }
    input.parse::<Token![=]>()?;
    let mut value = TokenStream::new();
    while !input.peek(Token![;]) {
        if input.is_empty() || begins_item(input) {
            return Err(syn::Error::new(*end, "expected `;` after the constant"));
        }
        let token: TokenTree = input.parse()?;
        *end = token.span();
        value.extend([token]);
    }
    input.parse::<Token![;]>()?;
    if value.is_empty() {
        return Err(syn::Error::new(*end, "expected a number or a kernel for the constant"));
    }
    Ok(value)
}

/// The names in an order in which each is after those that it is made of, without those that are made of themselves: these
/// are reported.
fn ordered(declared: &Map<String, Declared>, errors: &mut Errors<Span>) -> Vec<String> {
    let parts = |constant: &Declared| {
        let mut names = Vec::new();
        add_names(constant.value.clone().unwrap_or_default(), declared, &mut names);
        names
    };
    let declared = declared.iter();
    let declared = declared.map(|(name, constant)| (name.as_str(), (constant.name.span(), parts(constant)))).collect();
    in_order(&declared, errors).into_iter().map(str::to_owned).collect()
}

/// Adds the names of constants among tokens.
fn add_names<'d>(tokens: TokenStream, declared: &'d Map<String, Declared>, names: &mut Vec<&'d str>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                names.extend(declared.get_key_value(&word.to_string()).map(|(name, _)| name.as_str()));
            }
            TokenTree::Group(group) => add_names(group.stream(), declared, names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
