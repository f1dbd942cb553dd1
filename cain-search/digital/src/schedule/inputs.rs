//! The inputs of a network and their registers.

use super::state::INPUTS;
use super::uses::Uses;
use crate::network::{Gate, Network, Value};

/// The given values.
pub(super) fn inputs(network: &Network) -> impl Iterator<Item = Value> {
    (0..).zip(&network.gates).filter(|(_, gate)| **gate == Gate::Input).map(|(value, _)| value)
}

/// The register of each input: the given one, if there is one; of the others, inputs that are still needed get the registers
/// that are most dispensable.
pub(super) fn places(uses: &Uses<'_>) -> Option<Vec<usize>> {
    let given = |input: Value| uses.given.at.get(usize::from(input)).copied().flatten();
    let (needed, others): (Vec<Value>, Vec<Value>) =
        inputs(uses.network).filter(|&input| given(input).is_none()).partition(|&input| is_needed(input, uses));
    let place = |input| {
        if given(input).is_some() {
            return given(input);
        }
        let at = needed.iter().chain(&others).position(|&other| other == input)?;
        INPUTS.into_iter().filter(|slot| !uses.given.at.contains(&Some(*slot))).nth(at)
    };
    inputs(uses.network).map(place).collect()
}

pub(super) fn is_needed(input: Value, uses: &Uses<'_>) -> bool {
    uses.stays[usize::from(input)] || !uses.readers[usize::from(input)].is_empty()
}
