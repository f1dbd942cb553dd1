//! Loops, decisions and lists.

use std::collections::BTreeSet;

use cain_analysis::owned::Step;
use cain_isa::program::{Found, Held};
use cain_isa::{Bit, Store};

use super::Failure;
use super::diagram::Diagram;
use super::follow::{Follower, State};
use super::form::Form;
use super::numbers::Source;
use crate::declaration::{Decision, Declaration, Kind, Loop, Until, Value};
use crate::plan::Piece;

impl Follower<'_, '_> {
    pub(super) fn repeat(
        &mut self,
        of: &Loop,
        places: &[Option<Held>],
        check: &[Piece<'_>],
        goes_on: usize,
        body: &[Piece<'_>],
    ) -> Result<(), Failure> {
        self.is_flag_set()?;
        if places.len() != of.carried.len() || distinct(places).is_none() {
            return Err(Failure::Step);
        }
        for (carried, place) in of.carried.iter().zip(places) {
            match place {
                Some(held) => self.is(*held, carried.first)?,
                None => self.has(carried.inside.0, carried.first)?,
            }
        }
        let one = Form::constant(cain_isa::Fraction::ONE);
        if matches!(of.until, Until::Stable(_)) && self.state.numbers.get(&goes_on) != Some(&one) {
            return Err(Failure::Step);
        }
        self.forget(check)?;
        self.forget(body)?;
        self.carry(of.carried.iter().map(|carried| carried.inside), places)?;
        let counter = self.meaning.sources.form(Source::Value(of.counter));
        self.state.numbers.insert(of.counter.0, counter);
        if matches!(of.until, Until::Stable(_)) {
            // What the last pass left decides: the check has to leave it as it is.
            let last = Source::Kept(goes_on);
            let last = self.meaning.sources.form(last);
            self.state.numbers.insert(goes_on, last);
        }
        self.pieces(check)?;
        self.is_flag_set()?;
        let decides = self.state.numbers.get(&goes_on).cloned().ok_or(Failure::Step)?;
        let wanted = match &of.until {
            Until::Passes(count) => {
                let [done, count] = [of.counter, *count].map(crate::declaration::Number::Value);
                let less = crate::declaration::Comparison::Less;
                let less = crate::declaration::Number::Comparison(less, Box::new([done, count]));
                self.meaning.sources.expression(&less)?
            }
            Until::Fails { condition, .. } => self.meaning.sources.form(Source::Value(*condition)),
            Until::Stable(_) => self.meaning.sources.form(Source::Kept(goes_on)),
        };
        if decides != wanted {
            return Err(Failure::Step);
        }
        let after = self.state.clone();
        self.pieces(body)?;
        self.is_flag_set()?;
        if let Until::Stable(carried) = of.until {
            let carried = of.carried.get(carried).ok_or(Failure::Step)?;
            let (inside, next) = (self.meaning.plane(carried.inside)?, self.meaning.plane(carried.next)?);
            let diagrams = &mut self.meaning.diagrams;
            let not = diagrams.not(next)?;
            let differs = diagrams.choice([inside, not, next])?;
            let wanted = Source::Found(Found::Any, 0, differs);
            let found = self.state.numbers.get(&goes_on).cloned().ok_or(Failure::Step)?;
            let is_it = found.terms.len() == 1 && found.constant.is_zero();
            let atom = found.terms.keys().next().filter(|_| is_it).ok_or(Failure::Step)?;
            let is_right = match self.meaning.sources.source(*atom).cloned() {
                Some(Source::Found(Found::Any, 0, of)) => self.meaning.diagrams.are_equal(of, differs)?,
                found => found == Some(wanted),
            };
            if !is_right {
                return Err(Failure::Wrong(carried.next));
            }
        }
        for (carried, place) in of.carried.iter().zip(places) {
            match place {
                Some(held) => self.is(*held, carried.next)?,
                None => self.has(carried.inside.0, carried.next)?,
            }
        }
        self.state = after;
        self.carry(of.carried.iter().map(|carried| carried.after), places)?;
        for (carried, place) in of.carried.iter().zip(places) {
            if place.is_none() {
                let number = self.meaning.sources.form(Source::Value(carried.after));
                self.state.numbers.insert(carried.inside.0, number);
            }
        }
        self.state.numbers.remove(&of.counter.0);
        self.state.numbers.remove(&goes_on);
        Ok(())
    }

    /// Registers and places hold what is carried.
    fn carry(&mut self, values: impl Iterator<Item = Value>, places: &[Option<Held>]) -> Result<(), Failure> {
        for (value, place) in values.zip(places) {
            if let Some(held) = place {
                let plane = self.meaning.plane(value)?;
                self.give(*held, plane);
            } else {
                let number = self.meaning.sources.form(Source::Value(value));
                self.state.numbers.insert(value.0, number);
            }
        }
        Ok(())
    }

    pub(super) fn decide(&mut self, of: &Decision, then: &[Piece<'_>], otherwise: &[Piece<'_>]) -> Result<(), Failure> {
        self.is_flag_set()?;
        self.has(of.condition.0, of.condition)?;
        let before = self.state.clone();
        self.pieces(then)?;
        self.is_flag_set()?;
        let one = std::mem::replace(&mut self.state, before);
        self.pieces(otherwise)?;
        self.is_flag_set()?;
        let other = self.state.clone();
        self.join(of, &one, &other)
    }

    /// What is known after either of two ways.
    fn join(&mut self, of: &Decision, one: &State, other: &State) -> Result<(), Failure> {
        let declaration = self.meaning.declaration;
        for joins in of.joined.iter().filter(|joins| is_number(declaration, joins.value)) {
            let [value, then, otherwise] =
                [joins.value, joins.then, joins.otherwise].map(|of| self.meaning.sources.form(Source::Value(of)));
            let place = joins.value.0;
            if one.numbers.get(&place) == Some(&then) && other.numbers.get(&place) == Some(&otherwise) {
                self.state.numbers.insert(place, value);
            }
        }
        // What no register holds need not be followed: it is only looked at where contents differ.
        let mut joined = None;
        let kept = self.state.numbers.clone().into_iter().filter(|(place, number)| {
            let is_joined = of.joined.iter().any(|joins| joins.value.0 == *place);
            is_joined || one.numbers.get(place) == Some(number)
        });
        self.state.numbers = kept.collect();
        let stores: BTreeSet<Store> = one.array.cells.written().chain(other.array.cells.written()).collect();
        for store in stores {
            let contents = (one.array.cells.get(store).copied(), other.array.cells.get(store).copied());
            let (Some(a), Some(b)) = contents else {
                let unknown = self.meaning.diagrams.unknown_levels()?;
                self.state.array.cells.give(store, unknown);
                continue;
            };
            let content = if a == b { Some(a) } else { self.joined(of, &mut joined, a, b)? };
            let content = content.map_or_else(|| self.meaning.diagrams.unknown_levels(), Ok)?;
            self.state.array.cells.give(store, content);
        }
        let bits: BTreeSet<Bit> = one.array.bits.written().chain(other.array.bits.written()).collect();
        for bit in bits.into_iter().filter(|bit| *bit != Bit::Flag) {
            let contents = (one.array.bits.get(bit).copied(), other.array.bits.get(bit).copied());
            let content = match contents {
                (Some(a), Some(b)) if a == b => Some(a),
                (Some(a), Some(b)) => self.joined(of, &mut joined, a, b)?,
                _ => None,
            };
            let content = content.map_or_else(|| self.meaning.diagrams.unknown_bits(), Ok)?;
            self.state.array.bits.give(bit, content);
        }
        Ok(())
    }

    /// What comes out where one of two contents is.
    fn joined(
        &mut self,
        of: &Decision,
        joined: &mut Option<Vec<[Diagram; 3]>>,
        a: Diagram,
        b: Diagram,
    ) -> Result<Option<Diagram>, Failure> {
        let joined = match joined {
            Some(joined) => joined,
            None => joined.insert(self.joined_planes(of)?),
        };
        for [value, then, otherwise] in joined {
            let diagrams = &self.meaning.diagrams;
            if diagrams.are_equal(a, *then)? && diagrams.are_equal(b, *otherwise)? {
                return Ok(Some(*value));
            }
        }
        Ok(None)
    }

    /// The planes that come out of a decision, each with what it is on both ways.
    fn joined_planes(&mut self, of: &Decision) -> Result<Vec<[Diagram; 3]>, Failure> {
        let declaration = self.meaning.declaration;
        let mut planes = Vec::new();
        for joins in of.joined.iter().filter(|joins| !is_number(declaration, joins.value)) {
            let [value, then, otherwise] = [joins.value, joins.then, joins.otherwise].map(|of| self.meaning.plane(of));
            planes.push([value?, then?, otherwise?]);
        }
        Ok(planes)
    }

    pub(super) fn append(&mut self, list: usize, numbers: &[Value], step: &Step) -> Result<(), Failure> {
        let place = *self.lists.get(&list).ok_or(Failure::List(list))?;
        let Step::Append { list: first, capacity, numbers: places } = step else { return Err(Failure::Step) };
        if (*first, *capacity) != (place.first, place.capacity)
            || numbers.len() != place.width
            || places.len() != numbers.len()
        {
            return Err(Failure::List(list));
        }
        places.iter().zip(numbers).try_for_each(|(place, value)| self.has(*place, *value))
    }
}

fn is_number(declaration: &Declaration, value: Value) -> bool {
    matches!(declaration.values[value.0], Kind::Number { .. })
}

/// Places, if no register is there twice.
fn distinct(places: &[Option<Held>]) -> Option<()> {
    let all: Vec<Held> = places.iter().flatten().copied().collect();
    (0..all.len()).all(|place| !all[..place].contains(&all[place])).then_some(())
}
