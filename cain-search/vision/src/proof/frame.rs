//! Proves a whole frame.

use std::collections::{BTreeMap, BTreeSet};

use cain_analysis::evaluate::Evaluator;
use cain_analysis::owned::{Part, Program, Step};
use cain_isa::program::{Grid, Held, Picture, Term};
use cain_isa::{Fraction, Store};

use super::follow::{Follower, State};
use super::form::Form;
use super::meaning::Meaning;
use super::numbers::Source;
use super::{Failure, border};
use crate::compiled::Compiled;
use crate::declaration::{Declaration, First, Kind, Result as Outcome, Statement, Storage, Value};
use crate::moments::moments;
use crate::plan::{Piece, Plan, StatePlace, steps};

/// Proves a plan, and makes a program of it.
pub(crate) fn prove(declaration: &Declaration, plan: Plan<'_>) -> Result<Compiled, Failure> {
    let least_side = border::check(declaration, &plan.reaches)?;
    let mut held = BTreeSet::new();
    claimed(&plan.frame, &mut held);
    let state = || State { array: Evaluator::default(), numbers: BTreeMap::new() };
    let mut follower =
        Follower { meaning: Meaning::new(declaration, held, &plan.reaches), state: state(), lists: &plan.lists };
    follower.preparation(&plan)?;
    follower.state = state();
    follower.frame(&plan)?;
    let whole = Grid::new((0, 0), (1, 1), (256, 256));
    let pictures = plan.inputs.iter().filter_map(|held| match held {
        Held::Reg(register) => Some(Picture { register: *register, pixels: whole }),
        Held::Bit(_) => None,
    });
    let program = Program {
        name: declaration.name.clone(),
        blocks: (1, 1),
        pictures: pictures.collect(),
        preparation: steps(&plan.preparation),
        parts: vec![Part::new("frame", steps(&plan.frame))],
        numbers: plan.numbers,
        times: declaration.machine.times,
    };
    let moments = moments(declaration, &plan);
    let Plan { inputs, states, results, lists, reaches, is_first, .. } = plan;
    Ok(Compiled {
        declaration: declaration.clone(),
        program,
        inputs,
        states,
        results,
        lists,
        reaches,
        least_side,
        is_first,
        searched: Vec::new(),
        moments,
        switches: Vec::new(),
    })
}

impl Follower<'_, '_> {
    /// States that begin with a constant have it.
    fn preparation(&mut self, plan: &Plan<'_>) -> Result<(), Failure> {
        self.pieces(&plan.preparation)?;
        self.is_flag_set()?;
        let declaration = self.meaning.declaration;
        for (state, place) in declaration.states.iter().zip(&plan.states) {
            let (First::Constant(constant), StatePlace::Plane(held)) = (state.first, place) else { continue };
            let content = self.content(*held)?;
            let wanted = if self.meaning.kind(state.before) == Kind::Bits {
                super::diagram::Diagrams::known(constant != 0)
            } else {
                let constant = Fraction::new(constant, 1).ok_or(Failure::TooLarge)?;
                self.meaning.diagrams.form(Form::constant(constant))?
            };
            if content != wanted {
                return Err(Failure::Wrong(state.before));
            }
        }
        Ok(())
    }

    fn frame(&mut self, plan: &Plan<'_>) -> Result<(), Failure> {
        let declaration = self.meaning.declaration;
        // What is given.
        let mut given: Vec<(Held, Value)> = Vec::new();
        given.extend(plan.inputs.iter().copied().zip(declaration.inputs.iter().map(|input| input.value)));
        for (state, place) in declaration.states.iter().zip(&plan.states) {
            match place {
                StatePlace::Plane(held) => given.push((*held, state.before)),
                StatePlace::Number(kept) => {
                    let number = self.meaning.sources.form(Source::Kept(*kept));
                    self.state.numbers.insert(*kept, number);
                }
            }
        }
        for (place, (held, value)) in given.iter().enumerate() {
            if given[..place].iter().any(|(other, _)| other == held) {
                return Err(Failure::Wrong(*value));
            }
            let plane = self.meaning.plane(*value)?;
            self.give(*held, plane);
        }
        for value in declaration.parameter_values() {
            let number = self.meaning.sources.form(Source::Value(value));
            self.state.numbers.insert(value.0, number);
        }
        let first = self.meaning.sources.form(Source::First);
        self.state.numbers.insert(plan.is_first, first);
        let rest = self.begin(plan, &given)?;
        if listed(rest) != declared(&declaration.body) {
            return Err(Failure::List(0));
        }
        self.pieces(rest)?;
        self.end(plan)
    }

