#![doc = include_str!("../README.md")]
//!
//! A *filter* is what is declared under a name and becomes a function; a *kernel* is a matrix of weights. Each filter
//! passes through these stages:
//!
//! | stage | from the macro | from a kernel file |
//! |---|---|---|
//! | text | tokens | TOML |
//! | options, and all of networks and automata | `value::Value`, from `value::tokens` | `value::Value`, from `kernel_file::document` |
//! | numbers and matrices of kernels, and names for them | `sums`, from `value::tokens` | `sums`, from `kernel_file::document` |
//! | syntax tree | `syntax::FilterItem` | `kinds::Tree` |
//! | the same in both | `tree::Header` and `tree::Body` | |
//! | declaration | `lower::Declared`, with a [`cain_search::Declaration`] | |
//! | with its places | [`kinds::Placed`] | [`kinds::Placed`] |
//! | plan | [`Plan`], from [`plan_file::PlanFile`] or from a search | |
//! | tokens | `emit::Function`, with a constant [`cain_isa::Plan`] | |
//!
//! The front ends `syntax` and `kernel_file` read text, `kinds` read what is the same in both from a tree of values, `lower`
//! checks the syntax tree, `compile` makes the plan and `emit` is the back end. `from_file` and `generate` turn kernel files
//! into an expansion of the macro and into source files. `blocks` finds calls of the macro in source files, for tools.

#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

#[cfg(feature = "blocks")]
pub mod blocks;
mod cache;
mod compile;
mod conditions;
pub mod diagnostic;
pub mod draft;
pub mod duration;
mod emit;
mod errors;
mod expression;
#[cfg(feature = "toml")]
mod from_file;
#[cfg(feature = "networks")]
mod from_network;
#[cfg(feature = "programs")]
mod from_program;
#[cfg(feature = "toml")]
pub mod generate;
mod interruptible;
#[cfg(feature = "toml")]
pub mod kernel_file;
pub mod kinds;
mod lower;
mod names;
pub mod nesting;
mod notation;
pub mod number;
mod place;
pub mod plan_file;
mod plans;
pub mod printable;
#[cfg(feature = "toml")]
pub mod program_file;
#[cfg(feature = "networks")]
pub mod quoted;
mod search_log;
mod sums;
mod surroundings;
mod syntax;
mod taken;
#[cfg(test)]
mod tests;
pub mod text_file;
mod tree;
mod value;
#[cfg(feature = "programs")]
pub mod vision;

use std::path::Path;

use proc_macro2::{Span, TokenStream};

pub use cache::Cache;
pub use compile::Plan;
pub use diagnostic::Position;
pub use lower::options::{instruction_set_name, objective_name};
pub use plans::{Mode, Plans};
pub use search_log::SearchLog;
pub use surroundings::SourcePlace;
pub use tree::Overrides;

use conditions::Conditions;
use emit::Frame;
use errors::{Errors, Mistakes};
use kinds::{Problem, Tree};
use lower::machine::Described;
use surroundings::Surroundings;
use syntax::{Content, FilterItem};
use taken::Names;

/// Expands `scamp_kernels!` in a build, with the plans and the mode of the environment.
///
/// `place_of` returns the place of a token in its source file, if it is known.
#[must_use]
pub fn expand(input: TokenStream, place_of: impl Fn(Span) -> Option<SourcePlace>) -> TokenStream {
    in_a_build(input, |input, plans| expand_with(input, place_of, plans))
}

/// Expands `scamp_network!` in a build, as [`expand`] does `scamp_kernels!`.
#[must_use]
pub fn expand_network(input: TokenStream, place_of: impl Fn(Span) -> Option<SourcePlace>) -> TokenStream {
    in_a_build(input, |input, plans| expand_network_with(input, place_of, plans))
}

/// Expands `scamp_program!` in a build, as [`expand`] does `scamp_kernels!`.
#[must_use]
pub fn expand_program(input: TokenStream, place_of: impl Fn(Span) -> Option<SourcePlace>) -> TokenStream {
    in_a_build(input, |input, plans| expand_program_with(input, place_of, plans))
}

