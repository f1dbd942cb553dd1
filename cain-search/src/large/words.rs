//! Ways over stops, in control words.
//!
//! Every word inverts the sum and adds up to three terms, so terms of either sign are taken up in turn. To move from
//! place to place, the sum is put into NEWS and read from there; each of the two words goes one step and has room for
//! terms, the first for those of the place it leaves, the second for those of the place it reaches. A word that halves
//! leaves the sum in a register and in NEWS.

use cain_isa::{Direction, Displacement, Machine, NewsReading};

use super::chain::{Moment, Stop, Visit, Walk};
use super::macros::parts;
use super::table::EntryId;

/// The abilities of the available control words.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordWalk {
    /// The number of terms that a word adds, and the number that a word which halves adds.
    adds: usize,
    adds_halving: usize,
    /// Whether transfer errors have to cancel.
    pub(super) cancels: bool,
}

/// A word and its effect on the sum of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) kind: Kind,
    /// The terms that it adds.
    pub(super) terms: Vec<EntryId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The sum goes from a register to another one.
    Stay,
    /// The sum goes from a register to NEWS, to be read from this direction.
    ToNews(Option<Direction>),
    /// The sum goes from NEWS to a register, read from this direction.
    FromNews(Option<Direction>),
    /// The sum is halved, and goes from a register to another one and to NEWS.
    Halve,
}

/// The way of the sum from one stop to the next.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// The number of words from the previous stop, including the words that leave it and arrive.
    words: u32,
    /// Whether the last word adds terms of the stop that it reaches.
    arrives: bool,
}

/// The least length for each sign of the sum.
type Lengths = [u32; 2];

const IMPOSSIBLE: u32 = u32::MAX / 2;

impl WordWalk {
    /// The abilities of a machine; `None` if it lacks a necessary word.
    pub(super) fn new(machine: &Machine, cancels: bool) -> Option<Self> {
        let sources = usize::from(machine.bus.sources);
        let is_enough = sources >= 3 && machine.bus.destinations >= 2 && machine.bus.reads >= NewsReading::Port;
        // A word with two destinations has two sources; one of them is reserved for cancelling the error.
        is_enough.then_some(Self { adds: sources - 1, adds_halving: usize::from(!cancels), cancels })
    }

    /// The most terms that a word adds.
    pub(super) fn most_terms(self) -> usize {
        self.adds
    }

    /// The way from one stop to the next.
    fn way(from: Visit, to: Visit) -> Way {
        let halvings = u32::from(to.plane - from.plane);
        let distance = from.place.distance(to.place);
        // After a halving the sum is already in NEWS.
        let moves = if halvings > 0 { distance } else { distance.next_multiple_of(2) };
        Way { words: halvings + moves, arrives: moves > 0 }
    }

    /// The number of terms that the first word of a way takes up at the stop that it leaves.
    fn takes_leaving(self, from: Visit, to: Visit) -> Option<usize> {
        match (from.plane == to.plane, from.place == to.place) {
            (true, true) => None,
            (true, false) => Some(self.adds),
            (false, _) => Some(self.adds_halving),
        }
    }

    /// The least odd or even number of words that stay at a stop, given its numbers of terms with the sign of the sum
    /// and with the other sign.
    fn stays(self, counts: [usize; 2], arrives: bool, leaving: Option<usize>, is_odd: bool) -> usize {
        let is_enough = |stays: &usize| {
            let words = usize::from(arrives) + stays;
            let own = words.div_ceil(2) * self.adds + if words.is_multiple_of(2) { leaving.unwrap_or(0) } else { 0 };
            let other = words / 2 * self.adds + if words.is_multiple_of(2) { 0 } else { leaving.unwrap_or(0) };
            own >= counts[0] && other >= counts[1]
        };
        (usize::from(is_odd)..).step_by(2).find(is_enough).unwrap_or(0)
    }

