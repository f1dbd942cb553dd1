//! `scamp_kernels!(file = "..")`: the filters of a kernel file, which the compiler watches for changes.

use std::env;
use std::path::{Path, PathBuf};

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::LitStr;

use crate::compile::Plan;
use crate::emit::{self, depend_on_file, depend_on_plan};
use crate::errors::Errors;
use crate::generate::{
    automaton_function, automaton_program, digital_function, digital_plan, function, in_pixel_function,
    in_pixel_program, network_function, network_program, plan, super_pixel_function, super_pixel_plan,
};
use crate::kernel_file::{
    Cause, Contents, DeclaredAutomaton, DeclaredInPixel, DeclaredNetwork, Diagnostic, DigitalFilter, Filter, Recovered,
    SuperPixelFilter, parse_recoverable, read_text,
};
use crate::names;
use crate::plans::Plans;
use crate::tree::Overrides;

/// Expands to the functions and plans of a kernel file; `source` is the source file that names it.
///
/// Every error is reported at the path of the kernel file, and its text begins with the place in that file.
pub(crate) fn expand(
    file: &LitStr,
    source: Option<&Path>,
    runtime: &TokenStream,
    plans: &Plans,
    errors: &mut Errors<Span>,
) -> TokenStream {
    let shown = file.value();
    let path = locate(&shown, source);
    let text = match read_text(&path) {
        Ok(text) => text,
        Err(Cause::Unreadable(error)) => {
            let path = path.display();
            let message = format!("cannot read `{path}`: {error}; the path is relative to the source file");
            errors.add(file.span(), message);
            return TokenStream::new();
        }
        Err(cause) => {
            cause.messages(&shown).iter().for_each(|message| errors.add(file.span(), message));
            return TokenStream::new();
        }
    };
    let mut output = track(&path, file, errors);
    let folder = path.parent().unwrap_or(Path::new(""));
    let (contents, mut problems) = parse_recoverable(&text, Some(folder), Overrides::default());
    let Contents { filters, networks, in_pixel, automata } = &contents;
    let mut report = |problem: Diagnostic| problems.push(problem);
    let compiled: Vec<_> = filters.iter().map(|recovered| compile(recovered, plans, &mut report)).collect();
    for (recovered, plan) in filters.iter().zip(&compiled) {
        match recovered {
            Recovered::Analogue(recovered) => {
                output.extend(expand_filter(&recovered.filter, plan.as_ref(), file.span(), runtime));
                let warning = |warning| emit::warning(file.span(), &format!("{shown}:{warning}"), &[]);
                output.extend(recovered.filter.warnings.iter().map(warning));
            }
            Recovered::Digital(_, filter) => {
                let function =
                    filter.as_ref().map(|filter| expand_digital(filter, file.span(), runtime, plans, &mut report));
                output.extend(function);
            }
            Recovered::SuperPixel(_, filter) => {
                let function =
                    filter.as_ref().map(|filter| expand_super_pixel(filter, file.span(), runtime, plans, &mut report));
                output.extend(function);
            }
        }
    }
    for declared in networks {
        for weights in &declared.weight_files {
            output.extend(track(&folder.join(weights), file, errors));
        }
        output.extend(expand_network(declared, file.span(), runtime, plans, |problem| problems.push(problem)));
    }
    for declared in in_pixel {
        for weights in &declared.weight_files {
            output.extend(track(&folder.join(weights), file, errors));
        }
        output.extend(expand_in_pixel(declared, file.span(), runtime, plans, |problem| problems.push(problem)));
    }
    for declared in automata {
        for weights in &declared.weight_files {
            output.extend(track(&folder.join(weights), file, errors));
        }
        output.extend(expand_automaton(declared, file.span(), runtime, plans, |problem| problems.push(problem)));
    }
    problems.sort_by_key(|problem| problem.place);
    for problem in &problems {
        errors.add(file.span(), format_args!("{shown}:{problem}"));
    }
    output
}

/// The plan of a filter on analogue registers, if it is right and has one.
fn compile(recovered: &Recovered, plans: &Plans, report: impl FnMut(Diagnostic)) -> Option<Plan> {
    match recovered {
        Recovered::Analogue(read) if read.is_right => plan(&read.filter, plans).map_err(report).ok().flatten(),
        _ => None,
    }
}

