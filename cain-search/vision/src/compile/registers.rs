//! What the registers of an array hold.

use std::collections::{BTreeMap, BTreeSet};

use cain_analysis::sorted::Set;
use cain_digital::ALIKE;
use cain_isa::program::Held;
use cain_isa::{Bit, Cells, Displacement, Dreg, Machine, Reg};

use super::copies::{Copied, Reach, around};
use crate::declaration::{Summand, Value};

/// Digital registers with a role of which other words have no need as long as nothing is read from neighbours, those that are
/// missed least first: R4 to R1, and R0. R12 is only written where R0 is 1.
const WITH_ROLES: [Dreg; 5] = [Dreg::ALL[4], Dreg::ALL[3], Dreg::ALL[2], Dreg::ALL[1], Dreg::ALL[0]];

/// The values in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Registers {
    regs: BTreeMap<Reg, Option<Value>>,
    bits: BTreeMap<Dreg, Option<Value>>,
    /// Copies of planes as they are at other PEs.
    copies: BTreeMap<Reg, Copied>,
}

impl Registers {
    /// Empty registers of a machine, but for those of others.
    pub(super) fn of(machine: &Machine, others: Cells) -> Self {
        let bits = Dreg::ALL.iter().filter(|bit| !others.contains(Cells::bit(Bit::Reg(**bit))));
        Self {
            regs: machine.registers.without(others.analogue()).iter().map(|reg| (reg, None)).collect(),
            bits: bits.map(|bit| (*bit, None)).collect(),
            copies: BTreeMap::new(),
        }
    }

    /// A register holds a copy.
    pub(super) fn remember(&mut self, reg: Reg, copy: Copied) {
        self.copies.insert(reg, copy);
    }

    /// Whether a register holds a copy.
    pub(super) fn is_copy(&self, reg: Reg) -> bool {
        self.copies.contains_key(&reg)
    }

    /// A register was written.
    pub(super) fn overwrite(&mut self, held: Held) {
        if let Held::Reg(reg) = held {
            self.copies.remove(&reg);
        }
    }

    /// No copies are known any more, since registers may have been written in another order; those that were known.
    pub(super) fn take_copies(&mut self) -> BTreeMap<Reg, Copied> {
        std::mem::take(&mut self.copies)
    }

    /// Only these copies are known, but for those in registers that were written.
    pub(super) fn put_back(&mut self, mut copies: BTreeMap<Reg, Copied>, written: &Set<Reg>) {
        copies.retain(|reg, _| !written.contains(reg));
        self.copies = copies;
    }

    /// What registers held before, and the copies that are known now.
    pub(super) fn back_to(&mut self, before: Self) {
        let copies = self.take_copies();
        *self = Self { copies, ..before };
    }

    /// The registers with a plane or with its negative.
    pub(super) fn copies(&self, of: Value, is_negative: bool) -> Vec<(Reg, Copied)> {
        let at = Displacement::ZERO;
        let own = self.reg(of).filter(|_| !is_negative);
        let own = own.map(|reg| (reg, Copied { of, at, is_negative, reach: [at; 2] }));
        let copies = self.copies.iter().filter(|(_, copy)| copy.of == of && copy.is_negative == is_negative);
        own.into_iter().chain(copies.map(|(reg, copy)| (*reg, *copy))).collect()
    }

    /// The register with a plane as a summand reads it, or with its negative, that came over these PEs only.
    pub(super) fn copy(&self, summand: &Summand, is_negative: bool, reach: Reach) -> Option<Reg> {
        let fits = |copy: &Copied| copy.at == summand.at && around(copy.reach, reach) == reach;
        let copies = self.copies(summand.of, is_negative);
        copies.into_iter().find(|(_, copy)| fits(copy)).map(|(reg, _)| reg)
    }

    pub(super) fn is_free(&self, reg: Reg) -> bool {
        self.regs.get(&reg) == Some(&None)
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

    /// Whether a register holds nothing but one of these.
    pub(super) fn is_for(&self, place: Held, values: &[Value]) -> bool {
        self.held().into_iter().all(|(value, held)| held != place || values.contains(&value))
    }

    /// Analogue registers that hold nothing, the wanted one first.
    pub(super) fn free(&self, wanted: Option<Reg>) -> Vec<Reg> {
        let mut free: Vec<Reg> = self.regs.iter().filter(|(_, held)| held.is_none()).map(|(reg, _)| *reg).collect();
        // Those with copies last.
        free.sort_by_key(|reg| self.copies.contains_key(reg));
        first(free, wanted)
    }

    /// Digital registers without a role that hold nothing, the wanted one first.
    pub(super) fn free_bits(&self, wanted: Option<Dreg>) -> Vec<Dreg> {
        first(ALIKE.iter().copied().filter(|bit| self.is_free_bit(*bit)).collect(), wanted)
    }

    /// Registers of directions and of propagation that hold nothing, and that any word writes.
    pub(super) fn free_with_roles(&self) -> Vec<Dreg> {
        WITH_ROLES.into_iter().filter(|bit| self.is_free_bit(*bit)).collect()
    }

    /// All digital registers.
    pub(super) fn every_bit(&self) -> Vec<Dreg> {
        self.bits.keys().copied().collect()
    }

    pub(super) fn is_free_bit(&self, bit: Dreg) -> bool {
        self.bits.get(&bit) == Some(&None)
    }

    /// How many analogue registers there are.
    pub(super) fn count(&self) -> usize {
        self.regs.len()
    }

    /// The levels that are held, and where.
    pub(super) fn held_regs(&self) -> Vec<(Value, Reg)> {
        self.regs.iter().filter_map(|(reg, held)| Some(((*held)?, *reg))).collect()
    }

    /// The bits that are held, and where.
    pub(super) fn held_bits(&self) -> Vec<(Value, Dreg)> {
        self.bits.iter().filter_map(|(bit, held)| Some(((*held)?, *bit))).collect()
    }

    /// Everything that is held, and where.
    pub(super) fn held(&self) -> Vec<(Value, Held)> {
        let regs = self.held_regs().into_iter().map(|(value, reg)| (value, Held::Reg(reg)));
        let bits = self.held_bits().into_iter().map(|(value, bit)| (value, Held::Bit(Bit::Reg(bit))));
        regs.chain(bits).collect()
    }

    pub(super) fn hold(&mut self, place: Held, value: Value) {
        match place {
            Held::Reg(reg) => drop(self.regs.insert(reg, Some(value))),
            Held::Bit(Bit::Reg(bit)) => drop(self.bits.insert(bit, Some(value))),
            Held::Bit(_) => {}
        }
    }

    /// Frees the register of a value.
    pub(super) fn forget(&mut self, value: Value) {
        let regs = self.regs.values_mut().filter(|held| **held == Some(value));
        let bits = self.bits.values_mut().filter(|held| **held == Some(value));
        regs.chain(bits).for_each(|held| *held = None);
    }

    /// The same without some values.
    pub(super) fn without(&self, values: &BTreeSet<Value>) -> Self {
        let mut rest = self.clone();
        for value in values {
            rest.forget(*value);
        }
        rest
    }
}

fn first<T: PartialEq + Copy>(mut all: Vec<T>, wanted: Option<T>) -> Vec<T> {
    if let Some(place) = wanted.and_then(|wanted| all.iter().position(|other| *other == wanted)) {
        all[..=place].rotate_right(1);
    }
    all
}
