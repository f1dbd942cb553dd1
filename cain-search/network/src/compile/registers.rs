//! Assignment of planes to registers.

use cain_isa::program::Held;
use cain_isa::{Bit, Dreg, Reg};

use super::planes::PlaneId;
use cain_digital::ALIKE;

/// The contents of the registers of an array at some time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Registers {
    planes: Vec<(Reg, Option<PlaneId>)>,
    bits: Vec<(Dreg, Option<PlaneId>)>,
}

impl Registers {
    /// The most analogue registers with which a plan is tried.
    pub(super) const MOST: usize = 64;

    /// Empty registers: these, and the general-purpose ones among `bits` digital registers.
    pub(super) fn of(registers: &cain_isa::Registers, bits: u8) -> Self {
        let bits = ALIKE.iter().filter(|bit| bit.number() < bits);
        Self { planes: registers.iter().map(|reg| (reg, None)).collect(), bits: bits.map(|&bit| (bit, None)).collect() }
    }

    /// The register that holds a plane.
    pub(super) fn place(&self, plane: PlaneId) -> Option<Held> {
        let reg = self.planes.iter().find(|(_, held)| *held == Some(plane)).map(|(reg, _)| Held::Reg(*reg));
        let bit = self.bits.iter().find(|(_, held)| *held == Some(plane)).map(|(bit, _)| Held::Bit(Bit::Reg(*bit)));
        reg.or(bit)
    }

    /// The analogue register that holds a plane.
    pub(super) fn reg(&self, plane: PlaneId) -> Option<Reg> {
        self.planes.iter().find(|(_, held)| *held == Some(plane)).map(|(reg, _)| *reg)
    }

    /// The digital register that holds a plane.
    pub(super) fn bit(&self, plane: PlaneId) -> Option<Dreg> {
        self.bits.iter().find(|(_, held)| *held == Some(plane)).map(|(bit, _)| *bit)
    }

    /// Analogue registers that hold nothing.
    pub(super) fn free(&self) -> Vec<Reg> {
        self.planes.iter().filter(|(_, held)| held.is_none()).map(|(reg, _)| *reg).collect()
    }

    /// Digital registers that hold nothing.
    pub(super) fn free_bits(&self) -> Vec<Dreg> {
        self.bits.iter().filter(|(_, held)| held.is_none()).map(|(bit, _)| *bit).collect()
    }

    /// The planes that digital registers hold.
    pub(super) fn held_bits(&self) -> Vec<(PlaneId, Dreg)> {
        self.bits.iter().filter_map(|&(bit, held)| Some((held?, bit))).collect()
    }

    pub(super) fn hold(&mut self, reg: Reg, plane: Option<PlaneId>) {
        if let Some((_, held)) = self.planes.iter_mut().find(|(other, _)| *other == reg) {
            *held = plane;
        }
    }

    pub(super) fn hold_bit(&mut self, bit: Dreg, plane: Option<PlaneId>) {
        if let Some((_, held)) = self.bits.iter_mut().find(|(other, _)| *other == bit) {
            *held = plane;
        }
    }

    /// Frees the register of a plane.
    pub(super) fn forget(&mut self, plane: PlaneId) {
        let planes = self.planes.iter_mut().map(|(_, held)| held);
        let bits = self.bits.iter_mut().map(|(_, held)| held);
        planes.chain(bits).filter(|held| **held == Some(plane)).for_each(|held| *held = None);
    }
}
