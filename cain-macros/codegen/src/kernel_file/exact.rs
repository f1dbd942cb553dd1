//! What digital filters and those over super-pixels have in common.

use cain_digital::{self, superpixel};

use super::filter::about;
use super::{Diagnostic, Position};
use crate::errors::Errors;
use crate::lower;
use crate::plan_file::OnBits;
use crate::tree::{FilterTree, Place};

/// A filter that computes exactly, on bits, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactFilter<D> {
    /// The declaration.
    pub declaration: D,
    /// The documentation in the file.
    pub doc: Option<String>,
    places: Places,
}

/// Filters on numbers in the registers of one PE.
pub type DigitalFilter = ExactFilter<cain_digital::Declaration>;
/// Filters on numbers that are spread over blocks of PEs.
pub type SuperPixelFilter = ExactFilter<superpixel::Declaration>;

/// Where a filter is declared.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Places {
    name: Position,
    /// What says how many bits the numbers have.
    bits: Position,
    /// The node budget.
    nodes: Option<Position>,
}

/// A declaration of what is computed on bits, which a kernel file may have.
pub trait Exact: OnBits {
    /// What in the declaration has to do with a failed search.
    fn failed_at(error: &Self::Error) -> FailedAt;
}

/// A part of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FailedAt {
    /// The node budget.
    Nodes,
    /// The widths of numbers.
    Bits,
    /// All of it.
    Filter,
}

impl Exact for cain_digital::Declaration {
    fn failed_at(error: &Self::Error) -> FailedAt {
        match error {
            cain_digital::SearchError::Budget { .. } => FailedAt::Nodes,
            cain_digital::SearchError::Registers(_) => FailedAt::Bits,
            _ => FailedAt::Filter,
        }
    }
}

impl Exact for superpixel::Declaration {
    fn failed_at(error: &Self::Error) -> FailedAt {
        match error {
            superpixel::SearchError::Budget { .. } => FailedAt::Nodes,
            _ => FailedAt::Filter,
        }
    }
}

impl DigitalFilter {
    /// Checks a filter whose places are known in another way; `None` if there is a mistake in it.
    pub(crate) fn check<S: Place>(
        tree: FilterTree<S>,
        position: impl FnMut(S) -> Position,
        errors: &mut Errors<S>,
    ) -> Option<Self> {
        let declaration = lower::digital::declaration(&tree.header, &tree.body, errors)?;
        let bits = tree.body.bits.as_ref()?.at;
        Some(Self::new(declaration, tree, bits, position))
    }
}

impl SuperPixelFilter {
    /// Checks a filter whose places are known in another way; `None` if there is a mistake in it.
    pub(crate) fn check<S: Place>(
        tree: FilterTree<S>,
        position: impl FnMut(S) -> Position,
        errors: &mut Errors<S>,
    ) -> Option<Self> {
        let declaration = lower::superpixel::declaration(&tree.header, &tree.body, errors)?;
        let order = tree.body.super_pixel.as_ref()?.at;
        Some(Self::new(declaration, tree, order, position))
    }
}

impl<D> ExactFilter<D> {
    fn new<S: Place>(
        declaration: D,
        FilterTree { header, body, doc }: FilterTree<S>,
        bits: S,
        mut position: impl FnMut(S) -> Position,
    ) -> Self {
        let nodes = body.search.nodes.map(|nodes| position(nodes.at));
        let places = Places { name: position(header.name.at), bits: position(bits), nodes };
        Self { declaration, doc, places }
    }
}

impl<D: Exact> ExactFilter<D> {
    /// The place of its name.
    #[must_use]
    pub fn place(&self) -> Position {
        self.places.name
    }

    /// The name of the filter.
    #[must_use]
    pub fn name(&self) -> &str {
        self.declaration.name()
    }

    /// The message about a failed search.
    #[must_use]
    pub fn search_failed(&self, error: &D::Error) -> Diagnostic {
        let place = match D::failed_at(error) {
            FailedAt::Nodes => self.places.nodes.unwrap_or(self.places.name),
            FailedAt::Bits => self.places.bits,
            FailedAt::Filter => self.places.name,
        };
        about(self.name(), place, &error.to_string())
    }

    /// A message about the filter as a whole.
    #[must_use]
    pub fn diagnostic(&self, message: &str) -> Diagnostic {
        about(self.name(), self.places.name, message)
    }
}
