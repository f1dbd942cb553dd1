//! Compensates the offset error that is left in the outputs.
//!
//! The search prefers programs without such an error ([`offsets`](super::offsets)); the others are mended here.
//!
//! - Where both halves of a division are available, x + (−h) can replace x − h and vice versa; the two differ by one
//!   error. That costs nothing.
//! - The sum of the two halves is the error and nothing else. One `add` puts it into a register that is free for a
//!   while; if no division is available, zero is divided, at the price of one more instruction. Instructions with room
//!   for one more source can add the error to their result or subtract it, and so can an additional instruction.
//!
//! Half of zero is not an error, but what a division adds to one: with this constant the biases that divisions leave
//! can be cancelled.
//!
//! Each change adds to the outputs a multiple of the error that follows from the later instructions ([`effects`]). To
//! choose changes that together cancel what is left, both multiples and bias, is a subset-sum problem ([`Search`]).

mod edits;
mod effects;

use cain_isa::{Displacement, ErrorModel, Instruction, Op, Reg, Store};

use super::forms::{Forms, Shape};
use crate::Declaration;
use crate::costs::{count, loss};
use crate::engine::compensation::{Choice, Effect, Held, Search};
use crate::engine::instructions::assemble;
use crate::engine::work::of_sums;
use crate::sort;
use crate::verify::writes;
use edits::{Halves, Parts, halves, of_shape};
use effects::Effects;

/// The most sums that are followed at the same time.
const MAX_SUMS: usize = 128;
/// The most sums that are tried for a program.
const MAX_TRIED: usize = 1 << 14;
/// The most instructions that are added besides those that make the error.
const MOST: u32 = 2;

/// Changes the program in few places so that no output holds an offset error and the bias is small. Returns the program
/// unchanged if that is already so, and `None` if no program was found whose [`loss`] is below `allowance`. Adds to
/// `work`.
pub(crate) fn compensate(
    declaration: &Declaration,
    forms: &Forms,
    listing: Vec<Instruction>,
    allowance: f64,
    work: &mut u64,
) -> Option<Vec<Instruction>> {
    let effects = Effects::of(declaration, &listing)?;
    let loss = |cost: u32, bias: f64| loss(declaration, cost, bias);
    let mut best = effects.left.cancels().then(|| (loss(0, effects.left.worst_bias()), listing.clone()));
    let model = &declaration.options.error_model;
    let (writable, at_hand) = (declaration.writable(), at_hand(&listing));
    let program = Program { forms, model, writable, listing, at_hand, effects };
    let mut tried = 0;
    for supply in std::iter::once(None).chain(program.supplies().into_iter().map(Some)) {
        let made = supply.as_ref().map_or(0, |supply: &Supply| count(supply.making.len()));
        if tried > MAX_TRIED / program.effects.left.multiples.len().max(1)
            || best.as_ref().map_or(allowance, |best| best.0) <= loss(made, 0.0)
        {
            break;
        }
        let loss = |cost: u32, bias: f64| loss(cost.saturating_add(made), bias);
        let limit = best.as_ref().map_or(allowance, |best| best.0);
        best = program.changed(supply.as_ref(), (&loss, limit), &mut tried).or(best);
    }
    *work += of_sums(tried);
    Some(best?.1)
}

/// A program that leaves an error.
struct Program<'a> {
    forms: &'a Forms,
    model: &'a ErrorModel,
    writable: Vec<Reg>,
    listing: Vec<Instruction>,
    /// The halves that registers hold before each instruction, and after the last one.
    at_hand: Vec<Vec<Halves>>,
    effects: Effects,
}

/// A register that holds a constant for a while: the error, or only what a division adds to it.
struct Supply {
    reg: Reg,
    /// The number of times that it holds the error: once or not at all.
    errors: i64,
    /// The instruction before which it is made.
    from: usize,
    /// The instruction that overwrites it, which may still use it.
    to: usize,
    /// The instructions that make it.
    making: Vec<Instruction>,
    /// The constant that it holds, in DN.
    dn: f64,
}

/// A change at one place.
struct Change<'a> {
    instruction: Instruction,
    choice: Choice<'a>,
}

