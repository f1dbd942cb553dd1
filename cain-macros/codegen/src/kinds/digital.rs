//! Digital filters: kernels and expressions on numbers in the registers of one PE.

mod read;
pub(crate) mod tree;

use cain_analysis::owned::{self, step_of};
use cain_digital::{Declaration, Program, Proved, SearchError, Solution, VerifyError};
use proc_macro2::TokenStream;

use super::exact::{Contents, Exact, OnBits, Written};
use super::{Item, Part, Placed, Watch};
use crate::errors::Errors;
use crate::plan_file::instructions;
use crate::tree::{Body, Header, Place};
use crate::{emit, lower};

pub(crate) use read::bits;

/// A filter on bits.
pub type Digital = Exact<Declaration>;

impl OnBits for Declaration {
    type Program = Program;
    type Error = SearchError;

    const ISA: &'static str = lower::bits::DIGITAL;
    const REGISTERS: &'static [&'static str] = &["inputs", "outputs"];
    const PARTS: &'static [&'static str] = &[];

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
        emit::digital::text(self)
    }

    fn search(&self, watch: Watch<'_>) -> Result<Solution, SearchError> {
        cain_digital::search_watched(self, watch)
    }

    fn is_cut(error: &SearchError) -> bool {
        matches!(error, SearchError::Budget { .. })
    }

    fn part(error: &SearchError) -> Part {
        match error {
            SearchError::Budget { .. } => Part::Nodes,
            SearchError::Registers(_) => Part::Bits,
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
        let Program { listing, inputs, outputs } = program.clone();
        Contents { registers: vec![inputs, outputs], parts: vec![listing.into_iter().map(step_of).collect()] }
    }

    fn verify(&self, contents: &Contents) -> Result<Proved, (usize, String)> {
        let ([inputs, outputs], [listing]) = (contents.registers.as_slice(), contents.parts.as_slice()) else {
            return Err((0, "the plan is not complete".to_owned()));
        };
        let program = Program { listing: instructions(listing)?, inputs: inputs.clone(), outputs: outputs.clone() };
        cain_digital::verify(self, &program).map_err(|error| {
            let index = match &error {
                VerifyError::Unwritten { index, .. }
                | VerifyError::Unsupported { index, .. }
                | VerifyError::Border { index, .. } => *index,
                _ => 0,
            };
            (index, error.to_string())
        })
    }
}

impl Written for Declaration {
    fn function(function: &emit::digital::Function<'_>) -> TokenStream {
        emit::digital::function(function)
    }

    fn place<S: Copy>(body: &Body<S>) -> Option<S> {
        body.bits.as_ref().map(|bits| bits.at)
    }

    fn read<S: Place>(header: &Header<S>, body: &Body<S>, errors: &mut Errors<S>) -> Option<Self> {
        lower::digital::declaration(header, body, errors)
    }

    fn item<S>(filter: Placed<Digital, S>) -> Item<S> {
        filter.into()
    }
}
