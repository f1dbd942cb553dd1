//! Automata.

mod read;

use cain_network::automaton::{self, Automaton, CompileAutomatonError};

use super::layered::Places;
use crate::diagnostic::{Diagnostic, Position};
use crate::interruptible;
use crate::kernel_file::Filter;

pub(crate) use read::read;

/// An automaton, checked.
#[derive(Clone, Debug)]
pub struct DeclaredAutomaton<S = Position> {
    /// The automaton.
    pub automaton: Automaton,
    /// Its documentation.
    pub doc: Option<String>,
    /// The files with weights, as the declaration names them: relative to the folder of its file.
    pub weight_files: Vec<String>,
    pub(crate) places: Places<S>,
}

impl<S: Copy> DeclaredAutomaton<S> {
    /// The name of the automaton.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.automaton.name
    }

    /// The automaton with places of another kind.
    pub(crate) fn placed<T>(self, place: impl FnMut(S) -> T) -> DeclaredAutomaton<T> {
        let Self { automaton, doc, weight_files, places } = self;
        DeclaredAutomaton { automaton, doc, weight_files, places: places.map(place) }
    }

    /// Why there is no program, at the layer that it is about.
    #[must_use]
    pub fn failed(&self, error: &CompileAutomatonError) -> Diagnostic<S> {
        if let (CompileAutomatonError::Interruption { error, enough }, Some(place)) = (error, self.places.interruptible)
        {
            let message = interruptible::steps_failure(self.name(), error, *enough, &self.automaton.machine);
            return Diagnostic { place, message };
        }
        let layer = match error {
            CompileAutomatonError::Declaration(error) => error.layer(),
            CompileAutomatonError::Search { layer, .. }
            | CompileAutomatonError::Program { layer }
            | CompileAutomatonError::Intermediate { layer, .. }
            | CompileAutomatonError::Thirds { layer } => Some(*layer),
            _ => None,
        };
        self.diagnostic(layer, &error.to_string())
    }

    /// Whether there can be a function of it.
    pub(crate) fn check_function(&self) -> Result<(), Diagnostic<S>> {
        let Some(place) = self.places.interruptible else { return Ok(()) };
        let message = format!(
            "automaton `{}`: arrays of integers run no tasks, so that its function cannot be left; remove `interruptible`",
            self.name()
        );
        Err(Diagnostic { place, message })
    }

    /// A message about a layer, or about the automaton as a whole.
    #[must_use]
    pub fn diagnostic(&self, layer: Option<usize>, message: &str) -> Diagnostic<S> {
        self.places.diagnostic(layer, format!("automaton `{}`: {message}", self.name()))
    }
}

impl DeclaredAutomaton {
    /// Its layers as filters, each of which has a plan file of its own.
    #[must_use]
    pub fn filters(&self) -> Vec<Filter> {
        // It was checked when it was read.
        let declarations = automaton::declarations(&self.automaton).unwrap_or_default();
        let places = self.places.layers.iter().map(Some).chain(std::iter::repeat(None));
        let filter = |(declaration, place): (_, Option<&Position>)| {
            Filter::of_layer(declaration, *place.unwrap_or(&self.places.name))
        };
        declarations.into_iter().zip(places).map(filter).collect()
    }
}
