//! What states are after a frame.

use cain_vision::declaration::{Arithmetic, Number};
use proc_macro2::Span;

use super::numbers::arithmetic;
use super::operator::numbered;
use super::scope::Role;
use super::state::Keeping;
use super::thing::Thing;
use super::{Lowering, Made, Told};
use crate::names::near_miss;
use crate::vision::tree::{Expr, Name};

impl Lowering<'_> {
    /// `next NAME = value where mask;`
    pub(super) fn next(&mut self, name: &Name, value: &Expr, mask: Option<&Expr>) -> Made<()> {
        let text = &name.value;
        if !self.calls.is_empty() {
            return Err(self.wrong(name.at, "states are given in the program itself, outside of functions"));
        }
        let number = match self.scopes.get(text).map(|binding| binding.role) {
            Some(Role::State(usize::MAX)) => return Err(Told),
            Some(Role::State(number)) => number,
            _ => {
                let known: Vec<&str> = self.states.iter().map(|state| state.name.value.as_str()).collect();
                let message = match near_miss(text, &known) {
                    Some(near) => format!("unknown state `{text}`; did you mean `{near}`?"),
                    None => format!("`{text}` is not a state; declare it with `state {text} = ..;`"),
                };
                return Err(self.wrong(name.at, message));
            }
        };
        if self.loops > 0 {
            return Err(self.wrong(
                name.at,
                "a state has one value after the frame; assign a `var` in the loop, and write \
                                            `next` behind it",
            ));
        }
        if let Some((_, first)) = self.nexts.get(&number) {
            let line = first.start().line;
            let message = format!("`next {text}` is given twice on one path, first in line {line}");
            return Err(self.wrong(name.at, message));
        }
        let before = self.states.get(number).map_or(Thing::Wrong, |state| state.before.clone());
        let what = format!("state `{text}`");
        let made = match mask {
            None => {
                let thing = self.expr(value);
                let range = match self.states.get(number).map(|state| state.kept) {
                    Some(Keeping::Range(low, high)) => Some((low, high)),
                    _ => None,
                };
                let thing = thing.and_then(|thing| self.literal(value, thing, range));
                thing.and_then(|thing| self.fit(&thing, &before, &what, value.at))
            }
            Some(mask) => {
                let made = self.where_mask(mask, value, &before, &what);
                made.and_then(|thing| self.fit(&thing, &before, &what, value.at))
            }
        };
        let made = made
            .and_then(|thing| self.ranged(number, thing, value.at))
            .and_then(|thing| self.settled(&thing, value.at));
        if let Some(state) = self.states.get_mut(number) {
            state.is_written = true;
        }
        let (thing, made) = match made {
            Ok(thing) => (thing, Ok(())),
            Err(told) => (Thing::Wrong, Err(told)),
        };
        self.nexts.insert(number, (thing, value.at));
        made
    }

    /// Brings numbers into the range of their state.
    fn ranged(&mut self, number: usize, thing: Thing, at: Span) -> Made<Thing> {
        let Some(Keeping::Range(low, high)) = self.states.get(number).map(|state| state.kept) else { return Ok(thing) };
        self.brought_into(&thing, (low, high), at)
    }

    /// Numbers, brought into a range.
    pub(super) fn brought_into(&mut self, thing: &Thing, (low, high): (i64, i64), at: Span) -> Made<Thing> {
        let mut parts = Vec::new();
        for part in thing.leaves() {
            let number = arithmetic(Arithmetic::Max, self.number(&part, at)?, Number::Constant(low));
            parts.push(numbered(arithmetic(Arithmetic::Min, number, Number::Constant(high))));
        }
        Ok(thing.with_leaves(&mut parts.into_iter()))
    }

    /// What a state is after the frame.
    pub(super) fn after(&mut self, number: usize) -> Thing {
        let before = self.states.get(number).map_or(Thing::Wrong, |state| state.before.clone());
        self.nexts.get(&number).map_or(before, |(thing, _)| thing.clone())
    }
}
