//! Networks.

mod plan;
mod read;
mod write;

use std::fmt::Debug;

use cain_analysis::owned;
use cain_network::{CompileError, CompiledNetwork, Cost, Obstacle};
use cain_search::switches::SwitchTable;
use cain_search::{Options, SearchError};
use proc_macro2::TokenStream;

use super::beside::Beside;
use super::{Compiled, Figures, Kind, Mistake, Part, Placed, Room, Table, Watch};
use crate::emit::{self, Frame, Function};
use crate::errors::Errors;
use crate::interruptible;
use crate::plan_file::{Fault, Identity, PlanFile};
use crate::tree::Place;

pub use write::{WrittenNetwork, write_network};

/// A network.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// The network.
    pub network: cain_network::Network,
}

impl Kind for Network {
    const WHAT: &'static str = plan::WHAT;

    type Program = CompiledNetwork;
    type Error = CompileError;

    fn name(&self) -> &str {
        &self.network.name
    }

    fn search(&self, watch: Watch<'_>) -> Result<CompiledNetwork, CompileError> {
        cain_network::compile_watched(&self.network, watch)
    }

    fn failure(&self, error: &CompileError) -> Mistake {
        match interruptible::network_failure(error, &self.network) {
            Some(message) => Mistake::new(Part::Interruption, message),
            None => Mistake::new(error.layer.map_or(Part::Whole, Part::Layer), &error.obstacle),
        }
    }

    fn is_cut(error: &CompileError) -> bool {
        matches!(*error.obstacle, Obstacle::Search(SearchError::Budget { .. }))
    }

    fn nodes(&self) -> u64 {
        self.network.options.nodes
    }

    fn options_mut(&mut self) -> Option<&mut Options> {
        Some(&mut self.network.options)
    }

    fn asked(&self) -> &dyn Debug {
        &self.network
    }

    fn identity(&self) -> Identity {
        plan::identity(&self.network)
    }

    fn own_name(&self) -> String {
        plan::own_name(&self.network)
    }

    fn plan_file(program: &CompiledNetwork) -> PlanFile {
        plan::plan(program)
    }

    fn verify(&self, plan: &PlanFile) -> Result<CompiledNetwork, Fault> {
        plan::compiled(plan, &self.network)
    }

    fn is_better(found: &CompiledNetwork, existing: &CompiledNetwork) -> bool {
        Cost::of(found) < Cost::of(existing)
    }

    fn figures(program: &CompiledNetwork) -> Figures {
        Figures { macros: None, words: program.words(), bound: None, stop: None }
    }

    fn program(&self, program: &CompiledNetwork) -> owned::Program {
        program.program()
    }

    fn switches(program: &CompiledNetwork) -> &[SwitchTable] {
        program.switches()
    }

    fn subject(&self, part: Part) -> Option<String> {
        let layer = if let Part::Layer(layer) = part { self.network.layers.get(layer) } else { None };
        match (part, layer) {
            (Part::Interruption, _) => None,
            (_, Some(layer)) => Some(format!("layer `{}` of network `{}`", layer.name, self.name())),
            (_, None) => Some(format!("network `{}`", self.name())),
        }
    }
}

impl Room for Network {
    const TABLE: Option<[&str; 2]> = Some([
        "network",
        "tables of networks, `[network.NAME]` with `input = { size = [28, 28], levels = \"-60..60\" }`",
    ]);

    fn function(&self, frame: &Frame<'_>, program: Option<&Compiled<Self>>) -> Result<TokenStream, Mistake> {
        let program = program.map(|compiled| &compiled.program);
        let function = Function { frame: *frame, declaration: &self.network, program };
        emit::network::function(&function).map_err(|(layer, message)| Mistake::new(Part::Layer(layer), message))
    }

    fn read<S: Place>(table: Table<'_, S>, beside: &mut Beside<'_>, errors: &mut Errors<S>) -> Option<Placed<Self, S>> {
        read::read(table, beside, errors)
    }
}
