//! Digital filters and filters over super-pixels: both compute on bits, exactly.

mod on_bits;
#[cfg(feature = "networks")]
pub(super) mod plan;
#[cfg(not(feature = "networks"))]
mod plan;
mod solution;

use std::fmt::Debug;

use cain_analysis::owned::Program;
use cain_isa::{Dreg, Range, Stop};
use proc_macro2::TokenStream;

use super::{Compiled, Figures, Kind, Mistake, Part, Placed, Places, Read, Room, Tree, Watch};
use crate::emit::{Frame, Function};
use crate::errors::Errors;
use crate::lower;
use crate::plan_file::{Fault, Identity, PlanFile};
use crate::tree::Place;

use on_bits::Solution;
pub(super) use on_bits::Written;
pub use on_bits::{Contents, Exact, OnBits};
use solution::{kept_output, program, words};

impl<D: OnBits> Kind for Exact<D> {
    const WHAT: &'static str = "filter";

    type Program = Solution<D>;
    type Error = D::Error;

    fn name(&self) -> &str {
        self.declaration.name()
    }

    fn search(&self, watch: Watch<'_>) -> Result<Solution<D>, D::Error> {
        self.declaration.search(watch)
    }

    fn failure(&self, error: &D::Error) -> Mistake {
        Mistake::new(D::part(error), error)
    }

    fn is_cut(error: &D::Error) -> bool {
        D::is_cut(error)
    }

    /// Fails if an output stays in registers of an input that is kept, for which no two handles can be, or if the machine lacks
    /// something that a word or a level needs.
    fn check(&self, solution: &Solution<D>) -> Result<(), Mistake> {
        let carried_out = program(solution);
        let range = self.machine.range;
        if !range.includes(Range::SCAMP5) && !carried_out.written().0.is_empty() {
            let message = format!(
                "the registers of the machine hold {range} DN, but levels of conversions take up to {} DN; use a machine whose \
                 `range` has these, or no `adc` and `dac`",
                Range::SCAMP5
            );
            return Err(Mistake::new(Part::Whole, message));
        }
        carried_out.allowed(&self.machine).map_err(|error| {
            Mistake::new(
                Part::Whole,
                format_args!("{error}, which a word of the filter needs; use a machine that can do more"),
            )
        })?;
        let Some(name) = kept_output(solution) else { return Ok(()) };
        let message = format!("output `{name}` is held in a register of an input that is kept; use that input instead");
        Err(Mistake::new(Part::Whole, message))
    }

    fn nodes(&self) -> u64 {
        self.declaration.nodes()
    }

    fn with_nodes(&self, nodes: u64) -> Self {
        Self { declaration: self.declaration.clone().with_nodes(nodes), ..*self }
    }

    fn asked(&self) -> &dyn Debug {
        &self.declaration
    }

    fn identity(&self) -> Identity {
        plan::identity(&self.declaration)
    }

    fn plan_file(program: &Solution<D>) -> PlanFile {
        PlanFile::of(plan::finding(program))
    }

    fn verify(&self, plan: &PlanFile) -> Result<Solution<D>, Fault> {
        plan::solution(plan.single()?, &self.declaration, Self::WHAT)
    }

    fn rescue(&self, plan: &PlanFile, found: Solution<D>) -> Solution<D> {
        match plan::program(&plan.whole, &self.declaration) {
            Ok(other) if words(&other) < words(&found) => Solution::<D> { program: other.program, ..found },
            _ => found,
        }
    }

    fn is_better(found: &Solution<D>, existing: &Solution<D>) -> bool {
        let cost = |solution: &Solution<D>| (words(solution), solution.statistics.stop == Stop::Interrupted);
        cost(found) < cost(existing)
    }

    fn figures(program: &Solution<D>) -> Figures {
        Figures { macros: None, words: words(program), bound: None, stop: Some(program.statistics.stop) }
    }

    fn program(&self, solution: &Solution<D>) -> Program {
        Program { times: self.machine.times, ..program(solution) }
    }
}

impl<D: Written> Room for Exact<D> {
    fn function(&self, frame: &Frame<'_>, program: Option<&Compiled<Self>>) -> Result<TokenStream, Mistake> {
        let program = program.map(|compiled| &compiled.program);
        Ok(D::function(&Function { frame: *frame, declaration: &self.declaration, program }))
    }

    fn of_tree<S: Place>(tree: Tree<S>, errors: &mut Errors<S>) -> Result<Option<Read<S>>, Tree<S>> {
        if lower::bits::place(&tree.body.search, D::ISA).is_none() {
            return Err(tree);
        }
        let Tree { header, body, doc, machine } = tree;
        let machine = machine.machine;
        if usize::from(machine.bits) < Dreg::COUNT {
            let message = format!(
                "filters on bits need {} digital registers, `R0` to `R12`, and the machine has {}",
                Dreg::COUNT,
                machine.bits
            );
            errors.add(header.name.at, message);
        }
        let nodes = body.search.nodes.as_ref().map(|nodes| nodes.at);
        let places = Places::new(header.name.at, [(Part::Bits, D::place(&body)), (Part::Nodes, nodes)]);
        let declaration = D::read(&header, &body, errors);
        let item = |declaration| D::item(Placed::new(Self { declaration, machine }, doc, places));
        Ok(declaration.map(|declaration| Read { item: item(declaration), interruptible: None }))
    }
}
