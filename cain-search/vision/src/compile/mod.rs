//! From a declaration to a plan for the controller.
//!
//! Statements are compiled in their order; a plane is made when something needs it, in registers that are free then, and its
//! register is free again after its last use.

mod again;
mod beyond;
mod bits;
mod comparisons;
mod control;
mod copies;
mod error;
mod extremes;
mod frame;
mod hops;
mod lattices;
mod levels;
mod linear;
mod listing;
mod lists;
mod memory;
mod moves;
pub(crate) mod needed;
mod numbers;
mod order;
mod plain;
mod readout;
mod registers;
mod roles;
mod schedule;
mod scheme;
mod searches;
mod select;
mod spill;
mod split;
mod storage;
mod stream;
mod sums;
mod switches;
mod tidy;
mod uses;
mod whole;

use std::collections::{BTreeMap, BTreeSet};

use cain_analysis::owned::{Step, written};
use cain_isa::program::{Found, Held, Term};
use cain_isa::{Bit, Dreg, Instruction, PlaneOperation, Reg};

use crate::declaration::{Axis, Declaration, Kind, Number, Operation, Side, Statement, Value};
use crate::plan::{ListPlace, Piece, steps};
use copies::Reach;
pub use error::CompileError;
#[cfg(test)]
pub(crate) use frame::plan;
use lattices::Lattices;
use needed::Needed;
use numbers::{Numbers, formula, place};
pub(crate) use order::Order;
use registers::Registers;
pub(crate) use searches::Searches;
use uses::Uses;
pub use whole::{compile, compile_pinned};

/// What is known of planes that are made again for sums of many.
#[derive(Debug, Default)]
struct Anew {
    /// How often one was.
    count: usize,
    /// What they are made of in the end, which stays while any of these is still read.
    kept: BTreeMap<Value, BTreeSet<Value>>,
}

/// Puts a plan together.
struct Compiler<'d> {
    declaration: &'d Declaration,
    registers: Registers,
    uses: Uses,
    needed: Needed,
    numbers: Numbers,
    lists: BTreeMap<usize, ListPlace>,
    /// How the values that were not needed so far are made.
    pending: BTreeMap<Value, &'d Operation>,
    /// How the planes are made that were defined so far.
    operations: BTreeMap<Value, &'d Operation>,
    /// Planes that are needed for what is being made.
    locked: Vec<Value>,
    /// Planes that bodies around the present place expect where they are.
    fixed: BTreeSet<Value>,
    /// The registers in which values are wanted.
    wanted: BTreeMap<Value, Held>,
    searches: &'d mut Searches,
    /// What `IN` is set to.
    level: Option<Vec<Term>>,
    /// The order in which planes are made that are needed together.
    order: Order,
    /// Planes that are made again for sums of many.
    anew: Anew,
    /// Values that are not defined nearer to the border than that.
    reaches: BTreeMap<Value, Reach>,
    /// The PEs that values depend on, as far as they are known.
    extents: BTreeMap<Value, Reach>,
    /// The levels of planes that have few.
    lattices: Lattices,
    /// Where comparisons are best made with something else than 0, since few sums are possible.
    between: BTreeMap<Value, f64>,
    /// The planes of which it is claimed that a register holds them: where they are read, the proof does not look into them.
    claimed: BTreeSet<Value>,
    /// Planes that are made for a value and that the declaration does not have.
    temporary: BTreeMap<Value, Temporary>,
    /// The present body.
    pieces: Vec<Piece<'d>>,
}

/// A plane that is made for a value.
#[derive(Clone, Copy)]
struct Temporary {
    kind: Kind,
    of: Value,
}

impl<'d> Compiler<'d> {
    fn kind(&self, value: Value) -> Kind {
        self.temporary.get(&value).map_or_else(|| self.declaration.values[value.0], |temporary| temporary.kind)
    }

    /// The kind of what is left of a value when that is divided.
    fn divided_kind(&self, value: Value, by: f64) -> Kind {
        match self.kind(value) {
            Kind::Levels { low, high } => Kind::Levels { low: low / by, high: high / by },
            kind => kind,
        }
    }

    /// A plane that is made for a value and read once.
    fn temporary(&mut self, kind: Kind, of: Value) -> Value {
        let value = self.uses.more();
        self.temporary.insert(value, Temporary { kind, of });
        value
    }

    fn is_plane(&self, value: Value) -> bool {
        !matches!(self.kind(value), Kind::Number { .. })
    }

