//! The work of a search, in units of about one operation on a term.
//!
//! Budgets are counted in nodes, of [`NODE`] units each. All work of a search is charged, by what is really done: terms
//! that are touched, steps and candidates that are looked at, registers that are tried, values that are proved. So a
//! budget means about the same time for every declaration. It never means a time: the units are the same on every
//! machine.

use super::area::Area;
use super::draft::Draft;
use super::goals::Goals;
use super::memo::ExpansionKey;
use super::occupancy::MAX_TRIES;
use super::sensitivities::Sensitivities;

/// The units of a node: what expanding a bag of a kernel with nine weights takes on average.
pub(crate) const NODE: u64 = 2_500;
/// What is worked out between two looks at the budget.
pub(super) const MOST_AT_A_TIME: u64 = 64 * NODE;

/// A bag that is expanded.
const BAG: u64 = 20;
/// A step that is tried on a bag.
const STEP: u64 = 1;
/// A bag before a step: its features are compared.
pub(super) const CANDIDATE: u64 = 4;
/// What these take is that of bags of so many values; larger ones, which machines with many registers have, take more.
const SMALL_BAG: usize = 8;
/// The same for the expansions of a bag.
const FEW_EXPANSIONS: usize = 64;

/// A point of an exhaustive search, at which some hundred instructions are tried.
pub(crate) const POINT: u64 = 1_000;
/// A cell that is tried for a place of an instruction.
pub(super) const CHOICE: u64 = 1;

/// A register that is tried for a value.
const PLACEMENT: u64 = 16;
/// A multiple of the transfer error that is added to another one.
const SUM: u64 = 2;
/// An instruction that is replayed, beside the weights of what it makes.
const INSTRUCTION: u64 = 20;

/// A bag that is expanded in so many ways.
pub(super) fn of_bag(expansions: usize) -> u64 {
    BAG + units(expansions.saturating_sub(FEW_EXPANSIONS)) / 4
}

/// A step that is tried on a bag of so many values.
pub(super) fn of_step(values: usize) -> u64 {
    STEP + units(values.saturating_sub(SMALL_BAG)) / 8
}

/// A bag of so many values before a step.
pub(super) fn of_candidate(values: usize) -> u64 {
    CANDIDATE + units(values.saturating_sub(SMALL_BAG)) / 2
}

/// The sensitivities of a bag.
pub(super) fn of_sensitivities(sensitivities: &Sensitivities) -> u64 {
    units(sensitivities.weights())
}

/// How much working out an expansion is likely to take.
pub(super) fn expected(goals: &Goals, key: ExpansionKey) -> u64 {
    let terms = goals.terms(key.goal);
    let operands = Draft::expected_operands(terms.len(), key.others().next().is_none());
    ranking(goals, key) + units(operands * (terms.len() + OPERAND))
}

/// What an operand takes beside its terms.
pub(super) const OPERAND: usize = 8;

/// Comparing a goal with itself, or with another one, at all displacements between two of their terms.
pub(super) fn ranking(goals: &Goals, key: ExpansionKey) -> u64 {
    let goal = goals.terms(key.goal);
    let with = |other: &[super::terms::Term]| {
        let pairs = goal.len() * other.len();
        let (a, b) = (Area::of(goal), Area::of(other));
        let span = |a: i16, b: i16, c: i16, d: i16| usize::from(a.abs_diff(b)) + usize::from(c.abs_diff(d)) + 1;
        let places = span(a.min.x, a.max.x, b.min.x, b.max.x) * span(a.min.y, a.max.y, b.min.y, b.max.y);
        units(pairs + 2 * pairs.min(places) * (goal.len() + other.len()))
    };
    match key.others().next() {
        None => with(goal) / 2,
        Some(other) => with(goals.terms(other)),
    }
}

pub(crate) fn units(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

/// Registers that an allocator tried, given how many tries it had left.
pub(super) fn of_tries(left: u32) -> u64 {
    PLACEMENT * u64::from(MAX_TRIES - left)
}

/// Multiples of the transfer error that are added up.
pub(super) fn of_sums(multiples: usize) -> u64 {
    SUM * units(multiples)
}

/// Replaying a program of so many instructions for kernels of so many weights.
pub(crate) fn of_replay(instructions: usize, weights: usize) -> u64 {
    units(instructions) * (INSTRUCTION + units(weights))
}
