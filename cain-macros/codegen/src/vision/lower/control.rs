//! Decisions: of the controller, in each PE, and while the program is compiled.

use std::collections::{BTreeMap, BTreeSet};

use cain_vision::declaration::{Ended, Value};
use proc_macro2::Span;

use super::assigned;
use super::thing::Thing;
use super::{Lowering, Made};
use crate::vision::tree::{Block, If, What};

/// What a path through a program has left.
struct Path {
    value: Option<Made<Thing>>,
    /// What the variables are that are assigned.
    vars: BTreeMap<String, Thing>,
    /// What states are given.
    nexts: BTreeMap<usize, (Thing, Span)>,
}

impl Lowering<'_> {
    /// `if` as a statement.
    pub(super) fn decide(&mut self, of: &If, at: Span) {
        if let Ok(Some(value)) = self.branches(of, at, false)
            && value != Thing::Wrong
        {
            self.wrong(at, "the value of this `if` is not used; give it a name with `let`");
        }
    }

    /// `if` as an expression.
    pub(super) fn decision_value(&mut self, of: &If, at: Span) -> Made<Thing> {
        match self.branches(of, at, true)? {
            Some(value) => Ok(value),
            None => {
                Err(self
                    .wrong(at, "an `if` whose value is used has a value in both branches: `if on { a } else { b }`"))
            }
        }
    }

    fn branches(&mut self, of: &If, at: Span, is_value: bool) -> Made<Option<Thing>> {
        let condition = self.expr(&of.condition)?;
        match condition {
            Thing::Truth(truth) => {
                let Some(block) = (if truth { Some(&of.then) } else { of.otherwise.as_ref() }) else { return Ok(None) };
                self.block(block, is_value).transpose()
            }
            Thing::Condition(number) => {
                let value = self.number_value(number, of.condition.at)?;
                let names = self.assigned(of);
                self.deciding(value, &names, [Some(&of.then), of.otherwise.as_ref()], is_value, at)
            }
            Thing::Bits(bits) => {
                let bits = self.bit(bits, of.condition.at)?;
                let names = self.assigned(of);
                self.masked(bits, &names, of, is_value, at)
            }
            other => {
                let told = self.condition(&other, of.condition.at);
                told.map(|_| None)
            }
        }
    }

    /// The variables that the branches assign.
    fn assigned(&self, of: &If) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        assigned::in_block(&of.then, &mut names);
        of.otherwise.iter().for_each(|block| assigned::in_block(block, &mut names));
        names.retain(|name| self.scopes.get(name).is_some());
        names
    }

    /// The statements of a block, and its value if it has one.
    pub(super) fn block(&mut self, block: &'_ Block, is_value: bool) -> Option<Made<Thing>> {
        self.scoped(|lowering| {
            lowering.statements(&block.statements);
            let value = block.value.as_deref()?;
            match &value.what {
                // The last statement of a block without a value.
                What::If(of) if !is_value => {
                    lowering.decide(of, value.at);
                    None
                }
                _ => Some(lowering.expr(value).and_then(|thing| lowering.settled(&thing, value.at))),
            }
        })
    }

    /// Takes a path: what it leaves, with the variables and states as they were before it.
    fn path(&mut self, block: Option<&Block>, names: &BTreeSet<String>, is_value: bool) -> Path {
        let before: BTreeMap<String, Thing> = self.present(names);
        let nexts = self.nexts.clone();
        self.nested += 1;
        let value = block.and_then(|block| self.block(block, is_value));
        self.nested -= 1;
        let vars = self.present(names);
        for (name, thing) in before {
            self.assign(&name, thing);
        }
        Path { value, vars, nexts: std::mem::replace(&mut self.nexts, nexts) }
    }

    /// What variables are.
    pub(super) fn present(&self, names: &BTreeSet<String>) -> BTreeMap<String, Thing> {
        let present = |name: &String| Some((name.clone(), self.scopes.get(name)?.thing.clone()));
        names.iter().filter_map(present).collect()
    }

    pub(super) fn assign(&mut self, name: &str, thing: Thing) {
        self.name(name, &thing);
        if let Some(binding) = self.scopes.get_mut(name) {
            binding.thing = thing;
        }
    }

    /// One of two paths, by a number of the controller.
    pub(super) fn deciding(
        &mut self,
        condition: Value,
        names: &BTreeSet<String>,
        blocks: [Option<&Block>; 2],
        is_value: bool,
        at: Span,
    ) -> Made<Option<Thing>> {
        let mut paths = Vec::new();
        for block in blocks {
            self.builder.begin();
            let mut path = self.path(block, names, is_value);
            for thing in path.vars.values_mut() {
                if let Ok(settled) = self.settled(thing, at) {
                    *thing = settled;
                }
            }
            for (thing, at) in path.nexts.values_mut() {
                if let Ok(settled) = self.settled(thing, *at) {
                    *thing = settled;
                }
            }
            paths.push((path, self.builder.end()));
        }
        let (Some((otherwise, second)), Some((then, first))) = (paths.pop(), paths.pop()) else { return Ok(None) };
        let mut joined = Joined { bodies: [first, second], pairs: Vec::new() };
        let value = match (then.value, otherwise.value) {
            (Some(then), Some(otherwise)) if is_value => Some(self.join(&then?, &otherwise?, &mut joined, at)?),
            _ => None,
        };
        let mut vars = Vec::new();
        for (name, thing) in &then.vars {
            let Some(other) = otherwise.vars.get(name) else { continue };
            if thing != other || self.is_new(name, thing) {
                vars.push((name.clone(), self.join(thing, other, &mut joined, at)?));
            }
        }
        let mut nexts = Vec::new();
        for state in self.given(&then.nexts, &otherwise.nexts) {
            let (thing, place) = self.next_of(state, &then.nexts, at);
            let (other, other_place) = self.next_of(state, &otherwise.nexts, at);
            let place = if then.nexts.contains_key(&state) { place } else { other_place };
            nexts.push((state, self.join(&thing, &other, &mut joined, place)?, place));
        }
        let values = self.builder.decide(condition, joined.bodies, &joined.pairs);
        let values = self.built(values, at)?;
        self.note_all(&values, at);
        let of = |out: &Out| out.thing(&values);
        for (name, thing) in vars {
            self.assign(&name, of(&thing));
        }
        for (state, thing, place) in nexts {
            self.nexts.insert(state, (of(&thing), place));
        }
        Ok(value.map(|value| of(&value)))
    }

    /// Whether a variable is something else now than a path leaves it.
    fn is_new(&self, name: &str, left: &Thing) -> bool {
        self.scopes.get(name).is_some_and(|binding| binding.thing != *left)
    }

    /// The states that one of two paths has given, beyond what was given before.
    fn given(&self, one: &BTreeMap<usize, (Thing, Span)>, other: &BTreeMap<usize, (Thing, Span)>) -> BTreeSet<usize> {
        one.keys().chain(other.keys()).filter(|state| !self.nexts.contains_key(state)).copied().collect()
    }

    /// What a path has given a state; what it was before, if that is nothing.
    fn next_of(&self, state: usize, nexts: &BTreeMap<usize, (Thing, Span)>, at: Span) -> (Thing, Span) {
        match nexts.get(&state) {
            Some(next) => next.clone(),
            None => (self.states.get(state).map_or(Thing::Wrong, |state| state.before.clone()), at),
        }
    }

    /// What a branch leaves, as planes where the other one leaves planes. Its own numbers are only known in it, so that these are
    /// made there.
    fn brought(&mut self, thing: &Thing, other: &Thing, branch: &mut Ended, at: Span) -> Made<Thing> {
        if !becomes_planes(thing, other) {
            return Ok(thing.clone());
        }
        self.builder.resume(branch);
        let made = self.like(thing, other, at).and_then(|thing| self.settled(&thing, at));
        *branch = self.builder.end();
        made
    }

    /// Notes that one of two things comes out of a decision.
    pub(super) fn join(&mut self, then: &Thing, otherwise: &Thing, joined: &mut Joined, at: Span) -> Made<Out> {
        if then == otherwise {
            let leaves = then.leaves().into_iter().map(Leaf::Same).collect();
            return Ok(Out { shape: then.clone(), leaves });
        }
        let [first, second] = &mut joined.bodies;
        let (one, other) = (self.brought(then, otherwise, first, at)?, self.brought(otherwise, then, second, at)?);
        let (then, otherwise) = self.alike(&one, &other, at)?;
        let mut leaves = Vec::new();
        for (then, otherwise) in then.leaves().into_iter().zip(otherwise.leaves()) {
            if then == otherwise {
                leaves.push(Leaf::Same(then));
                continue;
            }
            let like = then.clone();
            let pair = [self.leaf_value(then, at)?, self.leaf_value(otherwise, at)?];
            let known = joined.pairs.iter().position(|known| *known == pair);
            let number = known.unwrap_or_else(|| {
                joined.pairs.push(pair);
                joined.pairs.len() - 1
            });
            leaves.push(Leaf::Either(number, like));
        }
        Ok(Out { shape: then, leaves })
    }

    /// Both paths, and of each result that of one of them in each PE.
    fn masked(
        &mut self,
        bits: Value,
        names: &BTreeSet<String>,
        of: &If,
        is_value: bool,
        at: Span,
    ) -> Made<Option<Thing>> {
        self.masks += 1;
        let then = self.path(Some(&of.then), names, is_value);
        let otherwise = self.path(of.otherwise.as_ref(), names, is_value);
        self.masks -= 1;
        let value = match (then.value, otherwise.value) {
            (Some(then), Some(otherwise)) if is_value => Some(self.select(bits, &then?, &otherwise?, at)?),
            _ => None,
        };
        for (name, thing) in &then.vars {
            let Some(other) = otherwise.vars.get(name) else { continue };
            if thing != other {
                let selected = self.select(bits, thing, other, at)?;
                let selected = self.kept(name, selected, at)?;
                self.assign(name, selected);
            } else if self.is_new(name, thing) {
                self.assign(name, thing.clone());
            }
        }
        for state in self.given(&then.nexts, &otherwise.nexts) {
            let (thing, place) = self.next_of(state, &then.nexts, at);
            let (other, other_place) = self.next_of(state, &otherwise.nexts, at);
            let place = if then.nexts.contains_key(&state) { place } else { other_place };
            let selected = self.select(bits, &thing, &other, place)?;
            self.nexts.insert(state, (selected, place));
        }
        Ok(value)
    }
}

