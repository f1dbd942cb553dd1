//! Plans of networks.

use std::path::PathBuf;

use cain_codegen::kernel_file::{DeclaredNetwork, Diagnostic};
use cain_codegen::kinds::Part;
use cain_codegen::plan_file::{NetworkPlanFile, PlanFolder};
use cain_codegen::printable::Printable;
use cain_network::{CompiledNetwork, Stage};

use super::store::store_network;
use super::{KEPT, NEW, RENEWED};
/// A network whose plan is wanted, and where it is declared.
#[derive(Clone)]
pub(crate) struct WantedNetwork {
    declared: DeclaredNetwork,
    source: PathBuf,
    plans: PlanFolder,
    /// The budget, if it is not that of the network.
    nodes: Option<u64>,
}

impl PartialEq for WantedNetwork {
    /// Networks that are declared twice in the same way, in one package, share a plan.
    fn eq(&self, other: &Self) -> bool {
        self.declared.network == other.declared.network && self.plans == other.plans
    }
}

/// What became of a network's plan.
pub(crate) struct PinnedNetwork {
    pub(crate) compiled: CompiledNetwork,
    /// Whether it was written.
    pub(crate) is_new: bool,
}

impl PinnedNetwork {
    /// Control words.
    pub(crate) fn words(&self) -> usize {
        self.compiled.stages().iter().map(Stage::words).sum()
    }
}

impl WantedNetwork {
    pub(crate) fn new(declared: DeclaredNetwork, source: PathBuf, plans: PlanFolder, nodes: Option<u64>) -> Self {
        Self { declared, source, plans, nodes }
    }

    pub(crate) fn name(&self) -> &str {
        self.declared.name()
    }

    pub(crate) fn plans(&self) -> &PlanFolder {
        &self.plans
    }

    /// The name of its plan file.
    pub(crate) fn plan(&self) -> String {
        PlanFolder::network_name(&self.declared.network)
    }

    /// What is wrong with its plan.
    pub(crate) fn problem(&self) -> Option<String> {
        match self.plans.load_network(&self.declared.network) {
            Ok(Some(_)) => None,
            Ok(None) => {
                let plan = self.plans.shown(&self.plan());
                let message = format!("there is no plan `{}`; run `cain pin`", Printable(plan.display()));
                Some(self.placed(&self.declared.diagnostic(Part::Whole, message)))
            }
            Err(error) => Some(error.to_string()),
        }
    }

    /// The program in its plan file, if that is valid and kept, and what becomes of the file.
    pub(crate) fn state(&self, again: bool) -> Result<(Option<CompiledNetwork>, &'static str), String> {
        match self.plans.load_network(&self.declared.network) {
            Ok(Some((compiled, _))) if !again && self.nodes.is_none() => Ok((Some(compiled), KEPT)),
            Ok(None) => Ok((None, NEW)),
            Ok(Some(_)) => Ok((None, RENEWED)),
            Err(error) if error.is_replaceable() => Ok((None, RENEWED)),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Keeps a valid plan, and makes one otherwise or if that is asked for.
    pub(crate) fn pin(&self, again: bool) -> Result<PinnedNetwork, String> {
        if let (Some(compiled), _) = self.state(again)? {
            return Ok(PinnedNetwork { compiled, is_new: false });
        }
        let compiled = self.compiled().map_err(|problem| self.placed(&problem))?;
        let name = self.plan();
        store_network(&self.plans, &name, &NetworkPlanFile::new(&compiled)).map_err(|error| {
            format!("{}: the plan cannot be written: {error}", Printable(self.plans.shown(&name).display()))
        })?;
        Ok(PinnedNetwork { compiled, is_new: true })
    }

    fn compiled(&self) -> Result<CompiledNetwork, Diagnostic> {
        let mut network = self.declared.network.clone();
        network.options.nodes = self.nodes.unwrap_or(network.options.nodes);
        cain_network::compile(&network).map_err(|error| self.declared.failed(&error))
    }

    /// A problem with the network, to be shown to the user.
    fn placed(&self, diagnostic: &Diagnostic) -> String {
        format!("{}:{diagnostic}", Printable(self.source.display()))
    }
}
