//! Filters on bits in `scamp_kernels!`.

use std::fmt::Display;

use cain_digital::{self, superpixel};
use proc_macro2::{Span, TokenStream};

use crate::compile::{ExactError, ExactPlan, compile_exact};
use crate::errors::Errors;
use crate::plans::Plans;
use crate::syntax::FilterItem;
use crate::{emit, lower};

/// The function of a digital filter. What is wrong in its declaration leaves no function, for the bits of its numbers are not
/// known.
pub(crate) fn expand_digital(
    item: FilterItem,
    runtime: &TokenStream,
    plans: &Plans,
    errors: &mut Errors<Span>,
) -> TokenStream {
    let FilterItem { attributes, visibility, name, header, body, assumptions: _, errors: mut mistakes } = item;
    let declaration = lower::digital::declaration(&header, &body, &mut mistakes);
    let place = |error: &cain_digital::SearchError| match error {
        cain_digital::SearchError::Budget { .. } => body.search.nodes.as_ref().map(|nodes| nodes.at),
        cain_digital::SearchError::Registers(_) => body.bits.as_ref().map(|bits| bits.at),
        _ => None,
    };
    let found = declaration.as_ref().map(|declaration| compile_exact(declaration, plans, emit::digital::kept_output));
    let plan = found.and_then(|found| planned(found, place, header.name.at, &mut mistakes));
    errors.append(mistakes);
    let Some(declaration) = declaration else { return TokenStream::new() };
    let mut output = emit::digital::function(&emit::digital::Function {
        runtime,
        attributes: &attributes,
        visibility: &visibility,
        name: &name,
        declaration: &declaration,
        solution: plan.as_ref().map(|plan| &plan.solution),
    });
    output.extend(plan.as_ref().map(|plan| emit::depend_on_plan(plan.file.as_ref())));
    output
}

/// The same for a filter over super-pixels.
pub(crate) fn expand_super_pixels(
    item: FilterItem,
    runtime: &TokenStream,
    plans: &Plans,
    errors: &mut Errors<Span>,
) -> TokenStream {
    let FilterItem { attributes, visibility, name, header, body, assumptions: _, errors: mut mistakes } = item;
    let declaration = lower::superpixel::declaration(&header, &body, &mut mistakes);
    let place = |error: &superpixel::SearchError| match error {
        superpixel::SearchError::Budget { .. } => body.search.nodes.as_ref().map(|nodes| nodes.at),
        _ => None,
    };
    let found =
        declaration.as_ref().map(|declaration| compile_exact(declaration, plans, emit::superpixel::kept_output));
    let plan = found.and_then(|found| planned(found, place, header.name.at, &mut mistakes));
    errors.append(mistakes);
    let Some(declaration) = declaration else { return TokenStream::new() };
    let mut output = emit::superpixel::function(&emit::superpixel::Function {
        runtime,
        attributes: &attributes,
        visibility: &visibility,
        name: &name,
        declaration: &declaration,
        solution: plan.as_ref().map(|plan| &plan.solution),
    });
    output.extend(plan.as_ref().map(|plan| emit::depend_on_plan(plan.file.as_ref())));
    output
}

/// The plan of a filter on bits; why there is none is reported at the `place` of a failed search, and otherwise at the name.
fn planned<S, E: Display>(
    found: Result<Option<ExactPlan<S>>, ExactError<E>>,
    place: impl Fn(&E) -> Option<Span>,
    name: Span,
    mistakes: &mut Errors<Span>,
) -> Option<ExactPlan<S>> {
    found.unwrap_or_else(|error| {
        let option = if let ExactError::Search(error) = &error { place(error) } else { None };
        mistakes.add(option.unwrap_or(name), error);
        None
    })
}
