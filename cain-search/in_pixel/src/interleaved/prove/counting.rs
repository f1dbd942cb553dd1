//! Proves exact scores: every number is the sum of the right results, for all results and weights.
//!
//! Each part of the program is followed on its own, from registers with any bits that the previous parts may leave:
//! what a part takes for granted was proved of the parts before. A number and its addend stay below a power of two, as
//! do the sums of so many results, so that their higher bits are 0.

use std::collections::BTreeMap;

use cain_analysis::owned::Step;
use cain_isa::{Bit, Cell, Dreg};

use super::super::counting::{ADDEND, FIRST, FREE, Join, NUMBER, Plan, ZEROS};
use super::super::maps::RESULT;
use super::super::moves::Axis;
use super::convolution::picture;
use crate::InPixelProofError;
use crate::follower::Follower;
use crate::registers::DENSE;
use crate::sums::Combination;
use crate::truth::{Symbol, Truth, Unknown};

/// Proves the program. `ends` are the steps at which its parts end, and a result of 1 counts as `level` DN.
pub(super) fn program(plan: &Plan, level: i8, program: &[Step], ends: &[usize]) -> Result<(), InPixelProofError> {
    let mut proof = Proof {
        plan,
        follower: Follower::new(plan.side),
        program,
        ends,
        parts: 0,
        scratch: vec![FREE.into(), Bit::Flag],
        left: BTreeMap::new(),
    };
    proof.weighted(level)?;
    for group in 0..FIRST {
        proof.first(group)?;
        if group > 0 {
            proof.carry(Live { bits: plan.bits_of(group + 1), span: FIRST })?;
        }
    }
    proof.scratch.extend(ZEROS.map(Bit::from));
    let (mut results, mut span) = (FIRST, FIRST);
    for &join in &plan.joins {
        proof.join(join, Live { bits: plan.bits_of(results), span })?;
        results *= 2;
        span *= if join.axis == Axis::Columns { 2 } else { 1 };
        proof.carry(Live { bits: plan.bits_of(results), span })?;
    }
    proof.follow()?;
    if !proof.follower.replay.is(Bit::Flag, |_| Symbol::Known(true)) {
        return Err(proof.wrong());
    }
    let is_last = ends.get(proof.parts) == Some(&program.len());
    if is_last && proof.part()? == [Step::Count(plan.count())] { Ok(()) } else { Err(proof.wrong()) }
}

/// The places of each number whose bits may be 1.
#[derive(Clone, Copy)]
struct Live {
    /// The number of bits of a number.
    bits: usize,
    /// The number of groups from one number to the next.
    span: usize,
}

/// Which bit of its number a PE has, where numbers begin every `span` groups.
fn bit_at(plan: &Plan, pe: usize, span: usize) -> usize {
    pe % plan.side / plan.group % span
}

struct Proof<'p> {
    plan: &'p Plan,
    follower: Follower<Symbol>,
    program: &'p [Step],
    ends: &'p [usize],
    /// The number of parts followed so far.
    parts: usize,
    /// The bits on which no part may depend.
    scratch: Vec<Bit>,
    /// What was proved to be left in registers, until a part takes it.
    left: BTreeMap<Dreg, Vec<Symbol>>,
}

