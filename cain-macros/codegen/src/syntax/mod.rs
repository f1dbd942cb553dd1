//! The grammar of `scamp_kernels!`: tokens to [`Header`] and [`Body`].
//!
//! ```text
//! block   = kernel*
//! kernel  = attribute* visibility "fn" NAME "(" inputs ")" "->" outputs ["using" scratch] body
//! inputs  = ["&"] REG ("," ["&"] REG)*
//! outputs = REG | "(" REG ("," REG)* ")"
//! scratch = REG | "(" [REG ("," REG)*] ")"
//! body    = "=" sum ";" | "{" (REG "=" sum ";")+ "}"
//! sum     = ["-"] term (("+" | "-") term)*
//! term    = [number "*"] "[" row ("," row)* "]" ["*" REG]
//! row     = "[" number ("," number)* "]"
//! number  = ["-"] (INTEGER ["/" INTEGER] | DECIMAL), also in parentheses
//! ```

mod attributes;
mod body;
mod header;
mod number;
mod recover;
mod sum;

use cain_isa::Reg;
use cain_search::DeclarationError;
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Ident, Token, Visibility, bracketed};

use crate::errors::Errors;
use crate::filter::{Body, Header, Place};

impl Place for Span {
    const INPUT_OF_TERM: &'static str = "`[[..]] * REGISTER`";
    const GIVE_A_CENTRE: &'static str = "pad it with zeros to an odd number of rows and columns";

    fn approximate(depth: u32, error: &str) -> String {
        format!("#[approximate(depth = {depth}, error = {error})]")
    }

    fn kept_output(reg: Reg) -> String {
        DeclarationError::KeptOutput(reg).to_string()
    }
}

/// What one call of the macro contains.
pub(crate) struct Block {
    /// The path of the runtime crate, as its wrapper passes it.
    pub(crate) runtime: TokenStream,
    /// In the order of the source; where too little could be read to declare a function, the mistakes.
    pub(crate) items: Vec<Result<Item, Errors<Span>>>,
}

/// A kernel whose header could be read.
pub(crate) struct Item {
    /// Those that the function gets.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) header: Header<Span>,
    pub(crate) body: Body<Span>,
    pub(crate) errors: Errors<Span>,
}

/// Reads `[runtime] kernels`.
pub(crate) fn parse(input: TokenStream) -> Block {
    let end = input.clone().into_iter().last().map_or_else(Span::call_site, |token| token.span());
    let read = |input: ParseStream<'_>| {
        let runtime;
        bracketed!(runtime in input);
        Ok(Block { runtime: runtime.parse()?, items: items(input, end) })
    };
    read.parse2(input).unwrap_or_else(|error| Block { runtime: TokenStream::new(), items: vec![Err(error.into())] })
}

/// Reads kernels up to the end, going on after one that cannot be read.
fn items(input: ParseStream<'_>, end: Span) -> Vec<Result<Item, Errors<Span>>> {
    let mut items = Vec::new();
    while !input.is_empty() {
        let start = input.cursor();
        let item = item(input).map_err(|error| {
            // The parser has no token for what is missing at the end and would blame the whole macro call.
            let error = if input.is_empty() { syn::Error::new(end, error) } else { error };
            recover::to_next_kernel(input);
            Errors::from(error)
        });
        items.push(item);
        if input.cursor() == start {
            recover::skip(input);
        }
    }
    items
}

fn item(input: ParseStream<'_>) -> syn::Result<Item> {
    let attributes = input.call(Attribute::parse_outer)?;
    let visibility = input.parse()?;
    if !input.peek(Token![fn]) {
        return Err(input.error("expected a kernel such as `fn blur(A) -> B = 1/4 * [[1, 2, 1]];`"));
    }
    input.parse::<Token![fn]>()?;
    let (name, header) = header::parse(input)?;
    let mut errors = Errors::default();
    let attributes::Sorted { passed, search, approximate } = attributes::sort(attributes, &mut errors);
    let kernels = body::parse(input, &header, &mut errors);
    let body = Body { kernels, search, approximate };
    Ok(Item { attributes: passed, visibility, name, header, body, errors })
}

/// The place of the next token, or of the last one read where there is none.
fn place(input: ParseStream<'_>, last: Span) -> Span {
    input.fork().parse::<TokenTree>().map_or(last, |token| token.span())
}
