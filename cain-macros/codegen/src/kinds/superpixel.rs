//! Filters over super-pixels: numbers whose bits are spread over blocks of PEs.

mod read;

use cain_digital::superpixel;
use proc_macro2::TokenStream;

use super::exact::check_outputs;
use super::{Compiled, Frame, Kind, Mistake, Part, Placed, Places, Read, Room, Tree, Watch};
use crate::errors::Errors;
use crate::plan_file::{PlanError, PlanFolder, PlanPath};
use crate::tree::Place;
use crate::{emit, lower};

pub(crate) use read::super_pixel;

/// A filter on bits.
#[derive(Clone, Debug, PartialEq)]
pub struct SuperPixel {
    /// The declaration.
    pub declaration: superpixel::Declaration,
}

impl Kind for SuperPixel {
    const WHAT: &'static str = "filter";

    type Program = superpixel::Solution;
    type Error = superpixel::SearchError;

    fn name(&self) -> &str {
        &self.declaration.name
    }

    fn search(&self, watch: Watch<'_>) -> Result<superpixel::Solution, superpixel::SearchError> {
        superpixel::search_watched(&self.declaration, watch)
    }

    fn failure(&self, error: &superpixel::SearchError) -> Mistake {
        let part = match error {
            superpixel::SearchError::Budget { .. } => Part::Nodes,
            _ => Part::Whole,
        };
        Mistake::new(part, error)
    }

    fn check(&self, program: Option<&superpixel::Solution>) -> Result<(), Mistake> {
        check_outputs(program.and_then(emit::superpixel::kept_output))
    }

    fn load(&self, plans: &PlanFolder) -> Result<Option<(superpixel::Solution, Vec<PlanPath>)>, PlanError> {
        Ok(plans.load_bits(&self.declaration)?.map(|(solution, file)| (solution, vec![file])))
    }
}

impl Room for SuperPixel {
    fn function(&self, frame: &Frame<'_>, program: Option<&Compiled<Self>>) -> Result<TokenStream, Mistake> {
        let Frame { runtime, attributes, visibility, name } = *frame;
        let solution = program.map(|compiled| &compiled.program);
        Ok(emit::superpixel::function(&emit::superpixel::Function {
            runtime,
            attributes,
            visibility,
            name,
            declaration: &self.declaration,
            solution,
        }))
    }

    fn of_tree<S: Place>(tree: Tree<S>, errors: &mut Errors<S>) -> Result<Option<Read<S>>, Tree<S>> {
        if lower::bits::place(&tree.body.search, lower::bits::SUPER_PIXELS).is_none() {
            return Err(tree);
        }
        let Tree { header, body, doc, .. } = tree;
        let places = Places::new(
            header.name.at,
            [
                (Part::Bits, body.super_pixel.as_ref().map(|bits| bits.at)),
                (Part::Nodes, body.search.nodes.as_ref().map(|nodes| nodes.at)),
            ],
        );
        let declaration = lower::superpixel::declaration(&header, &body, errors);
        Ok(declaration.map(|declaration| Read::from(Placed::new(Self { declaration }, doc, places))))
    }
}
