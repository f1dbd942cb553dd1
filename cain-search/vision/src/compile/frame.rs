//! A whole frame: from the inputs and the states before it to results and the states after it.

use std::collections::{BTreeMap, BTreeSet};

use cain_analysis::owned::Step;
use cain_isa::asm::all;
use cain_isa::asm::digital::{clr, set};
use cain_isa::program::{Held, Term};
use cain_isa::{Bit, Cell, Cells, Instruction, Word};

use super::lattices::Lattices;
use super::needed::Needed;
use super::numbers::{Numbers, place};
use super::registers::Registers;
use super::uses::Uses;
use super::{Anew, CompileError, Compiler, Order, Searches, again, lists, switches, tidy};
use crate::accuracy;
use crate::compiled::Compiled;
use crate::declaration::{Declaration, First, Kind, Result as Outcome, State, Storage, Value};
use crate::plan::{Piece, Plan, StatePlace, steps};
use crate::proof::{self, Failure};

/// Compiles a program that leaves some cells to others, in the first order for which there are registers; if there is none, or no
/// program for a sum, planes of sums are made again.
pub(super) fn compile_apart(
    declaration: &Declaration,
    others: Cells,
    searches: &mut Searches,
) -> Result<Compiled, CompileError> {
    let mut first = None;
    let planes = declaration.states.len() + declaration.results.len();
    let anew = again::planes_of_sums(declaration).into_iter().map(Order::Anew);
    let mut orders = Order::all(planes).chain(anew).peekable();
    while let Some(order) = orders.next() {
        match compile_in(order, declaration, others, searches) {
            Err(
                error @ (CompileError::Registers { .. }
                | CompileError::Bits { .. }
                | CompileError::Logic(..)
                | CompileError::Sum(..)),
            ) => {
                if matches!(error, CompileError::Sum(..)) {
                    // Another order does not help.
                    while orders.next_if(|order| !matches!(order, Order::Anew(_))).is_some() {}
                }
                first = first.or(Some(error));
            }
            done => return done,
        }
    }
    Err(first.unwrap_or(CompileError::Unproved(None)))
}

/// Compiles a program that leaves some cells to others.
fn compile_in(
    order: Order,
    declaration: &Declaration,
    others: Cells,
    searches: &mut Searches,
) -> Result<Compiled, CompileError> {
    let plan = accuracy::corrected(declaration, plan(order, declaration, others, searches)?);
    let mut compiled = proof::prove(declaration, plan).map_err(|failure| match failure {
        Failure::Wrong(value) => CompileError::Unproved(Some(value)),
        Failure::TooLarge => CompileError::TooLarge,
        _ => CompileError::Unproved(None),
    })?;
    compiled.program.allowed(&declaration.machine).map_err(CompileError::Machine)?;
    let captures = captures(&compiled)?;
    compiled.program.parts.iter_mut().take(1).for_each(|part| drop(part.steps.splice(..0, captures.clone())));
    Ok(compiled)
}

/// The steps that take pictures: each needs another register beside those of inputs and states.
fn captures(compiled: &Compiled) -> Result<Vec<Step>, CompileError> {
    let Compiled { declaration, inputs, states, .. } = compiled;
    let states = states.iter().filter_map(|at| at.plane());
    let taken: Vec<Held> = inputs.iter().copied().chain(states).collect();
    let half = declaration.machine.registers.iter().find(|reg| !taken.contains(&Held::Reg(*reg)));
    let captured = declaration.inputs.iter().zip(inputs).filter(|(input, _)| input.is_captured);
    captured
        .filter_map(|(input, held)| if let Held::Reg(into) = held { Some((input.value, *into)) } else { None })
        .map(|(value, into)| match half {
            Some(half) => Ok(Step::Capture { into, half }),
            None => Err(CompileError::Registers {
                value,
                held: Vec::new(),
                fit: declaration.machine.registers.iter().count(),
            }),
        })
        .collect()
}

/// Plans a program that leaves some cells to others.
pub(crate) fn plan<'d>(
    order: Order,
    declaration: &'d Declaration,
    others: Cells,
    searches: &'d mut Searches,
) -> Result<Plan<'d>, CompileError> {
    let mut compiler = Compiler {
        declaration,
        registers: Registers::of(&declaration.machine, others),
        uses: Uses::of(declaration),
        needed: Needed::of(declaration),
        numbers: Numbers::of(declaration),
        lists: BTreeMap::new(),
        pending: BTreeMap::new(),
        operations: BTreeMap::new(),
        locked: Vec::new(),
        fixed: BTreeSet::new(),
        wanted: BTreeMap::new(),
        searches,
        level: None,
        order,
        anew: Anew::default(),
        reaches: BTreeMap::new(),
        extents: BTreeMap::new(),
        lattices: Lattices::of(declaration),
        between: BTreeMap::new(),
        claimed: BTreeSet::new(),
        temporary: BTreeMap::new(),
        pieces: Vec::new(),
    };
    compiler.plan().map_err(|error| error.with_values(&|value| compiler.origin(value)))
}

