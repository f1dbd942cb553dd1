//! Compiled programs.

use std::collections::BTreeMap;

use cain_analysis::owned::Program;
use cain_isa::Displacement;
use cain_isa::program::Held;
use cain_network::Searched;
use cain_search::switches::SwitchTable;

use crate::declaration::{Declaration, Value};
use crate::moments::Moment;
use crate::plan::{ListPlace, StatePlace};

/// A compiled program.
///
/// Its numbers are kept from frame to frame by who runs it: before a frame, the parameters are written to their
/// [places](Self::number), and 1 or 0 to that of [`is_first`](Self::is_first).
#[derive(Clone, Debug)]
pub struct Compiled {
    pub(crate) declaration: Declaration,
    pub(crate) program: Program,
    pub(crate) inputs: Vec<Held>,
    pub(crate) states: Vec<StatePlace>,
    pub(crate) results: BTreeMap<Value, Held>,
    pub(crate) lists: BTreeMap<usize, ListPlace>,
    pub(crate) reaches: BTreeMap<Value, [Displacement; 2]>,
    pub(crate) least_side: usize,
    pub(crate) is_first: usize,
    pub(crate) searched: Vec<Searched>,
    pub(crate) moments: Vec<Moment>,
    pub(crate) switches: Vec<SwitchTable>,
}

impl Compiled {
    /// The declaration.
    #[must_use]
    pub const fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// What the controller does for a frame.
    #[must_use]
    pub const fn program(&self) -> &Program {
        &self.program
    }

    /// The registers in which inputs are expected, in their order.
    #[must_use]
    pub fn inputs(&self) -> &[Held] {
        &self.inputs
    }

    /// Where states are between frames, in their order.
    #[must_use]
    pub fn states(&self) -> &[StatePlace] {
        &self.states
    }

    /// The register of a plane that is a result.
    #[must_use]
    pub fn result(&self, value: Value) -> Option<Held> {
        self.results.get(&value).copied()
    }

    /// Where a list of results is among the numbers.
    #[must_use]
    pub fn list(&self, list: usize) -> Option<ListPlace> {
        self.lists.get(&list).copied()
    }

    /// The corners, in the south-west and in the north-east, of a rectangle around a PE that has to be on the array, so that a
    /// value is what was declared: of functions of so many comparisons with other PEs that those share copies of planes. All
    /// others are what was declared wherever that is defined.
    #[must_use]
    pub fn reach(&self, value: Value) -> Option<[Displacement; 2]> {
        self.reaches.get(&value).copied()
    }

    /// The rows and columns that the array must have at least, so that numbers are read where they are what was declared; 0 if that
    /// is so on every array that has the PEs.
    #[must_use]
    pub const fn least_side(&self) -> usize {
        self.least_side
    }

    /// The place of a number of the controller.
    #[must_use]
    pub const fn number(&self, value: Value) -> usize {
        value.0
    }

    /// What happens in a frame, in its order.
    #[must_use]
    pub fn moments(&self) -> &[Moment] {
        &self.moments
    }

    /// Where it may be left for others, if its declaration says that they may interrupt it.
    #[must_use]
    pub fn switches(&self) -> &[SwitchTable] {
        &self.switches
    }

    /// What was searched for and found, in this order.
    #[must_use]
    pub fn searched(&self) -> &[Searched] {
        &self.searched
    }

    /// The place of the number that has to be 1 in the first frame, and 0 in others.
    #[must_use]
    pub const fn is_first(&self) -> usize {
        self.is_first
    }
}