    /// Lists are emptied, and states have their values before the frame; what comes after that.
    fn begin<'p, 'q>(&mut self, plan: &'p Plan<'q>, given: &[(Held, Value)]) -> Result<&'p [Piece<'q>], Failure> {
        let declaration = self.meaning.declaration;
        let mut empty = BTreeSet::new();
        let mut numbers = BTreeSet::new();
        let mut is_begun = false;
        let mut rest = plan.frame.as_slice();
        while let Some((piece, others)) = rest.split_first() {
            match piece {
                Piece::Do(Step::Compute { number, formula }) => {
                    let list = plan.lists.iter().find(|(_, list)| list.first == *number);
                    let state =
                        declaration.states.iter().zip(&plan.states).find(|(state, _)| state.before.0 == *number);
                    if let Some((list, _)) = list {
                        if formula.as_slice() != [Term::Constant(0.0)] {
                            return Err(Failure::List(*list));
                        }
                        empty.insert(*list);
                    } else if let Some((state, StatePlace::Number(kept))) = state {
                        let First::Constant(constant) = state.first else { return Err(Failure::Wrong(state.before)) };
                        let constant = Form::constant(Fraction::new(constant, 1).ok_or(Failure::TooLarge)?);
                        let sources = &mut self.meaning.sources;
                        let (first, kept) = (sources.form(Source::First), sources.form(Source::Kept(*kept)));
                        let wanted = sources.choice(&[first, constant, kept]);
                        if sources.formula(formula, &self.state.numbers)? != wanted {
                            return Err(Failure::Wrong(state.before));
                        }
                        let before = sources.form(Source::Value(state.before));
                        self.state.numbers.insert(state.before.0, before);
                        numbers.insert(state.before);
                    } else {
                        break;
                    }
                }
                Piece::First { number, body } if !is_begun && *number == plan.is_first => {
                    self.first(body, given)?;
                    is_begun = true;
                }
                _ => break,
            }
            rest = others;
        }
        for (state, place) in declaration.states.iter().zip(&plan.states) {
            let is_given = match (state.first, place) {
                (First::Input(_), StatePlace::Plane(_)) => is_begun,
                (_, StatePlace::Number(_)) => numbers.contains(&state.before),
                (First::Constant(_), StatePlace::Plane(_)) => true,
            };
            if !is_given {
                return Err(Failure::Wrong(state.before));
            }
        }
        match plan.lists.keys().find(|list| !empty.contains(list)) {
            Some(list) => Err(Failure::List(*list)),
            None => Ok(rest),
        }
    }

    /// In the first frame, states that begin with an input have it, and everything else that is given stays.
    fn first(&mut self, body: &[Piece<'_>], given: &[(Held, Value)]) -> Result<(), Failure> {
        let declaration = self.meaning.declaration;
        let before = self.state.clone();
        self.pieces(body)?;
        self.is_flag_set()?;
        let mut wanted: BTreeMap<Value, Value> = given.iter().map(|(_, value)| (*value, *value)).collect();
        for state in &declaration.states {
            if let First::Input(input) = state.first {
                wanted.insert(state.before, declaration.inputs.get(input).ok_or(Failure::Kinds)?.value);
            }
        }
        for (held, value) in given {
            self.is(*held, wanted[value])?;
        }
        if self.state.numbers != before.numbers {
            return Err(Failure::Step);
        }
        // In other frames, it is not carried out.
        self.state = before;
        for store in [Store::News, Store::In] {
            let unknown = self.meaning.diagrams.unknown_levels()?;
            self.state.array.cells.give(store, unknown);
        }
        let kept: Vec<_> = given.iter().map(|(held, value)| (*held, *value)).collect();
        self.forget(body)?;
        for (held, value) in kept {
            let plane = self.meaning.plane(value)?;
            self.give(held, plane);
        }
        Ok(())
    }

    /// A register holds a state, as it is kept.
    fn is_kept(&mut self, held: Held, state: &crate::declaration::State) -> Result<(), Failure> {
        let Storage::Levels(count) = state.storage else { return self.is(held, state.next) };
        let (found, next) = (self.content(held)?, self.meaning.plane(state.next)?);
        let wanted = self.meaning.nearest(next, count)?;
        let is_kept = self.meaning.diagrams.are_equal(found, wanted)?;
        if is_kept { Ok(()) } else { Err(Failure::Wrong(state.next)) }
    }

    /// States and results are where they should be.
    fn end(&mut self, plan: &Plan<'_>) -> Result<(), Failure> {
        self.is_flag_set()?;
        let declaration = self.meaning.declaration;
        for (state, place) in declaration.states.iter().zip(&plan.states) {
            match place {
                StatePlace::Plane(held) => self.is_kept(*held, state)?,
                StatePlace::Number(kept) => self.has(*kept, state.next)?,
            }
        }
        for result in &declaration.results {
            match &result.of {
                Outcome::Value(value) if matches!(self.meaning.kind(*value), Kind::Number { .. }) => {
                    self.has(value.0, *value)?;
                }
                Outcome::Value(value) | Outcome::Events(value, _) => {
                    self.is(*plan.results.get(value).ok_or(Failure::Wrong(*value))?, *value)?;
                }
                Outcome::Numbers(values) | Outcome::Tuple(values) => {
                    values.iter().try_for_each(|value| self.has(value.0, *value))?;
                }
                Outcome::List(list) => drop(plan.lists.get(list).ok_or(Failure::List(*list))?),
            }
        }
        Ok(())
    }
}