/// The path of the kernel file, relative to the source file, or if that is unknown to the folder of the package.
fn locate(path: &str, source: Option<&Path>) -> PathBuf {
    let beside = source.and_then(Path::parent).map(Path::to_owned);
    let package = || env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    beside.or_else(package).unwrap_or_default().join(path)
}

/// An item that makes the compiler expand the macro again when the file changes.
fn track(path: &Path, file: &LitStr, errors: &mut Errors<Span>) -> TokenStream {
    // The compiler would look for a relative path beside the source file once more.
    let path = std::path::absolute(path).unwrap_or_default();
    let Some(path) = path.to_str().filter(|path| !path.is_empty()) else {
        errors.add(file.span(), "the path of the kernel file is not UTF-8; rename its folder");
        return TokenStream::new();
    };
    depend_on_file(path)
}

/// The function of a filter and its plan. A filter without a program still becomes a function, so that its callers compile.
fn expand_filter(filter: &Filter, plan: Option<&Plan>, at: Span, runtime: &TokenStream) -> TokenStream {
    let mut output = function(runtime, &names::function(filter.name(), at), filter, plan);
    output.extend(plan.map(|plan| depend_on_plan(plan.file.as_ref())));
    output
}

/// The function of a digital filter, without a program after a mistake.
fn expand_digital(
    filter: &DigitalFilter,
    at: Span,
    runtime: &TokenStream,
    plans: &Plans,
    report: impl FnMut(Diagnostic),
) -> TokenStream {
    let name = names::function(filter.name(), at);
    let plan = digital_plan(filter, plans).map_err(report).ok().flatten();
    let mut output = digital_function(runtime, &name, filter, plan.as_ref());
    output.extend(plan.as_ref().map(|plan| depend_on_plan(plan.file.as_ref())));
    output
}

/// The function of a filter over super-pixels, without a program after a mistake.
fn expand_super_pixel(
    filter: &SuperPixelFilter,
    at: Span,
    runtime: &TokenStream,
    plans: &Plans,
    report: impl FnMut(Diagnostic),
) -> TokenStream {
    let name = names::function(filter.name(), at);
    let plan = super_pixel_plan(filter, plans).map_err(report).ok().flatten();
    let mut output = super_pixel_function(runtime, &name, filter, plan.as_ref());
    output.extend(plan.as_ref().map(|plan| depend_on_plan(plan.file.as_ref())));
    output
}

/// The function of a network, without a program after a mistake.
fn expand_network(
    declared: &DeclaredNetwork,
    at: Span,
    runtime: &TokenStream,
    plans: &Plans,
    mut report: impl FnMut(Diagnostic),
) -> Option<TokenStream> {
    let name = names::function(declared.name(), at);
    let (compiled, file) = network_program(declared, plans).map_err(&mut report).ok().flatten().unzip();
    let function = network_function(runtime, &name, declared, compiled.as_ref()).map_err(report).ok()?;
    let plan = file.flatten().and_then(|file| file.path.to_str().map(depend_on_file));
    Some(quote!(#function #plan))
}

/// The function of a network in the pixels, without a program after a mistake.
fn expand_in_pixel(
    declared: &DeclaredInPixel,
    at: Span,
    runtime: &TokenStream,
    plans: &Plans,
    report: impl FnMut(Diagnostic),
) -> TokenStream {
    let compiled = in_pixel_program(declared, plans).map_err(report).ok().flatten();
    in_pixel_function(runtime, &names::function(&declared.name, at), declared, compiled.as_ref())
}

/// The function of an automaton, without programs after a mistake.
fn expand_automaton(
    declared: &DeclaredAutomaton,
    at: Span,
    runtime: &TokenStream,
    plans: &Plans,
    mut report: impl FnMut(Diagnostic),
) -> Option<TokenStream> {
    let name = names::function(declared.name(), at);
    let (compiled, files) = automaton_program(declared, plans).map_err(&mut report).ok().flatten().unzip();
    let function = automaton_function(runtime, &name, declared, compiled.as_ref()).map_err(report).ok()?;
    let files = files.iter().flatten().filter_map(|file| file.path.to_str().map(depend_on_file));
    Some(quote!(#function #(#files)*))
}
