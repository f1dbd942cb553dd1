//! Names.

use std::collections::BTreeMap;

use proc_macro2::Span;

use super::thing::Thing;
use super::{Call, Lowering, Made, Told};
use crate::diagnostic::twice;
use crate::errors::Errors;
use crate::expression::DIRECTIONS;
use crate::names::{near_miss, of_type, unknown};
use crate::vision::filter::Filter;
use crate::vision::tree::{File, Function, Name, Pattern, Program};
use cain_isa::Fraction;
use cain_vision::declaration::Value;

/// What a name is declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Entry,
    Let,
    Var,
    /// The state of that number.
    State(usize),
    List,
    Counter,
    Parameter,
}

impl Role {
    pub(super) const fn what(self) -> &'static str {
        match self {
            Self::Entry => "an input or parameter of the program",
            Self::Let => "declared with `let`",
            Self::Var => "a `var`",
            Self::State(_) => "a state",
            Self::List => "a list of results",
            Self::Counter => "the counter of a loop",
            Self::Parameter => "a parameter of the function",
        }
    }
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub(super) thing: Thing,
    pub(super) at: Span,
    pub(super) role: Role,
    /// The value that it was given last, if it was assigned.
    pub(super) assigned: Option<Span>,
    /// What it stays, if its kind is written.
    pub(super) stays: Option<Stays>,
}

/// What a variable stays.
#[derive(Clone, Debug)]
pub(super) struct Stays {
    /// Something of that kind.
    pub(super) like: Thing,
    /// The range of its numbers.
    pub(super) range: Option<(i64, i64)>,
}

/// The names that are known at a place, the innermost last; and where those stand that were known in loops and branches before it.
pub(super) struct Scopes(Vec<BTreeMap<String, Binding>>, BTreeMap<String, Span>);

impl Scopes {
    pub(super) fn new() -> Self {
        Self(vec![BTreeMap::new()], BTreeMap::new())
    }

    pub(super) fn begin(&mut self) {
        self.0.push(BTreeMap::new());
    }

    pub(super) fn end(&mut self) {
        let ended = self.0.pop().into_iter().flatten();
        self.1.extend(ended.map(|(name, binding)| (name, binding.at)));
    }

    /// What is said about a name that is only known in a loop or a branch before this place.
    pub(super) fn inner(&self, name: &str) -> Option<String> {
        let line = self.1.get(name)?.start().line;
        Some(format!(
            "`{name}` is declared in line {line}, in a loop or a branch that may not be carried out; declare `var {name} = ..` \
             before it, and assign it there"
        ))
    }

    pub(super) fn get(&self, name: &str) -> Option<&Binding> {
        self.0.iter().rev().find_map(|scope| scope.get(name))
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Binding> {
        self.0.iter_mut().rev().find_map(|scope| scope.get_mut(name))
    }

    /// Whether the innermost scope has a name.
    fn innermost(&self, name: &str) -> Option<&Binding> {
        self.0.last()?.get(name)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(BTreeMap::keys).map(String::as_str)
    }
}

/// Tells functions and constants that are declared twice, and functions with the name of a filter.
pub(super) fn check(file: &File, filters: &[Filter], errors: &mut Errors<Span>) {
    for Function { name, .. } in &file.functions {
        if let Some(Filter { what, at, .. }) = filters.iter().find(|filter| filter.name == name.value) {
            errors.add(name.at, format_args!("there is a {what} `{}` {at}; rename one of them", name.value));
        }
    }
    let mut seen: BTreeMap<(&str, &str), Span> = BTreeMap::new();
    let mut types: BTreeMap<String, &Name> = BTreeMap::new();
    for Program { name, .. } in &file.programs {
        let kind = of_type(&name.value);
        match types.get(&kind) {
            Some(first) if first.value != name.value => {
                let (first, line) = (&first.value, first.at.start().line);
                errors.add(
                    name.at,
                    format_args!(
                        "the Rust type of program `{}` would be `{kind}`, as that of program `{first}` in line {line}; rename one",
                        name.value
                    ),
                );
            }
            _ => drop(types.insert(kind, name)),
        }
    }
    let programs = file.programs.iter().map(|program| ("program", &program.name));
    let functions = file.functions.iter().map(|function| ("function", &function.name));
    let constants = file.constants.iter().map(|constant| ("constant", &constant.name));
    for (what, name) in programs.chain(functions).chain(constants) {
        if let Some(first) = seen.get(&(what, name.value.as_str())) {
            errors.add(name.at, twice(what, &name.value, Some(first.start().line)));
        } else {
            seen.insert((what, &name.value), name.at);
        }
    }
}

impl<'f> Lowering<'f> {
    /// Declares a name in the innermost scope.
    pub(super) fn bind(&mut self, name: &Name, thing: Thing, role: Role) {
        if let Some(first) = self.scopes.innermost(&name.value) {
            let line = first.at.start().line;
            let message = if role == Role::Let && matches!(first.role, Role::Var | Role::Let) {
                format!(
                    "`{}` is declared twice, first in line {line}; rename one, or make it a `var` and assign it",
                    name.value
                )
            } else {
                twice("name", &name.value, Some(line))
            };
            self.wrong(name.at, message);
            return;
        }
        self.name(&name.value, &thing);
        if let Some(scope) = self.scopes.0.last_mut() {
            scope.insert(name.value.clone(), Binding { thing, at: name.at, role, assigned: None, stays: None });
        }
    }

