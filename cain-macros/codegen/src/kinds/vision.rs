//! Whole programs, with states, loops and decisions.

mod callable;
mod read;

use std::collections::BTreeMap;
use std::fmt::Debug;

use cain_analysis::owned::Program;
use cain_search::switches::SwitchTable;
use cain_search::{DeclarationError, Options, SearchError, nearest};
use cain_vision::declaration::{Declaration, Value};
use cain_vision::{CompileError, Compiled as CompiledVision, compile, compile_pinned};
use proc_macro2::TokenStream;

use super::{Compiled, Figures, Frame, Kind, Mistake, Part, Room, Watch, searches};
use crate::diagnostic::Position;
use crate::emit;
use crate::interruptible;
use crate::plan_file::{Fault, Identity, PlanFile};

pub(crate) use callable::callable;
pub(crate) use read::placed;

/// A whole program.
#[derive(Clone, Debug)]
pub struct Vision {
    /// What it computes.
    pub declaration: Declaration,
    /// Where the source has what makes each value.
    pub(crate) lines: Vec<Position>,
    /// The names of values, as the source has them.
    pub(crate) names: BTreeMap<Value, String>,
    /// What is said about planes between the steps in which a number is added, where there is no room for them.
    pub(crate) wide: BTreeMap<Value, String>,
}

impl Vision {
    /// What a value is called: by its name, as a state after the frame, or else by its line in the source.
    #[must_use]
    pub fn label(&self, value: Value) -> String {
        if let Some(name) = self.names.get(&value) {
            return name.clone();
        }
        if let Some(state) = self.declaration.states.iter().find(|state| state.next == value) {
            return format!("next {}", state.name);
        }
        self.lines.get(value.0).map_or_else(String::new, |at| format!("line {}", at.line))
    }
}

impl Kind for Vision {
    const WHAT: &'static str = "program";

    type Program = CompiledVision;
    type Error = CompileError;

    fn name(&self) -> &str {
        &self.declaration.name
    }

    fn search(&self, _: Watch<'_>) -> Result<CompiledVision, CompileError> {
        compile(&self.declaration)
    }

    fn failure(&self, error: &CompileError) -> Mistake {
        match error {
            CompileError::Interruption(error) => {
                let message = interruptible::steps_failure(self.name(), error, None, &self.declaration.machine);
                return Mistake::new(Part::Interruption, message);
            }
            CompileError::StateOfOthers(value) => {
                let state = self.declaration.states.iter().find(|state| state.before == *value);
                let name = state.map_or("", |state| state.name.as_str());
                return Mistake::new(Part::Interruption, format!("state `{name}`: {error}"));
            }
            CompileError::Sum(value, error) => {
                if let Some(message) = inexact(error) {
                    return Mistake::new(Part::Value(value.0), message);
                }
            }
            _ => {}
        }
        if let CompileError::Registers { value, held, .. } = error {
            let planes = [*value].into_iter().chain(held.iter().map(|(value, _)| *value));
            if let Some((value, cause)) = planes.filter_map(|plane| Some((plane, self.wide.get(&plane)?))).min() {
                return Mistake::new(Part::Value(value.0), format!("{error}: {cause}"));
            }
        }
        let part = error.value().map_or(Part::Whole, |value| Part::Value(value.0));
        let held: Vec<usize> = match error {
            CompileError::Registers { held, .. } => held.iter().map(|(value, _)| value.0).collect(),
            CompileError::Bits { held, .. } => held.iter().map(|(value, _)| value.0).collect(),
            _ => Vec::new(),
        };
        let mut places: Vec<Position> = held.iter().filter_map(|value| self.lines.get(*value).copied()).collect();
        places.sort_unstable();
        places.dedup();
        if places.is_empty() {
            return Mistake::new(part, error);
        }
        let places: Vec<String> = places.iter().map(ToString::to_string).collect();
        Mistake::new(part, format!("{error}; those that are needed later are made at {}", places.join(", ")))
    }

    fn is_cut(error: &CompileError) -> bool {
        match error {
            CompileError::Sum(_, error) => matches!(**error, cain_search::SearchError::Budget { .. }),
            CompileError::Logic(_, error) => matches!(**error, cain_digital::SearchError::Budget { .. }),
            _ => false,
        }
    }

    fn nodes(&self) -> u64 {
        self.declaration.options.nodes
    }

    fn options_mut(&mut self) -> Option<&mut Options> {
        Some(&mut self.declaration.options)
    }

    fn asked(&self) -> &dyn Debug {
        &self.declaration
    }

    fn identity(&self) -> Identity {
        identity(&self.declaration)
    }

    /// The digits stand for all of the declaration.
    fn own_name(&self) -> String {
        let mut identity = self.identity();
        identity.extend([Identity::of([("declaration", format!("{:?}", self.declaration))])]);
        identity.own_name(self.name())
    }

    fn plan_file(program: &CompiledVision) -> PlanFile {
        let declaration = program.declaration();
        let words = program.program().words();
        searches::plan(identity(declaration), words, declaration.options.nodes, program.searched())
    }

    fn verify(&self, plan: &PlanFile) -> Result<CompiledVision, Fault> {
        let pins = searches::pins(plan, &self.identity(), Self::WHAT)?;
        let compiled = compile_pinned(&self.declaration, pins);
        let compiled = compiled.map_err(|error| match error {
            CompileError::Unproved(_) => {
                let message = "the programs in the plan do not compute what is declared";
                Fault::Corrupt(plan.problem(message.to_owned()))
            }
            error => Fault::Stale(plan.problem(error.to_string())),
        })?;
        plan.whole.costs(&searches::costs(compiled.program().words()))?;
        Ok(compiled)
    }

    fn is_better(found: &CompiledVision, existing: &CompiledVision) -> bool {
        found.program().words() < existing.program().words()
    }

    fn program(&self, program: &CompiledVision) -> Program {
        program.program().clone()
    }

    fn switches(program: &CompiledVision) -> &[SwitchTable] {
        program.switches()
    }

    fn figures(program: &CompiledVision) -> Figures {
        Figures { macros: None, words: program.program().words(), bound: None, stop: None }
    }

    fn subject(&self, part: Part) -> Option<String> {
        // Messages about interruptions name the program themselves.
        (part != Part::Interruption).then(|| format!("{} `{}`", Self::WHAT, self.name()))
    }
}

/// How near to weights those are that are told, as the exponent of their denominator.
const DEPTH: u32 = 7;

/// What is said about a sum with a weight that no program has.
fn inexact(error: &SearchError) -> Option<String> {
    let SearchError::Declaration(DeclarationError::Unreachable { weight, instructions, .. }) = error else {
        return None;
    };
    let (denominators, why) = instructions.denominators();
    let near = nearest(*weight, DEPTH).map(|near| format!("; {near} is near"));
    Some(format!(
        "a weight of this sum is {weight}, whose denominator is not {denominators}; {why}{}",
        near.unwrap_or_default()
    ))
}

/// What the plan says that it belongs to. Its searches say the rest.
fn identity(declaration: &Declaration) -> Identity {
    Identity::of([("whole", declaration.name.clone())])
}

impl Room for Vision {
    fn function(&self, frame: &Frame<'_>, program: Option<&Compiled<Self>>) -> Result<TokenStream, Mistake> {
        let declaration = &self.declaration;
        let unit = emit::vision::Unit { frame, declaration, compiled: program.map(|compiled| &compiled.program) };
        unit.items().map_err(|message| Mistake::new(Part::Whole, message))
    }
}