impl<'d> Compiler<'d> {
    fn plan(&mut self) -> Result<Plan<'d>, CompileError> {
        let declaration = self.declaration;
        let is_first = self.numbers.more(1);
        self.lists = lists::places(declaration, &mut self.numbers)?;
        if let Some(interruption) = &declaration.options.interruption {
            self.states_apart(interruption.all());
        }
        let mut inputs = Vec::new();
        for input in &declaration.inputs {
            inputs.push(self.given(input.value)?);
        }
        let mut states = Vec::new();
        for state in &declaration.states {
            self.check(state)?;
            states.push(if self.is_plane(state.before) {
                let held = self.registers.place(state.before).map_or_else(|| self.given(state.before), Ok)?;
                self.wanted.insert(state.next, held);
                StatePlace::Plane(held)
            } else {
                StatePlace::Number(self.numbers.more(1))
            });
        }
        let mut preparation = self.preparation(&states)?;
        self.empty_lists();
        self.begin(&inputs, &states, is_first)?;
        self.body(&declaration.body)?;
        let results = self.end(&states)?;
        let mut frame = std::mem::take(&mut self.pieces);
        switches::settle(&mut frame);
        tidy::tidy(&mut frame);
        // A frame may have ended with an error of the array while FLAG was 0 in some PEs.
        if steps(&frame).iter().any(sets_flag) {
            preparation.insert(0, Piece::Do(Step::Execute(vec![all()])));
        }
        let (lists, reaches) = (std::mem::take(&mut self.lists), std::mem::take(&mut self.reaches));
        let between = std::mem::take(&mut self.between);
        let numbers = self.numbers.count();
        Ok(Plan { preparation, frame, inputs, states, results, lists, reaches, between, is_first, numbers })
    }

    /// The value of the declaration for which another one is made.
    pub(super) fn origin(&self, value: Value) -> Value {
        self.temporary.get(&value).map_or(value, |temporary| self.origin(temporary.of))
    }

    /// Registers for states that others do not overwrite, as far as there are any.
    fn states_apart(&mut self, others: Cells) {
        for state in &self.declaration.states {
            let held = match self.kind(state.before) {
                Kind::Number { .. } => None,
                Kind::Bits => {
                    let free = self.registers.free_bits(None).into_iter().chain(self.registers.free_with_roles());
                    let bits = free.map(Bit::Reg).filter(|bit| !others.contains(Cells::bit(*bit)));
                    bits.map(Held::Bit).next()
                }
                Kind::Levels { .. } => {
                    let free = self.registers.free(None).into_iter();
                    free.filter(|reg| !others.contains(Cells::register(*reg))).map(Held::Reg).next()
                }
            };
            if let Some(held) = held {
                self.registers.hold(held, state.before);
            }
        }
    }

    /// A register for a value that is there when a frame begins.
    fn given(&mut self, value: Value) -> Result<Held, CompileError> {
        let held = match self.kind(value) {
            Kind::Bits => Held::Bit(Bit::Reg(self.free_bit(value)?)),
            _ => Held::Reg(self.free(value)?),
        };
        self.registers.hold(held, value);
        Ok(held)
    }

    /// Checks how a state begins and how it is kept.
    fn check(&self, state: &State) -> Result<(), CompileError> {
        let before = self.kind(state.before);
        let begins = match state.first {
            First::Constant(constant) => match before {
                Kind::Levels { .. } => i8::try_from(constant).is_ok(),
                Kind::Bits => matches!(constant, 0 | 1),
                Kind::Number { .. } => true,
            },
            First::Input(input) => self.declaration.inputs.get(input).is_some_and(|input| {
                core::mem::discriminant(&self.kind(input.value)) == core::mem::discriminant(&before)
            }),
        };
        if !begins {
            return Err(CompileError::First(state.before));
        }
        match (state.storage, before) {
            (Storage::Levels(2..=128), Kind::Levels { .. }) | (Storage::Plain, _) => Ok(()),
            _ => Err(CompileError::Storage(state.before)),
        }
    }

    /// The first values of planes that are constants.
    fn preparation(&mut self, states: &[StatePlace]) -> Result<Vec<Piece<'d>>, CompileError> {
        let declaration = self.declaration;
        self.apart(|compiler| {
            for (state, place) in declaration.states.iter().zip(states) {
                if let (First::Constant(constant), StatePlace::Plane(held)) = (state.first, place) {
                    compiler.constant(state.before, *held, constant)?;
                }
            }
            Ok(())
        })
    }

    /// Writes a constant into a register.
    fn constant(&mut self, value: Value, held: Held, constant: i64) -> Result<(), CompileError> {
        match held {
            Held::Reg(reg) => {
                let level = i8::try_from(constant).map_err(|_| CompileError::First(value))?;
                self.set_level(vec![Term::Constant(level.into())]);
                self.transfers(value, &[(Cell::News, &[Cell::In]), (reg.into(), &[Cell::News])])?;
            }
            Held::Bit(bit) => self.push(Step::Execute(vec![if constant == 0 { clr(&[bit]) } else { set(&[bit]) }])),
        }
        Ok(())
    }

    /// In the first frame, states that begin with an input have it, and numbers their first values.
    fn begin(&mut self, inputs: &[Held], states: &[StatePlace], is_first: usize) -> Result<(), CompileError> {
        let declaration = self.declaration;
        let body = self.apart(|compiler| {
            for (state, at) in declaration.states.iter().zip(states) {
                if let (First::Input(input), StatePlace::Plane(held)) = (state.first, at) {
                    compiler.transfer(state.before, *held, inputs[input])?;
                }
            }
            Ok(())
        })?;
        if !body.is_empty() {
            self.pieces.push(Piece::First { number: is_first, body });
        }
        for (state, at) in declaration.states.iter().zip(states) {
            if let (First::Constant(constant), StatePlace::Number(kept)) = (state.first, at) {
                #[expect(clippy::cast_precision_loss, reason = "numbers of a controller are small")]
                let first = Term::Constant(constant as f64);
                let formula = vec![Term::Number(is_first), first, Term::Number(*kept), Term::Choose];
                self.compute_of(place(state.before), formula);
            }
        }
        // States that do not change stay; what nothing reads is not held.
        for state in declaration.states.iter().filter(|state| state.next == state.before) {
            self.uses.pin(state.before);
        }
        let given = declaration.inputs.iter().map(|input| input.value);
        for value in given.chain(declaration.states.iter().map(|state| state.before)) {
            if self.uses.left(value) == 0 {
                self.registers.forget(value);
            }
        }
        Ok(())
    }

    /// Makes results, and brings states to where the next frame expects them.
    fn end(&mut self, states: &[StatePlace]) -> Result<BTreeMap<Value, Held>, CompileError> {
        let declaration = self.declaration;
        let results: Vec<Value> = declaration
            .results
            .iter()
            .filter_map(|result| {
                if let Outcome::Value(value) | Outcome::Events(value, _) = result.of { Some(value) } else { None }
            })
            .filter(|value| self.is_plane(*value))
            .collect();
        let places = declaration.states.iter().zip(states);
        let places: Vec<(&State, Held)> = places.filter_map(|(state, at)| Some((state, at.plane()?))).collect();
        let needed: Vec<Value> = places.iter().map(|(state, _)| state.next).chain(results.iter().copied()).collect();
        self.locked.extend(&needed);
        self.make_all(&needed)?;
        let kept: Vec<Held> = places.iter().map(|(_, held)| *held).collect();
        let mut found = BTreeMap::new();
        for value in results {
            let mut held = self.made(value)?;
            let is_kept = |state: &State| state.next == value && state.storage == Storage::Plain;
            if let Some((_, kept)) = places.iter().find(|(state, _)| is_kept(state)) {
                held = *kept;
            } else if kept.contains(&held) && !found.contains_key(&value) {
                // The register of a state that changes.
                let beside = self.beside(value, held, &kept)?;
                self.transfer(value, beside, held)?;
                self.registers.forget(value);
                self.registers.hold(beside, value);
                held = beside;
            }
            found.insert(value, held);
        }
        let mut moves = Vec::new();
        for (number, (state, held)) in places.iter().enumerate() {
            let mut from = self.made(state.next)?;
            if let (Storage::Levels(count), Held::Reg(x)) = (state.storage, from) {
                let others = places.iter().enumerate().any(|(other, (of, _))| other != number && of.next == state.next);
                let is_shared = others || found.contains_key(&state.next);
                // Where it is wanted, if that is free.
                let is_free = |held: Held| matches!(held, Held::Reg(reg) if self.registers.is_free(reg));
                let y = match is_shared {
                    false => from,
                    true if is_free(*held) => *held,
                    true => self.beside(state.next, from, &kept)?,
                };
                let rest = self.beside(state.next, from, &[y])?;
                if let (Held::Reg(y), Held::Reg(rest)) = (y, rest) {
                    self.nearest(state.next, y, x, count, rest)?;
                    // Others do not take it for free.
                    if is_shared {
                        self.registers.hold(Held::Reg(y), state.before);
                    }
                }
                from = y;
            }
            moves.push((state.next, from, *held));
        }
        self.move_all(&moves)?;
        for (state, at) in declaration.states.iter().zip(states) {
            if let StatePlace::Number(kept) = at {
                self.compute_of(*kept, vec![Term::Number(place(state.next))]);
            }
        }
        Ok(found)
    }
}

/// Whether a step makes FLAG 1 in all PEs.
fn sets_flag(step: &Step) -> bool {
    let words = step.listing().into_iter().flatten().flat_map(Instruction::words);
    words.into_iter().any(|word| word == Word::All) || step.bodies().into_iter().flatten().any(sets_flag)
}
