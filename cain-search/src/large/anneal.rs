//! Improves the terms of one output while the table stays unchanged.

use std::sync::Arc;

use cain_isa::Displacement;

use super::chain::{self, HELD, Moment, Stop, Visit, Walk};
use super::gain::{self, Extent, Growing, Limit};
use super::sums::{Multiple, Signed, Sums};
use super::table::{Coding, Entry, Term};
use crate::random::Random;
use crate::sort;

/// What all outputs share.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a, W> {
    pub(super) walk: W,
    pub(super) coding: &'a Coding,
    pub(super) limit: Option<Limit>,
}

/// An output, or a part of one, whose terms and their order are being changed.
#[derive(Clone)]
pub(super) struct State {
    /// The places that have terms.
    places: Vec<Displacement>,
    /// The terms at each place.
    rows: Vec<Vec<Signed>>,
    /// The order of the places in each plane.
    orders: Vec<Vec<u16>>,
    /// The numbers of terms that are added and that are subtracted, by plane and place.
    counts: Vec<[u16; 2]>,
    length: u32,
    /// The sum of the parts made before, which is added at the end.
    held: Option<Arc<Entry>>,
    /// The extent of each row after each plane, if there is a limit.
    extents: Vec<Vec<Extent>>,
}

/// A change of the terms at a place.
struct Change {
    row: usize,
    /// The indices of the removed terms in the row, in descending order.
    removed: [Option<usize>; 3],
    added: [Option<Signed>; 3],
}

impl State {
    /// A state with these terms in a good order, and with the sum of the parts made before.
    pub(super) fn new<W: Walk>(terms: &[Term], held: Option<Entry>, frame: Frame<'_, W>, work: &mut u64) -> Self {
        let last_plane = frame.coding.scale;
        let mut stops = chain::stops(terms);
        chain::arrange(&mut stops, work);
        let home = held.is_some().then_some(Displacement::ZERO);
        let mut places: Vec<Displacement> = stops.iter().map(|stop| stop.place).chain(home).collect();
        places.sort_unstable();
        places.dedup();
        let mut rows = vec![Vec::new(); places.len()];
        let mut orders = vec![Vec::new(); usize::from(last_plane) + 1];
        let mut usual: Vec<u16> = Vec::new();
        for stop in &stops {
            let row = places.binary_search(&stop.place).unwrap_or(0);
            let number = u16::try_from(row).unwrap_or(u16::MAX);
            orders[usize::from(stop.plane)].push(number);
            if !usual.contains(&number) {
                usual.push(number);
            }
            for (terms, negative) in stop.terms.iter().zip([false, true]) {
                let signed = |&entry| Signed { multiple: Multiple { entry, plane: stop.plane }, negative };
                rows[row].extend(terms.iter().map(signed));
            }
        }
        usual.extend((0..).zip(&places).map(|(row, _)| row).filter(|row| !usual.contains(row)).collect::<Vec<_>>());
        for order in &mut orders {
            let missing: Vec<u16> = usual.iter().copied().filter(|row| !order.contains(row)).collect();
            order.extend(missing);
        }
        let counts = vec![[0; 2]; orders.len() * places.len()];
        let held = held.map(Arc::new);
        let mut state = Self { places, rows, orders, counts, length: 0, held, extents: Vec::new() };
        for row in 0..state.rows.len() {
            for i in 0..state.rows[row].len() {
                state.count(row, state.rows[row][i], 1);
            }
        }
        if let Some(home) = state.home() {
            state.count(home, Signed { multiple: Multiple { entry: HELD, plane: last_plane }, negative: false }, 1);
        }
        if frame.limit.is_some() {
            state.extents = state.rows.iter().map(|row| gain::of_row(row, frame.coding, last_plane)).collect();
        }
        state.length = state.evaluate(&frame.walk, &mut Vec::new());
        state
    }

    /// The row in which the sum of the other parts is added.
    fn home(&self) -> Option<usize> {
        self.held.as_ref().and_then(|_| self.places.binary_search(&Displacement::ZERO).ok())
    }

