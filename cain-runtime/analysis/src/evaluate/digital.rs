//! The digital part of the machine: FLAG, registers, and the buses on which bits travel.

use alloc::vec::Vec;
use core::mem;

use cain_isa::{Bit, Direction, Dreg, Logic, Path, Word};

use crate::sorted::Map;

/// The representation of bits, and operations on them.
pub trait DigitalDomain {
    /// The content of a register in every PE. Equal planes hold the same bits.
    type Plane: Clone + PartialEq;
    /// The reason why a word cannot be followed.
    type Error;

    /// The plane with the same bit in every PE.
    fn constant(&mut self, bit: bool) -> Self::Plane;

    /// The bit, if it is known to be the same in every PE.
    fn as_constant(&self, plane: &Self::Plane) -> Option<bool>;

    /// 1 where the plane is 0.
    fn inverse(&mut self, plane: &Self::Plane) -> Self::Plane;

    /// 1 where any of the planes is 1; always 0 without planes.
    fn any(&mut self, planes: &[Self::Plane]) -> Result<Self::Plane, Self::Error>;

    /// 1 where both planes are 1.
    fn both(&mut self, one: &Self::Plane, other: &Self::Plane) -> Result<Self::Plane, Self::Error> {
        let inverses = [self.inverse(one), self.inverse(other)];
        let any = self.any(&inverses)?;
        Ok(self.inverse(&any))
    }

    /// The first plane where the condition is 1, and the second where it is 0.
    fn choose_bits(
        &mut self,
        condition: &Self::Plane,
        then: &Self::Plane,
        otherwise: &Self::Plane,
    ) -> Result<Self::Plane, Self::Error> {
        let inverse = self.inverse(condition);
        let parts = [self.both(condition, then)?, self.both(&inverse, otherwise)?];
        self.any(&parts)
    }

    /// The content of every PE's neighbour in a direction; PEs outside of the array hold `outside`.
    ///
    /// It is called only for directions that may be open in some PE. The result in PEs where `open` is 0 does not
    /// matter.
    fn neighbours(
        &mut self,
        plane: &Self::Plane,
        direction: Direction,
        outside: bool,
        open: &Self::Plane,
    ) -> Result<Self::Plane, Self::Error>;

    /// The content of a bit that was never written, or the error that it must not be read. It is never called for FLAG,
    /// which is 1 in every PE until a word writes it.
    fn unwritten_bit(&mut self, bit: Bit) -> Result<Self::Plane, Self::Error>;

    /// The number of steps after which a propagation has certainly reached all PEs that it can; `None` if the domain
    /// does not follow propagations.
    fn propagation_steps(&self) -> Option<usize> {
        None
    }

    /// The error for a word that cannot be followed on bits: an analogue one, or one whose other half is missing.
    fn unsupported(&mut self, word: Word) -> Self::Error;
}

/// FLAG, SELECT, RECT and the digital registers of an array.
#[derive(Clone, Debug)]
pub struct Digital<P> {
    /// The bits that have been written.
    bits: Map<Bit, P>,
    bus: OnBus<P>,
}

/// The content of a bus, left by one word for the next.
#[derive(Clone, Debug)]
enum OnBus<P> {
    Nothing,
    /// The bus of each PE holds the bits that the second word of an instruction in place writes.
    Bits(P),
    /// The bus that joins the PEs holds `R12`, which the second word of a propagation spreads.
    Propagation,
}

/// The register that blocks a propagation where it is 0.
const GATE: Bit = Bit::Reg(Dreg::ALL[0]);
/// The register that propagates.
const MOVING: Dreg = Dreg::ALL[12];

impl<P: Clone + PartialEq> Digital<P> {
    /// The plane of a bit, if it was ever written.
    #[must_use]
    pub fn get(&self, bit: Bit) -> Option<&P> {
        self.bits.get(&bit)
    }

    /// The plane of a bit.
    pub fn read<D: DigitalDomain<Plane = P>>(&self, domain: &mut D, bit: Bit) -> Result<P, D::Error> {
        match (self.bits.get(&bit), bit) {
            (Some(plane), _) => Ok(plane.clone()),
            (None, Bit::Flag) => Ok(domain.constant(true)),
            (None, bit) => domain.unwritten_bit(bit),
        }
    }

