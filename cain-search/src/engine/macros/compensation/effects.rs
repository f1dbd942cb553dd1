//! Computes with which weight a constant in a register reaches each output.

use cain_analysis::sorted::Map;
use cain_isa::{Instruction, Reg, Store};

use crate::Declaration;
use crate::engine::compensation::{Backwards, Constants, Effect, Unit, Weight};

/// What a constant of 1 in a register adds to the outputs, for each register that is read later.
pub(super) type Weights = Map<Reg, Effect>;

/// The effect of a program on the offset error.
pub(super) struct Effects {
    /// The offset error that is left in the outputs.
    pub(super) left: Effect,
    /// The weights before each instruction, and after the last one.
    pub(super) weights: Vec<Weights>,
    /// The constants in the cells, in DN, before each instruction, and after the last one.
    pub(super) constants: Vec<Constants>,
}

impl Effects {
    /// Follows a program from its end to its beginning and back; `None` if exact arithmetic overflows.
    pub(super) fn of(declaration: &Declaration, listing: &[Instruction]) -> Option<Self> {
        let model = &declaration.options.error_model;
        let mut at = Backwards::from_end(&declaration.outputs, model);
        let mut gaps = vec![at.weights.clone()];
        for instruction in listing.iter().rev() {
            let words: Vec<_> = instruction.words().collect();
            at.undo_all(&words)?;
            gaps.push(at.weights.clone());
        }
        gaps.reverse();
        let unit = Unit::of(gaps.iter().flat_map(Map::values).chain([&at.left]))?;
        let of_registers = |cells: &Map<Store, Weight>| -> Option<Weights> {
            let registers = cells.iter().filter_map(|(store, weight)| match *store {
                Store::Reg(reg) => Some((reg, weight)),
                _ => None,
            });
            registers.map(|(reg, weight)| Some((reg, unit.effect(weight)?))).collect()
        };
        let mut constants = vec![Constants::default()];
        for instruction in listing {
            constants.push(constants.last()?.after(instruction, model));
        }
        Some(Self {
            left: unit.effect(&at.left)?,
            weights: gaps.iter().map(of_registers).collect::<Option<_>>()?,
            constants,
        })
    }
}