/// Expands with the plans and the mode of the environment.
fn in_a_build(input: TokenStream, expand: impl FnOnce(TokenStream, &Plans) -> TokenStream) -> TokenStream {
    match Plans::from_env() {
        Ok(plans) => {
            let output = expand(input, &plans);
            let package = std::env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "PACKAGE".to_owned());
            // Cargo shows what is not a diagnostic as it is. The generated code does not depend on the time.
            if let Some(note) = plans.searches.note(&package) {
                eprintln!("{note}");
            }
            output
        }
        Err(message) => {
            let place = first(input.clone());
            let mut output = expand(input, &Plans::none());
            output.extend(syn::Error::new(place, message).to_compile_error());
            output
        }
    }
}

/// Expands `scamp_network!`, that is `[path of cain_runtime]` and then networks, to functions, plans and compile errors.
///
/// `place_of` returns the place of a token in its source file, if it is known: files with weights are beside it.
#[must_use]
pub fn expand_network_with(
    input: TokenStream,
    place_of: impl Fn(Span) -> Option<SourcePlace>,
    plans: &Plans,
) -> TokenStream {
    let mut mistakes = Vec::new();
    let surroundings = Surroundings::new(input.clone(), &place_of, &source_text);
    let place = input.clone().into_iter().nth(1).map(|token| token.span());
    let source = place.and_then(&place_of).map(|place| place.file);
    let mut output = from_network::expand(input, &surroundings, source.as_deref(), plans, &mut mistakes);
    output.extend(emit::depend_on_variable(Mode::VARIABLE));
    output.extend(mistakes.iter().map(Mistakes::to_compile_errors));
    output
}

/// Expands `scamp_program!`, that is `[path of cain_runtime]` and then programs or the path of a file with some, to types,
/// plans and compile errors.
///
/// `place_of` returns the place of a token in its source file, if it is known: files are beside it.
#[must_use]
pub fn expand_program_with(
    input: TokenStream,
    place_of: impl Fn(Span) -> Option<SourcePlace>,
    plans: &Plans,
) -> TokenStream {
    let mut mistakes = Vec::new();
    let place = input.clone().into_iter().nth(1).map(|token| token.span());
    let source = place.and_then(&place_of).map(|place| place.file);
    let mut output = from_program::expand(input, source.as_deref(), plans, &mut mistakes);
    output.extend(emit::depend_on_variable(Mode::VARIABLE));
    output.extend(mistakes.iter().map(Mistakes::to_compile_errors));
    output
}

/// Expands `scamp_kernels!`, that is `[path of cain_runtime]` and then filters or the path of a kernel file, to functions,
/// plans and compile errors.
///
/// `place_of` returns the place of a token in its source file, if it is known. A filter whose body is wrong or that has no
/// program still becomes a function of the declared signature, so that its callers compile.
#[must_use]
pub fn expand_with(input: TokenStream, place_of: impl Fn(Span) -> Option<SourcePlace>, plans: &Plans) -> TokenStream {
    let surroundings = Surroundings::new(input.clone(), &place_of, &source_text);
    let syntax::Block { runtime, content } = syntax::parse(input, &surroundings);
    let mut mistakes = Vec::new();
    let mut output = match content {
        Content::Filters { machine, items, warnings } => {
            let mut output = expand_items(machine, items, &runtime, plans, &place_of, &mut mistakes);
            output.extend(warnings.iter().map(|warning| emit::warning(warning.at, &warning.value, &[])));
            output
        }
        Content::File(file) => {
            let source = place_of(file.span()).map(|place| place.file);
            let mut errors = Errors::default();
            let output = from_file::expand(&file, source.as_deref(), &runtime, plans, &mut errors);
            mistakes.push(errors.into());
            output
        }
    };
    output.extend(emit::depend_on_variable(Mode::VARIABLE));
    output.extend(mistakes.iter().map(Mistakes::to_compile_errors));
    output
}

/// The text of a source file that the compiler is reading.
fn source_text(path: &Path) -> Option<String> {
    text_file::read(path, surroundings::MAX_BYTES).ok()
}

