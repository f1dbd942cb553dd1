//! Ways to make room for other bits.

use super::room::Room;
use super::state::{Content, FLAG, R0, R12, State};
use super::uses::Uses;
use crate::network::Value;

/// The number of free registers above which nothing is joined.
const PLENTY: usize = 4;

impl State {
    fn is_free(&self, slot: usize) -> bool {
        !matches!(self.slots[slot], Content::Value(_))
    }

    /// All ways to make room that may be useful.
    pub(super) fn rooms(&self, uses: &Uses<'_>, flag: bool) -> Vec<Room> {
        let mut rooms = self.copies(uses, flag);
        rooms.extend(self.joins(uses, flag));
        rooms
    }

    /// Copies that could make room: of the value that is needed last, into a register that is hard to write, and of
    /// values that are in the way of moves.
    fn copies(&self, uses: &Uses<'_>, flag: bool) -> Vec<Room> {
        let general = (5..=11).find(|&slot| self.is_free(slot));
        let is_movable = |slot: &usize| matches!(self.slots[*slot], Content::Value(value) if uses.is_movable(value));
        let mut copies = Vec::new();
        if let Some(to) = general {
            let in_the_way = (1..=4).filter(is_movable);
            copies.extend(in_the_way.map(|from| Room::Copy { from, to }));
        }
        if (5..=11).filter(|&slot| self.is_free(slot)).count() > 1 {
            return copies;
        }
        if let Some(to) = general
            && is_movable(&R0)
            && self.is_free(R12)
        {
            copies.push(Room::Copy { from: R0, to });
        }
        let next_use = |slot: &usize| match self.slots[*slot] {
            Content::Value(value) => {
                let mut readers = uses.readers[usize::from(value)].iter().copied();
                Some(readers.find(|&reader| !self.done.contains(reader)).unwrap_or(u32::MAX))
            }
            Content::Free | Content::Constant(_) => None,
        };
        let goes = |slot: &usize| !matches!(self.slots[*slot], Content::Value(value) if uses.stays[usize::from(value)]);
        if flag && self.is_free(FLAG) {
            let last = (0..=11).filter(is_movable).filter(goes).max_by_key(next_use);
            copies.extend(last.map(|from| Room::Copy { from, to: FLAG }));
        }
        if self.is_free(R12) && self.is_free(R0) {
            let last = (1..=11).filter(is_movable).max_by_key(next_use);
            copies.extend(last.map(|from| Room::Copy { from, to: R12 }));
        }
        copies
    }

    /// Pairs of values that all remaining gates read together, each combined with one register of each kind.
    fn joins(&self, uses: &Uses<'_>, flag: bool) -> Vec<Room> {
        let free = (5..=12).filter(|&slot| self.is_free(slot)).count();
        if free > PLENTY || self.joints.is_full() {
            return Vec::new();
        }
        let mut targets: Vec<usize> = (5..=11).find(|&slot| self.is_free(slot)).into_iter().collect();
        targets.extend(self.is_free(R0).then_some(R0));
        targets.extend((self.is_free(R12) && self.is_free(R0)).then_some(R12));
        targets.extend((flag && self.is_free(FLAG)).then_some(FLAG));
        targets.extend((1..=4).find(|&slot| self.is_free(slot)));
        let mut joins = Vec::new();
        for (slot, content) in self.slots.iter().enumerate() {
            let Content::Value(value) = *content else { continue };
            for &joint in uses.joints_of.get(usize::from(value)).map_or(&[][..], Vec::as_slice) {
                let [first, second] = uses.joints[joint];
                let other = self.slots.iter().position(|content| *content == Content::Value(second));
                if first != value || other.is_none() || !self.are_read_together(first, second, uses) {
                    continue;
                }
                joins.extend(targets.iter().filter(|to| **to != slot).map(|&to| Room::Join { joint, to }));
            }
        }
        joins
    }

    /// Whether every remaining gate that reads one of the values reads both.
    fn are_read_together(&self, first: Value, second: Value, uses: &Uses<'_>) -> bool {
        let to_come =
            |value: Value| uses.readers[usize::from(value)].iter().filter(|&&reader| !self.done.contains(reader));
        to_come(first).eq(to_come(second))
    }

    /// The state after making room.
    pub(super) fn with_room(&self, room: Room, uses: &Uses<'_>) -> Self {
        let mut next = self.clone();
        next.words += 1;
        match room {
            Room::Copy { from, to } => {
                next.prepare(to);
                next.slots[to] = self.slots[from];
                next.slots[from] = Content::Free;
            }
            Room::Join { joint, to } => {
                next.prepare(to);
                let parts = uses.joints[joint].map(Content::Value);
                for slot in &mut next.slots {
                    if parts.contains(slot) {
                        *slot = Content::Free;
                    }
                }
                let value = uses.joint(joint);
                next.slots[to] = Content::Value(value);
                next.joints.insert(value);
            }
        }
        next
    }
}
