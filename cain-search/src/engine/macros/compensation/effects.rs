//! With which weights a constant reaches the outputs.

use std::collections::BTreeMap;

use cain_isa::{Fraction, Instruction, Reg, Store};

use crate::Output;
use crate::engine::compensation::{Backwards, Multiples, Unit};

/// What a constant of 1 in a register adds to the outputs, for each register that is read later.
pub(super) type Weights = BTreeMap<Reg, Multiples>;

/// What a program does to the offset error.
pub(super) struct Effects {
    /// What is left in the outputs.
    pub(super) left: Multiples,
    /// The weights before each instruction, and after the last one.
    pub(super) weights: Vec<Weights>,
}

impl Effects {
    /// Follows the program from its end to its beginning; `None` if a multiple does not fit exact arithmetic.
    pub(super) fn of(outputs: &[Output], listing: &[Instruction]) -> Option<Self> {
        let mut at = Backwards::from_end(outputs);
        let mut gaps = vec![at.weights.clone()];
        for instruction in listing.iter().rev() {
            let words: Vec<_> = instruction.words().collect();
            words.iter().rev().try_for_each(|word| at.undo(word).map(drop))?;
            gaps.push(at.weights.clone());
        }
        gaps.reverse();
        let unit = Unit::of(gaps.iter().flat_map(BTreeMap::values).flatten().chain(&at.left))?;
        let of_registers = |cells: &BTreeMap<Store, Vec<Fraction>>| -> Option<Weights> {
            let registers = cells.iter().filter_map(|(store, weight)| match *store {
                Store::Reg(reg) => Some((reg, weight)),
                _ => None,
            });
            registers.map(|(reg, weight)| Some((reg, unit.multiples(weight)?))).collect()
        };
        Some(Self { left: unit.multiples(&at.left)?, weights: gaps.iter().map(of_registers).collect::<Option<_>>()? })
    }

    /// Whether nothing is left.
    pub(super) fn is_compensated(&self) -> bool {
        self.left.iter().all(|&left| left == 0)
    }
}