/// The values of which a plan claims that they are held.
fn claimed(pieces: &[Piece<'_>], held: &mut BTreeSet<Value>) {
    for piece in pieces {
        match piece {
            Piece::Holds(_, value) => drop(held.insert(*value)),
            Piece::First { body, .. } => claimed(body, held),
            Piece::Loop { check: one, body: other, .. } | Piece::Decide { then: one, otherwise: other, .. } => {
                claimed(one, held);
                claimed(other, held);
            }
            Piece::Do(_) | Piece::List { .. } => {}
        }
    }
}

/// What is added to lists, in which loops and decisions.
#[derive(Debug, PartialEq)]
enum Listed {
    Entry(usize, Vec<Value>),
    /// Within a loop, known by its counter: in its check, and in its body.
    Loop(Value, Vec<Listed>, Vec<Listed>),
    /// Within a decision, known by its condition.
    Decide(Value, Vec<Listed>, Vec<Listed>),
}

impl Listed {
    /// Nothing, if nothing is added.
    fn some(self) -> Option<Self> {
        match &self {
            Self::Loop(_, one, other) | Self::Decide(_, one, other) if one.is_empty() && other.is_empty() => None,
            _ => Some(self),
        }
    }
}

fn listed(pieces: &[Piece<'_>]) -> Vec<Listed> {
    let of = |piece: &Piece<'_>| match piece {
        Piece::List { list, numbers, .. } => Some(Listed::Entry(*list, numbers.to_vec())),
        Piece::Loop { of, check, body, .. } => Listed::Loop(of.counter, listed(check), listed(body)).some(),
        Piece::Decide { of, then, otherwise } => Listed::Decide(of.condition, listed(then), listed(otherwise)).some(),
        _ => None,
    };
    pieces.iter().filter_map(of).collect()
}

fn declared(body: &[Statement]) -> Vec<Listed> {
    let of = |statement: &Statement| match statement {
        Statement::Define { .. } => None,
        Statement::List { list, numbers } => Some(Listed::Entry(*list, numbers.clone())),
        Statement::Loop(of) => Listed::Loop(of.counter, declared(of.until.statements()), declared(&of.body)).some(),
        Statement::Decide(of) => Listed::Decide(of.condition, declared(&of.then), declared(&of.otherwise)).some(),
    };
    body.iter().filter_map(of).collect()
}