    /// Notes the name of planes, outside of functions.
    pub(super) fn name(&mut self, name: &str, thing: &Thing) {
        if !self.calls.is_empty() {
            return;
        }
        let planes: Vec<Value> = thing.leaves().iter().filter_map(Thing::plane).collect();
        for (number, plane) in planes.iter().enumerate() {
            let name = if planes.len() == 1 { name.to_owned() } else { format!("{name}.{number}") };
            self.names.entry(*plane).or_insert(name);
        }
    }

    /// Binds the names of a pattern to parts of something.
    pub(super) fn bind_pattern(&mut self, pattern: &Pattern, thing: Made<Thing>, role: Role) {
        match pattern {
            Pattern::Name(name) => self.bind(name, thing.unwrap_or(Thing::Wrong), role),
            Pattern::Tuple(patterns, at) => {
                let parts = match thing {
                    Err(Told) | Ok(Thing::Wrong) => None,
                    Ok(Thing::Tuple(parts) | Thing::List(parts) | Thing::Record(_, parts))
                        if parts.len() == patterns.len() =>
                    {
                        Some(parts)
                    }
                    Ok(other) => {
                        let fields = if let Thing::Record(record, _) = &other {
                            let fields: Vec<String> =
                                record.fields().iter().map(|field| format!("`.{field}`")).collect();
                            format!(", which has {}", fields.join(", "))
                        } else {
                            String::new()
                        };
                        let message = format!("expected a tuple of {}, found {}{fields}", patterns.len(), other.what());
                        self.wrong(*at, message);
                        None
                    }
                };
                let mut parts = parts.map(Vec::into_iter);
                for pattern in patterns {
                    let part = parts.as_mut().and_then(Iterator::next).ok_or(Told);
                    self.bind_pattern(pattern, part, role);
                }
            }
        }
    }

    /// What a name stands for.
    pub(super) fn named(&mut self, name: &str, at: Span) -> Made<Thing> {
        if let Some(binding) = self.scopes.get(name) {
            let thing = binding.thing.clone();
            let role = binding.role;
            if let Thing::List(parts) | Thing::Tuple(parts) = &thing {
                self.spend(parts.len(), at)?;
            }
            if let Role::State(state) = role
                && let Some(state) = self.states.get_mut(state)
            {
                state.is_read = true;
            }
            return if thing == Thing::Wrong { Err(Told) } else { Ok(thing) };
        }
        if let Some(constant) = self.constant(name, at) {
            return constant;
        }
        if let Some((_, by)) = DIRECTIONS.iter().find(|(direction, _)| *direction == name) {
            let [x, y] = [by.x, by.y].map(|by| Thing::Constant(Fraction::from(i32::from(by))));
            return Ok(Thing::Tuple(vec![x, y]));
        }
        let filter = self.filter(name).map(|filter| filter.what);
        if filter.is_some() || self.function(name).is_some() || super::functions::is_known(name) {
            let what = filter.unwrap_or("function");
            let message = format!("`{name}` is a {what}; call it, as in `{name}(..)`");
            return Err(self.wrong(at, message));
        }
        if let Some(message) = self.scopes.inner(name).or_else(|| self.later(name)) {
            return Err(self.wrong(at, message));
        }
        let near = self.nearest(name).map(|near| format!("; did you mean `{near}`?"));
        let message = format!("unknown name `{name}`{}", near.unwrap_or_default());
        Err(self.wrong(at, message))
    }

    /// What is said about a name that the program itself declares, but not before this place.
    fn later(&self, name: &str) -> Option<String> {
        let at = self.declared.get(name).filter(|_| self.calls.is_empty())?;
        Some(format!("`{name}` is declared in line {}, and not known before; move that to the front", at.start().line))
    }

    /// The names of all variables.
    pub(super) fn variables(&self) -> Vec<String> {
        let all = self.scopes.0.iter().flatten();
        all.filter(|(_, binding)| binding.role == Role::Var).map(|(name, _)| name.clone()).collect()
    }

    /// The nearest name that a result can have.
    pub(super) fn nearest_result(&self, name: &str) -> Option<String> {
        let known: Vec<&str> = self.scopes.names().collect();
        near_miss(name, &known).map(str::to_owned)
    }

