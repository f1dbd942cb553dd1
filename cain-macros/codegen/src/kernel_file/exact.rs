//! What digital filters and those over super-pixels have in common.

use cain_digital::{self, superpixel};

use super::{Diagnostic, Position, about};
use crate::plan_file::OnBits;

/// A filter that computes exactly, on bits, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactFilter<D> {
    /// The declaration.
    pub declaration: D,
    /// The documentation in the file.
    pub doc: Option<String>,
    pub(crate) places: Places,
}

/// Filters on numbers in the registers of one PE.
pub type DigitalFilter = ExactFilter<cain_digital::Declaration>;
/// Filters on numbers that are spread over blocks of PEs.
pub type SuperPixelFilter = ExactFilter<superpixel::Declaration>;

/// Where a filter is declared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Places {
    pub(crate) name: Position,
    /// What says how many bits the numbers have.
    pub(crate) bits: Position,
    /// The node budget.
    pub(crate) nodes: Option<Position>,
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
