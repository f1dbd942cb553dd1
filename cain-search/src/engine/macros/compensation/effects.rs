//! With which weights a constant reaches the outputs.

use std::collections::BTreeMap;

use cain_isa::{Fraction, Instruction, Reg, Store};

use crate::Output;
use crate::fractions::common_denominator;

/// A multiple of the offset error for each output, in units of a common denominator.
pub(super) type Multiples = Vec<i64>;

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
        let nothing = vec![Fraction::ZERO; outputs.len()];
        let mut cells: BTreeMap<Store, Vec<Fraction>> = BTreeMap::new();
        for (i, output) in outputs.iter().enumerate() {
            let mut own = nothing.clone();
            own[i] = Fraction::ONE;
            cells.insert(Store::Reg(output.reg), own);
        }
        let mut left = nothing.clone();
        let mut gaps = vec![cells.clone()];
        for instruction in listing.iter().rev() {
            let words: Vec<_> = instruction.words().collect();
            for transfer in words.iter().rev().flat_map(cain_isa::Word::transfers) {
                let Some(weight) = cells.remove(&transfer.store) else { continue };
                add(&mut left, &weight)?;
                let passed = weight.iter().map(|own| own.checked_mul(transfer.factor())).collect::<Option<Vec<_>>>()?;
                for &(source, _) in transfer.terms() {
                    add(cells.entry(source).or_insert_with(|| nothing.clone()), &passed)?;
                }
            }
            gaps.push(cells.clone());
        }
        gaps.reverse();
        let unit = common_denominator(gaps.iter().flat_map(BTreeMap::values).flatten().chain(&left).copied())?;
        let in_units = |multiples: &Vec<Fraction>| -> Option<Multiples> {
            let scaled = |multiple: &Fraction| multiple.numerator().checked_mul(unit / multiple.denominator());
            multiples.iter().map(scaled).collect()
        };
        let of_registers = |cells: &BTreeMap<Store, Vec<Fraction>>| -> Option<Weights> {
            let registers = cells.iter().filter_map(|(store, weight)| match *store {
                Store::Reg(reg) => Some((reg, weight)),
                _ => None,
            });
            registers.map(|(reg, weight)| Some((reg, in_units(weight)?))).collect()
        };
        Some(Self { left: in_units(&left)?, weights: gaps.iter().map(of_registers).collect::<Option<_>>()? })
    }

    /// Whether nothing is left.
    pub(super) fn is_compensated(&self) -> bool {
        self.left.iter().all(|&left| left == 0)
    }
}

fn add(sum: &mut [Fraction], more: &[Fraction]) -> Option<()> {
    for (a, b) in sum.iter_mut().zip(more) {
        *a = a.checked_add(*b)?;
    }
    Some(())
}
