//! From a syntax tree to a declaration: names, kinds, and everything that is known while programs are compiled.

mod added;
mod assigned;
mod at;
mod bits;
mod builtin;
mod call;
mod compare;
mod control;
mod digits;
mod expression;
mod filter;
mod fit;
mod functions;
mod head;
mod kind;
mod linear;
mod loops;
mod mask;
mod network;
mod next;
mod numbers;
mod operator;
mod order;
mod places;
mod plane;
mod results;
mod scope;
mod state;
mod statement;
mod thing;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use cain_vision::declaration::{BuildError, Builder, Declaration, Operation, Value};
use proc_macro2::Span;

use super::filter::Filter;
use super::tree::{File, Name, Program};
use super::used::Callable;
use super::{Declared, prelude};
use crate::errors::Errors;
use crate::interruptible::by_registers;
use scope::Scopes;
use state::State;
use thing::Thing;

/// The most operations, and what they read, that a program may have: more than any array has time for.
const MOST_EFFORT: usize = 50_000;
/// How deep expressions and calls may be nested when functions are put in.
const MOST_DEPTH: usize = 128;

/// A mistake that has been told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Told;

type Made<T> = Result<T, Told>;

/// A call that is put in.
struct Call {
    name: String,
    at: Span,
    /// Whether the function belongs to the language.
    is_prelude: bool,
}

/// A list of results.
struct List {
    name: String,
    at: Span,
    /// How many numbers its entries have.
    length: Option<usize>,
}

/// Lowers a program.
struct Lowering<'f> {
    file: &'f File,
    prelude: &'f File,
    /// What can be called beside functions.
    filters: &'f [Filter],
    /// Whether there may be more of that, since what is used could not be read, or is wrong.
    is_partial: bool,
    builder: Builder,
    /// The place of each value.
    spans: Vec<Span>,
    /// The names of values, as the program itself gives them.
    names: BTreeMap<Value, String>,
    scopes: Scopes,
    /// What constants are, as far as they were needed, and apart from each other those that functions of the language see;
    /// `None` for those that are being computed.
    constants: BTreeMap<(bool, String), Option<Thing>>,
    states: Vec<State>,
    /// The names behind `next`.
    given: BTreeSet<String>,
    /// The names that the program itself declares, and where.
    declared: BTreeMap<String, Span>,
    /// What the present path has given states for the next frame, and where.
    nexts: BTreeMap<usize, (Thing, Span)>,
    lists: Vec<List>,
    /// What levels are chosen from that bits decide: numbers of a few bits can be made of them instead.
    choices: BTreeMap<Value, (Value, [Thing; 2])>,
    /// The calls around the present place, the outermost first.
    calls: Vec<Call>,
    /// How many loops and branches there are around the present place within the program.
    nested: usize,
    /// How many of these are loops.
    loops: usize,
    /// How many of these are branches on bits.
    masks: usize,
    /// How deep the present place is nested.
    depth: usize,
    effort: usize,
    /// What is said about sums to which a number is added in several steps, at the planes in between.
    wide: BTreeMap<Value, String>,
    /// The levels that registers hold.
    range: (f64, f64),
    /// Whether it is the first frame, if something depends on it.
    is_first: Option<Value>,
    errors: &'f mut Errors<Span>,
}

/// The declarations of all programs of a file, which can call these filters and networks; none after mistakes.
pub(super) fn file(file: File, callable: &Callable, errors: &mut Errors<Span>) -> Vec<Declared> {
    scope::check(&file, &callable.filters, errors);
    let mut lowered = Vec::new();
    prelude::with(|prelude| {
        for program in &file.programs {
            lowered.push(lower(program, &file, prelude, callable, errors));
        }
    });
    let programs = file.programs.into_iter().zip(lowered);
    programs
        .filter_map(|(program, lowered)| {
            let Lowered { declaration, spans, names, wide } = lowered?;
            let Program { attributes, visibility, name, interruptible, .. } = program;
            let interruptible = interruptible.and_then(|wanted| wanted.place());
            let Name { value: name, at } = name;
            Some(Declared { name, at, attributes, visibility, interruptible, declaration, spans, names, wide })
        })
        .collect()
}

/// A program that was lowered.
struct Lowered {
    declaration: Declaration,
    spans: Vec<Span>,
    names: BTreeMap<Value, String>,
    wide: BTreeMap<Value, String>,
}

