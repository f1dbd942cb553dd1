//! Prepares a query for the search.

use super::super::forms::Forms;
use super::candidates::Need;
use super::search::{Node, Search};
use super::state::State;
use super::symmetry::Symmetry;
use super::table::Table;
use super::values::{MAX_KNOWN, Values};
use super::wanted::{Wanted, WantedSet};
use crate::engine::image::Image;
use crate::engine::macros::machine::Machine;
use crate::engine::terms::{self, Term};
use crate::engine::values::{Query, Rest};

impl<'a> Search<'a> {
    /// The search for programs of this length, or for a part of them; `None` if the range of integers does not suffice.
    pub(super) fn new(
        (forms, query): (&'a Forms, &Query<'_>),
        (length, part): (u32, &'a Rest),
        take: &'a mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let machine = Machine::of(forms)?;
        // Each instruction may be a halving.
        let finer = length;
        let refined = |values: &[&[Term]]| values.iter().map(|value| refined(value, finer)).collect::<Option<Vec<_>>>();
        let (known, mut wanted) = (refined(query.known)?, refined(query.wanted)?);
        wanted.sort_unstable();
        wanted.dedup();
        let reach = machine.reach * length;
        let fits = known.len() + 2 * length as usize <= MAX_KNOWN
            && wanted.len() <= WantedSet::BITS as usize
            && wanted.iter().all(|value| !value.is_empty())
            && known.iter().chain(&wanted).flatten().all(|&(key, _)| has_room(key, reach));
        if !fits {
            return None;
        }
        let symmetries = Symmetry::of(forms, &known, &wanted);
        let wanted = Wanted::all(&wanted, &machine);
        let missing = WantedSet::MAX.checked_shr(WantedSet::BITS - u32::try_from(wanted.len()).ok()?).unwrap_or(0);
        let mut search = Self {
            values: Values::new(forms, machine),
            wanted,
            bound: query.gain.bound(finer),
            finer,
            room: query.room,
            symmetries,
            candidates: Vec::new(),
            by_result: Table::new(),
            needed: Table::new(),
            endings: Vec::new(),
            ways: Table::new(),
            inverses: Vec::new(),
            choices: Vec::new(),
            copied: Vec::new(),
            unused: Vec::new(),
            path: Vec::new(),
            part,
            trail: Vec::new(),
            buffer: Vec::new(),
            new_needs: Vec::new(),
            overflowed: false,
            work: 0,
            take,
            start: State::new(missing),
        };
        for value in known.iter().filter(|value| !value.is_empty()) {
            search.begin_with(value);
        }
        search.begin_needs();
        search.begin_endings(length);
        Some(search)
    }

    /// The point at which the walk begins.
    pub(super) fn root(&self) -> Node {
        Node { state: self.start, new: 0, copied: 0, fresh: 0, choices: 0..0, unused: 0..0, is_unused: true }
    }

    fn begin_with(&mut self, value: &[Term]) {
        let image = Image::of(value);
        let mut start = self.start;
        if let Some(index) = self.values.find(image, value) {
            self.copy(index);
            start.tops.add(self.values.known(index).size, false);
        } else {
            let value = self.store(value, image);
            self.note(&mut start, &value);
            self.values.learn(value);
        }
        self.start = start;
    }

    fn begin_needs(&mut self) {
        let mut needs = Vec::new();
        for (wanted, goal) in self.wanted.iter().enumerate() {
            self.values.needed_alone(goal, |instruction, image| needs.push((image, Need { wanted, instruction })));
        }
        for (image, need) in needs {
            self.needed.push(image, need);
        }
    }
}

/// The value in units that are finer by a factor of 2^`finer`.
fn refined(value: &[Term], finer: u32) -> Option<Vec<Term>> {
    let factor = 1_i32.checked_shl(finer).filter(|&factor| factor > 0)?;
    let mut out = Vec::new();
    terms::scaled(&mut out, value, factor, 0).then_some(out)
}

/// Whether a term that moves by up to `reach` stays within the coordinates of keys.
fn has_room(key: u32, reach: u32) -> bool {
    let displacement = terms::displacement(key);
    u32::from(displacement.x.unsigned_abs().max(displacement.y.unsigned_abs())) + reach < 1 << 10
}
