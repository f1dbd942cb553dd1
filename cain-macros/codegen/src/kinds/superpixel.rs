//! Filters over super-pixels: numbers whose bits are spread over blocks of PEs.

mod read;

use cain_analysis::owned::{self, step_of};
use cain_digital::superpixel::{self, Declaration, Program, Proved, SearchError, Solution};
use cain_isa::Dreg;
use proc_macro2::TokenStream;

use super::exact::{Contents, Exact, OnBits, Written};
use super::{Item, Part, Placed, Watch};
use crate::errors::Errors;
use crate::plan_file::instructions;
use crate::tree::{Body, Header, Place};
use crate::{emit, lower};

pub(crate) use read::super_pixel;

/// A filter over super-pixels.
pub type SuperPixel = Exact<Declaration>;

impl OnBits for Declaration {
    type Program = Program;
    type Error = SearchError;

    const ISA: &'static str = lower::bits::SUPER_PIXELS;
    const REGISTERS: &'static [&'static str] = &["inputs", "outputs", "reserved"];
    const PARTS: &'static [&'static str] = &["setup", "before", "program", "after"];

    fn name(&self) -> &str {
        &self.name
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn with_nodes(self, nodes: u64) -> Self {
        Self { nodes, ..self }
    }

    fn text(&self) -> String {
        emit::superpixel::text(self)
    }

    fn search(&self, watch: Watch<'_>) -> Result<Solution, SearchError> {
        superpixel::search_watched(self, watch)
    }

    fn is_cut(error: &SearchError) -> bool {
        matches!(error, SearchError::Budget { .. })
    }

    fn part(error: &SearchError) -> Part {
        match error {
            SearchError::Budget { .. } => Part::Nodes,
            _ => Part::Whole,
        }
    }

    fn inputs(&self) -> Vec<(&str, bool)> {
        self.inputs.iter().map(|input| (input.name.as_str(), input.keep)).collect()
    }

    fn outputs(&self) -> Vec<&str> {
        self.outputs.iter().map(|output| output.name.as_str()).collect()
    }

    fn program(&self, program: &Program) -> owned::Program {
        program.program(self)
    }

    fn contents(program: &Program) -> Contents {
        let Program { setup, before, listing, after, inputs, outputs, reserved } = program.clone();
        let each = |registers: Vec<Dreg>| registers.into_iter().map(|register| vec![register]).collect();
        Contents {
            registers: [inputs, outputs, reserved].map(each).into(),
            parts: vec![setup, before, listing.into_iter().map(step_of).collect(), after],
        }
    }

    fn verify(&self, contents: &Contents) -> Result<Proved, (usize, String)> {
        let ([inputs, outputs, reserved], [setup, before, listing, after]) =
            (contents.registers.as_slice(), contents.parts.as_slice())
        else {
            return Err((0, "the plan is not complete".to_owned()));
        };
        let program = Program {
            setup: setup.clone(),
            before: before.clone(),
            listing: instructions(listing).map_err(|(_, message)| (0, message))?,
            after: after.clone(),
            inputs: inputs.concat(),
            outputs: outputs.concat(),
            reserved: reserved.concat(),
        };
        superpixel::verify(self, &program).map_err(|error| (0, error.to_string()))
    }
}

impl Written for Declaration {
    fn function(function: &emit::superpixel::Function<'_>) -> TokenStream {
        emit::superpixel::function(function)
    }

    fn place<S: Copy>(body: &Body<S>) -> Option<S> {
        body.super_pixel.as_ref().map(|bits| bits.at)
    }

    fn read<S: Place>(header: &Header<S>, body: &Body<S>, errors: &mut Errors<S>) -> Option<Self> {
        lower::superpixel::declaration(header, body, errors)
    }

    fn item<S>(filter: Placed<SuperPixel, S>) -> Item<S> {
        filter.into()
    }
}
