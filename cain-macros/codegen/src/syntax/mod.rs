//! The front end for `scamp_kernels!`: from tokens to syntax trees.
//!
//! ```text
//! block   = ["#![machine(" option* ")]"] (filter | const)* | "file" "=" STRING [","]
//! const   = "const" NAME "=" (number | sum) ";"
//! filter  = attribute* visibility "fn" NAME "(" inputs ")" "->" outputs ["using" scratch] body
//! inputs  = ["&"] REG ("," ["&"] REG)*
//! outputs = REG | "(" REG ("," REG)* ")"
//! scratch = REG | "(" [REG ("," REG)*] ")"
//! body    = "=" sum ";" | "{" (REG "=" sum ";")+ "}"
//! sum     = ["-"] term (("+" | "-") term)* | expression
//! term    = [number "*"] (matrix | NAME) ["*" REG]
//! matrix  = "[" row ("," row)* "]" ["at" "[" INTEGER "," INTEGER "]"]
//! row     = "[" number ("," number)* "]"
//! REG     = the name of a register, or in all places the names of planes, in lower case
//! number  = ["-"] (INTEGER ["/" INTEGER] | DECIMAL | NAME), also in parentheses
//! NAME    = the name of a constant of the block or around it, in upper case
//! ```

pub(crate) mod attributes;
mod body;
mod constants;
mod declarations;
mod header;
#[cfg(feature = "networks")]
pub(crate) mod network;
mod outside;
pub(crate) mod recover;
pub(crate) mod span;
mod sum;

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned as _;
use syn::{Attribute, Ident, LitStr, Token, Visibility, bracketed, token};

use crate::conditions::Conditions;
use crate::errors::{Errors, Mistakes};
use crate::lower::machine::Described;
use crate::surroundings::{Assumption, Surroundings};
use crate::tree::{At, Body, Header};
use crate::{lower, nesting};
use constants::Constants;
use span::place;

/// The input of one call of the macro.
pub(crate) struct Block {
    /// The path of the runtime crate, which the wrapper of the macro adds.
    pub(crate) runtime: TokenStream,
    pub(crate) content: Content,
}

pub(crate) enum Content {
    Filters {
        machine: Described,
        /// In the order of the source, without those that the compiler leaves out in every build; the mistakes instead of a
        /// filter whose header could not be read.
        items: Vec<Result<FilterItem, Mistakes>>,
        /// What is allowed beside the filters, but hardly meant.
        warnings: Vec<At<String, Span>>,
    },
    /// The path of a kernel file.
    File(LitStr),
}

mod keyword {
    syn::custom_keyword!(file);
}

/// A filter whose header could be read.
pub(crate) struct FilterItem {
    /// Those for the generated function.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) header: Header<Span>,
    pub(crate) body: Body<Span>,
    /// What was assumed about constants around the block.
    pub(crate) assumptions: Vec<Assumption>,
    pub(crate) errors: Errors<Span>,
}

/// Reads `[runtime] kernels`, with constants of Rust that are around the call.
pub(crate) fn parse(input: TokenStream, surroundings: &Surroundings<'_>) -> Block {
    let error = |error: syn::Error| Block {
        runtime: TokenStream::new(),
        content: Content::Filters {
            machine: Described::SCAMP5,
            items: vec![Err(Errors::from(error).into())],
            warnings: Vec::new(),
        },
    };
    if let Some((place, message)) = nesting::too_deep(input.clone()) {
        return error(syn::Error::new(place, message));
    }
    let input = nesting::without_invisible(input);
    let end = input.clone().into_iter().last().map_or_else(Span::call_site, |token| token.span());
    let read = |input: ParseStream<'_>| {
        let runtime;
        bracketed!(runtime in input);
        let runtime = runtime.parse()?;
        let content = if input.peek(keyword::file) && input.peek2(Token![=]) {
            Content::File(file(input)?)
        } else {
            filters(input, end, surroundings)?
        };
        Ok(Block { runtime, content })
    };
    read.parse2(input).unwrap_or_else(error)
}

/// `["#![machine(" option* ")]"] (filter | const)*`
fn filters(input: ParseStream<'_>, end: Span, surroundings: &Surroundings<'_>) -> syn::Result<Content> {
    let mut errors = Errors::default();
    let attributes = input.call(Attribute::parse_inner)?;
    let machine = attributes::machine(&attributes, &mut errors);
    if input.peek(keyword::file) && input.peek2(Token![=]) {
        return Err(input.error("the machine of a kernel file is described in the file, under `[machine]`"));
    }
    let constants = declarations::read(input, &machine.machine.registers, surroundings, &mut errors);
    let mut items = items(input, end, &constants);
    let warnings = constants.unused();
    if !errors.is_empty() {
        items.insert(0, Err(errors.into()));
    }
    Ok(Content::Filters { machine, items, warnings })
}

