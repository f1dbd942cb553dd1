//! `scamp_kernels!(file = "..")`: kernels in a file, which the compiler watches.

use std::env;
use std::path::{Path, PathBuf};

use proc_macro2::{Span, TokenStream};
use syn::LitStr;

use crate::emit::{depend_on_file, depend_on_plan};
use crate::errors::Errors;
use crate::generate::{function, function_name, plan};
use crate::kernel_file::{Cause, Problem, Read, parse_recoverable, read_text};
use crate::plans::Plans;

/// Expands to the functions and plans of a kernel file; `source` is the source file that names it.
///
/// Every error stands on the name of the kernel file, and its text begins with the place in the file.
pub(crate) fn expand(
    file: &LitStr,
    source: Option<&Path>,
    runtime: &TokenStream,
    plans: &Plans,
    errors: &mut Errors<Span>,
) -> TokenStream {
    let written = file.value();
    let path = locate(&written, source);
    let text = match read_text(&path) {
        Ok(text) => text,
        Err(Cause::Unreadable(error)) => {
            let path = path.display();
            let message = format!("cannot read `{path}`: {error}; the path is relative to the source file");
            errors.add(file.span(), message);
            return TokenStream::new();
        }
        Err(cause) => {
            cause.messages(&written).iter().for_each(|message| errors.add(file.span(), message));
            return TokenStream::new();
        }
    };
    let mut output = track(&path, file, errors);
    let (filters, problems) = parse_recoverable(&text, None);
    let mut report = |problem: Problem| errors.add(file.span(), format_args!("{written}:{problem}"));
    problems.into_iter().for_each(&mut report);
    for read in &filters {
        output.extend(expand_filter(read, file.span(), runtime, plans, &mut report));
    }
    output
}

/// Where the kernel file is: beside the source file, or where nobody knows that, in the folder of the package.
fn locate(written: &str, source: Option<&Path>) -> PathBuf {
    let beside = source.and_then(Path::parent).map(Path::to_owned);
    let package = || env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    beside.or_else(package).unwrap_or_default().join(written)
}

/// What makes the compiler expand again when the file changes, and complain when it is gone.
fn track(path: &Path, file: &LitStr, errors: &mut Errors<Span>) -> TokenStream {
    // A relative path would be looked for beside the source file once more.
    let path = std::path::absolute(path).unwrap_or_default();
    let Some(path) = path.to_str().filter(|path| !path.is_empty()) else {
        errors.add(file.span(), "the path of the kernel file is not UTF-8; rename its folder");
        return TokenStream::new();
    };
    depend_on_file(path)
}

/// The function of a filter, which is there to be called even if it has no program.
fn expand_filter(
    read: &Read,
    at: Span,
    runtime: &TokenStream,
    plans: &Plans,
    mut report: impl FnMut(Problem),
) -> TokenStream {
    let Read { filter, is_right } = read;
    let name = match function_name(filter.name(), at) {
        Ok(name) => name,
        Err(message) => {
            report(filter.complain(&message));
            return TokenStream::new();
        }
    };
    let plan = if *is_right { plan(filter, plans).map_err(report).ok().flatten() } else { None };
    let mut output = function(runtime, &name, filter, plan.as_ref());
    output.extend(plan.as_ref().map(depend_on_plan));
    output
}
