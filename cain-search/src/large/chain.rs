//! The order in which an output takes up its terms: plane by plane, beginning with the lowest, and from place to place
//! within a plane.

use cain_isa::{Displacement, Instruction};

use super::map::Map;
use super::registers::Layout;
use super::table::{Coding, EntryId, Term};
use crate::sort;

/// The terms of an output at one place in one plane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    pub(super) plane: u8,
    pub(super) place: Displacement,
    /// The terms that are added, and the terms that are subtracted.
    pub(super) terms: [Vec<EntryId>; 2],
}

/// A stop of which only the numbers of terms matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Visit {
    pub(super) plane: u8,
    pub(super) place: Displacement,
    pub(super) counts: [usize; 2],
}

impl From<&Stop> for Visit {
    fn from(stop: &Stop) -> Self {
        Self { plane: stop.plane, place: stop.place, counts: [stop.terms[0].len(), stop.terms[1].len()] }
    }
}

/// The interface to instructions: how many of them a way over stops takes.
pub(super) trait Walk: Copy + Sync {
    /// Whether the negative of a sum of two entries takes fewer instructions than the sum itself.
    const SUMS_ARE_NEGATIVE: bool;

    /// The number of instructions for an output whose stops come in this order, including the halvings up to
    /// `last_plane`.
    fn length(&self, visits: &[Visit], last_plane: u8) -> u32;

    /// The events along this way, in order.
    fn moments(&self, stops: &[Stop], last_plane: u8) -> Option<Vec<Moment>>;
}

/// A walk whose ways can be written down as programs.
pub(super) trait Programs: Walk {
    /// The program that makes the table and then one output after the other, each of them in parts; `None` if it needs
    /// an instruction that does not exist.
    fn program(
        &self,
        map: &Map,
        coding: &Coding,
        chains: &[Vec<Vec<Stop>>],
        layout: &Layout,
    ) -> Option<Vec<Instruction>>;
}

/// An event in the life of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// The sum is halved.
    Halve,
    /// The sum takes up a term: its place, its entry, and whether it is subtracted.
    Take(Displacement, EntryId, bool),
    /// The sum is written to a cell.
    Write,
}

/// The entry that stands for a sum of other terms of the same output, which was made before and is held in a register.
pub(super) const HELD: EntryId = EntryId::MAX;

/// The stops of an output, plane by plane.
pub(super) fn stops(terms: &[Term]) -> Vec<Stop> {
    let mut terms = terms.to_vec();
    sort::by_key(&mut terms, |term| (term.plane, term.place, term.negative, term.entry));
    let of = |same: &[Term]| {
        let signed = |negative| same.iter().filter(|term| term.negative == negative).map(|term| term.entry).collect();
        Stop { plane: same[0].plane, place: same[0].place, terms: [signed(false), signed(true)] }
    };
    terms.chunk_by(|a, b| (a.plane, a.place) == (b.plane, b.place)).map(of).collect()
}

/// Orders the stops of each plane so that the ways between them are short.
pub(super) fn arrange(stops: &mut [Stop], work: &mut u64) {
    let last_plane = stops.last().map(|stop| stop.plane);
    let mut at = None;
    for plane in stops.chunk_by_mut(|a, b| a.plane == b.plane) {
        *work += u64::try_from(plane.len()).unwrap_or(u64::MAX) * 8;
        let end = (Some(plane[0].plane) == last_plane).then_some(Displacement::ZERO);
        let snake = |i: usize| {
            move |stop: &Stop| {
                let Displacement { x, y } = stop.place;
                let (x, y) = if i & 1 == 0 { (x, y) } else { (y, x) };
                let (x, y) =
                    (if i & 2 == 0 { x } else { x.saturating_neg() }, if i & 4 == 0 { y } else { y.saturating_neg() });
                (y, if y.rem_euclid(2) == 0 { x } else { x.saturating_neg() })
            }
        };
        let way = |stops: &[Stop]| {
            let within: u32 = stops.windows(2).map(|pair| moves(pair[0].place, pair[1].place)).sum();
            let to = at.map_or(0, |at| moves(at, stops[0].place));
            let from = end.map_or(0, |end| moves(stops[stops.len() - 1].place, end));
            within + to + from
        };
        let best = (0..8).min_by_key(|&i| {
            sort::by_key(plane, snake(i));
            way(plane)
        });
        sort::by_key(plane, snake(best.unwrap_or(0)));
        at = plane.last().map(|stop| stop.place);
    }
}

fn moves(from: Displacement, to: Displacement) -> u32 {
    from.distance(to).div_ceil(2)
}
