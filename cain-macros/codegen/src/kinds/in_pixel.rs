//! Networks whose weights are in the pixels.

mod declared;
mod read;
mod write;

use std::fmt::Debug;

use cain_analysis::owned;
use cain_in_pixel::CompileError;
use cain_search::switches::SwitchTable;
use proc_macro2::TokenStream;

use super::beside::Beside;
use super::{Compiled, Figures, Kind, Mistake, Part, Placed, Room, Table, Watch};
use crate::emit::{self, Frame, Function};
use crate::errors::Errors;
use crate::interruptible;
use crate::plan_file::{Fault, Finding, Identity, PlanFile, problem};
use crate::tree::Place;

pub use declared::InPixel;
pub use write::write_in_pixel;

impl Kind for InPixel {
    const WHAT: &'static str = "network";
    const IS_SEARCHED: bool = false;

    type Program = cain_in_pixel::Compiled;
    type Error = CompileError;

    fn name(&self) -> &str {
        &self.name
    }

    fn search(&self, _: Watch<'_>) -> Result<cain_in_pixel::Compiled, CompileError> {
        cain_in_pixel::compile(&self.network)
    }

    fn failure(&self, error: &CompileError) -> Mistake {
        match error {
            CompileError::Interruption(error) if self.network.interruption.is_some() => {
                let message = interruptible::steps_failure(&self.name, error, None, &self.network.machine);
                Mistake::new(Part::Interruption, message)
            }
            CompileError::Network(error) => {
                let layer = read::layer_of(error);
                Mistake::new(layer.map_or(Part::Whole, Part::Layer), error)
            }
            error => Mistake::new(Part::Whole, error),
        }
    }

    fn is_cut(_: &CompileError) -> bool {
        false
    }

    fn nodes(&self) -> u64 {
        0
    }

    fn asked(&self) -> &dyn Debug {
        &self.network
    }

    fn identity(&self) -> Identity {
        Identity::of([("in_pixel", self.name.clone())])
    }

    fn plan_file(_: &cain_in_pixel::Compiled) -> PlanFile {
        PlanFile::of(Finding::default())
    }

    /// Nothing about it is in a plan.
    fn verify(&self, _: &PlanFile) -> Result<cain_in_pixel::Compiled, Fault> {
        let compiled = cain_in_pixel::compile(&self.network);
        compiled.map_err(|error| Fault::Corrupt(problem(1, error.to_string())))
    }

    fn is_better(found: &cain_in_pixel::Compiled, existing: &cain_in_pixel::Compiled) -> bool {
        Self::figures(found).words < Self::figures(existing).words
    }

    fn figures(program: &cain_in_pixel::Compiled) -> Figures {
        Figures { macros: None, words: program.parts().iter().map(owned::Part::words).sum(), bound: None, stop: None }
    }

    fn program(&self, program: &cain_in_pixel::Compiled) -> owned::Program {
        program.program(&self.name)
    }

    fn switches(program: &cain_in_pixel::Compiled) -> &[SwitchTable] {
        program.switches()
    }

    fn subject(&self, part: Part) -> Option<String> {
        (part != Part::Interruption).then(|| format!("network `{}`", self.name))
    }
}

impl Room for InPixel {
    const TABLE: Option<[&str; 2]> =
        Some(["in_pixel", "tables of networks, `[in_pixel.NAME]` with `input = { size = 28, block = 32 }`"]);

    fn function(&self, frame: &Frame<'_>, program: Option<&Compiled<Self>>) -> Result<TokenStream, Mistake> {
        let program = program.map(|compiled| &compiled.program);
        Ok(emit::in_pixel::function(&Function { frame: *frame, declaration: &self.network, program }))
    }

    fn read<S: Place>(table: Table<'_, S>, beside: &mut Beside<'_>, errors: &mut Errors<S>) -> Option<Placed<Self, S>> {
        read::read(table, beside, errors)
    }
}