    /// The bits that have been written.
    pub fn written(&self) -> impl Iterator<Item = Bit> + '_ {
        self.bits.keys().copied()
    }

    /// Sets a bit in every PE, regardless of its gate, like the controller does.
    pub fn give(&mut self, bit: Bit, plane: P) {
        self.bits.insert(bit, plane);
    }

    /// Treats all bits except FLAG and some others as if they had never been written.
    pub fn forget_all_but(&mut self, is_kept: impl Fn(Bit) -> bool) {
        self.bits.retain(|&bit, _| bit == Bit::Flag || is_kept(bit));
        self.release_bus();
    }

    /// Empties the buses, as after any word that puts nothing on them.
    pub(super) fn release_bus(&mut self) {
        self.bus = OnBus::Nothing;
    }

    /// Executes a word on bits.
    pub fn word<D: DigitalDomain<Plane = P>>(&mut self, domain: &mut D, word: Word) -> Result<(), D::Error> {
        // A bus keeps its content until the next word.
        let bus = mem::replace(&mut self.bus, OnBus::Nothing);
        match (word, bus) {
            (Word::Nop, _) => Ok(()),
            (Word::All, _) => {
                let everywhere = domain.constant(true);
                self.give(Bit::Flag, everywhere);
                Ok(())
            }
            (Word::WhereBits(bits), _) => {
                let any = self.any(domain, bits.bits())?;
                self.give(Bit::Flag, any);
                Ok(())
            }
            (Word::Logic(logic), bus) => self.logic(domain, &logic, bus),
            (Word::FromNeighbours(word), _) => {
                let seen = self.seen(domain, word.source(), word.outside())?;
                self.write(domain, &[word.target()], &seen)
            }
            (Word::ReadPropagation, _) if domain.propagation_steps().is_some() => {
                self.bus = OnBus::Propagation;
                Ok(())
            }
            (Word::Propagate { outside }, OnBus::Propagation) => self.propagate(domain, outside),
            (word, _) => Err(domain.unsupported(word)),
        }
    }

    /// 1 where any of the bits is 1.
    fn any<D: DigitalDomain<Plane = P>>(&self, domain: &mut D, bits: &[Bit]) -> Result<P, D::Error> {
        let planes = bits.iter().map(|&bit| self.read(domain, bit)).collect::<Result<Vec<_>, _>>()?;
        domain.any(&planes)
    }

    fn logic<D: DigitalDomain<Plane = P>>(
        &mut self,
        domain: &mut D,
        logic: &Logic,
        bus: OnBus<P>,
    ) -> Result<(), D::Error> {
        let result = match (logic.path(), bus) {
            (Path::FromBus, OnBus::Bits(held)) => held,
            (Path::FromBus, _) => return Err(domain.unsupported(Word::Logic(*logic))),
            (Path::Direct | Path::ToBus, _) => {
                let any = self.any(domain, logic.sources())?;
                if logic.inverts() { domain.inverse(&any) } else { any }
            }
        };
        if logic.path() == Path::ToBus {
            self.bus = OnBus::Bits(result);
            return Ok(());
        }
        self.write(domain, logic.targets(), &result)
    }

    /// Writes registers; those with a gate are written only where that was 1 before the word.
    fn write<D: DigitalDomain<Plane = P>>(
        &mut self,
        domain: &mut D,
        targets: &[Dreg],
        written: &P,
    ) -> Result<(), D::Error> {
        let mut after = Vec::with_capacity(targets.len());
        for &target in targets {
            let gate = target.gate().map(|gate| self.read(domain, gate.into())).transpose()?;
            let plane = match gate.as_ref().map(|gate| (gate, domain.as_constant(gate))) {
                None | Some((_, Some(true))) => written.clone(),
                Some((_, Some(false))) => continue,
                Some((gate, None)) => {
                    let before = self.read(domain, target.into())?;
                    domain.choose_bits(gate, written, &before)?
                }
            };
            after.push((Bit::Reg(target), plane));
        }
        self.bits.extend(after);
        Ok(())
    }

    /// 1 where a neighbour holds a 1 whose direction is switched on in the reading PE.
    fn seen<D: DigitalDomain<Plane = P>>(&self, domain: &mut D, source: Bit, outside: bool) -> Result<P, D::Error> {
        let source = self.read(domain, source)?;
        let mut parts = Vec::new();
        for direction in Direction::ALL {
            let switch = self.read(domain, direction.switch().into())?;
            let is_open = domain.as_constant(&switch);
            if is_open == Some(false) {
                continue;
            }
            let there = domain.neighbours(&source, direction, outside, &switch)?;
            parts.push(if is_open == Some(true) { there } else { domain.both(&switch, &there)? });
        }
        domain.any(&parts)
    }

    /// Sets `R12` to 1 where a 1 arrives over PEs whose `R0` is 1.
    fn propagate<D: DigitalDomain<Plane = P>>(&mut self, domain: &mut D, outside: bool) -> Result<(), D::Error> {
        let open = self.read(domain, GATE)?;
        for _ in 0..domain.propagation_steps().unwrap_or(0) {
            let before = self.read(domain, MOVING.into())?;
            let seen = self.seen(domain, MOVING.into(), outside)?;
            let comes = domain.both(&open, &seen)?;
            let after = domain.any(&[before.clone(), comes])?;
            if after == before {
                return Ok(());
            }
            self.give(MOVING.into(), after);
        }
        Err(domain.unsupported(Word::Propagate { outside }))
    }
}

impl<P> Default for Digital<P> {
    /// The initial state: FLAG is 1 in every PE, and nothing else has been written.
    fn default() -> Self {
        Self { bits: Map::new(), bus: OnBus::Nothing }
    }
}
