#![doc = include_str!("../README.md")]
//!
//! Front ends (`syntax` for the macro, `kernel_file` for TOML) produce the tree in `filter`; `lower` checks it and
//! makes a declaration; `compile` makes a `plan` of it, read from a `plan_file` or searched for; `emit` writes that as
//! Rust. `names`, `errors`, `nesting`, `number` and `printable` serve them all. `tracked` and `generate` are the ways of
//! a kernel file to Rust: into a macro's expansion, and into a file.
//! `blocks` is for tools: it finds calls of the macro in sources.

#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

#[cfg(feature = "blocks")]
pub mod blocks;
mod compile;
mod emit;
mod errors;
mod filter;
#[cfg(feature = "toml")]
pub mod generate;
#[cfg(feature = "toml")]
pub mod kernel_file;
mod lower;
mod names;
pub mod nesting;
pub mod number;
mod plan;
pub mod plan_file;
mod plans;
pub mod printable;
pub mod problem;
mod syntax;
#[cfg(test)]
mod tests;
pub mod text_file;
#[cfg_attr(not(feature = "toml"), path = "untracked.rs")]
mod tracked;

use std::collections::BTreeMap;
use std::path::PathBuf;

use cain_isa::Machine;
use proc_macro2::{Span, TokenStream};

pub use lower::options::{instruction_set_name, objective_name};
pub use plan::Plan;
pub use plans::{Mode, Plans};

use emit::{Code, Function};
use errors::Errors;
use syntax::{Content, Item};

/// Expands `scamp_kernels!` in a build: with the plans, and in the mode, that the environment names.
///
/// `source_of` tells in which source file a token stands, if that is known.
#[must_use]
pub fn expand(input: TokenStream, source_of: impl Fn(Span) -> Option<PathBuf>) -> TokenStream {
    match Plans::from_env() {
        Ok(plans) => expand_with(input, source_of, &plans),
        Err(message) => {
            let place = input.clone().into_iter().nth(1).map_or_else(Span::call_site, |token| token.span());
            let mut output = expand_with(input, source_of, &Plans::none());
            output.extend(syn::Error::new(place, message).to_compile_error());
            output
        }
    }
}

/// Expands `scamp_kernels!`: `[path of cain_runtime] kernels`, or a file of them, to functions, plans and compile
/// errors.
///
/// `source_of` tells in which source file a token stands, if that is known. A kernel whose body is wrong or for which
/// no program is found still becomes a function of the declared signature, so that its callers compile.
#[must_use]
pub fn expand_with(input: TokenStream, source_of: impl Fn(Span) -> Option<PathBuf>, plans: &Plans) -> TokenStream {
    let syntax::Block { runtime, content } = syntax::parse(input);
    let mut errors = Errors::default();
    let mut output = match content {
        Content::Kernels { machine, items } => expand_items(machine, items, &runtime, plans, &mut errors),
        Content::File(file) => tracked::expand(&file, source_of(file.span()).as_deref(), &runtime, plans, &mut errors),
    };
    output.extend(emit::depend_on_variable(Mode::VARIABLE));
    output.extend(errors.to_compile_errors());
    output
}

fn expand_items(
    machine: Machine,
    items: Vec<Result<Item, Errors<Span>>>,
    runtime: &TokenStream,
    plans: &Plans,
    errors: &mut Errors<Span>,
) -> TokenStream {
    let mut output = TokenStream::new();
    let mut names = BTreeMap::new();
    for item in items {
        match item {
            Ok(item) if is_duplicate(&item, &mut names) => {
                errors.add(item.name.span(), format_args!("kernel `{}` is declared twice; rename one", item.name));
            }
            Ok(item) => output.extend(expand_item(machine, item, runtime, plans, errors)),
            Err(mistakes) => errors.append(mistakes),
        }
    }
    output
}

/// Whether an earlier kernel has that name; `names` are those so far, and whether each is conditional.
fn is_duplicate(item: &Item, names: &mut BTreeMap<String, bool>) -> bool {
    // Of two kernels under different conditions the compiler may see only one.
    let conditional = item.attributes.iter().any(|attribute| attribute.path().is_ident("cfg"));
    let earlier = names.insert(item.name.to_string(), conditional);
    earlier.is_some_and(|earlier| !earlier || !conditional)
}

fn expand_item(
    machine: Machine,
    item: Item,
    runtime: &TokenStream,
    plans: &Plans,
    errors: &mut Errors<Span>,
) -> TokenStream {
    let Item { attributes, visibility, name, header, body, errors: mut mistakes } = item;
    let mut declaration = lower::header(&header, machine, &mut mistakes);
    let mut plan = None;
    if let Some(lowered) = declaration.clone().and_then(|declared| lower::body(declared, &header, &body, &mut mistakes))
    {
        match compile::compile(&lowered.declaration, lowered.approximated, plans) {
            Ok(compiled) => plan = compiled,
            Err(error) => compile::blame(&error, &header, &body, &lowered.declaration, &mut mistakes),
        }
        declaration = Some(lowered.declaration);
    }
    errors.append(mistakes);
    let Some(declaration) = declaration else { return TokenStream::new() };
    let mut output = emit::function(&Function {
        runtime,
        attributes: &attributes,
        visibility: &visibility,
        name: &name,
        code: Code::of(plan.as_ref(), &declaration),
    });
    output.extend(plan.as_ref().map(emit::depend_on_plan));
    output
}
