//! The order in which the bits of a function of many bits are made, in the registers that there are.

use std::collections::BTreeMap;

use cain_isa::Dreg;

use super::scheme::{Item, Literal, SOURCES, Scheme, Term, schemes};

/// What a comparison costs, in words: about as much as bringing the plane and writing the bit.
const COMPARISON: usize = 7;

/// A function: all of the bits of a gate, and those of any of the terms.
pub(super) struct Wanted {
    pub(super) terms: Vec<Term>,
    pub(super) gate: Term,
}

/// Registers for it.
pub(super) struct Room {
    pub(super) free: Vec<Dreg>,
    /// Complements of literals that are held anyway.
    pub(super) given: BTreeMap<Literal, Dreg>,
    /// Where the function is wanted, which is among the free ones.
    pub(super) result: Dreg,
}

/// What is done next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Writes the complement of a literal.
    Make(Literal, Dreg),
    /// Writes whether any of several bits is 1, or none.
    Combine { to: Dreg, of: Vec<Dreg>, is_inverted: bool },
}

/// What is done for a function; `None` if there are not enough registers.
pub(super) fn schedule(wanted: &Wanted, room: &Room) -> Option<Vec<Action>> {
    let mut best: Option<(usize, Vec<Action>)> = None;
    for scheme in schemes(&wanted.terms) {
        // Another way has to save a comparison, since planes are brought in another order.
        let most = best.as_ref().map_or(usize::MAX, |(cost, _)| cost.saturating_sub(COMPARISON));
        best = Making::of(&scheme, wanted, room).run(most).or(best);
    }
    best.map(|(_, actions)| actions)
}

/// What is there while a function is made.
struct Making<'s> {
    scheme: &'s Scheme,
    gate: &'s Term,
    room: &'s Room,
    /// The term that is made.
    now: usize,
    items: BTreeMap<Item, Dreg>,
    free: Vec<Dreg>,
    /// Terms that are made, and joined terms.
    joined: Vec<Dreg>,
    actions: Vec<Action>,
    cost: usize,
}

impl<'s> Making<'s> {
    fn of(scheme: &'s Scheme, wanted: &'s Wanted, room: &'s Room) -> Self {
        Self {
            scheme,
            gate: &wanted.gate,
            room,
            now: 0,
            items: BTreeMap::new(),
            free: room.free.clone(),
            joined: Vec::new(),
            actions: Vec::new(),
            cost: 0,
        }
    }

    /// What all costs, and all actions; `None` if registers do not suffice, or if it costs as much as this.
    fn run(mut self, most: usize) -> Option<(usize, Vec<Action>)> {
        let scheme = self.scheme;
        for (now, items) in scheme.terms.iter().enumerate() {
            self.now = now;
            let mut sources = Vec::new();
            for item in items {
                sources.push(self.item(item, items)?);
            }
            let part = self.room(items)?;
            self.combine(part, sources, true);
            self.joined.push(part);
            if self.cost >= most {
                return None;
            }
        }
        self.finish()?;
        (self.cost < most).then_some((self.cost, self.actions))
    }

