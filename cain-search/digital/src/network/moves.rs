//! Reads bits of neighbours.

use cain_isa::{Direction, Directions, Displacement};

use super::adders::Pair;
use super::builder::Builder;
use super::wires::Wires;

impl Builder<'_, '_> {
    /// A bit as seen at a displacement.
    pub(super) fn moved_bit(&mut self, mut wires: Wires, to: Displacement, outside: bool) -> Wires {
        let steps = |from: Direction, count: i16| (0..count).map(move |_| from);
        let north = steps(Direction::North, to.y).chain(steps(Direction::South, -to.y));
        for from in north.chain(steps(Direction::East, to.x)).chain(steps(Direction::West, -to.x)) {
            let from = Directions::new(&[from]);
            wires = if wires.yes.len() != 1 && wires.no.len() == 1 {
                Wires::no([self.network.neighbours(wires.no[0], from, !outside)])
            } else {
                let register = wires.register(&mut self.network);
                Wires::yes([self.network.neighbours(register, from, outside)])
            };
        }
        wires
    }

    /// The bits of two neighbours: their OR, and the OR of their complements, with a single set-up of directions.
    pub(super) fn pair(&mut self, wires: &mut Wires, from: [Direction; 2], outside: bool, negative: bool) -> Pair {
        let from = Directions::new(&from);
        let network = &mut self.network;
        let complement = wires.complement_register(network);
        let not_both = network.neighbours(complement, from, !outside);
        let both = network.nor(&[not_both]);
        let register = wires.register(network);
        let some = network.neighbours(register, from, outside);
        let neither = network.nor(&[some]);
        if negative {
            Pair { neither: both, both: neither, not_both: Some(some) }
        } else {
            Pair { neither, both, not_both: Some(not_both) }
        }
    }
}