    /// The lengths after the words that stay at a stop, before the sum leaves it; calls `note` with the sign
    /// afterwards, the sign before, and the number of words whenever these are the best so far.
    fn pass(
        self,
        lengths: Lengths,
        counts: [usize; 2],
        arrival: Option<Way>,
        leaving: Option<usize>,
        mut note: impl FnMut(usize, usize, usize),
    ) -> Lengths {
        let mut after = [IMPOSSIBLE; 2];
        let words = arrival.map_or(0, |way| way.words);
        let arrives = arrival.is_some_and(|way| way.arrives);
        for (sign, length) in lengths.into_iter().enumerate().filter(|(_, length)| *length < IMPOSSIBLE) {
            // The sign of the sum when the first word that takes up terms of this stop begins.
            let turned = words - u32::from(arrives);
            let here = (sign + usize::from(turned % 2 == 1)) % 2;
            for is_odd in [false, true] {
                let stays = self.stays([counts[here], counts[1 - here]], arrives, leaving, is_odd);
                let total = length + words + u32::try_from(stays).unwrap_or(IMPOSSIBLE);
                let state = (here + usize::from(arrives) + stays) % 2;
                if total < after[state] {
                    after[state] = total;
                    note(state, sign, stays);
                }
            }
        }
        after
    }

    /// All visits and the end: at the PE itself, after the last halving.
    fn with_end(visits: &[Visit], last_plane: u8) -> impl Iterator<Item = Visit> + '_ {
        let end = Visit { plane: last_plane, place: Displacement::ZERO, counts: [0; 2] };
        let is_there = visits.last().is_some_and(|last| (last.plane, last.place) == (end.plane, end.place));
        visits.iter().copied().chain((!is_there).then_some(end))
    }

    /// The lengths at the end; `note` is called as in [`pass`](Self::pass), with the number of the visit first.
    fn lengths(self, visits: &[Visit], last_plane: u8, mut note: impl FnMut(usize, usize, usize, usize)) -> Lengths {
        let mut all = Self::with_end(visits, last_plane).peekable();
        let mut lengths = [IMPOSSIBLE; 2];
        let mut before: Option<Visit> = None;
        let mut number = 0;
        while let Some(visit) = all.next() {
            let leaving = all.peek().and_then(|next| self.takes_leaving(visit, *next));
            if let Some(before) = before {
                let way = Self::way(before, visit);
                lengths = self.pass(lengths, visit.counts, Some(way), leaving, |after, sign, stays| {
                    note(number, after, sign, stays);
                });
            } else {
                for sign in [0, 1] {
                    let mut counts = visit.counts;
                    let Some(rest) = counts[sign].checked_sub(1) else { continue };
                    counts[sign] = rest;
                    let mut begin = [IMPOSSIBLE; 2];
                    begin[sign] = 0;
                    let known = lengths;
                    let own = self.pass(begin, counts, None, leaving, |_, _, _| {});
                    for after in [0, 1] {
                        if own[after] < known[after] {
                            lengths[after] = own[after];
                            let stays = usize::try_from(own[after]).unwrap_or(0);
                            note(number, after, sign, stays);
                        }
                    }
                }
            }
            before = Some(visit);
            number += 1;
        }
        lengths
    }
}

impl Walk for WordWalk {
    const SUMS_ARE_NEGATIVE: bool = true;

    fn length(&self, visits: &[Visit], last_plane: u8) -> u32 {
        let lengths = self.lengths(visits, last_plane, |_, _, _, _| {});
        // A value that already exists is copied.
        if lengths[0] == 0 { 2 } else { lengths[0] }
    }

