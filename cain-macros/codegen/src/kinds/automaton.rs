//! Neural cellular automata.

mod read;

use std::ops::ControlFlow;

use cain_isa::Progress;
use cain_network::automaton::{self, CompileAutomatonError, CompiledAutomaton, compile_with, declarations};
use cain_search::{Solution, search_watched};
use proc_macro2::TokenStream;

use super::beside::Beside;
use super::{Compiled, Frame, Item, Kind, Mistake, Part, Room, Watch};
use crate::errors::Errors;
use crate::lower::machine::Described;
use crate::plan_file::{PlanError, PlanFolder, PlanPath};
use crate::tree::{At, Place};
use crate::value::Entry;
use crate::{emit, interruptible};

/// An automaton.
#[derive(Clone, Debug, PartialEq)]
pub struct Automaton {
    /// The automaton.
    pub automaton: automaton::Automaton,
}

/// An automaton with programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// What its steps are made of.
    pub compiled: CompiledAutomaton,
    /// The sums of each layer as they were found.
    pub layers: Vec<Solution>,
}

impl Kind for Automaton {
    const WHAT: &'static str = "automaton";

    type Program = Program;
    type Error = CompileAutomatonError;

    fn name(&self) -> &str {
        &self.automaton.name
    }

    fn search(&self, watch: Watch<'_>) -> Result<Program, CompileAutomatonError> {
        let (mut layers, mut used) = (Vec::new(), 0);
        for (layer, declaration) in declarations(&self.automaton)?.iter().enumerate() {
            let found = search_watched(declaration, |progress| {
                watch(Progress { nodes: used + progress.nodes, best: progress.best })
            });
            let solution = found.map_err(|error| CompileAutomatonError::Search { layer, error })?;
            used += solution.statistics.nodes;
            layers.push(solution);
        }
        self.assemble(layers, watch)
    }

    fn failure(&self, error: &CompileAutomatonError) -> Mistake {
        let layer = match error {
            CompileAutomatonError::Interruption { error, enough } => {
                let message = interruptible::steps_failure(self.name(), error, *enough, &self.automaton.machine);
                return Mistake::new(Part::Interruption, message);
            }
            CompileAutomatonError::Declaration(error) => error.layer(),
            CompileAutomatonError::Search { layer, .. }
            | CompileAutomatonError::Program { layer }
            | CompileAutomatonError::Intermediate { layer, .. }
            | CompileAutomatonError::Thirds { layer } => Some(*layer),
            _ => None,
        };
        Mistake::new(layer.map_or(Part::Whole, Part::Layer), error)
    }

    fn check(&self, _: Option<&Program>) -> Result<(), Mistake> {
        if self.automaton.interruption.is_none() {
            return Ok(());
        }
        let message = format!(
            "automaton `{}`: arrays of integers run no tasks, so that its function cannot be left; remove `interruptible`",
            self.name()
        );
        Err(Mistake::new(Part::Interruption, message))
    }

    fn load(&self, plans: &PlanFolder) -> Result<Option<(Program, Vec<PlanPath>)>, PlanError> {
        let (mut layers, mut files) = (Vec::new(), Vec::new());
        for declaration in &declarations(&self.automaton).unwrap_or_default() {
            let Some((solution, file)) = plans.load(declaration)? else { return Ok(None) };
            layers.push(solution);
            files.push(file);
        }
        let program = self.assemble(layers, &mut |_| ControlFlow::Continue(()));
        Ok(program.ok().map(|program| (program, files)))
    }

    fn subject(&self, part: Part) -> Option<String> {
        (part != Part::Interruption).then(|| format!("automaton `{}`", self.name()))
    }
}

impl Automaton {
    /// The automaton with programs of its layers.
    fn assemble(&self, layers: Vec<Solution>, watch: Watch<'_>) -> Result<Program, CompileAutomatonError> {
        let known = layers.iter().map(|solution| Some(solution.program.clone())).collect();
        let compiled = compile_with(&self.automaton, known, |_, progress| watch(progress))?;
        Ok(Program { compiled, layers })
    }
}

impl Room for Automaton {
    const TABLE: Option<[&str; 2]> = Some(["automaton", "tables of automata, `[automaton.NAME]`"]);

    fn function(&self, frame: &Frame<'_>, program: Option<&Compiled<Self>>) -> Result<TokenStream, Mistake> {
        let Frame { runtime, attributes, visibility, name } = *frame;
        let compiled = program.map(|compiled| &compiled.program.compiled);
        let function =
            emit::automaton::Function { runtime, attributes, visibility, name, automaton: &self.automaton, compiled };
        emit::automaton::function(&function).map_err(|message| Mistake::new(Part::Whole, message))
    }

    fn of_table<S: Place>(
        name: &At<&str, S>,
        entry: &Entry<'_, S>,
        machine: Described,
        beside: &mut Beside<'_>,
        errors: &mut Errors<S>,
    ) -> Option<Item<S>> {
        read::read(name, entry, machine, beside, errors).map(Item::from)
    }
}