/// `"file" "=" STRING [","]`
fn file(input: ParseStream<'_>) -> syn::Result<LitStr> {
    input.parse::<keyword::file>()?;
    let last = input.parse::<Token![=]>()?.span;
    if !input.peek(LitStr) {
        let message = "expected the path of a kernel file in quotes, such as `file = \"kernels.toml\"`";
        return Err(syn::Error::new(place(input, last), message));
    }
    let path = input.parse()?;
    input.parse::<Option<Token![,]>>()?;
    if !input.is_empty() {
        return Err(input.error("expected nothing after the kernel file; filters go into a block of their own"));
    }
    Ok(path)
}

/// Reads filters up to the end, and continues after one that cannot be read.
fn items(input: ParseStream<'_>, end: Span, constants: &Constants) -> Vec<Result<FilterItem, Mistakes>> {
    let mut items = Vec::new();
    while !input.is_empty() {
        let start = input.cursor();
        let mut errors = Errors::default();
        let mut conditions = Conditions::default();
        let item = item(input, constants, &mut conditions, &mut errors).unwrap_or_else(|error| {
            // At the end the parser has no token to report and would report the whole macro call.
            errors.add_syntax(if input.is_empty() { syn::Error::new(end, error) } else { error });
            recover::to_next_filter(input);
            None
        });
        let assumptions = constants.take_assumed();
        if !conditions.are_never_met() {
            items.push(match item {
                Some(item) => Ok(FilterItem { assumptions, errors, ..item }),
                None => Err(Mistakes { conditions, errors }),
            });
        }
        if input.cursor() == start {
            recover::skip(input);
        }
    }
    items
}

/// A filter; `None` after mistakes that leave its signature open, and for a constant, which has been read before. Its
/// conditions are known even if it cannot be read.
fn item(
    input: ParseStream<'_>,
    constants: &Constants,
    conditions: &mut Conditions,
    errors: &mut Errors<Span>,
) -> syn::Result<Option<FilterItem>> {
    let attributes = attributes(input, errors)?;
    *conditions = Conditions::of(&attributes);
    if input.peek(Token![#]) && input.peek2(Token![!]) {
        for attribute in input.call(Attribute::parse_inner)? {
            let what = if attribute.path().is_ident("machine") { "`#![machine(..)]`" } else { "an attribute with `!`" };
            let message =
                format!("{what} is about the whole block; write it in front of the first filter and constant");
            errors.add(attribute.path().span(), message);
        }
        return Ok(None);
    }
    let visibility = visibility(input)?;
    if input.peek(Token![const]) {
        declarations::skip_declaration(input, &attributes, &visibility, errors);
        return Ok(None);
    }
    if !input.peek(Token![fn]) {
        return Err(input.error("expected a filter such as `fn blur(A) -> B = 1/4 * [[1, 2, 1]];`"));
    }
    input.parse::<Token![fn]>()?;
    let header::Read { name, header, is_complete } = header::parse(input, errors)?;
    let attributes::Sorted { passed, search, approximate, interruptible, bits, super_pixel } =
        attributes::sort(attributes, &header, errors);
    let is_digital = lower::bits::place(&search, lower::bits::DIGITAL).is_some();
    let sums = body::Reader { header: &header, constants, is_digital }.read(input, errors);
    let body = Body { sums, search, approximate, interruptible, bits, super_pixel };
    let (assumptions, errors) = (Vec::new(), Errors::default());
    let visibility = at_call(visibility);
    let item = FilterItem { attributes: passed, visibility, name, header, body, assumptions, errors };
    Ok(is_complete.then_some(item))
}

/// The attributes before a filter. Each is read on its own, so that what is wrong in its brackets hides nothing else.
pub(crate) fn attributes(input: ParseStream<'_>, errors: &mut Errors<Span>) -> syn::Result<Vec<Attribute>> {
    let mut attributes = Vec::new();
    while input.peek(Token![#]) && input.peek2(token::Bracket) {
        let tokens: [TokenTree; 2] = [input.parse()?, input.parse()?];
        match Attribute::parse_outer.parse2(tokens.into_iter().collect()) {
            Ok(read) => attributes.extend(read),
            Err(error) => errors.add_syntax(error),
        }
    }
    Ok(attributes)
}

/// `pub` and the like, whose parentheses are read on their own too.
pub(crate) fn visibility(input: ParseStream<'_>) -> syn::Result<Visibility> {
    let ahead = input.fork();
    let Err(error) = ahead.parse::<Visibility>() else { return input.parse() };
    input.parse::<Token![pub]>()?;
    input.parse::<TokenTree>()?;
    Err(error)
}

/// The visibility of what is generated. With the place of the source, Clippy takes what a `macro_rules!` around the call
/// declares for code that was written there, of whose documentation it sees nothing. It looks only at what is public.
pub(crate) fn at_call(mut visibility: Visibility) -> Visibility {
    if let Visibility::Public(keyword) = &mut visibility {
        keyword.span = Span::call_site();
    }
    visibility
}