    /// The number of the input that a name stands for.
    pub(super) fn input_of(&self, name: &str) -> Option<usize> {
        let binding = self.scopes.get(name).filter(|binding| binding.role == Role::Entry)?;
        let value = match &binding.thing {
            Thing::Levels(levels) => levels.only(),
            Thing::Bits(bits) => bits.only(),
            _ => None,
        };
        self.builder.inputs().iter().position(|input| Some(input.value) == value)
    }

    fn nearest(&self, name: &str) -> Option<String> {
        let files = [self.file, self.prelude];
        let constants = files.into_iter().flat_map(|file| &file.constants).map(|constant| constant.name.value.as_str());
        let directions = DIRECTIONS.iter().map(|(direction, _)| *direction);
        let known: Vec<&str> = self.scopes.names().chain(constants).chain(directions).collect();
        near_miss(name, &known).map(str::to_owned)
    }

    /// What a constant of the file or of the language is. Functions of the language see none of the file.
    fn constant(&mut self, name: &str, at: Span) -> Option<Made<Thing>> {
        let key = (self.is_in_prelude(), name.to_owned());
        match self.constants.get(&key) {
            Some(Some(Thing::Wrong)) => return Some(Err(Told)),
            Some(Some(thing)) => return Some(Ok(thing.clone())),
            Some(None) => {
                let message = format!("constant `{name}` is made of itself");
                return Some(Err(self.wrong(at, message)));
            }
            None => {}
        }
        let (file, prelude) = (self.file, self.prelude);
        let files = [(file, false), (prelude, true)].into_iter().filter(|(_, is_prelude)| *is_prelude || !key.0);
        let found = files.into_iter().find_map(|(file, is_prelude)| {
            let constant = file.constants.iter().find(|constant| constant.name.value == name)?;
            Some((constant, is_prelude))
        });
        let (constant, is_prelude) = found?;
        self.constants.insert(key.clone(), None);
        let scopes = std::mem::replace(&mut self.scopes, Scopes::new());
        let calls =
            if is_prelude { vec![Call { name: name.to_owned(), at: self.place(at), is_prelude }] } else { Vec::new() };
        let calls = std::mem::replace(&mut self.calls, calls);
        let made = self.expr(&constant.value).and_then(|thing| match thing {
            Thing::Constant(_)
            | Thing::Truth(_)
            | Thing::Kernel(_)
            | Thing::Tuple(_)
            | Thing::List(_)
            | Thing::Range(_) => Ok(thing),
            other => {
                let message =
                    format!("a constant is a number, a matrix, a list or a tuple of them; found {}", other.what());
                Err(self.wrong(constant.value.at, message))
            }
        });
        self.calls = calls;
        self.scopes = scopes;
        self.constants.insert(key, Some(made.clone().unwrap_or(Thing::Wrong)));
        Some(made)
    }

    /// The function of that name, and whether it belongs to the language. Functions of the language call none of the file.
    pub(super) fn function(&self, name: &str) -> Option<(&'f Function, bool)> {
        let (file, prelude) = (self.file, self.prelude);
        let find = |file: &'f File| file.functions.iter().find(|function| function.name.value == name);
        let own = find(file).filter(|_| !self.is_in_prelude()).map(|function| (function, false));
        own.or_else(|| find(prelude).map(|function| (function, true)))
    }

    /// Whether the present place is in a function of the language.
    pub(super) fn is_in_prelude(&self) -> bool {
        self.calls.last().is_some_and(|call| call.is_prelude)
    }

    /// The message about a function that there is not.
    pub(super) fn unknown_function(&self, name: &str) -> String {
        if self.file.programs.iter().any(|program| program.name.value == name) {
            return format!("`{name}` is a program; what programs have in common is written as `fn`");
        }
        if self.scopes.get(name).is_some() {
            return format!(
                "`{name}` is not a function, but {}",
                self.scopes.get(name).map_or("", |found| found.role.what())
            );
        }
        // What others may be called elsewhere.
        let others = [("bits", "digits"), ("box", "bounds"), ("not", "!")];
        if let Some((_, known)) = others.iter().find(|(other, _)| *other == name) {
            return format!("unknown function `{name}`; it is `{known}` here");
        }
        let files = [self.file, self.prelude];
        let functions = files.into_iter().flat_map(|file| &file.functions).map(|function| function.name.value.as_str());
        let filters = self.filters.iter().map(|filter| filter.name.as_str());
        let known: Vec<&str> = filters.chain(functions).chain(super::functions::names()).collect();
        match near_miss(name, &known) {
            Some(near) => format!("unknown function `{name}`; did you mean `{near}`?"),
            None => unknown("function", name, &[]).split(';').next().unwrap_or_default().to_owned(),
        }
    }

    /// Runs something with names of its own.
    pub(super) fn scoped<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.begin();
        let made = run(self);
        self.scopes.end();
        made
    }

    /// Runs something that sees no names but those of constants and functions.
    pub(super) fn apart<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let scopes = std::mem::replace(&mut self.scopes, Scopes::new());
        let made = run(self);
        self.scopes = scopes;
        made
    }
}
