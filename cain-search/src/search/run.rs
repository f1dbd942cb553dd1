//! The state of a search.

use crate::engine::budget::Budget;
use crate::engine::goals::Goals;
use crate::engine::memo::StepMemo;
use crate::engine::problem::Problem;
use crate::engine::values::{Unfinished, Walk};

use super::incumbent::Incumbent;
use super::share::{Part, Share};

/// A search under way.
pub(super) struct Run<'a> {
    pub(super) problem: &'a Problem,
    pub(super) budget: Budget<'a>,
    pub(super) goals: Goals,
    pub(super) steps: StepMemo,
    pub(super) incumbent: Incumbent<'a>,
    /// Fewer instructions were proved not to suffice for the wanted values, zeros and copies aside.
    pub(super) values_at_least: u32,
    /// Where the exhaustive search goes on.
    pub(super) unfinished: Unfinished,
    /// Where the exchange of values goes on, of complete programs and of incomplete ones.
    pub(super) exchanges: [Option<Exchange>; 2],
    /// Fewer instructions were proved not to suffice.
    pub(super) at_least: u32,
    /// What goes to the parts of the search beside the beam, in the order of [`Part::ALL`].
    pub(super) shares: [Share; Part::ALL.len()],
}

/// The state from which an exchange of values continues.
pub(super) struct Exchange {
    pub(super) walks: Vec<Walk>,
    /// The best program that it knows, by the number of nodes used when that was found.
    pub(super) of: Option<u64>,
}

impl Run<'_> {
    /// A number of instructions below which there is no program.
    ///
    /// Zeros and copies count as one: a division can leave several of them at once.
    pub(super) fn lower_bound(&self) -> u32 {
        let extra = !self.problem.zeros.is_empty() || !self.problem.copies.is_empty();
        let wanted = self.incumbent.target.lower_bound(&self.goals);
        wanted.max(u32::from(extra)).max(self.at_least)
    }
}
