//! Results of a program.

use std::collections::BTreeMap;

use cain_vision::declaration::{Result as Outcome, Value};
use proc_macro2::Span;

use super::scope::Role;
use super::thing::{Record, Thing};
use super::{List, Lowering, Made};
use crate::vision::tree::{self, Expr, Name};

impl Lowering<'_> {
    /// `list NAME;`
    pub(super) fn list_of_results(&mut self, name: &Name) -> Made<()> {
        if self.nested > 0 || !self.calls.is_empty() {
            return Err(self
                .wrong(name.at, "lists are declared in the program itself, outside of loops, branches and functions"));
        }
        self.lists.push(List { name: name.value.clone(), at: name.at, length: None });
        self.bind(name, Thing::Results(self.lists.len() - 1), Role::List);
        Ok(())
    }

    /// `NAME += value;`
    pub(super) fn add_to_list(&mut self, name: &Name, value: &Expr) -> Made<()> {
        let list = match self.scopes.get(&name.value).map(|binding| (binding.role, binding.thing.clone())) {
            Some((_, Thing::Results(list))) => list,
            Some((Role::Var, _)) => {
                let text = &name.value;
                let message = format!("`+=` adds to lists of results; write `{text} = {text} + ..`");
                return Err(self.wrong(name.at, message));
            }
            _ => {
                let message = format!(
                    "`{0}` is not a list; declare it with `list {0};` and name it among the results",
                    name.value
                );
                return Err(self.wrong(name.at, message));
            }
        };
        if self.masks > 0 {
            return Err(self.wrong(
                name.at,
                "what is added to a list is not different in each PE; decide with a number of the \
                                            controller, as in `if any(b) { .. }`",
            ));
        }
        let thing = self.expr(value)?;
        let mut numbers = Vec::new();
        for leaf in listed(&thing) {
            let number = self.number(&leaf, value.at)?;
            numbers.push(self.number_value(number, value.at)?);
        }
        let length = self.lists.get_mut(list).map(|list| *list.length.get_or_insert(numbers.len()));
        if length != Some(numbers.len()) {
            let length = length.unwrap_or_default();
            let (name, plural, found) = (&name.value, if length == 1 { "" } else { "s" }, numbers.len());
            let message = format!("the entries of `{name}` have {length} number{plural}, but this one has {found}");
            return Err(self.wrong(value.at, message));
        }
        self.builder.list(list, numbers);
        Ok(())
    }

    /// The results of the program.
    pub(super) fn results(&mut self, results: &[tree::Outcome], at: Span) {
        let mut seen: BTreeMap<&str, (bool, Span)> = BTreeMap::new();
        let mut listed = vec![false; self.lists.len()];
        for tree::Outcome { name, is_next } in results {
            if let Some((was_next, first)) = seen.insert(&name.value, (*is_next, name.at)) {
                let message = if was_next == *is_next {
                    crate::diagnostic::twice("result", &name.value, Some(first.start().line))
                } else {
                    format!(
                        "`{0}` and `next {0}` are results of the same name; give one of them another, as in `let before = {0};`",
                        name.value
                    )
                };
                self.wrong(name.at, message);
                continue;
            }
            let thing = self.result_of(name, *is_next);
            if let Ok(thing) = thing {
                if let Thing::Results(list) = thing
                    && let Some(listed) = listed.get_mut(list)
                {
                    *listed = true;
                }
                // What is wrong has been told.
                let _ = self.result(&name.value, &thing, name.at);
            }
        }
        if results.is_empty() && self.states.is_empty() {
            self.wrong(at, "a program without results does nothing");
        }
        for (place, is_listed) in listed.into_iter().enumerate() {
            if let Some(List { name, at, .. }) = self.lists.get(place).filter(|_| !is_listed) {
                let (message, at) = (format!("list `{name}` is not among the results"), *at);
                self.wrong(at, message);
            }
        }
    }

    fn result_of(&mut self, name: &Name, is_next: bool) -> Made<Thing> {
        let role = self.scopes.get(&name.value).map(|binding| binding.role);
        match role {
            Some(Role::State(usize::MAX)) => Err(super::Told),
            Some(Role::State(number)) if is_next => {
                if let Some(state) = self.states.get_mut(number) {
                    state.is_read = true;
                }
                match self.after(number) {
                    Thing::Wrong => Err(super::Told),
                    thing => Ok(thing),
                }
            }
            Some(_) if is_next => {
                let message = format!("`{0}` is not a state; write `{0}` alone", name.value);
                Err(self.wrong(name.at, message))
            }
            Some(_) => self.named(&name.value, name.at),
            None => {
                let message = match self.nearest_result(&name.value) {
                    _ if self.scopes.inner(&name.value).is_some() => self.scopes.inner(&name.value).unwrap_or_default(),
                    Some(near) => format!("result `{}` has no value; did you mean `{near}`?", name.value),
                    None => format!("result `{0}` has no value; give it one with `let {0} = ..;`", name.value),
                };
                Err(self.wrong(name.at, message))
            }
        }
    }

    fn result(&mut self, name: &str, thing: &Thing, at: Span) -> Made<()> {
        match thing {
            Thing::Record(Record::Point | Record::Bounds, parts) => {
                let numbers = self.numbers(parts, at)?;
                self.builder.result(name, Outcome::Numbers(numbers));
            }
            Thing::Results(list) => self.builder.result(name, Outcome::List(*list)),
            Thing::Events(of, most) => self.builder.result(name, Outcome::Events(*of, *most)),
            Thing::Tuple(parts) | Thing::List(parts) | Thing::Record(_, parts) => {
                let is_number = |part: &Thing| {
                    matches!(part, Thing::Constant(_) | Thing::Number(_) | Thing::Truth(_) | Thing::Condition(_))
                };
                if parts.iter().all(is_number) {
                    let numbers = self.numbers(parts, at)?;
                    self.builder.result(name, Outcome::Tuple(numbers));
                } else {
                    for (place, part) in parts.iter().enumerate() {
                        self.result(&format!("{name}.{place}"), part, at)?;
                    }
                }
            }
            Thing::Digits(bits) => {
                for (place, bit) in bits.iter().enumerate() {
                    self.result(&format!("{name}.{place}"), &Thing::Bits(bit.clone()), at)?;
                }
            }
            leaf => {
                let value = self.leaf_value(leaf.clone(), at)?;
                self.builder.result(name, Outcome::Value(value));
            }
        }
        Ok(())
    }

    fn numbers(&mut self, parts: &[Thing], at: Span) -> Made<Vec<Value>> {
        let number = |part: &Thing| {
            let number = self.number(part, at)?;
            self.number_value(number, at)
        };
        parts.iter().map(number).collect()
    }
}

/// The numbers of an entry of a list. Points and boxes are their places alone: what is in a list is found.
fn listed(thing: &Thing) -> Vec<Thing> {
    match thing {
        Thing::Record(Record::Point | Record::Bounds, parts) => {
            parts.split_last().map_or_else(Vec::new, |(_, numbers)| numbers.to_vec())
        }
        Thing::Tuple(parts) | Thing::List(parts) => parts.iter().flat_map(listed).collect(),
        other => other.leaves(),
    }
}
