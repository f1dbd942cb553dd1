//! Declarations with the places of their parts, at which messages are.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Deref;

use super::part::Part;
use super::{Compiled, Kind, Mistake};
use crate::compile::compile;
use crate::diagnostic::{Diagnostic, Position};
use crate::plans::Plans;
use crate::printable::turns;

/// The places of the parts of a declaration.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Places<S> {
    name: S,
    parts: BTreeMap<Part, S>,
}

impl<S: Copy> Places<S> {
    /// The place of the name, and those of parts that are there.
    pub(crate) fn new(name: S, parts: impl IntoIterator<Item = (Part, Option<S>)>) -> Self {
        let parts = parts.into_iter().filter_map(|(part, place)| Some((part, place?)));
        Self { name, parts: parts.collect() }
    }

    fn of(&self, part: Part) -> S {
        let of = |part| self.parts.get(&part).copied();
        let found = of(part).or_else(|| of(Part::Interruption).filter(|_| part == Part::Latency));
        found.unwrap_or(self.name)
    }
}

#[cfg(feature = "toml")]
impl<S> Places<S> {
    fn placed<T>(self, mut place: impl FnMut(S) -> T) -> Places<T> {
        // The name first, since ascending places are found fast.
        let name = place(self.name);
        Places { name, parts: self.parts.into_iter().map(|(part, at)| (part, place(at))).collect() }
    }
}

/// A declaration, with what its source says about it and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed<K, S = Position> {
    /// The declaration.
    pub of: K,
    /// The documentation in the source.
    pub doc: Option<String>,
    /// The files beside the source that it was read from, such as those with weights: relative to the folder of the source.
    pub files: Vec<String>,
    /// What is allowed, but hardly meant, and where.
    pub warnings: Vec<(S, String)>,
    /// Whether there was no mistake in it; with one, there is a stub of it.
    pub(crate) is_right: bool,
    pub(crate) places: Places<S>,
}

impl<K, S> Deref for Placed<K, S> {
    type Target = K;

    fn deref(&self) -> &K {
        &self.of
    }
}

impl<K, S> Placed<K, S> {
    /// A declaration without mistakes. Marks in its text that change the direction of text become blanks, since they make
    /// what is beside them in a listing look like something else.
    pub(crate) fn new(of: K, doc: Option<String>, places: Places<S>) -> Self {
        let doc = doc.map(|doc| doc.replace(turns, " "));
        Self { of, doc, files: Vec::new(), warnings: Vec::new(), is_right: true, places }
    }

    /// The same at other places.
    #[cfg(feature = "toml")]
    pub(crate) fn placed<T>(self, mut place: impl FnMut(S) -> T) -> Placed<K, T> {
        let Self { of, doc, files, warnings, is_right, places } = self;
        let places = places.placed(&mut place);
        let warnings = warnings.into_iter().map(|(at, warning)| (place(at), warning)).collect();
        Placed { of, doc, files, warnings, is_right, places }
    }
}

impl<K: Kind, S: Copy> Placed<K, S> {
    /// The name of the declaration.
    pub fn name(&self) -> &str {
        self.of.name()
    }

    /// The place of a part, or of the name if that has none.
    pub fn place(&self, part: Part) -> S {
        self.places.of(part)
    }
}

impl<K: Kind> Placed<K> {
    /// A message about a part of the declaration, which it names.
    pub fn diagnostic(&self, part: Part, message: impl Display) -> Diagnostic {
        let message = match self.of.subject(part) {
            Some(subject) => format!("{subject}: {message}"),
            None => message.to_string(),
        };
        Diagnostic { place: self.place(part), message }
    }

    /// The programs of the plan, or else of searches; nothing if none are wanted.
    pub fn compile(&self, plans: &Plans) -> Result<Option<Compiled<K>>, Diagnostic> {
        compile(&self.of, plans).map_err(|Mistake { part, message }| self.diagnostic(part, message))
    }

    /// Why there is no program.
    pub fn failed(&self, error: &K::Error) -> Diagnostic {
        let Mistake { part, message } = self.of.failure(error);
        self.diagnostic(part, message)
    }
}