    /// Compiles the statements of a body.
    fn body(&mut self, body: &'d [Statement]) -> Result<(), CompileError> {
        for statement in body {
            match statement {
                Statement::Define { value, operation } => self.define(*value, operation)?,
                Statement::List { list, numbers } => self.append(*list, numbers)?,
                Statement::Loop(of) => self.repeat(of)?,
                Statement::Decide(decision) => self.decide(decision)?,
            }
        }
        Ok(())
    }

    /// Numbers are made at once, since what they are read of may change; planes when they are needed.
    fn define(&mut self, value: Value, operation: &'d Operation) -> Result<(), CompileError> {
        if self.uses.left(value) == 0 {
            return Ok(());
        }
        let (of, what, number) = match operation {
            Operation::Number(number) => {
                self.compute(place(value), number);
                return Ok(());
            }
            Operation::Any(of) => (*of, Found::Any, 0),
            Operation::Count(of) => (*of, Found::Ones, 0),
            Operation::Bound(of, side) => {
                let side = match side {
                    Side::Top => 0,
                    Side::Left => 1,
                    Side::Bottom => 2,
                    Side::Right => 3,
                };
                (*of, Found::Bounds, side)
            }
            Operation::First(of, axis) => (*of, Found::First, usize::from(*axis == Axis::Column)),
            Operation::Total(of) => {
                let from = self.reg(*of)?;
                self.push(Step::Sum { from, first: place(value) });
                self.done(*of);
                return Ok(());
            }
            Operation::Read(of, grid) => {
                let from = self.made(*of)?;
                self.read_out(from, *grid, place(value));
                self.done(*of);
                return Ok(());
            }
            plane => {
                self.operations.insert(value, plane);
                self.pending.insert(value, plane);
                return Ok(());
            }
        };
        let bit = self.bit(of)?;
        // Whether there is any comes with its place.
        let known = [(Found::Bounds, 4), (Found::First, 2)];
        let known = known.map(|(found, number)| self.numbers.found(found, of).map(|first| first + number));
        let known = known.into_iter().flatten().next().filter(|_| what == Found::Any);
        let first = known.unwrap_or_else(|| self.find(what, of, bit));
        self.compute_of(place(value), vec![Term::Number(first + number)]);
        self.done(of);
        Ok(())
    }

    /// Finds something about bits that are not known yet; the place of the first number.
    fn find(&mut self, what: Found, of: Value, bit: Dreg) -> usize {
        if let Some(first) = self.numbers.found(what, of) {
            return first;
        }
        let first = self.numbers.more(what.numbers());
        self.push(Step::Find { what, of: Bit::Reg(bit), first });
        self.numbers.find(what, of, first);
        first
    }

    fn push(&mut self, step: Step) {
        self.overwrite(&step);
        self.pieces.push(Piece::Do(step));
    }

    /// Sets `IN` to what a formula gives.
    fn set_level(&mut self, formula: Vec<Term>) {
        if self.level.as_ref() == Some(&formula) {
            return;
        }
        #[expect(clippy::cast_possible_truncation, reason = "the range was checked")]
        if let [Term::Constant(level)] = formula.as_slice() {
            self.push(Step::Level(*level as i8));
        } else {
            let place = self.numbers.more(1);
            self.compute_of(place, formula.clone());
            self.push(Step::LevelOf { number: place, corrected: None });
        }
        self.level = Some(formula);
    }

    /// Carries out an operation for a value.
    fn operation(&mut self, value: Value, operation: PlaneOperation) -> Result<(), CompileError> {
        let words = operation.words().map_err(|error| CompileError::Operation(value, error))?;
        self.push(Step::Execute(words.iter().copied().map(Instruction::Word).collect()));
        Ok(())
    }

    fn compute(&mut self, number: usize, of: &Number) {
        self.compute_of(number, formula(of));
    }

    fn compute_of(&mut self, number: usize, formula: Vec<Term>) {
        self.push(Step::Compute { number, formula });
    }

    /// A read of a value is done.
    fn done(&mut self, value: Value) {
        if self.uses.done(value) {
            self.registers.forget(value);
        }
    }

    /// A register holds a value that has been made.
    fn hold(&mut self, held: Held, value: Value) {
        self.registers.hold(held, value);
        if !self.temporary.contains_key(&value) {
            self.claimed.insert(value);
            self.pieces.push(Piece::Holds(held, value));
        }
    }

    fn hold_reg(&mut self, reg: Reg, value: Value) {
        self.hold(Held::Reg(reg), value);
    }

