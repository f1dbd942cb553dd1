//! Propagation of `R12` over the array.

use alloc::vec::Vec;
use core::mem;

use super::SimError;
use super::bits::Bits;
use super::digital::{Digital, GATE};
use crate::isa::{Bit, Direction, Dreg};

/// The distance that one `PROP` carries a bit.
///
/// On the chip, a bit travels as long as the word lasts; how far that is is not published, and differs between chips.
/// The vendor's flood repeats the word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Propagation {
    /// Over any distance.
    #[default]
    Complete,
    /// Over at most this many PEs.
    Hops(u32),
}

/// The register that propagates.
const MOVING: Bit = Bit::Reg(Dreg::ALL[Dreg::COUNT - 1]);

impl Digital {
    /// Carries out the second word of `PROP0` or `PROP1`.
    ///
    /// A PE whose `R0` is 1 takes a 1 from the neighbours in the directions that its `R1` to `R4` enable. A PE whose
    /// `R0` is 0 keeps its bit, and passes on a 1 that it had before.
    pub(super) fn propagate(&mut self, outside: bool, reach: Propagation) -> Result<(), SimError> {
        let len = self.width.saturating_mul(self.height);
        let mut bits = self.read(MOVING)?.to_vec(len);
        let open = self.read(Bit::Reg(GATE))?.to_vec(len);
        let mut switches = [const { Vec::new() }; Direction::ALL.len()];
        for (switch, direction) in switches.iter_mut().zip(Direction::ALL) {
            *switch = self.read(Bit::Reg(direction.switch()))?.to_vec(len);
        }
        let takes = |pe: usize, direction: Direction| open[pe] && switches[direction as usize][pe];

        let enters = |pe| {
            Direction::ALL.into_iter().any(|from| self.neighbour(pe, from).is_none() && outside && takes(pe, from))
        };
        let mut hops = match reach {
            Propagation::Complete => u32::MAX,
            Propagation::Hops(hops) => hops,
        };
        let mut front: Vec<usize> = (0..len).filter(|&pe| bits[pe]).collect();
        let mut entering: Vec<usize> = (0..len).filter(|&pe| !bits[pe] && enters(pe)).collect();
        while hops > 0 && !(front.is_empty() && entering.is_empty()) {
            let mut next = mem::take(&mut entering);
            for &pe in &next {
                bits[pe] = true;
            }
            for pe in front {
                for to in Direction::ALL {
                    let Some(neighbour) = self.neighbour(pe, to) else { continue };
                    if !bits[neighbour] && takes(neighbour, to.opposite()) {
                        bits[neighbour] = true;
                        next.push(neighbour);
                    }
                }
            }
            front = next;
            hops -= 1;
        }
        self.load(MOVING, Bits::new(self.width, self.height, &bits));
        Ok(())
    }
}
