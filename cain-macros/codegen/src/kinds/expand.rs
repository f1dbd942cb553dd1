//! From declarations to functions of Rust.

use std::path::PathBuf;

use proc_macro2::TokenStream;
use quote::quote;

use super::{Compiled, Item, Mistake, Placed, Room, of_each};
use crate::compile::compile;
use crate::diagnostic::Diagnostic;
use crate::emit::{Frame, at_name, depend_on_file};
use crate::plans::Plans;

/// A problem with a declaration, at a place of it.
pub(crate) struct Problem<S> {
    pub(crate) place: S,
    /// What it is about, if the message does not say so.
    pub(crate) subject: Option<String>,
    pub(crate) message: String,
}

impl<S> From<Problem<S>> for Diagnostic<S> {
    /// The message, which says what it is about.
    fn from(Problem { place, subject, message }: Problem<S>) -> Self {
        let message = subject.map_or_else(|| message.clone(), |subject| format!("{subject}: {message}"));
        Self { place, message }
    }
}

/// The functions of a declaration, and what they are made of.
#[derive(Default)]
pub(crate) struct Expanded {
    /// The functions; nothing if there can be none.
    pub(crate) function: Option<TokenStream>,
    /// The plan file.
    pub(crate) plan: Option<PathBuf>,
}

impl Expanded {
    /// The function, with items by which the crate depends on the plan file and on files with weights.
    pub(crate) fn tracked(self, weights: impl Iterator<Item = PathBuf>) -> TokenStream {
        let Self { function, plan } = self;
        let files = plan.filter(|_| function.is_some()).into_iter().chain(weights);
        let files = depend_on_files(files);
        quote!(#function #files)
    }
}

impl<S: Copy> Item<S> {
    /// The function with its program, or a stub; what is wrong is reported.
    pub(crate) fn expand(&self, frame: &Frame<'_>, plans: &Plans, mut report: impl FnMut(Problem<S>)) -> Expanded {
        of_each!(self, declared => expand(&**declared, frame, plans, &mut report))
    }
}

fn expand<K: Room, S: Copy>(
    declared: &Placed<K, S>,
    frame: &Frame<'_>,
    plans: &Plans,
    report: &mut dyn FnMut(Problem<S>),
) -> Expanded {
    let mut report = |Mistake { part, message }: Mistake| {
        report(Problem { place: declared.place(part), subject: declared.of.subject(part), message });
    };
    let compiled = || declared.of.callable().and_then(|()| compile(&declared.of, plans));
    let compiled: Option<Compiled<K>> =
        declared.is_right.then(|| compiled().map_err(&mut report).ok().flatten()).flatten();
    let function = declared.of.function(frame, compiled.as_ref()).map_err(report).ok();
    let function = function.map(|items| at_name(items, frame.name));
    let plan = compiled.and_then(|compiled| compiled.file).map(|file| file.path);
    Expanded { function, plan }
}

/// Items by which the crate depends on files. A path that is not UTF-8 cannot be written as a literal; builds just do not notice
/// changes of that file.
fn depend_on_files(files: impl Iterator<Item = PathBuf>) -> TokenStream {
    files.filter_map(|file| std::path::absolute(file).ok()?.to_str().map(depend_on_file)).collect()
}
