//! What the registers of an array hold.

use std::collections::BTreeMap;

use cain_digital::ALIKE;
use cain_isa::program::Held;
use cain_isa::{Bit, Dreg, Machine, Reg};

use crate::declaration::Value;

/// The values in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Registers {
    regs: BTreeMap<Reg, Option<Value>>,
    bits: BTreeMap<Dreg, Option<Value>>,
}

impl Registers {
    /// Empty registers of a machine.
    pub(super) fn of(machine: &Machine) -> Self {
        Self {
            regs: machine.registers.iter().map(|reg| (reg, None)).collect(),
            bits: ALIKE.iter().map(|bit| (*bit, None)).collect(),
        }
    }

    pub(super) fn reg(&self, value: Value) -> Option<Reg> {
        self.regs.iter().find(|(_, held)| **held == Some(value)).map(|(reg, _)| *reg)
    }

    pub(super) fn bit(&self, value: Value) -> Option<Dreg> {
        self.bits.iter().find(|(_, held)| **held == Some(value)).map(|(bit, _)| *bit)
    }

    pub(super) fn place(&self, value: Value) -> Option<Held> {
        self.reg(value).map(Held::Reg).or_else(|| self.bit(value).map(|bit| Held::Bit(Bit::Reg(bit))))
    }

    /// Analogue registers that hold nothing, the wanted one first.
    pub(super) fn free(&self, wanted: Option<Reg>) -> Vec<Reg> {
        first(self.regs.iter().filter(|(_, held)| held.is_none()).map(|(reg, _)| *reg).collect(), wanted)
    }

    /// Digital registers that hold nothing, the wanted one first.
    pub(super) fn free_bits(&self, wanted: Option<Dreg>) -> Vec<Dreg> {
        first(self.bits.iter().filter(|(_, held)| held.is_none()).map(|(bit, _)| *bit).collect(), wanted)
    }

    /// The bits that are held, and where.
    pub(super) fn held_bits(&self) -> Vec<(Value, Dreg)> {
        self.bits.iter().filter_map(|(bit, held)| Some(((*held)?, *bit))).collect()
    }

    /// Everything that is held, and where.
    pub(super) fn held(&self) -> Vec<(Value, Held)> {
        let regs = self.regs.iter().filter_map(|(reg, held)| Some(((*held)?, Held::Reg(*reg))));
        let bits = self.bits.iter().filter_map(|(bit, held)| Some(((*held)?, Held::Bit(Bit::Reg(*bit)))));
        regs.chain(bits).collect()
    }

    pub(super) fn hold(&mut self, reg: Reg, value: Value) {
        self.regs.insert(reg, Some(value));
    }

    pub(super) fn hold_bit(&mut self, bit: Dreg, value: Value) {
        self.bits.insert(bit, Some(value));
    }

    pub(super) fn hold_at(&mut self, place: Held, value: Value) {
        match place {
            Held::Reg(reg) => self.hold(reg, value),
            Held::Bit(Bit::Reg(bit)) => self.hold_bit(bit, value),
            Held::Bit(_) => {}
        }
    }

    /// Frees the register of a value.
    pub(super) fn forget(&mut self, value: Value) {
        let regs = self.regs.values_mut().filter(|held| **held == Some(value));
        let bits = self.bits.values_mut().filter(|held| **held == Some(value));
        regs.chain(bits).for_each(|held| *held = None);
    }

    /// Frees a register.
    pub(super) fn clear(&mut self, place: Held) {
        match place {
            Held::Reg(reg) => drop(self.regs.insert(reg, None)),
            Held::Bit(Bit::Reg(bit)) => drop(self.bits.insert(bit, None)),
            Held::Bit(_) => {}
        }
    }
}

fn first<T: PartialEq + Copy>(mut all: Vec<T>, wanted: Option<T>) -> Vec<T> {
    if let Some(place) = wanted.and_then(|wanted| all.iter().position(|other| *other == wanted)) {
        all[..=place].rotate_right(1);
    }
    all
}