/// Whether something of one branch becomes planes beside what another one leaves.
fn becomes_planes(thing: &Thing, other: &Thing) -> bool {
    let becomes = |of: &Thing, like: &Thing| match like {
        Thing::Levels(_) | Thing::Bits(_) => matches!(of, Thing::Number(_) | Thing::Condition(_)),
        Thing::Digits(_) => matches!(of, Thing::Number(_) | Thing::Levels(_)),
        _ => false,
    };
    becomes(thing, other)
        || thing.is_alike(other) && thing.leaves().iter().zip(other.leaves()).any(|(of, like)| becomes(of, &like))
}

/// What comes out of a decision.
pub(super) struct Joined {
    /// Its branches.
    pub(super) bodies: [Ended; 2],
    /// The values of both.
    pub(super) pairs: Vec<[Value; 2]>,
}

/// A thing that comes out of a decision: its shape and its leaves.
pub(super) struct Out {
    shape: Thing,
    leaves: Vec<Leaf>,
}

enum Leaf {
    /// What it is on both paths.
    Same(Thing),
    /// The pair of that number, of this kind.
    Either(usize, Thing),
}

impl Out {
    /// The thing, once the values are known.
    pub(super) fn thing(&self, values: &[Value]) -> Thing {
        let leaf = |leaf: &Leaf| match leaf {
            Leaf::Same(thing) => thing.clone(),
            Leaf::Either(number, like) => {
                values.get(*number).map_or(Thing::Wrong, |value| Lowering::leaf_of(*value, like))
            }
        };
        self.shape.with_leaves(&mut self.leaves.iter().map(leaf))
    }
}