    fn parts(&self, item: &Item) -> &'s [Item] {
        self.scheme.parts.get(item).map_or(&[], Vec::as_slice)
    }

    fn combine(&mut self, to: Dreg, of: Vec<Dreg>, is_inverted: bool) {
        self.cost += 1;
        self.actions.push(Action::Combine { to, of, is_inverted });
    }

    /// Several literals that are soon needed, and all of whose parts are there.
    fn ready(&self) -> Option<Item> {
        let is_there = |item: &Item| self.parts(item).iter().all(|part| self.items.contains_key(part));
        let soon = self.scheme.terms.iter().skip(self.now).take(self.scheme.ahead).flatten();
        soon.into_iter().find(|item| item.len() > 1 && !self.items.contains_key(*item) && is_there(item)).cloned()
    }

    /// Whether an item is needed for another one, directly or for its parts.
    fn is_needed(&self, item: &Item, other: &Item) -> bool {
        other == item
            || other.len() > item.len()
                && !self.items.contains_key(other)
                && self.parts(other).iter().any(|part| self.is_needed(item, part))
    }

    /// When an item is needed next.
    fn next(&self, item: &Item) -> usize {
        let terms = &self.scheme.terms;
        let needs = |term: &usize| terms[*term].iter().any(|other| self.is_needed(item, other));
        (self.now..terms.len()).find(needs).unwrap_or(usize::MAX)
    }

    /// The register with an item, which is made if it is not there.
    fn item(&mut self, item: &Item, needed: &[Item]) -> Option<Dreg> {
        if let Some(register) = self.items.get(item) {
            return Some(*register);
        }
        if let [literal] = item.as_slice() {
            if let Some(register) = self.room.given.get(literal) {
                return Some(*register);
            }
            let register = self.room(needed)?;
            self.cost += COMPARISON;
            self.actions.push(Action::Make(*literal, register));
            self.items.insert(item.clone(), register);
            // What can be joined with it now needs its parts no more. Where there is little room, one pushes out another one.
            let mut joined: Vec<Item> = Vec::new();
            while let Some(next) = self.ready().filter(|next| !joined.contains(next)) {
                let needed = [needed, std::slice::from_ref(item), self.parts(&next)].concat();
                let is_full = self.free.len() < 2 && self.joined.len() < 2;
                if is_full && self.items.keys().all(|item| needed.contains(item)) {
                    break;
                }
                self.item(&next, &needed)?;
                joined.push(next);
            }
            return Some(register);
        }
        let parts = self.parts(item);
        let all = [needed, parts].concat();
        let mut sources = Vec::new();
        for part in parts {
            sources.push(self.item(part, &all)?);
        }
        // It may have been made on the way.
        if let Some(register) = self.items.get(item) {
            return Some(*register);
        }
        let register = self.room(&all)?;
        self.combine(register, sources, false);
        self.items.insert(item.clone(), register);
        Some(register)
    }

    /// A register for something new; one is left for joining terms.
    fn room(&mut self, needed: &[Item]) -> Option<Dreg> {
        if self.joined.len() == SOURCES || self.free.len() < 2 && self.joined.len() > 1 {
            let all = self.free.pop()?;
            let parts = std::mem::replace(&mut self.joined, vec![all]);
            self.combine(all, parts.clone(), false);
            self.free.extend(parts);
        }
        if self.free.len() < 2 {
            let farthest = self.items.keys().filter(|item| !needed.contains(item)).max_by_key(|item| self.next(item));
            let farthest = farthest.cloned()?;
            self.free.extend(self.items.remove(&farthest));
        }
        self.free.pop()
    }

    /// Joins all terms in the register of the result, with the gate.
    fn finish(&mut self) -> Option<()> {
        self.now = self.scheme.terms.len();
        let gate: Vec<Item> = self.gate.iter().map(|literal| vec![*literal]).collect();
        let mut sources = Vec::new();
        for item in &gate {
            sources.push(self.item(item, &gate)?);
        }
        let result = self.room.result;
        if sources.is_empty() && self.joined == [result] {
            return Some(());
        }
        let parts = self.joined.clone();
        if sources.is_empty() && !parts.contains(&result) {
            self.combine(result, parts, false);
            return Some(());
        }
        // In another register first.
        let others = self.items.iter().filter(|(item, _)| !gate.contains(item)).map(|(_, register)| *register);
        let other = self.free.iter().copied().chain(others).find(|free| *free != result)?;
        self.combine(other, parts, !sources.is_empty());
        let is_gated = !sources.is_empty();
        sources.push(other);
        if sources.contains(&result) {
            return None;
        }
        self.combine(result, sources, is_gated);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use cain_isa::Dreg;

    use super::{Action, Room, Wanted, schedule};
    use crate::compile::scheme::{Literal, Term};
    use crate::declaration::Value;

    /// Terms of so many neighbours in a ring.
    fn ring(first: usize, size: usize, length: usize) -> Vec<Term> {
        let literal = |at: usize| (Value(first + at % size), true);
        (0..size).map(|start| (start..start + length).map(literal).collect()).collect()
    }

    /// What the result is for values of the bits, which the number of the value selects; and how many literals were made.
    fn carried_out(actions: &[Action], room: &Room, bit: &dyn Fn(Literal) -> bool) -> (bool, usize) {
        let mut held: BTreeMap<Dreg, bool> = room.given.iter().map(|(literal, reg)| (*reg, !bit(*literal))).collect();
        let mut made = 0;
        for action in actions {
            match action {
                Action::Make(literal, to) => {
                    held.insert(*to, !bit(*literal));
                    made += 1;
                }
                Action::Combine { to, of, is_inverted } => {
                    assert!((1..=4).contains(&of.len()) && !of.contains(to), "{of:?} to {to}");
                    held.insert(*to, of.iter().any(|reg| held[reg]) != *is_inverted);
                }
            }
        }
        (held[&room.result], made)
    }

    /// Rings of several sizes in few registers: what is carried out is the function, and literals are seldom made twice.
    #[test]
    fn rings_in_few_registers() {
        for (size, length, rings, registers, most) in [
            (16, 9, 1, 12, [24, 25]),
            (16, 9, 2, 12, [48, 49]),
            (16, 9, 2, 11, [52, 59]),
            (16, 10, 2, 11, [54, 55]),
            (16, 12, 2, 12, [60, 60]),
            (16, 12, 2, 10, [79, 80]),
            (16, 15, 1, 12, [31, 32]),
            (13, 7, 1, 9, [22, 23]),
            (8, 5, 2, 8, [24, 25]),
            (5, 3, 1, 6, [7, 8]),
        ] {
            let terms: Vec<Term> = (0..rings).flat_map(|number| ring(number * size, size, length)).collect();
            for is_gated in [false, true] {
                let gate = if is_gated { vec![(Value(100), false), (Value(101), true)] } else { vec![] };
                let wanted = Wanted { terms: terms.clone(), gate: gate.clone() };
                let all: Vec<Dreg> = Dreg::ALL.to_vec();
                let free = all[..registers].to_vec();
                let given: BTreeMap<Literal, Dreg> =
                    if is_gated { [((Value(100), false), all[12])].into() } else { BTreeMap::new() };
                let room = Room { result: free[registers / 2], free, given };
                let what = format!("{length} of {size}, {rings} rings in {registers} registers, {is_gated}");
                let actions = schedule(&wanted, &room).unwrap_or_else(|| panic!("{what}"));
                let mut found = [0; 2];
                // Runs of every length at every place, and others with holes.
                for run in 0..=size {
                    for start in 0..size * rings {
                        for mask in 0..4 {
                            let bit = |(value, sign): Literal| {
                                let Value(value) = value;
                                let is_one = if value >= 100 {
                                    (value - 100) & mask != 0 || value == 100 && mask < 2
                                } else {
                                    let (number, at) = (value / size, value % size);
                                    number == start / size && (at + size - start % size) % size < run
                                        || (at * 7 + start) % 5 == 0 && mask == 3
                                };
                                is_one == sign
                            };
                            let is_all = |term: &Term| term.iter().all(|literal| bit(*literal));
                            let expected = wanted.terms.iter().any(is_all) && is_all(&gate);
                            let (result, made) = carried_out(&actions, &room, &bit);
                            assert_eq!(result, expected, "{what}: {run} from {start}, {mask}");
                            found[usize::from(result)] += 1;
                            assert!(made <= most[usize::from(is_gated)], "{what}: {made}");
                        }
                    }
                }
                assert!(found.iter().all(|count| *count > 0), "{what}: {found:?}");
            }
        }
    }

    /// Where there is no room, nothing is claimed.
    #[test]
    fn too_few_registers() {
        let free = Dreg::ALL[..4].to_vec();
        let room = Room { result: free[0], free, given: BTreeMap::new() };
        assert_eq!(schedule(&Wanted { terms: ring(0, 16, 9), gate: vec![] }, &room), None);
    }
}