impl Program<'_> {
    /// Registers that can hold a constant, those that take the fewest instructions first.
    fn supplies(&self) -> Vec<Supply> {
        let mut supplies = Vec::new();
        for from in 0..self.listing.len() {
            let mut free: Vec<(usize, Reg)> =
                self.writable.iter().filter_map(|&reg| Some((self.free_until(reg, from)?, reg))).collect();
            sort::by_key(&mut free, |&(to, reg)| (std::cmp::Reverse(to), reg));
            let Some(&(to, reg)) = free.first() else { continue };
            let mut push = |errors: i64, making: Vec<Instruction>| {
                let mut constants = self.effects.constants[from].clone();
                for instruction in &making {
                    constants.execute(instruction, self.model);
                }
                supplies.push(Supply { reg, errors, from, to, making, dn: constants.of(Store::Reg(reg)) });
            };
            for &(plus, minus) in &self.at_hand[from] {
                if let Some(sum) = of_shape(self.forms, Shape::Add, Displacement::ZERO, reg, &[plus, minus]) {
                    push(1, vec![sum.into()]);
                }
            }
            if let (true, &[_, (_, zero), (_, other), ..]) = (self.at_hand[from].is_empty(), free.as_slice()) {
                let nothing = of_shape(self.forms, Shape::Zero, Displacement::ZERO, zero, &[]);
                let halves = assemble(Op::Diva, &[zero, reg, other], &[]);
                if let (Some(nothing), Some(halves)) = (nothing, halves) {
                    push(1, vec![nothing.into(), halves.into()]);
                }
            }
            // Halves that are available are kept.
            let is_half = |reg: Reg| self.at_hand[from].iter().any(|&(plus, minus)| plus == reg || minus == reg);
            if let Some(&(_, zero)) = free[1..].iter().find(|&&(_, zero)| !is_half(zero)) {
                let nothing = of_shape(self.forms, Shape::Zero, Displacement::ZERO, zero, &[]);
                let half = of_shape(self.forms, Shape::Halve, Displacement::ZERO, reg, &[zero]);
                if let (Some(nothing), Some(half)) = (nothing, half) {
                    push(0, vec![nothing.into(), half.into()]);
                }
            }
        }
        sort::by_key(&mut supplies, |supply| (supply.making.len(), supply.from));
        supplies
    }

    /// The next instruction that overwrites a register, if what the register holds before the instruction `from` is not
    /// needed.
    fn free_until(&self, reg: Reg, from: usize) -> Option<usize> {
        if self.effects.weights[from].contains_key(&reg) {
            return None;
        }
        let rest = self.listing[from..].iter().position(|instruction| writes(instruction, reg));
        Some(rest.map_or(self.listing.len(), |rest| from + rest))
    }

    /// The program with the changes that cancel what is left with the least loss, and that loss; `None` unless it is
    /// below the limit.
    fn changed(
        &self,
        supply: Option<&Supply>,
        (loss, limit): (&dyn Fn(u32, f64) -> f64, f64),
        tried: &mut usize,
    ) -> Option<(f64, Vec<Instruction>)> {
        let mut places = Vec::new();
        for i in 0..=self.listing.len() {
            places.push(supply.map_or(vec![], |supply| self.added(supply, i)));
            places.push(self.listing.get(i).map_or(vec![], |line| self.edits(supply, i, line)));
        }
        let choices: Vec<Vec<Choice<'_>>> =
            places.iter().map(|changes| changes.iter().map(|change| change.choice).collect()).collect();
        // What a division adds to an error can also be added without any error.
        let follows = supply.is_none_or(|supply| supply.errors != 0);
        let search = Search { left: &self.effects.left, most: MOST, most_sums: MAX_SUMS, follows, loss, limit };
        let found = search.run(&choices, 1, tried).pop()?;
        let chosen_at = |place: usize| found.at[place].1.map(|choice| places[place][choice].instruction);
        let mut listing = Vec::new();
        for i in 0..=self.listing.len() {
            listing.extend(supply.filter(|supply| supply.from == i).into_iter().flat_map(|supply| &supply.making));
            listing.extend(chosen_at(2 * i));
            listing.extend(chosen_at(2 * i + 1).or(self.listing.get(i).copied()));
        }
        Some((found.loss, listing))
    }

    /// Instructions that may be added before the i-th one.
    fn added(&self, supply: &Supply, i: usize) -> Vec<Change<'_>> {
        if !(supply.from..=supply.to).contains(&i) {
            return vec![];
        }
        let mut changes = Vec::new();
        // The halves of a division can replace each other only while they are unchanged.
        let is_half = |reg: Reg| self.at_hand[i].iter().any(|&(plus, minus)| plus == reg || minus == reg);
        for (&reg, weight) in &self.effects.weights[i] {
            if !self.writable.contains(&reg) || is_half(reg) {
                continue;
            }
            for (shape, sign) in [(Shape::Add, 1), (Shape::Subtract, -1)] {
                let sum = of_shape(self.forms, shape, Displacement::ZERO, reg, &[reg, supply.reg]);
                let change = |sum: Instruction| {
                    let dn = self.with_supply(supply, i, &sum, reg) - self.effects.constants[i].of(Store::Reg(reg));
                    change(sum, weight, (sign * supply.errors, dn), 1)
                };
                changes.extend(sum.and_then(|sum| change(sum.into())));
            }
        }
        changes
    }

    /// The constant, in DN, that the i-th instruction or its replacement leaves in a register.
    fn with_supply(&self, supply: &Supply, i: usize, instruction: &Instruction, result: Reg) -> f64 {
        let mut constants = self.effects.constants[i].clone();
        constants.set(Store::Reg(supply.reg), supply.dn);
        constants.execute(instruction, self.model);
        constants.of(Store::Reg(result))
    }

    /// The replacements for the i-th instruction.
    fn edits(&self, supply: Option<&Supply>, i: usize, line: &Instruction) -> Vec<Change<'_>> {
        let Instruction::Macro(instruction) = line else { return vec![] };
        let Some(parts) = Parts::of(self.forms, instruction) else { return vec![] };
        let there = supply.filter(|supply| (supply.from..=supply.to).contains(&i));
        let of_supply = there.map(|supply| (supply, parts.with_error(self.forms, supply.reg)));
        let is_lost = |reg: Reg| there.is_some_and(|supply| reg == supply.reg);
        let halves = self.at_hand[i].iter().filter(|halves| !is_lost(halves.0) && !is_lost(halves.1));
        let of_halves = halves.flat_map(|&halves| parts.with_other_half(self.forms, halves));
        let change = |instruction: Instruction, result: Reg, errors: i64| {
            let dn = |instruction: &Instruction| match there {
                Some(supply) => self.with_supply(supply, i, instruction, result),
                None => self.effects.constants[i].after(instruction, self.model).of(Store::Reg(result)),
            };
            let weight = self.effects.weights[i + 1].get(&result)?;
            change(instruction, weight, (errors, dn(&instruction) - dn(line)), 0)
        };
        let of_supply = of_supply.into_iter().flat_map(|(supply, edits)| {
            edits.into_iter().map(|edit| (edit.instruction, edit.result, edit.errors * supply.errors))
        });
        let of_halves = of_halves.map(|edit| (edit.instruction, edit.result, edit.errors));
        let edits = of_supply.chain(of_halves);
        edits.filter_map(|(instruction, result, errors)| change(instruction.into(), result, errors)).collect()
    }
}