fn expand_items(
    machine: Described,
    items: Vec<Result<FilterItem, Mistakes>>,
    runtime: &TokenStream,
    plans: &Plans,
    place_of: impl Fn(Span) -> Option<SourcePlace>,
    mistakes: &mut Vec<Mistakes>,
) -> TokenStream {
    let mut output = TokenStream::new();
    let (mut heads, mut filters) = (Vec::new(), Vec::new());
    let mut names = Names::default();
    for item in items {
        let item = match item {
            Ok(item) => item,
            Err(unread) => {
                mistakes.push(unread);
                continue;
            }
        };
        output.extend(item.assumptions.iter().map(|assumption| emit::agreement(assumption, &item.attributes)));
        let FilterItem { attributes, visibility, name, header, body, assumptions: _, mut errors } = item;
        let conditions = Conditions::of(&attributes);
        if let Some(first) = names.earlier(&name, &conditions) {
            let first = place_of(first).map(|place| place.position.line);
            let mut twice = Errors::default();
            twice.add(name.span(), diagnostic::twice("filter", &name, first));
            twice.append(errors);
            errors = twice;
        } else if let Some(filter) = kinds::of_tree(Tree { header, body, doc: None, machine }, &mut errors) {
            heads.push((mistakes.len(), attributes, visibility, name));
            filters.push(filter);
        }
        mistakes.push(Mistakes { conditions, errors });
    }
    let unresolved = interruptible::resolve(&mut filters);
    for (((place, attributes, visibility, name), filter), mut errors) in heads.iter().zip(&filters).zip(unresolved) {
        let frame = Frame { runtime, attributes, visibility, name };
        // The compiler shows which filter it is.
        let report = |problem: Problem<Span>| errors.add(problem.place, problem.message);
        output.extend(filter.item.expand(&frame, plans, report).tracked(std::iter::empty()));
        let warnings = filter.item.remarks().iter();
        output.extend(warnings.map(|(at, warning)| emit::warning(*at, warning, attributes)));
        if let Some(mistakes) = mistakes.get_mut(*place) {
            mistakes.errors.append(errors);
        }
    }
    output
}

/// A mistake at the first token behind the path of the runtime crate.
#[cfg(not(all(feature = "networks", feature = "programs")))]
fn at_first(input: TokenStream, message: &str) -> Mistakes {
    let mut errors = Errors::default();
    errors.add(first(input), message);
    errors.into()
}

/// The place of the first token behind the path of the runtime crate.
fn first(input: TokenStream) -> Span {
    input.into_iter().nth(1).map_or_else(Span::call_site, |token| token.span())
}

/// Kernel files have dependencies that users without such files should not have to compile.
#[cfg(not(feature = "toml"))]
mod from_file {
    use std::path::Path;

    use proc_macro2::{Span, TokenStream};
    use syn::LitStr;

    use super::{Errors, Plans};

    pub(crate) fn expand(
        file: &LitStr,
        _source: Option<&Path>,
        _runtime: &TokenStream,
        _plans: &Plans,
        errors: &mut Errors<Span>,
    ) -> TokenStream {
        errors.add(file.span(), "kernel files need the feature `file` of `cain-runtime`; add it to your dependency");
        TokenStream::new()
    }
}

/// The same for networks, whose tables are those of kernel files.
#[cfg(not(feature = "networks"))]
mod from_network {
    use std::path::Path;

    use proc_macro2::TokenStream;

    use super::{Mistakes, Plans, Surroundings};

    pub(crate) fn expand(
        input: TokenStream,
        _surroundings: &Surroundings<'_>,
        _source: Option<&Path>,
        _plans: &Plans,
        mistakes: &mut Vec<Mistakes>,
    ) -> TokenStream {
        let message = "networks need the feature `networks` of `cain-runtime`; add it to your dependency";
        mistakes.push(super::at_first(input, message));
        TokenStream::new()
    }
}

/// The same for whole programs.
#[cfg(not(feature = "programs"))]
mod from_program {
    use std::path::Path;

    use proc_macro2::TokenStream;

    use super::{Mistakes, Plans};

    pub(crate) fn expand(
        input: TokenStream,
        _source: Option<&Path>,
        _plans: &Plans,
        mistakes: &mut Vec<Mistakes>,
    ) -> TokenStream {
        let message = "whole programs need the feature `programs` of `cain-runtime`; add it to your dependency";
        mistakes.push(super::at_first(input, message));
        TokenStream::new()
    }
}
