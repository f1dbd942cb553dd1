//! A whole frame: from the inputs and the states before it to results and the states after it.

use std::collections::BTreeMap;

use cain_isa::program::owned::{Part, Program, Step};
use cain_isa::program::{Body, Grid, Held, Picture};
use cain_isa::asm::digital::{clr, set};
use cain_isa::{Bit, Cell};

use super::numbers::{Numbers, place};
use super::registers::Registers;
use super::uses::Uses;
use super::{CompileError, Compiler};
use crate::declaration::{Declaration, First, Kind, Result as Outcome, Value};

/// A compiled program.
#[derive(Clone, Debug)]
pub struct Compiled {
    declaration: Declaration,
    program: Program,
    /// The registers in which inputs are expected.
    inputs: Vec<Held>,
    /// The registers of states between frames; none for numbers.
    states: Vec<Option<Held>>,
    /// The registers of planes that are results.
    results: BTreeMap<Value, Held>,
    /// The place of the number that is 1 in the first frame.
    is_first: usize,
}

impl Compiled {
    /// The declaration.
    #[must_use]
    pub const fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// What the controller does for a frame.
    #[must_use]
    pub const fn program(&self) -> &Program {
        &self.program
    }

    /// The registers in which inputs are expected, in their order.
    #[must_use]
    pub fn inputs(&self) -> &[Held] {
        &self.inputs
    }

    /// The registers of states between frames, in their order; none for numbers of the controller.
    #[must_use]
    pub fn states(&self) -> &[Option<Held>] {
        &self.states
    }

    /// The register of a plane that is a result.
    #[must_use]
    pub fn result(&self, value: Value) -> Option<Held> {
        self.results.get(&value).copied()
    }

    /// The place of a number of the controller.
    #[must_use]
    pub const fn number(&self, value: Value) -> usize {
        place(value)
    }

    /// The place of the number that has to be 1 in the first frame, and 0 in others.
    #[must_use]
    pub const fn is_first(&self) -> usize {
        self.is_first
    }
}

/// Compiles a program.
///
/// # Errors
///
/// If it does not fit into the registers, or there is no program for a part of it.
pub fn compile(declaration: &Declaration) -> Result<Compiled, CompileError> {
    let mut compiler = Compiler {
        declaration,
        registers: Registers::of(&declaration.machine),
        uses: Uses::of(declaration),
        numbers: Numbers::of(declaration),
        pending: BTreeMap::new(),
        wanted: BTreeMap::new(),
        steps: Vec::new(),
        operations: Vec::new(),
    };
    let is_first = compiler.numbers.more(1);
    let mut inputs = Vec::new();
    for input in &declaration.inputs {
        inputs.push(compiler.given(input.value)?);
    }
    let mut states = Vec::new();
    for state in &declaration.states {
        let held = if compiler.is_plane(state.before) { Some(compiler.given(state.before)?) } else { None };
        if let Some(held) = held {
            compiler.wanted.insert(state.next, held);
        }
        states.push(held);
    }
    let preparation = compiler.preparation(&states)?;
    compiler.begin(&inputs, &states, is_first)?;
    compiler.body(&declaration.body)?;
    let results = compiler.end(&states)?;
    let whole = Grid::new((0, 0), (1, 1), (256, 256));
    let pictures = declaration.inputs.iter().zip(&inputs).filter_map(|(_, held)| match held {
        Held::Reg(register) => Some(Picture { register: *register, pixels: whole }),
        Held::Bit(_) => None,
    });
    let program = Program {
        name: declaration.name.clone(),
        blocks: (1, 1),
        pictures: pictures.collect(),
        preparation,
        parts: vec![Part::new("frame", compiler.steps)],
        numbers: compiler.numbers.count(),
        times: declaration.machine.times,
    };
    for operation in &compiler.operations {
        cain_isa::prove::operation(operation).map_err(|_| CompileError::Unproved(*operation))?;
    }
    Ok(Compiled { declaration: declaration.clone(), program, inputs, states, results, is_first })
}