/// A change that has an effect: it adds so many errors, and so many DN, to a value with this weight.
fn change(instruction: Instruction, weight: &Effect, errors: (i64, f64), cost: u32) -> Option<Change<'_>> {
    Some(Change { instruction, choice: Choice::new(weight, errors, cost, Held::default())? })
}

/// The halves that registers hold before each instruction, and after the last one.
fn at_hand(listing: &[Instruction]) -> Vec<Vec<Halves>> {
    let mut gaps = vec![vec![]];
    let mut now: Vec<Halves> = Vec::new();
    for instruction in listing {
        now.retain(|halves| !writes(instruction, halves.0) && !writes(instruction, halves.1));
        now.extend(halves(instruction));
        gaps.push(now.clone());
    }
    gaps
}

#[cfg(test)]
mod tests {
    use cain_analysis::prove::{Polynomial, Prover};
    use cain_isa::asm::{A, B, C, D, EAST, add, add3, div, sub, subx};
    use cain_isa::{Direction, ErrorModel, Fraction, Instruction, Machine, Reg};
    use proptest::prelude::*;

    use super::compensate;
    use crate::engine::instructions::every_instruction;
    use crate::engine::macros::forms::Forms;
    use crate::{Declaration, Input, InstructionSet, Options, Output};

    /// An ideal error model: if all words have the same error, there is no bias.
    const NO_BIAS: ErrorModel = ErrorModel::ideal();

