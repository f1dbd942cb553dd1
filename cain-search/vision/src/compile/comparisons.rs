//! Bits where a plane of levels is larger than 0.

use cain_analysis::owned::Step;
use cain_isa::asm::digital::FLAG;
use cain_isa::program::Term;
use cain_isa::{Bit, Cell, Displacement, Dreg, Fraction, Instruction, Logic, Operation, Reg, Sum, Word};

use super::linear::Linear;
use super::{CompileError, Compiler};
use crate::declaration::{Summand, Value};

/// The most PEs at which a plane is seen over `NEWS` without a copy.
const SEEN: i16 = 2;
/// How far from 0, in DN, the middle between two sums has to be for a level to be worth a word.
const APART: f64 = 2.0;

impl Compiler<'_> {
    /// Bits that are 1 where levels are larger than 0, or where they are not.
    pub(super) fn positive(&mut self, value: Value, of: Value, is_inverted: bool) -> Result<(), CompileError> {
        // A sum that something else reads too is made.
        let linear = if self.uses.left(of) > 1 { Linear::plane(of) } else { self.reduced(self.linear(of)) };
        let planes: Vec<Value> = linear.summands.iter().map(|summand| summand.of).collect();
        self.locking(planes.clone(), |compiler| {
            planes.into_iter().try_for_each(|plane| compiler.make(plane))?;
            let b = compiler.free_bit(value)?;
            compiler.compare(value, &linear, b, is_inverted)?;
            compiler.read(&linear);
            compiler.hold_bit(b, value);
            Ok(())
        })
    }

    /// Writes where a sum is positive, or where it is not.
    pub(super) fn compare(
        &mut self,
        value: Value,
        linear: &Linear,
        b: Dreg,
        is_inverted: bool,
    ) -> Result<(), CompileError> {
        self.between.extend(self.lattices.middle(linear).map(|middle| (value, middle)));
        let mut cells = self.cells(value, linear)?;
        if !linear.is_zero() {
            self.set_level_of(linear, value)?;
            cells.push(Cell::In);
        }
        let unproved = |_| CompileError::Unproved(Some(value));
        let operation = if is_inverted { Operation::Nor } else { Operation::Or };
        let logic = Logic::new(operation, &[b], &[FLAG]).map_err(unproved)?;
        let words = [Word::Where(Sum::new(&cells).map_err(unproved)?), Word::Logic(logic), Word::All];
        self.push(Step::Execute(words.into_iter().map(Instruction::Word).collect()));
        Ok(())
    }

    /// Cells whose sum are the planes of a sum.
    fn cells(&mut self, value: Value, linear: &Linear) -> Result<Vec<Cell>, CompileError> {
        // A level that is added on a chip needs room as well.
        let has_level = !linear.is_zero() || self.between.get(&value).is_some_and(|middle| middle.abs() >= APART);
        let most = Sum::MAX_CELLS - usize::from(has_level);
        let is_unit = |summand: &Summand| summand.weight.abs() == Fraction::ONE;
        let mut cells = Vec::new();
        // Without planes, a cell that is 0.
        if linear.summands.len() > most || !linear.summands.iter().all(is_unit) {
            let reg = self.weighted(value, linear)?;
            return Ok(vec![reg.into()]);
        }
        let mut is_news_free = true;
        let mut used = Vec::new();
        // Copies first, which overwrite NEWS.
        let mut seen = None;
        for summand in &linear.summands {
            let is_negative = summand.weight != Fraction::ONE;
            if is_negative
                && summand.at != Displacement::ZERO
                && is_news_free
                && near(summand.at)
                && self.registers.copy(summand, is_negative, linear.reach).is_none()
            {
                is_news_free = false;
                seen = Some(*summand);
                continue;
            }
            let reg = self.displaced(value, summand, is_negative, &used, linear.reach)?;
            used.push(reg);
            cells.push(reg.into());
        }
        if let Some(summand) = seen {
            let from = self.reg(summand.of)?;
            cells.push(self.see(value, from, summand.at)?);
        }
        if cells.is_empty() && linear.is_zero() {
            self.set_level(vec![Term::Constant(0.0)]);
            cells.push(Cell::In);
        }
        Ok(cells)
    }

    /// Writes a plane to NEWS, so that its negative is seen at a displacement; the cell in which it is seen.
    fn see(&mut self, value: Value, from: Reg, at: Displacement) -> Result<Cell, CompileError> {
        let (pushed, seen) = super::memory::ports(at);
        // A register with the error of a transfer removes that of the next one.
        let t = self.free(value)?;
        self.transfers(value, &[(t.into(), &[]), (pushed, &[from.into(), t.into()])])?;
        Ok(seen)
    }

    /// Bits as a register, in one word.
    pub(super) fn combine(
        &mut self,
        value: Value,
        y: Dreg,
        of: &[Dreg],
        is_inverted: bool,
    ) -> Result<(), CompileError> {
        let operation = if is_inverted { Operation::Nor } else { Operation::Or };
        let bits: Vec<Bit> = of.iter().copied().map(Bit::Reg).collect();
        let logic = Logic::new(operation, &[y], &bits).map_err(|_| CompileError::Unproved(Some(value)))?;
        self.push(Step::Execute(vec![Instruction::Word(Word::Logic(logic))]));
        Ok(())
    }
}

fn near(at: Displacement) -> bool {
    at.x.saturating_abs().saturating_add(at.y.saturating_abs()) <= SEEN
}
