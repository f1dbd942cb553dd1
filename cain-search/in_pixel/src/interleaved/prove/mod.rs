//! Proves that the programs compute the network, for all pictures and all weights.
//!
//! Bits are followed as symbols in every PE of the array, which shows the weights, pixels and results that reach each
//! PE. Analogue registers are followed as combinations of these, with the errors of transfers as symbols of their own.
//! Each component starts with only the contents that the previous one was proved to leave.

mod convolution;
mod counting;
mod dense;
mod maps;
mod pooling;

use super::counting::Plan;
use super::geometry::Geometry;
use super::programs::Programs;
use crate::follower::keeps;
use crate::{Declaration, InPixelProofError, Scores, Second};

/// Proves the programs of a network.
pub(super) fn network(network: &Declaration, second: &Second, parts: &Programs) -> Result<(), InPixelProofError> {
    (0..parts.parts.len()).try_for_each(|number| component(network, second, parts, number))
}

/// Proves one of the programs.
pub(super) fn component(
    network: &Declaration,
    second: &Second,
    parts: &Programs,
    number: usize,
) -> Result<(), InPixelProofError> {
    let geometry = Geometry::of(network, second);
    let program = &parts.parts[number].steps;
    keeps(program, &parts.planes)?;
    match number {
        0 => convolution::first(network, second, program),
        1 => pooling::maxima(network, second, &geometry, program),
        2 => pooling::duplication(second, &geometry, program),
        3 => convolution::second(network, second, program),
        4 => maps::program(network, second, &geometry, program),
        _ => match second.scores {
            Scores::Analogue => dense::program(network, &geometry, program),
            Scores::Exact => {
                let plan = Plan::of(network, second, &geometry).map_err(|_| InPixelProofError::Count { part: 0 })?;
                counting::program(&plan, parts.result_level, program, &parts.counted)
            }
        },
    }
}