    fn compensated(listing: &[Instruction], outputs: &[Reg], error_model: ErrorModel) -> Option<Vec<Instruction>> {
        let declaration = Declaration {
            name: "macros".into(),
            inputs: [A, D].map(|reg| Input { reg, keep: false }).to_vec(),
            outputs: outputs.iter().map(|&reg| Output { reg, kernel: Polynomial::new() }).collect(),
            scratch: [A, B, C, D, Reg::E].into_iter().filter(|reg| !outputs.contains(reg)).collect(),
            machine: Machine::SCAMP5,
            options: Options { error_model, ..Options::default() },
        };
        compensate(
            &declaration,
            &Forms::of(InstructionSet::Macro, &Machine::SCAMP5),
            listing.to_vec(),
            f64::INFINITY,
            &mut 0,
        )
    }

    fn run(listing: &[Instruction]) -> Prover {
        Prover::of(listing, &[A, D]).unwrap()
    }

    #[test]
    fn the_other_half_costs_nothing() {
        assert_eq!(run(&[div(B, C, A), add(A, A, C)]).report().offset_error(A), Some(Fraction::ONE));
        assert_eq!(compensated(&[div(B, C, A), add(A, A, C)], &[A], NO_BIAS), Some(vec![div(B, C, A), sub(A, A, B)]));
    }

    #[test]
    fn the_sum_of_the_halves_is_added_where_there_is_room() {
        let listing = [div(B, C, A), subx(A, B, EAST, C), add(A, A, D)];
        let compensated = compensated(&listing, &[A], NO_BIAS).unwrap();
        assert_eq!(run(&compensated).report().offset_error(A), Some(Fraction::ZERO));
        assert_eq!(compensated.len(), 4);
        assert!(compensated.iter().any(|line| *line == add3(A, A, D, B) || *line == add3(A, A, D, Reg::E)));
    }

    /// `subx` in the middle of a chain has no room for another source, so an additional instruction adds the error at
    /// the end.
    #[test]
    fn two_instructions_more_where_there_is_no_room() {
        let compensated = compensated(&[div(B, C, A), subx(A, B, EAST, C)], &[A], NO_BIAS).unwrap();
        assert_eq!(run(&compensated).report().offset_error(A), Some(Fraction::ZERO));
        assert_eq!(compensated.len(), 4);
    }

    fn programs() -> impl Strategy<Value = Vec<Instruction>> {
        let all = every_instruction(&[A, B, C, D], &[Direction::East, Direction::North]);
        let divisions: Vec<Instruction> =
            all.iter().filter(|line| line.to_string().starts_with("div")).copied().collect();
        let line = prop_oneof![3 => prop::sample::select(all), 1 => prop::sample::select(divisions)];
        prop::collection::vec(line, 1..10).prop_map(|lines| {
            let mut program = Vec::new();
            for line in lines {
                program.push(line);
                if Prover::of(&program, &[A, D]).is_err() {
                    program.pop();
                }
            }
            program
        })
    }

    proptest! {
        #[test]
        fn values_stay_and_offsets_go(program in programs()) {
            let before = run(&program);
            let outputs: Vec<Reg> = [A, B].into_iter().filter(|&reg| before.value(reg).is_some()).collect();
            if let Some(compensated) = compensated(&program, &outputs, ErrorModel::measured()) {
                prop_assert!(compensated.len() <= program.len() + 4);
                let after = run(&compensated);
                for reg in outputs {
                    prop_assert_eq!(after.value(reg), before.value(reg));
                    prop_assert_eq!(after.report().offset_error(reg), Some(Fraction::ZERO));
                }
            }
        }
    }
}
