//! Registers that hold the direction of the next lower bit.

use cain_analysis::owned::{Step, step_of};
use cain_isa::program::Selection;
use cain_isa::{Bit, Direction, Dreg, Instruction, Logic, Operation, Word};

use super::layout::Layout;
use super::pattern::cover;

/// The directions in which some PE has its next lower bit, each with a register that marks these PEs, and registers
/// with constants.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Planes {
    pub(super) registers: Vec<(Direction, Dreg)>,
    /// Constants, each with its register.
    pub(super) constants: Vec<(i64, Dreg)>,
    /// Whether the planes stay in the registers that `DNEWS` and `PROP` read.
    pub(super) are_standing: bool,
    /// The steps of the preparation.
    pub(super) setup: Vec<Step>,
}

/// A recipe for a register that marks some PEs.
struct Recipe {
    patterns: Vec<Selection>,
    /// The registers whose NOR it is, together with the patterns.
    others: Vec<Dreg>,
    is_inverted: bool,
}

impl Planes {
    /// The planes of a layout and constants in a bank; `None` if there are too many constants. With `are_standing`, the
    /// planes stay in the registers that `DNEWS` reads, which must not be used otherwise.
    pub(super) fn of(layout: &Layout, are_standing: bool, bank: usize, numbers: &[i64]) -> Option<Self> {
        let register = |(i, direction): (usize, Direction)| {
            let register = if are_standing { direction.switch() } else { Dreg::ALL[11 - i] };
            (direction, register)
        };
        let registers: Vec<(Direction, Dreg)> = layout.directions().enumerate().map(register).collect();
        let mut setup = Vec::new();
        if are_standing {
            let unused = Direction::ALL.map(Direction::switch);
            let unused: Vec<Dreg> =
                unused.into_iter().filter(|switch| registers.iter().all(|(_, used)| used != switch)).collect();
            if !unused.is_empty() {
                setup.extend(logic(Operation::Clr, &unused, &[]).map(step_of));
            }
        }
        for (register, recipe) in recipes(layout, &registers) {
            write(register, &recipe, &mut setup);
        }
        let first = if are_standing { 11 } else { 11 - registers.len() };
        let mut constants = Vec::new();
        for (i, &number) in numbers.iter().enumerate() {
            // A register below these must remain free for the preparation.
            let register = *Dreg::ALL.get(first.checked_sub(i).filter(|place| *place > 5)?)?;
            let is_one = |place| {
                let bit = layout.places(bank).iter().position(|other| *other == place);
                bit.is_some_and(|bit| number >> bit.min(63) & 1 == 1)
            };
            let recipe = Recipe { patterns: cover(layout, is_one), others: Vec::new(), is_inverted: false };
            write(register, &recipe, &mut setup);
            constants.push((number, register));
        }
        Some(Self { registers, constants, are_standing, setup })
    }

    /// All prepared registers.
    pub(super) fn reserved(&self) -> impl Iterator<Item = Dreg> {
        let planes = self.registers.iter().map(|(_, register)| *register);
        // The registers of the other directions are 0.
        let others = Direction::ALL
            .map(Direction::switch)
            .into_iter()
            .filter(|switch| self.are_standing && self.registers.iter().all(|(_, register)| register != switch));
        planes.chain(others).chain(self.constants.iter().map(|(_, register)| *register))
    }
}

/// The cheapest recipes for the planes, in an order in which they can be executed.
fn recipes(layout: &Layout, registers: &[(Direction, Dreg)]) -> Vec<(Dreg, Recipe)> {
    let mut recipes: Vec<(Dreg, Recipe)> = Vec::new();
    for &(direction, register) in registers {
        let patterns = cover(layout, |place| layout.lower(place) == Some(direction));
        let inverted = cover(layout, |place| layout.lower(place) != Some(direction));
        let is_inverted = inverted.len() < patterns.len();
        let patterns = if is_inverted { inverted } else { patterns };
        recipes.push((register, Recipe { patterns, others: Vec::new(), is_inverted }));
    }
    // A PE in no other direction's plane, and without the lowest bit, belongs to the last direction.
    recipes.sort_by_key(|(_, recipe)| recipe.patterns.len());
    let lowest = cover(layout, |place| layout.is_lowest(place));
    let others: Vec<Dreg> = recipes.iter().rev().skip(1).map(|(register, _)| *register).collect();
    if let Some((_, last)) = recipes.last_mut()
        && layout.is_full()
        && lowest.len() == 1
        && last.patterns.len() > 1
    {
        *last = Recipe { patterns: lowest, others, is_inverted: true };
    }
    recipes
}

/// The steps that make a register which marks some PEs.
fn write(register: Dreg, recipe: &Recipe, setup: &mut Vec<Step>) {
    // No word writes a register that it reads, so two registers alternate. All others are free before the first run.
    let spare = Dreg::ALL[5];
    let last = recipe.patterns.len().saturating_sub(1);
    for (i, &pattern) in recipe.patterns.iter().enumerate() {
        let (target, source) = if (last - i).is_multiple_of(2) { (register, spare) } else { (spare, register) };
        let mut sources = vec![Bit::Select];
        if i > 0 {
            sources.push(Bit::Reg(source));
        }
        let is_inverted = i == last && recipe.is_inverted;
        if i == last {
            sources.extend(recipe.others.iter().map(|&other| Bit::Reg(other)));
        }
        let operation = if is_inverted { Operation::Nor } else { Operation::Or };
        setup.push(Step::Select(pattern));
        setup.extend(logic(operation, &[target], &sources).map(step_of));
    }
}

/// A word on registers of the same PE.
///
/// Callers respect the rules of the machine; a word that broke one would be missing, and the proof would fail.
pub(super) fn logic(operation: Operation, targets: &[Dreg], sources: &[Bit]) -> Option<Instruction> {
    Logic::new(operation, targets, sources).ok().map(|logic| Instruction::Word(Word::Logic(logic)))
}