impl Compiler<'_> {
    /// A register for a value that is there when a frame begins.
    fn given(&mut self, value: Value) -> Result<Held, CompileError> {
        let held = match self.kind(value) {
            Kind::Bits => Held::Bit(Bit::Reg(self.free_bit(value)?)),
            _ => Held::Reg(self.free(value)?),
        };
        self.registers.hold_at(held, value);
        Ok(held)
    }

    /// The first values of states that are constants.
    fn preparation(&mut self, states: &[Option<Held>]) -> Result<Vec<Step>, CompileError> {
        let body = self.apart(|compiler| {
            for (state, held) in compiler.declaration.states.iter().zip(states) {
                if let (First::Constant(constant), Some(held)) = (state.first, held) {
                    compiler.constant(*held, constant)?;
                }
            }
            Ok(())
        })?;
        Ok(body.0)
    }

    /// In the first frame, states that begin with an input have it.
    fn begin(&mut self, inputs: &[Held], states: &[Option<Held>], is_first: usize) -> Result<(), CompileError> {
        let then = self.apart(|compiler| {
            for (state, held) in compiler.declaration.states.iter().zip(states) {
                if let (First::Input(input), Some(held)) = (state.first, held) {
                    compiler.transfer(*held, inputs[input])?;
                }
            }
            Ok(())
        })?;
        if !then.0.is_empty() {
            self.push(Step::Decide { number: is_first, then, otherwise: Body(Vec::new()) });
        }
        // What nothing reads is not held; states stay until they have their next value.
        let declaration = self.declaration;
        for state in &declaration.states {
            self.uses.pin(state.before);
        }
        for input in declaration.inputs.iter().filter(|input| self.uses.left(input.value) == 0) {
            self.registers.forget(input.value);
        }
        Ok(())
    }

    /// Makes results, and brings states to where the next frame expects them.
    fn end(&mut self, states: &[Option<Held>]) -> Result<BTreeMap<Value, Held>, CompileError> {
        let declaration = self.declaration;
        for result in &declaration.results {
            if let Outcome::Value(value) | Outcome::Events(value, _) = result.of
                && self.is_plane(value)
            {
                self.make(value)?;
            }
        }
        let mut moves = Vec::new();
        for (state, held) in declaration.states.iter().zip(states) {
            let (Some(held), true) = (held, state.next != state.before) else { continue };
            self.make(state.next)?;
            moves.push((self.registers.place(state.next).ok_or(CompileError::Lost(state.next))?, *held));
        }
        self.move_all(&moves)?;
        let mut results = BTreeMap::new();
        for result in &declaration.results {
            if let Outcome::Value(value) | Outcome::Events(value, _) = result.of
                && self.is_plane(value)
            {
                let moved = declaration.states.iter().zip(states).find(|(state, _)| state.next == value);
                let held = moved.and_then(|(_, held)| *held).or_else(|| self.registers.place(value));
                results.insert(value, held.ok_or(CompileError::Lost(value))?);
            }
        }
        Ok(results)
    }

    /// Writes a constant into a register.
    fn constant(&mut self, held: Held, constant: i64) -> Result<(), CompileError> {
        match held {
            Held::Reg(reg) => {
                let level = i8::try_from(constant).map_err(|_| CompileError::Constant(constant))?;
                self.set_level(level)?;
                self.transfers(&[(Cell::News, &[Cell::In]), (reg.into(), &[Cell::News])])
            }
            Held::Bit(Bit::Reg(register)) => {
                let word = if constant == 0 { clr(&[Bit::Reg(register)]) } else { set(&[Bit::Reg(register)]) };
                self.push(Step::Execute(vec![word]));
                Ok(())
            }
            Held::Bit(_) => Ok(()),
        }
    }
}
