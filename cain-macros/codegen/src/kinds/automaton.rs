//! Neural cellular automata.

mod read;

use std::fmt::Debug;
use std::ops::ControlFlow;

use cain_analysis::owned;
use cain_isa::Progress;
use cain_network::automaton::{self, CompileAutomatonError, CompiledAutomaton, compile_with, declarations};
use cain_search::switches::SwitchTable;
use cain_search::{Options, SearchError, Solution, search_watched};
use proc_macro2::TokenStream;

use super::beside::Beside;
use super::kernel::plan as sums;
use super::{Compiled, Figures, Kind, Mistake, Part, Placed, Room, Table, Watch};
use crate::emit::{self, Frame, Function};
use crate::errors::Errors;
use crate::interruptible;
use crate::plan_file::{Fault, Finding, How, Identity, PlanFile};
use crate::tree::Place;

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

    fn is_cut(error: &CompileAutomatonError) -> bool {
        matches!(error, CompileAutomatonError::Search { error: SearchError::Budget { .. }, .. })
    }

    fn nodes(&self) -> u64 {
        self.automaton.options.nodes
    }

    fn options_mut(&mut self) -> Option<&mut Options> {
        Some(&mut self.automaton.options)
    }

    fn asked(&self) -> &dyn Debug {
        &self.automaton
    }

    fn identity(&self) -> Identity {
        identity(&self.automaton)
    }

    /// The digits stand for the sums of all layers.
    fn own_name(&self) -> String {
        let mut identity = self.identity();
        identity.extend(declarations(&self.automaton).unwrap_or_default().iter().map(sums::identity));
        identity.own_name(self.name())
    }

    fn plan_file(program: &Program) -> PlanFile {
        let automaton = program.compiled.automaton();
        let whole = Finding {
            wanted: identity(automaton),
            cost: Some(costs(program)),
            how: Some(How::now(automaton.options.nodes, None)),
            ..Finding::default()
        };
        PlanFile { whole, searches: Some(program.layers.iter().map(sums::finding).collect()) }
    }

    fn verify(&self, plan: &PlanFile) -> Result<Program, Fault> {
        let searches = plan.several(&self.identity(), Self::WHAT)?;
        let declarations = declarations(&self.automaton).unwrap_or_default();
        if searches.len() != declarations.len() {
            let message = format!("expected {} searches, one for each layer", declarations.len());
            return Err(Fault::Stale(plan.problem(message)));
        }
        let layers = searches.iter().zip(&declarations);
        let layers = layers.map(|(search, declaration)| sums::solution(search, declaration, Self::WHAT));
        let layers = layers.collect::<Result<_, _>>()?;
        let program = self.assemble(layers, &mut |_| ControlFlow::Continue(()));
        let program = program.map_err(|error| Fault::Corrupt(plan.problem(self.failure(&error).message)))?;
        plan.whole.costs(&costs(&program))?;
        Ok(program)
    }

    fn is_better(found: &Program, existing: &Program) -> bool {
        let words = |program: &Program| Self::figures(program).words;
        let mut layers = found.layers.iter().zip(&existing.layers);
        words(found) < words(existing)
            || words(found) == words(existing) && layers.any(|(ours, theirs)| sums::is_better(ours, theirs))
    }

    fn figures(program: &Program) -> Figures {
        let words =
            program.layers.iter().map(|layer| usize::try_from(layer.program.report().icws).unwrap_or(usize::MAX));
        Figures { macros: None, words: words.sum(), bound: None, stop: None }
    }

    fn program(&self, program: &Program) -> owned::Program {
        program.compiled.program().clone()
    }

    fn switches(program: &Program) -> &[SwitchTable] {
        program.compiled.switches()
    }

    fn subject(&self, part: Part) -> Option<String> {
        (part != Part::Interruption).then(|| format!("automaton `{}`", self.name()))
    }
}

/// What the plan says that it belongs to. Its searches say the rest.
fn identity(automaton: &automaton::Automaton) -> Identity {
    Identity::of([("automaton", automaton.name.clone())])
}

/// The costs of the programs of all layers.
fn costs(program: &Program) -> String {
    format!("words={}", Automaton::figures(program).words)
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

    fn callable(&self) -> Result<(), Mistake> {
        if self.automaton.interruption.is_none() {
            return Ok(());
        }
        let message = format!(
            "automaton `{}`: arrays of integers run no tasks, so that its function cannot be left; remove `interruptible`",
            self.name()
        );
        Err(Mistake::new(Part::Interruption, message))
    }

    fn function(&self, frame: &Frame<'_>, program: Option<&Compiled<Self>>) -> Result<TokenStream, Mistake> {
        let program = program.map(|compiled| &compiled.program.compiled);
        Ok(emit::automaton::function(&Function { frame: *frame, declaration: &self.automaton, program }))
    }

    fn read<S: Place>(table: Table<'_, S>, beside: &mut Beside<'_>, errors: &mut Errors<S>) -> Option<Placed<Self, S>> {
        read::read(table, beside, errors)
    }
}
