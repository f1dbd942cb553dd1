//! The inputs of a network and their registers.

use super::state::INPUTS;
use super::uses::Uses;
use crate::network::{Gate, Network, Value};

/// The given values.
pub(super) fn inputs(network: &Network) -> impl Iterator<Item = Value> {
    (0..).zip(&network.gates).filter(|(_, gate)| **gate == Gate::Input).map(|(value, _)| value)
}

/// The register of each input; inputs that are still needed get the registers that are most dispensable.
pub(super) fn places(uses: &Uses<'_>) -> Option<Vec<usize>> {
    let (needed, others): (Vec<Value>, Vec<Value>) = inputs(uses.network).partition(|&input| is_needed(input, uses));
    let place = |input| {
        let at = needed.iter().chain(&others).position(|&other| other == input)?;
        INPUTS.get(at).copied()
    };
    inputs(uses.network).map(place).collect()
}

pub(super) fn is_needed(input: Value, uses: &Uses<'_>) -> bool {
    uses.stays[usize::from(input)] || !uses.readers[usize::from(input)].is_empty()
}