    fn moments(&self, stops: &[Stop], last_plane: u8) -> Option<Vec<Moment>> {
        let (begin, steps) = self.steps(stops, last_plane)?;
        let first = stops.first()?;
        let mut place = first.place;
        let mut is_negative = !first.terms[0].contains(&begin);
        let mut moments = vec![Moment::Take(place, begin, is_negative), Moment::Write];
        let moved = |place: Displacement, direction: Option<Direction>| match direction {
            Some(direction) => place.checked_add(-direction.displacement()),
            None => Some(place),
        };
        for step in steps {
            if let Kind::FromNews(direction) = step.kind {
                place = moved(place, direction)?;
            }
            moments.extend(step.terms.iter().map(|&entry| Moment::Take(place, entry, is_negative)));
            match step.kind {
                Kind::ToNews(direction) => place = moved(place, direction)?,
                Kind::Halve => moments.push(Moment::Halve),
                Kind::Stay | Kind::FromNews(_) => {}
            }
            is_negative = !is_negative;
            moments.push(Moment::Write);
        }
        Some(moments)
    }
}

impl WordWalk {
    /// The entry that the sum of some stops begins with, and the words that follow.
    pub(super) fn steps(self, stops: &[Stop], last_plane: u8) -> Option<(EntryId, Vec<Step>)> {
        let visits: Vec<Visit> = stops.iter().map(Visit::from).collect();
        let all: Vec<Visit> = Self::with_end(&visits, last_plane).collect();
        let mut choices = vec![[(0, 0); 2]; all.len()];
        let lengths = self.lengths(&visits, last_plane, |number, after, sign, stays| {
            choices[number][after] = (sign, stays);
        });
        if lengths[0] >= IMPOSSIBLE {
            return None;
        }
        let mut path = Vec::new();
        let mut sign = 0;
        for chosen in choices.iter().rev() {
            let (before, stays) = chosen[sign];
            path.push((before, stays));
            sign = before;
        }
        path.reverse();
        let mut terms: Vec<[Vec<EntryId>; 2]> = stops.iter().map(|stop| stop.terms.clone()).collect();
        terms.resize(all.len(), [vec![], vec![]]);
        let mut sign = path.first()?.0;
        let begin = terms[0][sign].remove(0);
        let mut steps = Vec::new();
        let mut push = |kind, terms: Option<&mut [Vec<EntryId>; 2]>, most: usize, sign: &mut usize| {
            let taken = terms.map_or_else(Vec::new, |terms| {
                let own = &mut terms[*sign];
                own.split_off(own.len() - own.len().min(most))
            });
            steps.push(Step { kind, terms: taken });
            *sign = 1 - *sign;
        };
        for (number, &(_, stays)) in path.iter().enumerate() {
            if let Some(before) = number.checked_sub(1) {
                let (from, to) = (all[before], all[number]);
                let halvings = to.plane - from.plane;
                for i in 0..halvings {
                    let leaving = (i == 0).then_some(&mut terms[before]);
                    push(Kind::Halve, leaving, self.adds_halving, &mut sign);
                }
                let mut way = parts(from.place, to.place, 1).into_iter().map(Direction::of);
                let mut left = from.place.distance(to.place);
                if halvings > 0 && left % 2 == 1 {
                    let arrival = (left == 1).then_some(&mut terms[number]);
                    push(Kind::FromNews(way.next()?), arrival, self.adds, &mut sign);
                    left -= 1;
                }
                let is_first = halvings == 0;
                let pairs = left.div_ceil(2);
                for pair in 0..pairs {
                    let leaving = (is_first && pair == 0).then_some(&mut terms[before]);
                    // If a single step is left, the word that reads makes it.
                    let push_to = if left >= 2 { way.next()? } else { None };
                    left = left.saturating_sub(2);
                    push(Kind::ToNews(push_to), leaving, self.adds, &mut sign);
                    let arrival = (pair + 1 == pairs).then_some(&mut terms[number]);
                    push(Kind::FromNews(way.next()?), arrival, self.adds, &mut sign);
                }
            }
            for _ in 0..stays {
                push(Kind::Stay, Some(&mut terms[number]), self.adds, &mut sign);
            }
        }
        let is_complete = terms.iter().flatten().all(Vec::is_empty);
        is_complete.then_some((begin, steps))
    }
}
