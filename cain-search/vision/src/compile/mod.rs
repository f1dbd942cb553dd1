//! From a declaration to a program of the controller.
//!
//! Statements are compiled in their order; a plane is made when something needs it, in registers that are free then, and its
//! register is free again after its last use.

mod bits;
mod control;
mod error;
mod frame;
mod levels;
mod numbers;
mod registers;
mod sums;
mod uses;

use std::collections::BTreeMap;

use cain_isa::program::owned::Step;
use cain_isa::program::{Body, Found, Held, Owned, Term};
use cain_isa::{Bit, Dreg, PlaneOperation, Reg};

use crate::declaration::{Axis, Declaration, Kind, Number, Operation, Side, Statement, Value};
pub use error::CompileError;
pub use frame::{Compiled, compile};
use numbers::{Numbers, formula, place};
use registers::Registers;
use uses::Uses;

/// Puts steps together.
struct Compiler<'d> {
    declaration: &'d Declaration,
    registers: Registers,
    uses: Uses,
    numbers: Numbers,
    /// How the values that were not needed so far are made.
    pending: BTreeMap<Value, &'d Operation>,
    /// The registers in which values are wanted.
    wanted: BTreeMap<Value, Held>,
    /// The steps of the present body.
    steps: Vec<Step>,
    /// The operations that all of them consist of, which are proved.
    operations: Vec<PlaneOperation>,
}

impl<'d> Compiler<'d> {
    fn kind(&self, value: Value) -> Kind {
        self.declaration.values[value.0]
    }

    /// Compiles the statements of a body.
    fn body(&mut self, body: &'d [Statement]) -> Result<(), CompileError> {
        for statement in body {
            match statement {
                Statement::Define { value, operation } => self.define(*value, operation)?,
                Statement::List { list, numbers } => self.append(*list, numbers),
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
        let found = match operation {
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
            plane => {
                self.pending.insert(value, plane);
                return Ok(());
            }
        };
        let (of, what, number) = found;
        let bit = self.bit(of)?;
        let first = self.numbers.more(what.numbers());
        self.push(Step::Find { what, of: Bit::Reg(bit), first });
        self.compute_of(place(value), vec![Term::Number(first + number)]);
        self.done(of);
        Ok(())
    }

    fn push(&mut self, step: Step) {
        match (self.steps.last_mut(), step) {
            (Some(Step::Execute(listing)), Step::Execute(more)) => listing.extend(more),
            (_, step) => self.steps.push(step),
        }
    }

    /// Carries out an operation that is proved for all values.
    fn operation(&mut self, operation: PlaneOperation) -> Result<(), CompileError> {
        let words = operation.words().map_err(CompileError::Operation)?;
        self.push(Step::Execute(words.iter().copied().map(cain_isa::Instruction::Word).collect()));
        self.operations.push(operation);
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

    /// The analogue register that holds a value, which is made if there is none.
    fn reg(&mut self, value: Value) -> Result<Reg, CompileError> {
        self.make(value)?;
        self.registers.reg(value).ok_or(CompileError::Lost(value))
    }

    /// The digital register that holds a value, which is made if there is none.
    fn bit(&mut self, value: Value) -> Result<Dreg, CompileError> {
        self.make(value)?;
        self.registers.bit(value).ok_or(CompileError::Lost(value))
    }

    /// Makes a plane, unless it is held already.
    fn make(&mut self, value: Value) -> Result<(), CompileError> {
        let Some(operation) = self.pending.remove(&value) else { return Ok(()) };
        match operation {
            sum @ Operation::Sum { .. } => self.sum(value, sum),
            Operation::Abs(of) => self.abs(value, *of),
            Operation::Max(a, b) => self.extreme(value, true, [*a, *b]),
            Operation::Min(a, b) => self.extreme(value, false, [*a, *b]),
            Operation::Select { bits, then, otherwise } => self.select(value, *bits, [*then, *otherwise]),
            Operation::Positive(of) => self.positive(value, *of),
            Operation::Logic { function, of } => self.logic(value, function, of),
            Operation::Inside { area } => self.inside(value, area),
            Operation::Pattern(selection) => self.pattern(value, *selection),
            _ => Err(CompileError::Lost(value)),
        }
    }

    /// A free analogue register for a value.
    fn free(&self, value: Value) -> Result<Reg, CompileError> {
        let wanted = match self.wanted.get(&value) {
            Some(Held::Reg(reg)) => Some(*reg),
            _ => None,
        };
        self.registers.free(wanted).first().copied().ok_or(CompileError::Registers(value))
    }

    /// A free digital register for a value.
    fn free_bit(&self, value: Value) -> Result<Dreg, CompileError> {
        let wanted = match self.wanted.get(&value) {
            Some(Held::Bit(Bit::Reg(bit))) => Some(*bit),
            _ => None,
        };
        self.registers.free_bits(wanted).first().copied().ok_or(CompileError::Bits(value))
    }

    /// The steps that are made by something, apart from the present ones.
    fn apart(&mut self, make: impl FnOnce(&mut Self) -> Result<(), CompileError>) -> Result<Body<Owned>, CompileError> {
        let outer = std::mem::take(&mut self.steps);
        let made = make(self);
        let steps = std::mem::replace(&mut self.steps, outer);
        made.map(|()| Body(steps))
    }
}