    fn hold_bit(&mut self, bit: Dreg, value: Value) {
        self.hold(Held::Bit(Bit::Reg(bit)), value);
    }

    /// The analogue register that holds a value, which is made if there is none.
    fn reg(&mut self, value: Value) -> Result<Reg, CompileError> {
        self.make(value)?;
        self.registers.reg(value).ok_or(CompileError::Unproved(Some(value)))
    }

    /// The digital register that holds a value, which is made if there is none.
    fn bit(&mut self, value: Value) -> Result<Dreg, CompileError> {
        self.make(value)?;
        self.registers.bit(value).ok_or(CompileError::Unproved(Some(value)))
    }

    /// Where a value is; it is made if it is nowhere.
    fn made(&mut self, value: Value) -> Result<Held, CompileError> {
        self.make(value)?;
        self.registers.place(value).ok_or(CompileError::Unproved(Some(value)))
    }

    /// Makes a plane, unless it is held already.
    fn make(&mut self, value: Value) -> Result<(), CompileError> {
        let Some(operation) = self.pending.remove(&value) else { return self.unspill(value) };
        let mut needed = vec![value];
        uses::operands(operation, &mut |operand| needed.push(operand));
        self.locking(needed, |compiler| compiler.make_of(value, operation))
    }

    fn make_of(&mut self, value: Value, operation: &'d Operation) -> Result<(), CompileError> {
        match operation {
            sum @ Operation::Sum { .. } => self.sum(value, sum),
            Operation::Abs(of) => self.abs(value, *of),
            Operation::Max(a, b) => self.extreme(value, true, [*a, *b]),
            Operation::Min(a, b) => self.extreme(value, false, [*a, *b]),
            Operation::Select { bits, then, otherwise } => self.select(value, *bits, [*then, *otherwise]),
            Operation::Positive(of) => self.positive(value, *of, false),
            Operation::Logic { function, of } => self.logic(value, function, of),
            Operation::Inside { area } => self.inside(value, area),
            Operation::Pattern(selection) => self.pattern(value, *selection),
            _ => Err(CompileError::Unproved(Some(value))),
        }
    }

    /// A free register for a value.
    fn free(&mut self, value: Value) -> Result<Reg, CompileError> {
        let wanted = self.wanted_reg(value);
        if self.registers.free(None).is_empty() {
            self.give_up(false);
        }
        self.registers.free(wanted).first().copied().ok_or_else(|| self.no_registers(value))
    }

    /// The analogue register in which a value is wanted.
    fn wanted_reg(&self, value: Value) -> Option<Reg> {
        if let Some(Held::Reg(reg)) = self.wanted.get(&value) { Some(*reg) } else { None }
    }

    /// A free digital register for a value.
    fn free_bit(&mut self, value: Value) -> Result<Dreg, CompileError> {
        let wanted = match self.wanted.get(&value) {
            Some(Held::Bit(Bit::Reg(bit))) => Some(*bit),
            _ => None,
        };
        if self.registers.free_bits(None).is_empty() && self.registers.free_with_roles().is_empty() {
            self.give_up_bit()?;
        }
        let free = self.registers.free_bits(wanted).into_iter().chain(self.registers.free_with_roles());
        free.into_iter().next().ok_or_else(|| self.no_bits(value))
    }

    fn no_registers(&self, value: Value) -> CompileError {
        CompileError::Registers { value, held: self.registers.held_regs(), fit: self.registers.count() }
    }

    fn no_bits(&self, value: Value) -> CompileError {
        CompileError::Bits { value, held: self.registers.held_bits() }
    }

    /// The pieces that are made by something, apart from the present ones.
    fn apart(
        &mut self,
        make: impl FnOnce(&mut Self) -> Result<(), CompileError>,
    ) -> Result<Vec<Piece<'d>>, CompileError> {
        let outer = std::mem::take(&mut self.pieces);
        let (known, copies) = (self.numbers.clone(), self.registers.take_copies());
        self.level = None;
        let (fixed, locked) = (self.fixed.clone(), self.locked.len());
        self.fixed.extend(self.registers.held().into_iter().map(|(value, _)| value));
        let made = make(self);
        self.fixed = fixed;
        self.locked.truncate(locked);
        // What was found within is not known where it may not have been carried out.
        self.numbers.forget(&known);
        self.level = None;
        let pieces = std::mem::replace(&mut self.pieces, outer);
        let (written, _) = written(&steps(&pieces));
        self.registers.put_back(copies, &written);
        made.map(|()| pieces)
    }
}