    fn last_plane(&self) -> u8 {
        u8::try_from(self.orders.len() - 1).unwrap_or(u8::MAX)
    }

    /// Whether all intermediate values are within the limit, as far as the terms of each plane tell.
    fn is_within(&self, limit: Option<Limit>) -> bool {
        let held = self.held.as_ref().map_or([0.0; 2], |held| gain::of_entry(held, self.last_plane()));
        limit.is_none_or(|limit| gain::allows(limit, &self.extents, held))
    }

    /// Whether all intermediate values are within the limit.
    pub(super) fn is_allowed<W: Walk>(&self, frame: Frame<'_, W>) -> bool {
        let Some(limit) = frame.limit else { return true };
        let Some(moments) = frame.walk.moments(&self.stops(), self.last_plane()) else { return true };
        let mut sum = Growing::default();
        moments.into_iter().all(|moment| {
            match moment {
                Moment::Halve => sum.halve(),
                Moment::Take(place, HELD, negative) => {
                    if let Some(held) = &self.held {
                        sum.add(held, frame.coding.scale, place, negative);
                    }
                }
                Moment::Take(place, entry, negative) => {
                    sum.add(&frame.coding.entries[usize::from(entry)], frame.coding.scale, place, negative);
                }
                Moment::Write => return limit.allows(sum.extent()),
            }
            true
        })
    }

    pub(super) fn length(&self) -> u32 {
        self.length
    }

    /// The stops, in the order of the state.
    pub(super) fn stops(&self) -> Vec<Stop> {
        let mut stops = Vec::new();
        for (plane, order) in (0..=self.last_plane()).zip(&self.orders) {
            for &row in order {
                let row = usize::from(row);
                let of = |negative| {
                    let mut entries: Vec<_> = self.rows[row]
                        .iter()
                        .filter(|signed| signed.multiple.plane == plane && signed.negative == negative)
                        .map(|signed| signed.multiple.entry)
                        .collect();
                    entries.sort_unstable();
                    entries
                };
                let mut terms = [of(false), of(true)];
                if plane == self.last_plane() && self.home() == Some(row) {
                    terms[0].push(HELD);
                }
                if terms.iter().any(|terms| !terms.is_empty()) {
                    stops.push(Stop { plane, place: self.places[row], terms });
                }
            }
        }
        stops
    }

    fn count(&mut self, row: usize, signed: Signed, by: i16) {
        let cell = usize::from(signed.multiple.plane) * self.places.len() + row;
        let count = &mut self.counts[cell][usize::from(signed.negative)];
        *count = count.saturating_add_signed(by);
    }

    fn evaluate(&self, walk: &impl Walk, visits: &mut Vec<Visit>) -> u32 {
        visits.clear();
        for ((plane, order), counts) in
            (0..=self.last_plane()).zip(&self.orders).zip(self.counts.chunks(self.places.len().max(1)))
        {
            for &row in order {
                let [plus, minus] = counts[usize::from(row)];
                if plus > 0 || minus > 0 {
                    let place = self.places[usize::from(row)];
                    visits.push(Visit { plane, place, counts: [plus.into(), minus.into()] });
                }
            }
        }
        walk.length(visits, self.last_plane())
    }

    /// Applies a change, or undoes it if it would make a term occur twice; returns whether it was applied.
    fn apply(&mut self, change: &Change) -> bool {
        let row = change.row;
        for place in change.removed.into_iter().flatten() {
            let signed = self.rows[row].swap_remove(place);
            self.count(row, signed, -1);
        }
        for signed in change.added.into_iter().flatten() {
            self.rows[row].push(signed);
            self.count(row, signed, 1);
        }
        let multiples: Vec<Multiple> = change.added.into_iter().flatten().map(|signed| signed.multiple).collect();
        multiples
            .iter()
            .all(|multiple| self.rows[row].iter().filter(|signed| signed.multiple == *multiple).count() == 1)
    }
}

