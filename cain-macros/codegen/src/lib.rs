#![doc = include_str!("../README.md")]
//!
//! A *filter* is what is declared under a name and becomes a function; a *kernel* is a matrix of weights. Each filter
//! passes through these stages:
//!
//! | stage | from the macro | from a kernel file |
//! |---|---|---|
//! | text | tokens | TOML |
//! | syntax tree | `syntax::FilterItem` | `kernel_file::table::FilterTable` |
//! | the same in both | `tree::Header` and `tree::Body` | |
//! | declaration | `lower::Declared`, with a [`cain_search::Declaration`] | |
//! | the same for tools | [`kernel_file::Filter`] | [`kernel_file::Filter`] |
//! | plan | [`Plan`], from [`plan_file::PlanFile`] or from a search | |
//! | tokens | `emit::Function`, with a constant [`cain_isa::Plan`] | |
//!
//! The front ends `syntax` and `kernel_file` read text, `lower` checks the tree, `compile` makes the plan and `emit` is the
//! back end. `from_file` and `generate` turn kernel files into an expansion of the macro and into source files. `blocks`
//! finds calls of the macro in source files, for tools.

#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

#[cfg(feature = "blocks")]
pub mod blocks;
mod compile;
mod conditions;
pub mod diagnostic;
mod duration;
mod emit;
mod errors;
mod expression;
#[cfg(feature = "toml")]
mod from_file;
#[cfg(feature = "toml")]
mod from_network;
#[cfg(feature = "toml")]
pub mod generate;
mod interruptible;
#[cfg(feature = "toml")]
pub mod kernel_file;
mod kinds;
mod lower;
mod names;
pub mod nesting;
pub mod number;
mod on_bits;
pub mod plan_file;
mod plans;
pub mod printable;
mod surroundings;
mod syntax;
#[cfg(test)]
mod tests;
pub mod text_file;
mod tree;
mod value;

use std::collections::BTreeMap;
use std::path::Path;

use cain_search::{Approximated, Declaration, SearchError};
use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::{Attribute, Visibility};

pub use compile::Plan;
pub use diagnostic::Position;
pub use lower::options::{instruction_set_name, objective_name};
pub use plans::{Mode, Plans};
pub use surroundings::SourcePlace;
pub use tree::Overrides;

use compile::CompileError;
use conditions::Conditions;
use emit::{Code, Function};
use errors::{Errors, Mistakes};
use interruptible::{Candidate, Choice};
use lower::machine::Described;
use lower::{Planes, shortage};
use surroundings::Surroundings;
use syntax::{Content, FilterItem};
use tree::{At, Body, Header};

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

/// Expands with the plans and the mode of the environment.
fn in_a_build(input: TokenStream, expand: impl FnOnce(TokenStream, &Plans) -> TokenStream) -> TokenStream {
    match Plans::from_env() {
        Ok(plans) => expand(input, &plans),
        Err(message) => {
            let place = input.clone().into_iter().nth(1).map_or_else(Span::call_site, |token| token.span());
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
    let mut lowered = Vec::new();
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
        let mut errors = Errors::default();
        let conditions = Conditions::of(&item.attributes);
        if let Some(first) = names.earlier(&item.name, &conditions) {
            let first = place_of(first).map(|place| place.position.line);
            errors.add(item.name.span(), diagnostic::twice("filter", &item.name, first));
            errors.append(item.errors);
        } else if lower::digital::place(&item.body.search).is_some() {
            output.extend(on_bits::expand_digital(item, runtime, plans, &mut errors));
        } else if lower::superpixel::place(&item.body.search).is_some() {
            output.extend(on_bits::expand_super_pixels(item, runtime, plans, &mut errors));
        } else {
            let item = LoweredItem::of(machine, item, &mut errors);
            lowered.extend(item.map(|item| (mistakes.len(), item)));
        }
        mistakes.push(Mistakes { conditions, errors });
    }
    let mut candidates: Vec<_> = lowered.iter_mut().map(|(_, item)| item.candidate()).collect();
    let unresolved = interruptible::resolve(&mut candidates);
    for ((place, item), mut errors) in lowered.into_iter().zip(unresolved) {
        output.extend(item.compile(plans, &mut errors).expand(runtime));
        if let Some(mistakes) = mistakes.get_mut(place) {
            mistakes.errors.append(errors);
        }
    }
    output
}

/// The names in a block so far, where they stand, and whether what has them is conditional.
#[derive(Default)]
struct Names(BTreeMap<String, (Span, bool)>);

impl Names {
    /// Adds a name; the place of something before that has it.
    fn earlier(&mut self, name: &Ident, conditions: &Conditions) -> Option<Span> {
        // Of two with different conditions the compiler may see only one.
        let is_conditional = !conditions.is_empty();
        let earlier = self.0.insert(name.unraw().to_string(), (name.span(), is_conditional));
        earlier.filter(|(_, earlier)| !earlier || !is_conditional).map(|(place, _)| place)
    }
}

/// A filter of the macro, whose header is right.
struct LoweredItem {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    header: Header<Span>,
    body: Body<Span>,
    /// The names of its planes, if it runs in any registers.
    planes: Option<Planes>,
    declaration: Declaration,
    approximated: Option<Approximated>,
    /// Whether there is no mistake in its body.
    is_right: bool,
    warnings: TokenStream,
}

impl LoweredItem {
    fn of(machine: Described, item: FilterItem, errors: &mut Errors<Span>) -> Option<Self> {
        let FilterItem { attributes, visibility, name, header, body, assumptions: _, errors: mut mistakes } = item;
        let signature = lower::header(&header, machine, &mut mistakes);
        let declared = signature.clone().and_then(|signature| lower::body(signature, &header, &body, &mut mistakes));
        errors.append(mistakes);
        let is_right = declared.is_some();
        let lower::Declared { declaration, approximated, warnings } = match declared {
            Some(declared) => declared,
            None => lower::Declared { declaration: signature?, approximated: None, warnings: Vec::new() },
        };
        let warning = |At { value, at }: &At<String, Span>| emit::warning(*at, value, &attributes);
        let warnings = warnings.iter().map(warning).collect();
        let planes = Planes::of(&header, &machine.machine.registers);
        Some(Self { attributes, visibility, name, header, body, planes, declaration, approximated, is_right, warnings })
    }

    fn candidate(&mut self) -> Candidate<'_, Span> {
        Candidate {
            declaration: &mut self.declaration,
            registers: Choice::of(&self.header, self.planes.as_ref()),
            interruptible: self.body.interruptible.as_ref(),
        }
    }

    /// The filter with its plan, if it has one.
    fn compile(self, plans: &Plans, errors: &mut Errors<Span>) -> CompiledItem {
        let Self { attributes, visibility, name, header, body, planes, declaration, approximated, is_right, warnings } =
            self;
        let mut plan = None;
        if is_right {
            match compile::compile(&declaration, approximated, plans) {
                Ok(compiled) => plan = compiled,
                Err(error) => report(&error, &header, &body, &declaration, errors),
            }
        }
        CompiledItem { attributes, visibility, name, planes, declaration, plan, warnings }
    }
}

