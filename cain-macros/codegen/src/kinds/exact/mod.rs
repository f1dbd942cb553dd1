//! Digital filters and filters over super-pixels: both compute on bits, exactly.

mod on_bits;
#[cfg(feature = "networks")]
pub(super) mod plan;
#[cfg(not(feature = "networks"))]
mod plan;

use std::fmt::Debug;

use cain_digital::Statistics;
use cain_isa::Stop;
use proc_macro2::TokenStream;

use super::{Compiled, Figures, Frame, Kind, Mistake, Part, Placed, Places, Read, Room, Tree, Watch};
use crate::errors::Errors;
use crate::lower;
use crate::plan_file::{Fault, Identity, PlanFile};
use crate::tree::Place;

pub(super) use on_bits::Written;
pub use on_bits::{Contents, Exact, OnBits};

impl<D: OnBits> Kind for Exact<D> {
    const WHAT: &'static str = "filter";

    type Program = D::Solution;
    type Error = D::Error;

    fn name(&self) -> &str {
        self.declaration.name()
    }

    fn search(&self, watch: Watch<'_>) -> Result<D::Solution, D::Error> {
        self.declaration.search(watch)
    }

    fn failure(&self, error: &D::Error) -> Mistake {
        Mistake::new(D::part(error), error)
    }

    fn is_cut(error: &D::Error) -> bool {
        D::is_cut(error)
    }

    /// Fails if an output stays in registers of an input that is kept, for which no two handles can be.
    fn check(&self, program: Option<&D::Solution>) -> Result<(), Mistake> {
        let Some(name) = program.and_then(D::kept_output) else { return Ok(()) };
        let message = format!("output `{name}` is held in a register of an input that is kept; use that input instead");
        Err(Mistake::new(Part::Whole, message))
    }

    fn nodes(&self) -> u64 {
        self.declaration.nodes()
    }

    fn with_nodes(&self, nodes: u64) -> Self {
        Self { declaration: self.declaration.clone().with_nodes(nodes) }
    }

    fn asked(&self) -> &dyn Debug {
        &self.declaration
    }

    fn identity(&self) -> Identity {
        plan::identity(&self.declaration)
    }

    fn plan_file(program: &D::Solution) -> PlanFile {
        PlanFile::of(plan::finding::<D>(program))
    }

    fn verify(&self, plan: &PlanFile) -> Result<D::Solution, Fault> {
        plan::solution(plan.single()?, &self.declaration, Self::WHAT)
    }

    fn rescue(&self, plan: &PlanFile, found: D::Solution) -> D::Solution {
        match plan::program(&plan.whole, &self.declaration) {
            Ok(program) if D::words(&program) < D::words(&found) => D::found_as(program, D::statistics(&found)),
            _ => found,
        }
    }

    fn is_better(found: &D::Solution, existing: &D::Solution) -> bool {
        let cost = |solution: &D::Solution| (D::words(solution), D::statistics(solution).stop == Stop::Interrupted);
        cost(found) < cost(existing)
    }

    fn figures(program: &D::Solution) -> Figures {
        let Statistics { stop, .. } = D::statistics(program);
        Figures { macros: None, words: D::words(program), bound: None, stop: Some(stop) }
    }
}

impl<D: Written> Room for Exact<D> {
    fn function(&self, frame: &Frame<'_>, program: Option<&Compiled<Self>>) -> Result<TokenStream, Mistake> {
        Ok(self.declaration.function(frame, program.map(|compiled| &compiled.program)))
    }

    fn of_tree<S: Place>(tree: Tree<S>, errors: &mut Errors<S>) -> Result<Option<Read<S>>, Tree<S>> {
        if lower::bits::place(&tree.body.search, D::ISA).is_none() {
            return Err(tree);
        }
        let Tree { header, body, doc, .. } = tree;
        let nodes = body.search.nodes.as_ref().map(|nodes| nodes.at);
        let places = Places::new(header.name.at, [(Part::Bits, D::place(&body)), (Part::Nodes, nodes)]);
        let declaration = D::read(&header, &body, errors);
        let item = |declaration| D::item(Placed::new(Self { declaration }, doc, places));
        Ok(declaration.map(|declaration| Read { item: item(declaration), interruptible: None }))
    }
}
