//! `scamp_kernels!(file = "..")`: the filters of a kernel file, which the compiler watches for changes.

use std::env;
use std::path::{Path, PathBuf};

use proc_macro2::{Span, TokenStream};
use syn::LitStr;

use crate::emit::{self, Frame, depend_on_file};
use crate::errors::Errors;
use crate::kernel_file::{Cause, parse_file, read_text};
use crate::kinds::public;
use crate::names;
use crate::plans::Plans;
use crate::text_file::folder_of;
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
    let path = folder(source).join(&shown);
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
    let folder = folder_of(&path);
    let (items, mut problems) = parse_file(&path, &text, true, Overrides::default());
    for item in &items {
        let (attributes, name) = (item.doc_comment(), names::function(item.name(), file.span()));
        let frame = Frame { runtime, attributes: &attributes, visibility: &public(), name: &name };
        let expanded = item.expand(&frame, plans, |problem| problems.push(problem.into()));
        output.extend(expanded.tracked(item.files(folder)));
        let warning = |warning| emit::warning(file.span(), &format!("{shown}:{warning}"), &[]);
        output.extend(item.warnings().map(warning));
    }
    problems.sort_by_key(|problem| problem.place);
    for problem in &problems {
        errors.add(file.span(), format_args!("{shown}:{problem}"));
    }
    output
}

/// The folder that paths in a source file are relative to: its own, or if the file is unknown that of the package.
pub(crate) fn folder(source: Option<&Path>) -> PathBuf {
    let beside = source.and_then(Path::parent).map(Path::to_owned);
    let package = || env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    beside.or_else(package).unwrap_or_default()
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