/// The rules by which an output is changed.
pub(super) struct Annealing<'a, W> {
    pub(super) frame: Frame<'a, W>,
    pub(super) sums: &'a Sums,
    /// The number of entries that the output can use.
    pub(super) entries: usize,
}

/// A series of changes of an output at falling temperatures, with its current state.
#[derive(Clone)]
pub(super) struct Round {
    state: State,
    terms: usize,
    /// The best state so far.
    best: State,
    best_terms: usize,
    done: u32,
    steps: u32,
    temperature: f64,
    /// The factor applied to the temperature after each [`COOLING`] changes.
    cooling: f64,
    random: Random,
    /// The visits of the last state that was looked at.
    visits: Vec<Visit>,
}

/// The number of changes made at the same temperature.
const COOLING: u32 = 64;
/// The cost of a term, in addition to its instructions: only fewer terms lead to fewer instructions.
const TERM: f64 = 0.15;

/// The work of a change, in addition to that of each stop.
const STEP: u64 = 16;
const VISIT: u64 = 2;

impl Round {
    /// A round of so many changes, while the temperature falls from `heat.0` to `heat.1`.
    pub(super) fn new(start: &State, steps: u32, heat: (f64, f64), random: Random) -> Self {
        let terms = count_terms(start);
        Self {
            state: start.clone(),
            terms,
            best: start.clone(),
            best_terms: terms,
            done: 0,
            steps,
            temperature: heat.0,
            cooling: (heat.1 / heat.0).powf(f64::from(COOLING) / f64::from(steps.max(COOLING))),
            random,
            visits: Vec::new(),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.done >= self.steps
    }

    /// The best state of the round.
    pub(super) fn into_best(self) -> State {
        self.best
    }
}

impl<W: Walk> Annealing<'_, W> {
    /// Makes up to `changes` further changes, as far as the round has them left.
    pub(super) fn advance(&self, round: &mut Round, changes: u32, work: &mut u64) {
        let end = round.done.saturating_add(changes).min(round.steps);
        for step in round.done..end {
            if step % COOLING == COOLING - 1 {
                round.temperature *= round.cooling;
            }
            *work += STEP + VISIT * u64::try_from(round.visits.len()).unwrap_or(0);
            let allowed = allowance(round.temperature, &mut round.random);
            if round.random.below(4) == 0 {
                self.reorder(&mut round.state, allowed, &mut round.visits, &mut round.random);
            } else {
                self.change_terms(round, allowed);
            }
            let is_shorter = (round.state.length, round.terms) < (round.best.length, round.best_terms);
            if is_shorter && round.state.is_allowed(self.frame) {
                round.best.clone_from(&round.state);
                round.best_terms = round.terms;
            }
        }
        round.done = end;
    }

    /// Changes terms at a place, unless the result is worse than allowed.
    fn change_terms(&self, round: &mut Round, allowed: f64) {
        let Round { state, terms, random, visits, .. } = round;
        let Some(change) = self.propose(state, random) else { return };
        let rows = state.rows[change.row].clone();
        let counts = state.counts.clone();
        let extent = state.extents.get(change.row).cloned();
        let more = difference(&change);
        let length = if state.apply(&change) { state.evaluate(&self.frame.walk, visits) } else { u32::MAX };
        let delta = f64::from(length) - f64::from(state.length) + TERM * more;
        if delta <= allowed && self.stays_within(state, change.row) {
            state.length = length;
            *terms = *terms + change.added.iter().flatten().count() - change.removed.iter().flatten().count();
        } else {
            state.rows[change.row] = rows;
            state.counts = counts;
            if let Some(extent) = extent {
                state.extents[change.row] = extent;
            }
        }
    }

    /// Updates the extent of a row; returns whether the sum of all rows stays within the limit.
    fn stays_within(&self, state: &mut State, row: usize) -> bool {
        if self.frame.limit.is_some() {
            state.extents[row] = gain::of_row(&state.rows[row], self.frame.coding, self.frame.coding.scale);
        }
        state.is_within(self.frame.limit)
    }