/// A filter of the macro with its plan.
struct CompiledItem {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    planes: Option<Planes>,
    declaration: Declaration,
    /// `None` after a mistake, and where no programs are wanted.
    plan: Option<Plan>,
    warnings: TokenStream,
}

impl CompiledItem {
    /// The function and its plan.
    fn expand(self, runtime: &TokenStream) -> TokenStream {
        let Self { attributes, visibility, name, planes, declaration, plan, warnings } = self;
        let mut output = emit::function(&Function {
            runtime,
            attributes: &attributes,
            visibility: &visibility,
            name: &name,
            planes: planes.as_ref(),
            code: Code::of(plan.as_ref(), &declaration),
        });
        output.extend(plan.as_ref().map(|plan| emit::depend_on_plan(plan.file.as_ref())));
        output.extend(warnings);
        output
    }
}

/// Reports why there is no plan, at the option that the error is about and otherwise at the name of the filter.
fn report(
    error: &CompileError,
    header: &Header<Span>,
    body: &Body<Span>,
    declaration: &Declaration,
    errors: &mut Errors<Span>,
) {
    if let CompileError::Search(error) = error
        && let Some((place, message)) = interruptible::failure(error, declaration, body.interruptible.as_ref())
    {
        errors.add(place, message);
        return;
    }
    let option = match error {
        CompileError::Search(SearchError::Budget { .. }) => body.search.nodes.as_ref().map(|nodes| nodes.at),
        CompileError::Search(SearchError::Inaccurate { .. }) => body.search.accuracy.as_ref().map(|most| most.at),
        CompileError::Search(SearchError::TooLong { .. }) => body.search.max_words.as_ref().map(|most| most.at),
        _ => None,
    };
    let message = match error {
        CompileError::Search(error) => shortage::message::<Span>(error, declaration),
        error => error.to_string(),
    };
    let planes = Planes::of(header, &declaration.machine.registers);
    errors.add(option.unwrap_or(header.name.at), Planes::explain(planes.as_ref(), message));
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
#[cfg(not(feature = "toml"))]
mod from_network {
    use std::path::Path;

    use proc_macro2::{Span, TokenStream};

    use super::{Errors, Mistakes, Plans, Surroundings};

    pub(crate) fn expand(
        input: TokenStream,
        _surroundings: &Surroundings<'_>,
        _source: Option<&Path>,
        _plans: &Plans,
        mistakes: &mut Vec<Mistakes>,
    ) -> TokenStream {
        let mut errors = Errors::default();
        let place = input.into_iter().nth(1).map_or_else(Span::call_site, |token| token.span());
        errors.add(place, "networks need the feature `file` of `cain-runtime`; add it to your dependency");
        mistakes.push(errors.into());
        TokenStream::new()
    }
}
