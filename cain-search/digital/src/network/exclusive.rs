//! Bits of which at most one is 1.

use super::builder::Builder;
use super::wires::Wires;

impl Builder<'_, '_> {
    /// Bits of the same weight, with those that are never 1 together replaced by their OR: the addends of a sum are
    /// often too small for all of its carries to be 1.
    pub(super) fn exclusive_joined(&mut self, bits: Vec<Wires>, narrow: bool) -> Vec<Wires> {
        let mut joined: Vec<Wires> = Vec::new();
        for bit in bits {
            let are_exclusive = |other: &Wires| self.functions.are_exclusive(&self.network, [other, &bit], self.effort);
            let Some(place) = joined.iter().position(are_exclusive) else {
                joined.push(bit);
                continue;
            };
            let other = std::mem::take(&mut joined[place]);
            let mut either = Wires::yes([self.yes(other), self.yes(bit)].concat());
            if either.yes.len() > 2 || narrow {
                either = either.narrowed(&mut self.network);
            }
            joined[place] = either;
        }
        joined
    }
}