impl<'p> Proof<'p> {
    /// The steps of the next part.
    fn part(&mut self) -> Result<&'p [Step], InPixelProofError> {
        let first = self.parts.checked_sub(1).map_or(0, |before| self.ends[before]);
        let part = self.ends.get(self.parts).and_then(|end| self.program.get(first..*end));
        self.parts += 1;
        part.ok_or_else(|| self.wrong())
    }

    fn wrong(&self) -> InPixelProofError {
        InPixelProofError::Count { part: self.parts }
    }

    /// Follows a part without comparisons.
    fn follow(&mut self) -> Result<(), InPixelProofError> {
        let part = self.part()?;
        self.follower.follow(part, |_, _| None, |_| None)
    }

    /// The bit of a weighted result.
    fn result(pe: usize, bit: usize) -> Symbol {
        Symbol::bit(Unknown::Pe(pe), bit)
    }

    /// The bit of a PE's number, or of its addend.
    fn summand(&self, live: Live, pe: usize, register: Dreg) -> Symbol {
        if bit_at(self.plan, pe, live.span) >= live.bits {
            return Symbol::Known(false);
        }
        Symbol::bit(Unknown::Summands(pe), usize::from(register == ADDEND))
    }

    /// Loads the numbers and addends before a part, whose known bits have to be what earlier parts have left. Everything
    /// else that these have left is forgotten.
    fn begin(
        &mut self,
        number: impl Fn(&Self, usize) -> Symbol,
        addend: impl Fn(&Self, usize) -> Symbol,
    ) -> Result<(), InPixelProofError> {
        self.take(NUMBER, number)?;
        self.take(ADDEND, addend)?;
        self.forget(&self.scratch.clone());
        Ok(())
    }

    /// Loads a register whose known bits have to be what the last part has left there.
    fn take(&mut self, register: Dreg, symbol: impl Fn(&Self, usize) -> Symbol) -> Result<(), InPixelProofError> {
        let left = self.left.remove(&register).unwrap_or_default();
        let is_left = |pe: usize| symbol(self, pe).as_known().is_none() || left.get(pe) == Some(&symbol(self, pe));
        if !(0..self.plan.side * self.plan.side).all(is_left) {
            return Err(self.wrong());
        }
        self.load(register, symbol);
        Ok(())
    }

    fn forget(&mut self, bits: &[Bit]) {
        let unknown = vec![Symbol::Other; self.plan.side * self.plan.side];
        for bit in bits {
            self.follower.replay.load(*bit, unknown.clone());
        }
    }

    fn load(&mut self, register: Dreg, symbol: impl Fn(&Self, usize) -> Symbol) {
        let symbols = (0..self.plan.side * self.plan.side).map(|pe| symbol(self, pe)).collect();
        self.follower.replay.load(register.into(), symbols);
    }

    /// Proves what a part leaves in a register.
    fn holds(&mut self, register: Dreg, wanted: impl Fn(&Self, usize) -> Symbol) -> Result<(), InPixelProofError> {
        if !self.follower.replay.is(register.into(), |pe| wanted(self, pe)) {
            return Err(self.wrong());
        }
        self.left.insert(register, self.follower.replay.plane(register.into()));
        Ok(())
    }

    /// Proves that each PE has the bits of its group's result where the weight is 1, and their inverse where it is −1.
    fn weighted(&mut self, level: i8) -> Result<(), InPixelProofError> {
        let largest = u8::try_from(self.plan.levels.len()).unwrap_or(u8::MAX);
        // The two lower bits are the result; the others tell whether the weight is 1 and whether it is −1.
        let of = |pe: usize, is: &dyn Fn(u8) -> bool| Symbol::values(Unknown::Pe(pe), is);
        let result = |value: u8| (value & 0b11).min(largest);
        for (sign, register) in DENSE.into_iter().enumerate() {
            self.load(register, |_, pe| of(pe, &|value| value >> (2 + sign) & 1 == 0));
        }
        self.follower.sums.load(RESULT, Combination::sum([picture()]).unwrap_or_default());
        let compare = |follower: &mut Follower<Symbol>, sum: cain_isa::Sum| {
            const RESULTS: Cell = Cell::Reg(RESULT);
            let (cut, level) = (-i16::from(follower.level?), i16::from(level));
            if sum.cells() != [RESULTS, Cell::In] || follower.sums.value(RESULT)? != &Combination::sum([picture()])? {
                return None;
            }
            let exceeds = |value: u8| i16::from(result(value)) * level > cut;
            let side = follower.replay.side();
            follower.replay.load(Bit::Flag, (0..side * side).map(|pe| of(pe, &exceeds)).collect());
            Some(())
        };
        let part = self.part()?;
        self.follower.follow(part, compare, |_| None)?;
        for (bit, register) in ZEROS.into_iter().enumerate().take(self.plan.result_bits) {
            let is_zero = |value: u8| match (value >> 2, result(value) >> bit & 1 == 1) {
                (0b01, is_set) => !is_set,
                (0b10, is_set) => is_set,
                (0b00, _) => true,
                // No weight is both.
                _ => false,
            };
            self.holds(register, |_, pe| of(pe, &is_zero))?;
            self.load(register, |_, pe| Self::result(pe, bit).inverse());
        }
        self.forget(&DENSE.map(Bit::from));
        Ok(())
    }

    /// Proves that the result of one of the first groups reaches its places.
    fn first(&mut self, group: usize) -> Result<(), InPixelProofError> {
        let before = Live { bits: self.plan.bits_of(group), span: FIRST };
        let number =
            |proof: &Self, pe: usize| if group == 0 { Symbol::Other } else { proof.summand(before, pe, NUMBER) };
        self.begin(number, |_, _| Symbol::Other)?;
        self.follow()?;
        let result = |proof: &Self, pe: usize| {
            let bit = bit_at(proof.plan, pe, FIRST);
            if bit < proof.plan.result_bits {
                Self::result(pe + (group * proof.plan.group) - bit * proof.plan.group, bit)
            } else {
                Symbol::Known(false)
            }
        };
        if group == 0 {
            return self.holds(NUMBER, result);
        }
        self.holds(NUMBER, number)?;
        self.holds(ADDEND, result)
    }

    /// Proves that the number at that distance becomes the addend.
    fn join(&mut self, Join { axis, distance }: Join, live: Live) -> Result<(), InPixelProofError> {
        let number = |proof: &Self, pe: usize| proof.summand(live, pe, NUMBER);
        self.begin(number, |_, _| Symbol::Other)?;
        self.follow()?;
        let side = self.plan.side;
        let remains = |pe: usize| axis == Axis::Rows || (pe % side / distance).is_multiple_of(2);
        let (at, step): (fn(usize, usize) -> usize, _) = match axis {
            Axis::Rows => (|pe, side| pe / side, side),
            Axis::Columns => (|pe, side| pe % side, 1),
        };
        self.holds(NUMBER, |proof, pe| if remains(pe) { number(proof, pe) } else { Symbol::Known(false) })?;
        self.holds(ADDEND, |proof, pe| {
            let is_there = remains(pe) && at(pe, side) + distance < side;
            if is_there { number(proof, pe + distance * step) } else { Symbol::Known(false) }
        })
    }

    /// Proves that the number becomes the sum, which has so many bits.
    ///
    /// Each step preserves the sum of both, and one more bit of the addend becomes 0. In the end only its highest bit
    /// may be 1, and only where that of the number is 0, since the sum has no more bits.
    fn carry(&mut self, live: Live) -> Result<(), InPixelProofError> {
        let plan = self.plan;
        let Plan { side, group, .. } = *plan;
        for step in 0..live.bits {
            let number = |proof: &Self, pe: usize| proof.summand(live, pe, NUMBER);
            let addend = |proof: &Self, pe: usize| {
                let is_done = bit_at(proof.plan, pe, live.span) < step;
                if is_done { Symbol::Known(false) } else { proof.summand(live, pe, ADDEND) }
            };
            self.begin(number, addend)?;
            self.follow()?;
            let any = |proof: &Self, pe: usize| number(proof, pe).or(&addend(proof, pe));
            if step + 1 == live.bits {
                return self.holds(NUMBER, any);
            }
            let both = |proof: &Self, pe: usize| number(proof, pe).inverse().or(&addend(proof, pe).inverse()).inverse();
            self.holds(NUMBER, |proof, pe| any(proof, pe).inverse().or(&both(proof, pe)).inverse())?;
            let carry = |proof: &Self, pe: usize| {
                if pe % side < group { Symbol::Known(false) } else { both(proof, pe - group) }
            };
            self.holds(ADDEND, carry)?;
            // The highest bit has no carry, since the sum has no more bits.
            let carries = self.left.entry(ADDEND).or_default().iter_mut().enumerate();
            for (_, carry) in carries.filter(|(pe, _)| bit_at(plan, *pe, live.span) == live.bits % live.span) {
                *carry = Symbol::Known(false);
            }
        }
        Ok(())
    }
}