/// Lowers a program; nothing comes out of mistakes.
fn lower(
    program: &Program,
    file: &File,
    prelude: &File,
    callable: &Callable,
    errors: &mut Errors<Span>,
) -> Option<Lowered> {
    let before = errors.len();
    let machine = file.machine.machine;
    let mut options = crate::lower::options::search(&program.search, &machine, errors);
    crate::lower::options::refuse_book(&program.search, "whole programs", errors);
    options.error_model = file.machine.errors;
    let by_registers = |wanted| by_registers("a program", wanted, &machine, errors);
    options.interruption = program.interruptible.as_ref().and_then(by_registers);
    let range = (f64::from(machine.range.min), f64::from(machine.range.max));
    let input = options.input.map_or(range, |input| (f64::from(input.min), f64::from(input.max)));
    let mut lowering = Lowering {
        file,
        prelude,
        filters: &callable.filters,
        is_partial: callable.is_partial,
        builder: Builder::new(program.name.value.clone(), machine, options),
        spans: Vec::new(),
        names: BTreeMap::new(),
        scopes: Scopes::new(),
        constants: BTreeMap::new(),
        states: Vec::new(),
        given: assigned::states(&program.body),
        declared: assigned::declared(&program.body),
        nexts: BTreeMap::new(),
        lists: Vec::new(),
        choices: BTreeMap::new(),
        calls: Vec::new(),
        nested: 0,
        loops: 0,
        masks: 0,
        depth: 0,
        effort: 0,
        wide: BTreeMap::new(),
        range,
        is_first: None,
        errors,
    };
    lowering.entries(&program.entries, input);
    lowering.statements(&program.body.statements);
    if let Some(value) = &program.body.value {
        lowering.last(value);
    }
    lowering.results(&program.results, program.name.at);
    if lowering.errors.len() > before || lowering.is_partial {
        return None;
    }
    lowering.finish_states();
    let Lowering { builder, spans, names, wide, errors, .. } = lowering;
    (errors.len() == before).then(|| Lowered { declaration: builder.finish(), spans, names, wide })
}

impl Lowering<'_> {
    /// Tells a mistake. Within functions of the language, it is one of their call.
    fn wrong(&mut self, at: Span, message: impl Display) -> Told {
        if self.is_spent() {
            return Told;
        }
        match self.calls.iter().find(|call| call.is_prelude) {
            // They may read an argument several times.
            Some(Call { name, at, .. }) => self.errors.add_once(*at, format_args!("`{name}`: {message}")),
            None => match self.calls.last() {
                Some(Call { name, at: call, .. }) => {
                    let line = call.start().line;
                    let message = format!("{message} (`{name}` is called in line {line})");
                    self.errors.add(at, message);
                }
                None => self.errors.add(at, message),
            },
        }
        Told
    }

    /// Where values stand that are made at a place.
    fn place(&self, at: Span) -> Span {
        self.calls.iter().find(|call| call.is_prelude).map_or(at, |call| call.at)
    }

    /// Whether the program has become too large, which has been told.
    const fn is_spent(&self) -> bool {
        self.effort > MOST_EFFORT
    }

    /// Counts work, so that no text makes a giant program.
    fn spend(&mut self, effort: usize, at: Span) -> Made<()> {
        if self.is_spent() {
            return Err(Told);
        }
        if self.effort.saturating_add(effort) <= MOST_EFFORT {
            self.effort += effort;
            return Ok(());
        }
        let told = self.wrong(
            at,
            format_args!(
                "the program becomes too large here: `for` and functions put in more than {MOST_EFFORT} operations; use \
                 `repeat` where the passes of a loop are alike"
            ),
        );
        self.effort = usize::MAX;
        Err(told)
    }

    /// Goes into an expression.
    fn enter(&mut self, at: Span) -> Made<()> {
        self.spend(1, at)?;
        if self.depth >= MOST_DEPTH {
            let message =
                format!("calls and expressions are nested more than {MOST_DEPTH} deep here; name parts with `let`");
            return Err(self.wrong(at, message));
        }
        self.depth += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Notes the place of the values made so far that have none.
    fn note(&mut self, value: Value, at: Span) -> Value {
        let at = self.place(at);
        if value.0 >= self.spans.len() {
            self.spans.resize(value.0 + 1, at);
        }
        value
    }

    fn note_all(&mut self, values: &[Value], at: Span) {
        for value in values {
            self.note(*value, at);
        }
    }

    /// A value that is made like that.
    fn define(&mut self, operation: Operation, at: Span) -> Made<Value> {
        self.spend(1, at)?;
        let made = self.builder.define(operation);
        self.built(made, at).map(|value| self.note(value, at))
    }

    /// What the declaration takes.
    fn built<T>(&mut self, made: Result<T, BuildError>, at: Span) -> Made<T> {
        made.map_err(|error| self.wrong(at, error))
    }
}
