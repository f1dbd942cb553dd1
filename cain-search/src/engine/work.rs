//! The work of a search, in units of about one operation on a term.
//!
//! Budgets are counted in nodes of [`NODE`] units each. All work of a search is charged by what is actually done: the
//! terms touched, the steps and candidates looked at, the registers tried, the values proved. So a budget takes about
//! the same time for every declaration, but it never means a time: the units are the same on every machine.

use super::occupancy::MAX_TRIES;

/// The units of a node: the average work of expanding a bag of a kernel with nine weights.
pub(crate) const NODE: u64 = 2_500;
/// The most work that is done between two looks at the budget.
pub(crate) const MOST_AT_A_TIME: u64 = 64 * NODE;

/// The work of expanding a bag.
const BAG: u64 = 20;
/// The work of trying a step on a bag.
const STEP: u64 = 1;
/// The work of looking at the bag before a step, whose features are compared.
pub(super) const CANDIDATE: u64 = 4;
/// The number of values up to which a bag takes the work above; larger bags, which occur on machines with many
/// registers, take more.
const SMALL_BAG: usize = 8;
/// The number of expansions up to which a bag takes the work above.
const FEW_EXPANSIONS: usize = 64;

/// The work of a point of an exhaustive search, at which some hundred instructions are tried.
pub(crate) const POINT: u64 = 1_000;
/// The work of trying a cell for a place of an instruction.
pub(super) const CHOICE: u64 = 1;

/// The work of trying a register for a value.
const PLACEMENT: u64 = 16;
/// The work of a sum of transfer errors.
const SUM: u64 = 4;
/// The work of replaying an instruction, apart from the weights of its results.
const INSTRUCTION: u64 = 20;

/// The work of expanding a bag in so many ways.
pub(super) fn of_bag(expansions: usize) -> u64 {
    BAG + units(expansions.saturating_sub(FEW_EXPANSIONS)) / 4
}

/// The work of trying a step on a bag of so many values.
pub(super) fn of_step(values: usize) -> u64 {
    STEP + units(values.saturating_sub(SMALL_BAG)) / 8
}

/// The work of looking at a bag of so many values before a step.
pub(super) fn of_candidate(values: usize) -> u64 {
    CANDIDATE + units(values.saturating_sub(SMALL_BAG)) / 2
}

pub(crate) fn units(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

/// The work of an allocator, given how many of its tries are left.
pub(super) fn of_tries(left: u32) -> u64 {
    PLACEMENT * u64::from(MAX_TRIES - left)
}

/// The work of trying so many sums of transfer errors.
pub(super) fn of_sums(tried: usize) -> u64 {
    SUM * units(tried)
}

/// The work of replaying a program of so many instructions for kernels of so many weights.
pub(crate) fn of_replay(instructions: usize, weights: usize) -> u64 {
    units(instructions) * (INSTRUCTION + units(weights))
}
