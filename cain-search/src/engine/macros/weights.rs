//! The weights of the estimate for macro instructions.

use cain_isa::Op;

use crate::engine::estimate::Weighing;
use crate::engine::estimate::weights::Weights;
use crate::{Declaration, InstructionSet};

/// The weights for the instructions of a declaration.
pub(crate) fn weights(declaration: &Declaration) -> &'static Weights {
    let only_basic =
        || Op::ARITHMETIC.iter().all(|op| Op::BASIC.contains(op) || !declaration.machine.macros.contains(*op));
    if declaration.options.instructions == InstructionSet::Basic || only_basic() { &BASIC } else { &ALL }
}

/// How goals are weighed for the instructions of a declaration.
pub(crate) fn weighing(declaration: &Declaration) -> Weighing {
    Weighing { linear: weights(declaration), learned: None }
}

/// The weights for all macro instructions.
const ALL: Weights = Weights {
    digit: 1500,
    repeated_digit: 700,
    term: 1450,
    log_digits: -600,
    log_terms: -2100,
    span: 1300,
    distance: 1150,
    single_term: -700,
    repeated: 2500,
    goal: -1650,
    input: 400,
    ray: 350,
    halving: 1750,
    doubling: 4000,
    log_support: 900,
    lower_bound: 850,
};

/// The weights for AUKE's instructions, which halve or move a value by one instruction each.
const BASIC: Weights = Weights {
    digit: 2150,
    repeated_digit: 300,
    term: 600,
    log_digits: -900,
    log_terms: -1500,
    span: 1500,
    distance: 1200,
    single_term: -900,
    repeated: 2100,
    goal: -700,
    input: 1000,
    ray: 300,
    halving: 3900,
    doubling: 6000,
    log_support: 1700,
    lower_bound: 0,
};
