//! States that are brought to the nearest of several levels.

use cain_analysis::owned::Step;
use cain_isa::program::Term;
use cain_isa::{Cell, Instruction, Reg, Sum, Word};

use super::{CompileError, Compiler};
use crate::declaration::{Value, levels};

impl Compiler<'_> {
    /// Writes the level that is nearest to a plane; the register may be its own. There is scratch in `rest`.
    pub(super) fn nearest(&mut self, value: Value, y: Reg, x: Reg, count: u16, rest: Reg) -> Result<(), CompileError> {
        // The negative of the plane: that a level is not less than another one is that its negative is not more.
        self.negative(value, rest, x)?;
        if count.is_power_of_two() {
            self.nearest_of_power(value, y, x, count, rest)
        } else {
            self.nearest_of_list(value, y, count, rest)
        }
    }

    /// Brings the negative to the lowest step, by half of what is left each time; what is missing there is missing everywhere.
    fn nearest_of_power(&mut self, value: Value, y: Reg, x: Reg, count: u16, rest: Reg) -> Result<(), CompileError> {
        let step = 256 / i16::try_from(count).map_err(|_| CompileError::Storage(value))?;
        // From −128 (exclusive) to 0 (inclusive): above, 128 less.
        self.level(-64);
        self.transfers(value, &[(Cell::News, &[rest.into(), Cell::In])])?;
        self.level(64);
        self.conditional(value, &[rest.into()], &[(rest.into(), &[Cell::News, Cell::In])])?;
        let mut half = 64;
        while half >= step {
            self.transfers(value, &[(Cell::News, &[rest.into()])])?;
            self.level(128 - half);
            self.condition(value, &[rest.into(), Cell::In])?;
            self.level(half);
            self.transfers(value, &[(rest.into(), &[Cell::News, Cell::In])])?;
            self.push(Step::Execute(vec![Instruction::Word(Word::All)]));
            half /= 2;
        }
        // From −128 to −128 + step: the plane and this, and 128 less half of a step.
        self.level(128 - step / 2);
        self.transfers(value, &[(Cell::News, &[x.into(), rest.into(), Cell::In]), (y.into(), &[Cell::News])])
    }

    /// Every level in turn, from the highest one.
    fn nearest_of_list(&mut self, value: Value, y: Reg, count: u16, rest: Reg) -> Result<(), CompileError> {
        let levels = levels(count);
        let highest = levels.last().map_or(0, |(_, level)| *level);
        self.level(highest);
        self.transfers(value, &[(Cell::News, &[Cell::In]), (y.into(), &[Cell::News])])?;
        for pair in levels.windows(2).rev() {
            let ((_, lower), (least, _)) = (pair[0], pair[1]);
            self.level(least);
            self.condition(value, &[rest.into(), Cell::In])?;
            self.level(lower);
            self.transfers(value, &[(Cell::News, &[Cell::In]), (y.into(), &[Cell::News])])?;
            self.push(Step::Execute(vec![Instruction::Word(Word::All)]));
        }
        Ok(())
    }

    fn level(&mut self, level: i16) {
        self.set_level(vec![Term::Constant(level.into())]);
    }

    /// Sets FLAG where the sum of cells is positive.
    fn condition(&mut self, value: Value, of: &[Cell]) -> Result<(), CompileError> {
        let sum = Sum::new(of).map_err(|_| CompileError::Unproved(Some(value)))?;
        self.push(Step::Execute(vec![Instruction::Word(Word::Where(sum))]));
        Ok(())
    }

    /// Carries out transfers where the sum of cells is positive.
    fn conditional(&mut self, value: Value, of: &[Cell], transfers: &[(Cell, &[Cell])]) -> Result<(), CompileError> {
        self.condition(value, of)?;
        self.transfers(value, transfers)?;
        self.push(Step::Execute(vec![Instruction::Word(Word::All)]));
        Ok(())
    }
}