    fn reorder(&self, state: &mut State, allowed: f64, visits: &mut Vec<Visit>, random: &mut Random) {
        let plane = random.below(state.orders.len());
        let count = state.orders[plane].len();
        if count < 2 {
            return;
        }
        let (i, j) = (random.below(count), random.below(count));
        let (i, j) = (i.min(j), i.max(j));
        let before = state.orders[plane].clone();
        match random.below(4) {
            0 => state.orders[plane].swap(i, j),
            1 => state.orders[plane][i..=j].reverse(),
            2 => state.orders[plane][i..=j].rotate_left(1),
            _ => state.orders[plane][i..=j].rotate_right(1),
        }
        let length = state.evaluate(&self.frame.walk, visits);
        if f64::from(length) - f64::from(state.length) <= allowed {
            state.length = length;
        } else {
            state.orders[plane] = before;
        }
    }

    /// Proposes other terms with the same sum for one to three terms at a place.
    fn propose(&self, state: &State, random: &mut Random) -> Option<Change> {
        let row = random.below(state.rows.len().max(1));
        let terms = state.rows.get(row)?;
        let many = match random.below(16) {
            0 => 1,
            1..=7 => 2,
            _ => 3,
        };
        if terms.len() < many {
            return None;
        }
        let mut removed = [None; 3];
        let mut hash = 0_u64;
        for i in 0..many {
            let mut place = random.below(terms.len());
            while removed[..i].contains(&Some(place)) {
                place = random.below(terms.len());
            }
            removed[i] = Some(place);
            hash = hash.wrapping_add(self.sums.hash(terms[place]));
        }
        sort::by(&mut removed, |a, b| b.cmp(a));
        let is_same = |found: &(Signed, Option<Signed>)| {
            [Some(found.0), found.1]
                .into_iter()
                .flatten()
                .any(|signed| removed.iter().flatten().any(|&place| terms[place] == signed))
        };
        let mut chosen = None;
        let mut seen = 0;
        for found in self.sums.find(hash, self.entries).filter(|found| !is_same(found)) {
            seen += 1;
            if found.1.is_none() || random.below(seen) == 0 {
                chosen = Some(found);
                if found.1.is_none() {
                    break;
                }
            }
        }
        if let Some((first, second)) = chosen {
            return Some(Change { row, removed, added: [Some(first), second, None] });
        }
        if many < 3 {
            return None;
        }
        // Tries to find three other terms, one candidate after the other from a random start.
        for _ in 0..24 {
            let entry = random.below(self.entries);
            let plane = u8::try_from(random.below(usize::from(self.sums.top()) + 1)).unwrap_or(0);
            let negative = random.below(2) == 1;
            let Some(third) = self.sums.multiple(entry, plane).map(|multiple| Signed { multiple, negative }) else {
                continue;
            };
            if removed.iter().flatten().any(|&place| terms[place] == third) {
                continue;
            }
            let rest = hash.wrapping_sub(self.sums.hash(third));
            if let Some((first, second)) = self.sums.find(rest, self.entries).find(|found| !is_same(found)) {
                return Some(Change { row, removed, added: [Some(first), second, Some(third)] });
            }
        }
        None
    }
}

fn count_terms(state: &State) -> usize {
    state.rows.iter().map(Vec::len).sum()
}

/// How many more terms there are after a change.
fn difference(change: &Change) -> f64 {
    let one = |is_there: bool| if is_there { 1.0 } else { 0.0 };
    let added: f64 = change.added.iter().map(|added| one(added.is_some())).sum();
    added - change.removed.iter().map(|removed| one(removed.is_some())).sum::<f64>()
}

/// How much worse a change may be; exponentially distributed.
fn allowance(temperature: f64, random: &mut Random) -> f64 {
    -random.fraction().ln() * temperature
}
