//! Digital filters: kernels and expressions on numbers in the registers of one PE.

mod read;
pub(crate) mod tree;

use proc_macro2::TokenStream;

use super::exact::check_outputs;
use super::{Compiled, Frame, Kind, Mistake, Part, Placed, Places, Read, Room, Tree, Watch};
use crate::errors::Errors;
use crate::plan_file::{PlanError, PlanFolder, PlanPath};
use crate::tree::Place;
use crate::{emit, lower};

pub(crate) use read::bits;

/// A filter on bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Digital {
    /// The declaration.
    pub declaration: cain_digital::Declaration,
}

impl Kind for Digital {
    const WHAT: &'static str = "filter";

    type Program = cain_digital::Solution;
    type Error = cain_digital::SearchError;

    fn name(&self) -> &str {
        &self.declaration.name
    }

    fn search(&self, watch: Watch<'_>) -> Result<cain_digital::Solution, cain_digital::SearchError> {
        cain_digital::search_watched(&self.declaration, watch)
    }

    fn failure(&self, error: &cain_digital::SearchError) -> Mistake {
        let part = match error {
            cain_digital::SearchError::Budget { .. } => Part::Nodes,
            cain_digital::SearchError::Registers(_) => Part::Bits,
            _ => Part::Whole,
        };
        Mistake::new(part, error)
    }

    fn check(&self, program: Option<&cain_digital::Solution>) -> Result<(), Mistake> {
        check_outputs(program.and_then(emit::digital::kept_output))
    }

    fn load(&self, plans: &PlanFolder) -> Result<Option<(cain_digital::Solution, Vec<PlanPath>)>, PlanError> {
        Ok(plans.load_bits(&self.declaration)?.map(|(solution, file)| (solution, vec![file])))
    }
}

impl Room for Digital {
    fn function(&self, frame: &Frame<'_>, program: Option<&Compiled<Self>>) -> Result<TokenStream, Mistake> {
        let Frame { runtime, attributes, visibility, name } = *frame;
        let solution = program.map(|compiled| &compiled.program);
        Ok(emit::digital::function(&emit::digital::Function {
            runtime,
            attributes,
            visibility,
            name,
            declaration: &self.declaration,
            solution,
        }))
    }

    fn of_tree<S: Place>(tree: Tree<S>, errors: &mut Errors<S>) -> Result<Option<Read<S>>, Tree<S>> {
        if lower::bits::place(&tree.body.search, lower::bits::DIGITAL).is_none() {
            return Err(tree);
        }
        let Tree { header, body, doc, .. } = tree;
        let places = Places::new(
            header.name.at,
            [
                (Part::Bits, body.bits.as_ref().map(|bits| bits.at)),
                (Part::Nodes, body.search.nodes.as_ref().map(|nodes| nodes.at)),
            ],
        );
        let declaration = lower::digital::declaration(&header, &body, errors);
        Ok(declaration.map(|declaration| Read::from(Placed::new(Self { declaration }, doc, places))))
    }
}
