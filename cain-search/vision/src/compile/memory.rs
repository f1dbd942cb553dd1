//! Copies that were left in registers, from which others are nearer.

use cain_analysis::owned::Step;
use cain_isa::program::Held;
use cain_isa::{Cell, Direction, Displacement, Instruction, PlaneOperation, Reg};

use super::copies::{Copied, Reach, around, moved_on};
use super::{CompileError, Compiler};
use crate::declaration::{Summand, Value};

/// The port that is written and the cell in which it arrives, from a displacement of at most two PEs.
pub(super) fn ports(at: Displacement) -> (Cell, Cell) {
    let horizontal = if at.x < 0 { Direction::West } else { Direction::East };
    let vertical = if at.y < 0 { Direction::South } else { Direction::North };
    let mut steps = vec![horizontal; usize::from(at.x.unsigned_abs())];
    steps.extend(vec![vertical; usize::from(at.y.unsigned_abs())]);
    match steps.as_slice() {
        [] => (Cell::News, Cell::News),
        [first] => (Cell::Port(first.opposite()), Cell::News),
        [first, second, ..] => (Cell::Port(first.opposite()), Cell::Port(*second)),
    }
}

impl Compiler<'_> {
    /// A register with a plane, or its negative, as it is at another PE: one that is there, or a copy in a free register that is
    /// none of these.
    pub(super) fn displaced(
        &mut self,
        value: Value,
        summand: &Summand,
        is_negative: bool,
        but: &[Reg],
        reach: Reach,
    ) -> Result<Reg, CompileError> {
        if let Some(reg) = self.registers.copy(summand, is_negative, reach) {
            return Ok(reg);
        }
        let Summand { of, at, .. } = *summand;
        let fits = |reg: &Reg| !but.contains(reg);
        let free = |compiler: &Self| compiler.registers.free(None).into_iter().find(fits);
        let Some((from, copy)) = self.nearest_copy(summand, is_negative, reach) else {
            // Nothing of that sign yet.
            let to = free(self).ok_or_else(|| self.no_registers(value))?;
            let x = self.reg(of)?;
            self.negative(value, to, x)?;
            let copy = Copied { of, at: Displacement::ZERO, is_negative, reach: [Displacement::ZERO; 2] };
            self.registers.remember(to, copy);
            if at == Displacement::ZERO {
                return Ok(to);
            }
            return self.displaced(value, summand, is_negative, but, reach);
        };
        let by = apart(at, copy.at);
        // The nearest copy moves on, unless it is held or stands where all begin.
        let moves_on = self.registers.is_free(from) && by != at && fits(&from) && by != Displacement::ZERO;
        let to = if moves_on { from } else { free(self).ok_or_else(|| self.no_registers(value))? };
        self.operation(value, PlaneOperation::Shift { y: to, x: from, from: by })?;
        self.registers.remember(to, Copied { at, reach: moved_on(copy.reach, by), ..copy });
        Ok(to)
    }

    /// The copy from which a plane, or its negative, comes over the fewest PEs, of those that came over PEs within a rectangle only.
    pub(super) fn nearest_copy(&self, summand: &Summand, is_negative: bool, reach: Reach) -> Option<(Reg, Copied)> {
        let by = |copy: &Copied| apart(summand.at, copy.at);
        let fits = |copy: &Copied| around(moved_on(copy.reach, by(copy)), reach) == reach;
        let copies = self.registers.copies(summand.of, is_negative).into_iter().filter(|(_, copy)| fits(copy));
        copies.min_by_key(|(from, copy)| (length(by(copy)), *from))
    }

    /// Writes the negative of a plane: NEWS has the error of one transfer, which another one removes.
    pub(super) fn negative(&mut self, value: Value, y: Reg, x: Reg) -> Result<(), CompileError> {
        self.transfers(value, &[(Cell::News, &[]), (y.into(), &[x.into(), Cell::News])])
    }

    /// Registers that a step writes do not have their copies any more.
    pub(super) fn overwrite(&mut self, step: &Step) {
        let words = step.listing().unwrap_or_default().iter().flat_map(Instruction::words);
        for reg in words.flat_map(|word| word.effect(true).written().analogue().iter().collect::<Vec<_>>()) {
            self.registers.overwrite(Held::Reg(reg));
        }
    }
}

pub(super) fn apart(at: Displacement, from: Displacement) -> Displacement {
    Displacement::new(at.x.saturating_sub(from.x), at.y.saturating_sub(from.y))
}

pub(super) fn length(at: Displacement) -> u16 {
    at.x.unsigned_abs().saturating_add(at.y.unsigned_abs())
}
