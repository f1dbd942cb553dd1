//! Levels that are chosen by a bit.

use cain_analysis::owned::Step;
use cain_isa::operations::Place;
use cain_isa::program::Held;
use cain_isa::{Bit, Bits, Cell, Direction, Fraction, Instruction, Reg, Word};

use super::extremes::place;
use super::linear::Linear;
use super::{CompileError, Compiler};
use crate::declaration::{Operation, Value};

/// What is chosen, in terms of cells that one word adds.
struct Side {
    of: Value,
    /// The plane, and the neighbour from which it comes.
    plane: Option<(Value, Option<Direction>)>,
    /// What is added to it.
    level: Option<Linear>,
}

impl Compiler<'_> {
    /// Levels of one plane where a bit is 1, and of another one elsewhere.
    pub(super) fn select(
        &mut self,
        value: Value,
        bits: Value,
        [then, otherwise]: [Value; 2],
    ) -> Result<(), CompileError> {
        // Places of the array are known without any plane, and need not wait for one.
        if !matches!(self.pending.get(&bits), Some(Operation::Inside { .. } | Operation::Pattern(_))) {
            self.make(bits)?;
        }
        let x = if then == otherwise {
            self.reg(then)?;
            self.make(bits)?;
            self.done(then);
            self.take(otherwise, value)?
        } else {
            let sides = [then, otherwise].map(|of| self.side(of));
            let planes: Vec<Value> = sides.iter().filter_map(|side| Some(side.plane?.0)).collect();
            self.locking(planes.clone(), |compiler| {
                planes.iter().try_for_each(|plane| compiler.make(*plane))?;
                let b = compiler.bit(bits)?;
                compiler.choose(value, Bit::Reg(b), &sides)
            })?
        };
        self.done(bits);
        self.hold_reg(x, value);
        Ok(())
    }

    /// A plane with a constant or numbers, if nothing else needs it with them, or only these.
    fn side(&self, of: Value) -> Side {
        let plain = Side { of, plane: Some((of, None)), level: None };
        let Some(operation @ Operation::Sum { summands, .. }) = self.pending.get(&of) else { return plain };
        let added = Linear::added(operation);
        if !added.is_whole() {
            return plain;
        }
        let plane = match summands.as_slice() {
            [] => return Side { of, plane: None, level: Some(added) },
            [summand] if summand.weight == Fraction::ONE && self.uses.left(of) == 1 => {
                match (summand.at.x, summand.at.y, place(summand.at)) {
                    (0, 0, _) => (summand.of, None),
                    (_, _, Some(Place::At(direction))) => (summand.of, Some(direction)),
                    _ => return plain,
                }
            }
            _ => return plain,
        };
        Side { of, plane: Some(plane), level: Some(added).filter(|added| !added.is_zero()) }
    }

    /// Chooses one of two sides; the register that has it then.
    fn choose(&mut self, value: Value, b: Bit, sides: &[Side; 2]) -> Result<Reg, CompileError> {
        let [then, otherwise] = sides;
        let flag = Bits::new(&[b]).map_err(|_| CompileError::Unproved(Some(value)))?;
        let condition = Step::Execute(vec![Instruction::Word(Word::WhereBits(flag))]);
        let all = Step::Execute(vec![Instruction::Word(Word::All)]);
        // The other plane is overwritten if nothing else reads it.
        let in_place =
            otherwise.plane.filter(|_| otherwise.of == otherwise.plane.map_or(otherwise.of, |plane| plane.0));
        let in_place = in_place.filter(|(plane, _)| {
            let reads = sides.iter().filter(|side| side.plane.is_some_and(|(other, _)| other == *plane)).count();
            otherwise.level.is_none() && self.uses.left(*plane) == reads
        });
        if let Some((plane, _)) = in_place {
            let x = self.reg(plane)?;
            self.push(condition);
            self.add_cells(value, then)?;
            self.transfers(value, &[(x.into(), &[Cell::News])])?;
            self.push(all);
            for side in sides {
                self.chosen(side);
            }
            self.registers.hold(Held::Reg(x), value);
            return Ok(x);
        }
        self.add_cells(value, otherwise)?;
        self.push(condition);
        self.add_cells(value, then)?;
        self.push(all);
        for side in sides {
            self.chosen(side);
        }
        let y = self.free(value)?;
        self.transfers(value, &[(y.into(), &[Cell::News])])?;
        Ok(y)
    }

    /// Writes the negative of a side to NEWS.
    fn add_cells(&mut self, value: Value, side: &Side) -> Result<(), CompileError> {
        let (mut to, mut cells) = (Cell::News, Vec::new());
        if let Some((plane, from)) = side.plane {
            cells.push(self.reg(plane)?.into());
            to = from.map_or(to, |direction| Cell::Port(direction.opposite()));
        }
        if let Some(level) = &side.level {
            self.set_level_of(level, value)?;
            cells.push(Cell::In);
        }
        self.transfers(value, &[(to, &cells)])
    }

    /// The reads of a side are done.
    fn chosen(&mut self, side: &Side) {
        match side.plane {
            Some((plane, _)) if plane == side.of => self.done(plane),
            Some((plane, _)) => {
                self.pending.remove(&side.of);
                self.uses.done(side.of);
                self.done(plane);
            }
            None => drop(self.uses.done(side.of)),
        }
    }
}
