//! Sums that come over no more PEs than they have to.

use std::collections::BTreeMap;

use cain_isa::program::Held;
use cain_isa::{Cell, Displacement, Fraction, Reg};

use super::linear::Linear;
use super::sums::{LARGEST, planes};
use super::{CompileError, Compiler};
use crate::declaration::{Kind, Summand, Value};

/// The most halvings of a plane.
const MOST_HALVINGS: u32 = 7;

impl Compiler<'_> {
    /// Makes the weighted planes of a sum in a free register, from copies of those at other PEs: of halves of them, if the sum
    /// would leave the range of registers on the way.
    pub(super) fn plain_sum(&mut self, value: Value, linear: &Linear) -> Result<Reg, CompileError> {
        let times = self.early_halvings(linear);
        if times == 0 {
            return self.sum_of_copies(value, linear);
        }
        let mut halves = BTreeMap::new();
        for plane in planes(&linear.summands) {
            halves.insert(plane, self.halved(value, plane, times, linear)?);
        }
        let mut of_halves = linear.clone();
        for summand in &mut of_halves.summands {
            let weight = summand.weight.checked_mul(Fraction::from(1 << times));
            (summand.of, summand.weight) = (halves[&summand.of], weight.ok_or(CompileError::Level(value))?);
        }
        let sum = self.locking(halves.values().copied(), |compiler| compiler.sum_of_copies(value, &of_halves));
        for half in halves.into_values() {
            self.done(half);
        }
        sum
    }

    /// How often planes are halved before they are added, so that no sum on the way leaves the range of registers.
    fn early_halvings(&self, linear: &Linear) -> u32 {
        let halvings = halvings(linear).min(MOST_HALVINGS);
        let scale = f64::from(1 << halvings);
        let largest = |summand: &Summand| match self.kind(summand.of) {
            Kind::Levels { low, high } => low.abs().max(high.abs()),
            _ => 0.0,
        };
        // What the lowest bits of all numerators make, before it is halved.
        let on_the_way = (0..halvings).map(|bit| {
            let step = f64::from(1 << bit);
            let of = |summand: &Summand| {
                let numerator = (summand.weight.to_f64() * scale).abs();
                largest(summand) * (numerator % (2.0 * step)) / step
            };
            linear.summands.iter().map(of).sum::<f64>()
        });
        let most = on_the_way.fold(0.0, f64::max);
        (0..halvings).find(|times| most / f64::from(1 << *times) <= LARGEST).unwrap_or(halvings)
    }

    /// A plane that is halved so many times, in its own register if nothing else needs it.
    fn halved(&mut self, value: Value, plane: Value, times: u32, linear: &Linear) -> Result<Value, CompileError> {
        let half = self.temporary(self.divided_kind(plane, f64::from(1 << times)), value);
        let x = self.reg(plane)?;
        let y = if linear.is_last_read(plane, self.uses.left(plane)) { x } else { self.free(value)? };
        if y == x {
            self.registers.forget(plane);
        }
        self.registers.hold(Held::Reg(y), half);
        let t = self.free(value)?;
        for from in [x].into_iter().chain(std::iter::repeat(y)).take(times as usize) {
            self.words(value, &[(&[t.into(), Cell::News], &[from.into()]), (&[y.into()], &[t.into()])])?;
        }
        Ok(half)
    }

    /// Makes the weighted planes of a sum in a free register, from copies of those at other PEs.
    ///
    /// Weights are multiples of a power of one half. From the lowest bit of their numerators to the highest, what there is so far
    /// is halved, and planes are added and subtracted.
    fn sum_of_copies(&mut self, value: Value, linear: &Linear) -> Result<Reg, CompileError> {
        let free = self.registers.free(None);
        let copies = linear.summands.iter().filter(|summand| summand.at != Displacement::ZERO).count();
        // Without room for all copies at once, each is added as soon as it is made.
        let mut used: Vec<Reg> =
            if copies + 2 > free.len() { free.iter().copied().take(2).collect() } else { Vec::new() };
        let at_once = if used.is_empty() { usize::MAX } else { free.len().saturating_sub(2).max(1) };
        for reg in &used {
            self.registers.overwrite(Held::Reg(*reg));
        }
        let halvings = halvings(linear);
        let scale = Fraction::from(1 << halvings.min(MOST_HALVINGS));
        let mut left: Vec<(Summand, Option<Reg>, i64)> = Vec::new();
        for summand in &linear.summands {
            let whole = summand.weight.checked_mul(scale).filter(|whole| whole.denominator() == 1);
            let whole = whole.ok_or(CompileError::Level(value))?.numerator();
            let mut reg = None;
            if at_once == usize::MAX {
                let copy = self.displaced(value, summand, false, &used, linear.reach)?;
                used.push(copy);
                reg = Some(copy);
            }
            left.push((*summand, reg, whole));
        }
        let mut room = self.registers.free(None).into_iter().filter(|reg| at_once < usize::MAX || !used.contains(reg));
        let (sum, half) = if at_once < usize::MAX {
            (used.first().copied(), used.get(1).copied())
        } else {
            (room.next(), room.next())
        };
        let sum = sum.ok_or_else(|| self.no_registers(value))?;
        let mut is_begun = false;
        for level in 0..=halvings {
            if is_begun && level > 0 {
                let half = half.ok_or_else(|| self.no_registers(value))?;
                self.words(value, &[(&[half.into(), Cell::News], &[sum.into()]), (&[sum.into()], &[half.into()])])?;
            }
            // The lowest bits first; what is left at the last level is added as often as it says.
            let is_last = level == halvings;
            loop {
                let mut added: [Vec<Cell>; 2] = Default::default();
                let mut taken = used.clone();
                for (summand, reg, weight) in &mut left {
                    let is_due = if is_last { *weight != 0 } else { *weight % 2 != 0 };
                    let side = usize::from(*weight < 0);
                    if !is_due || added[side].len() >= 3 || added[0].len() + added[1].len() >= at_once {
                        continue;
                    }
                    let reg = match reg {
                        Some(reg) => *reg,
                        None => self.displaced(value, summand, false, &taken, linear.reach)?,
                    };
                    if !taken.contains(&reg) || at_once == usize::MAX {
                        taken.push(reg);
                        added[side].push(reg.into());
                        *weight -= weight.signum();
                    }
                }
                let [mut plus, mut minus] = added;
                if plus.is_empty() && minus.is_empty() {
                    break;
                }
                if is_begun {
                    plus.push(sum.into());
                }
                minus.push(Cell::News);
                self.words(value, &[(&[Cell::News], &plus), (&[sum.into()], &minus)])?;
                is_begun = true;
            }
            for (_, _, weight) in &mut left {
                *weight /= if is_last { 1 } else { 2 };
            }
        }
        Ok(sum)
    }
}

/// How often what is added first has to be halved.
fn halvings(linear: &Linear) -> u32 {
    linear.summands.iter().map(|summand| summand.weight.denominator().trailing_zeros()).max().unwrap_or(0)
}
