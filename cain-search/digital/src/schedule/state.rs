//! The contents of a PE's registers between two words.

use cain_isa::Directions;

use super::room::{Joints, Room};
use super::uses::{Uses, switches};
use crate::network::{Gate, Value};

/// The number of slots: the registers by their numbers, and FLAG.
pub(super) const SLOTS: usize = 14;
pub(super) const R0: usize = 0;
pub(super) const R12: usize = 12;
pub(super) const FLAG: usize = 13;

/// The registers for inputs; those least useful for other purposes come first.
pub(super) const INPUTS: [usize; 13] = [5, 6, 7, 8, 9, 10, 11, R0, R12, 4, 3, 2, 1];

/// The content of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Content {
    /// Nothing needed.
    Free,
    Constant(bool),
    Value(Value),
}

/// The gates that are done: all before a place, and some after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Done {
    pub(super) first: u32,
    pub(super) beyond: u64,
}

impl Done {
    pub(super) fn contains(self, place: u32) -> bool {
        place < self.first || place.checked_sub(self.first).is_some_and(|i| i < 64 && self.beyond >> i & 1 == 1)
    }

    fn with(mut self, place: u32) -> Self {
        self.beyond |= 1 << (place - self.first);
        let run = self.beyond.trailing_ones();
        self.first += run;
        self.beyond = self.beyond.checked_shr(run).unwrap_or(0);
        self
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) done: Done,
    pub(super) slots: [Content; SLOTS],
    /// The number of words so far.
    pub(super) words: u32,
    /// Whether FLAG has been written.
    pub(super) flag: bool,
    pub(super) joints: Joints,
}

/// A gate and the register for its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step {
    /// The way to make room before it.
    pub(super) room: Option<Room>,
    pub(super) place: u32,
    pub(super) slot: usize,
}

impl State {
    /// The number of words that let `DNEWS` read from these directions; `None` if a register is still in use.
    pub(super) fn set_up(&self, from: Directions) -> Option<u32> {
        let (mut clear, mut set) = (0, 0);
        for (switch, on) in switches(from).into_iter().enumerate() {
            match self.slots[switch + 1] {
                Content::Constant(value) if value == on => {}
                Content::Value(_) => return None,
                Content::Free | Content::Constant(_) if on => set = 1,
                Content::Free | Content::Constant(_) => clear = 1,
            }
        }
        Some(clear + set)
    }

    /// The number of words that will let `DNEWS` read from there, once the registers that are still in use are free.
    pub(super) fn expected_set_up(&self, from: Directions) -> u32 {
        let (mut clear, mut set) = (0, 0);
        for (switch, on) in switches(from).into_iter().enumerate() {
            if self.slots[switch + 1] != Content::Constant(on) {
                if on { set = 1 } else { clear = 1 }
            }
        }
        clear + set
    }

    /// The first move that is not done, and from where it reads.
    pub(super) fn next_move(&self, uses: &Uses<'_>) -> Option<(u32, Directions)> {
        let first = uses.moves_before[self.done.first as usize];
        uses.moves[first..].iter().copied().find(|&(place, _)| !self.done.contains(place))
    }

    pub(super) fn live(&self) -> u32 {
        self.slots.iter().map(|slot| u32::from(matches!(slot, Content::Value(_)))).sum()
    }

    /// The number of values, needed at a place or later, that occupy registers of directions.
    pub(super) fn stuck(&self, place: u32, uses: &Uses<'_>) -> u32 {
        let is_needed = |value: Value| {
            let last = uses.readers[usize::from(value)].last();
            uses.stays[usize::from(value)] || last.is_some_and(|&reader| reader >= place)
        };
        let stuck = |slot: &&Content| matches!(slot, Content::Value(value) if is_needed(*value));
        self.slots[1..=4].iter().filter(stuck).map(|_| 1).sum()
    }

    /// Whether everything that the gate reads is available.
    pub(super) fn is_ready(&self, place: u32, uses: &Uses<'_>) -> bool {
        !self.done.contains(place) && uses.needs[place as usize].iter().all(|&need| self.done.contains(need))
    }

    /// The registers that may take the gate's value, one of each kind.
    pub(super) fn targets(&self, place: u32, uses: &Uses<'_>, flag: bool) -> Vec<usize> {
        let gate = uses.gate(place);
        let stays = uses.stays[usize::from(uses.order[place as usize])];
        let is_move = matches!(gate, Gate::Move { .. });
        let free = |slot: usize| !matches!(self.slots[slot], Content::Value(_));
        let mut targets = Vec::new();
        targets.extend((5..=11).find(|&slot| free(slot)));
        if free(R0) && (targets.is_empty() || self.slots[R0] == Content::Free) {
            targets.push(R0);
        }
        if !is_move && free(R12) && free(R0) {
            targets.push(R12);
        }
        let can_flag = matches!(gate, Gate::Any { inverted: false, sources } if (1..=3).contains(&sources.len()));
        if flag && can_flag && !stays && free(FLAG) {
            targets.push(FLAG);
        }
        if !is_move {
            for kind in [Content::Free, Content::Constant(false), Content::Constant(true)] {
                targets.extend((1..=4).find(|&slot| self.slots[slot] == kind));
            }
        }
        targets
    }

    /// Counts the words that make a register writable.
    pub(super) fn prepare(&mut self, slot: usize) {
        if slot == R12 && self.slots[R0] != Content::Constant(true) {
            self.words += 1;
            self.slots[R0] = Content::Constant(true);
        }
        if slot == FLAG && !self.flag {
            // FLAG has to become 1 again at the end.
            self.words += 1;
            self.flag = true;
        }
    }

    /// The state after a step and after making room for it; `None` if its directions cannot be set up.
    pub(super) fn after(&self, step: Step, uses: &Uses<'_>) -> Option<Self> {
        let mut next = self.clone();
        next.words += 1;
        let value = uses.order[step.place as usize];
        if let Gate::Move { from, .. } = *uses.gate(step.place) {
            let words = self.set_up(from)?;
            next.words += words;
            for (switch, on) in switches(from).into_iter().enumerate() {
                next.slots[switch + 1] = Content::Constant(on);
            }
            if self.opens_r12_with(from) {
                next.slots[R0] = Content::Constant(true);
            }
        }
        next.prepare(step.slot);
        next.done = self.done.with(step.place);
        next.slots[step.slot] = Content::Value(value);
        for slot in &mut next.slots {
            if let Content::Value(value) = *slot
                && !uses.stays[usize::from(value)]
                && uses.readers[usize::from(value)].iter().all(|&reader| next.done.contains(reader))
            {
                *slot = Content::Free;
                next.joints.remove(value);
            }
        }
        Some(next)
    }

    /// Whether the `SET` of a direction set-up can set R0 as well, because R0 is free.
    pub(super) fn opens_r12_with(&self, from: Directions) -> bool {
        let sets = switches(from)
            .into_iter()
            .enumerate()
            .filter(|&(switch, on)| on && self.slots[switch + 1] != Content::Constant(true));
        self.slots[R0] == Content::Free && (1..=3).contains(&sets.count())
    }
}
