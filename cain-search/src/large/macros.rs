//! Ways over stops, in macro instructions.
//!
//! The sum is held with either sign. Terms of that sign are added, two at a time; those of the other sign are
//! subtracted, one at a time, or the sum is subtracted from one of them, which inverts its sign. A move between places
//! takes up one term for free: one that is added at the place it leaves, or one that is subtracted at the place where
//! it arrives.

use cain_isa::{Displacement, Machine, Op as Name};

use super::chain::{Moment, Stop, Visit, Walk};
use super::table::EntryId;
use crate::InstructionSet;

/// The abilities of the available macro instructions.
#[derive(Clone, Copy, Debug)]
pub(super) struct MacroWalk {
    /// Whether one instruction can add two terms.
    adds_two: bool,
    /// Whether a move can also add a term.
    moves_and_adds: bool,
    /// Whether a move can also subtract a term.
    moves_and_subtracts: bool,
    /// The farthest that a move goes.
    reach: u32,
}

/// An instruction on the sum of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The sum is halved.
    Halve,
    /// The sum is read at a displacement, possibly after adding a term, or before subtracting one.
    Move { by: Displacement, plus: Option<EntryId>, minus: Option<EntryId> },
    /// One or two terms are added.
    Add(EntryId, Option<EntryId>),
    /// A term is subtracted.
    Subtract(EntryId),
    /// The sum is subtracted from a term.
    TurnOver(EntryId),
    /// The sum changes its sign.
    Negate,
}

/// The instructions chosen for a stop.
#[derive(Clone, Copy, Debug, Default)]
struct Choice {
    /// The sign of the sum before the stop, and whether a term was left to the move that follows.
    before: (usize, bool),
    /// Whether the move to the stop subtracts a term.
    on_arrival: bool,
    /// How often the sum changes its sign.
    turns: u8,
}

/// The least length for each sign of the sum after a stop, with and without a term that the next move has to add.
type Lengths = [[u32; 2]; 2];

const IMPOSSIBLE: u32 = u32::MAX / 2;

impl MacroWalk {
    /// The abilities of a machine; `None` if it lacks a necessary instruction.
    pub(super) fn new(instructions: InstructionSet, machine: &Machine) -> Option<Self> {
        let has = |op: Name| match instructions {
            InstructionSet::Macro => machine.macros.contains(op),
            InstructionSet::Basic => cain_isa::Macros::BASIC.contains(op) && machine.macros.contains(op),
            InstructionSet::Native => false,
        };
        let needed = [Name::Mov, Name::Movx, Name::Add, Name::Sub, Name::Neg, Name::Divq, Name::Res];
        let moves_far = [Name::Mov2x, Name::Add2x, Name::Sub2x].into_iter().all(has);
        needed.into_iter().all(has).then_some(Self {
            adds_two: has(Name::Add3),
            moves_and_adds: has(Name::Addx) && moves_far,
            moves_and_subtracts: has(Name::Subx) && moves_far,
            reach: if moves_far { 2 } else { 1 },
        })
    }

    pub(super) fn reach(self) -> u32 {
        self.reach
    }

    /// The number of instructions that add so many terms.
    fn additions(self, terms: usize) -> u32 {
        let terms = u32::try_from(terms).unwrap_or(IMPOSSIBLE);
        if self.adds_two { terms.div_ceil(2) } else { terms }
    }

    /// The number of instructions at a stop with these numbers of terms, of the same sign as the sum and of the other
    /// sign. `is_left` tells whether one term, of the sign that the sum has afterwards, is left over.
    fn at_stop(self, same: usize, other: usize, is_left: bool, turns: u8) -> Option<u32> {
        let left = usize::from(is_left);
        Some(match turns {
            0 => self.additions(same.checked_sub(left)?) + u32::try_from(other).ok()?,
            1 => self.additions(same) + 1 + self.additions(other.checked_sub(1 + left)?),
            _ => self.additions(same.checked_sub(1 + left)?) + 2 + self.additions(other.checked_sub(1)?),
        })
    }

    /// The lengths after a stop, given those before it; calls `note` with every choice that is the best so far.
    fn pass(
        self,
        lengths: &Lengths,
        (moves, halvings): (u32, u32),
        terms: [usize; 2],
        mut note: impl FnMut((usize, usize), Choice),
    ) -> Lengths {
        let mut after = [[IMPOSSIBLE; 2]; 2];
        for (sign, of_sign) in lengths.iter().enumerate() {
            for (is_left, &length) in [false, true].into_iter().zip(of_sign) {
                if length >= IMPOSSIBLE || (is_left && moves == 0) {
                    continue;
                }
                for on_arrival in [false, true] {
                    let most = if self.moves_and_subtracts { moves.min(2) } else { 0 };
                    if on_arrival && (u32::from(is_left) + 1 > most || terms[1 - sign] == 0) {
                        continue;
                    }
                    let other = terms[1 - sign] - usize::from(on_arrival);
                    for (turns, leaves) in [0, 1, 2].into_iter().flat_map(|turns| [(turns, false), (turns, true)]) {
                        if leaves && !self.moves_and_adds {
                            continue;
                        }
                        let Some(here) = self.at_stop(terms[sign], other, leaves, turns) else { continue };
                        let total = length + moves + halvings + here;
                        let state = ((sign + usize::from(turns)) % 2, usize::from(leaves));
                        if total < after[state.0][state.1] {
                            after[state.0][state.1] = total;
                            note(state, Choice { before: (sign, is_left), on_arrival, turns });
                        }
                    }
                }
            }
        }
        after
    }

    /// The lengths after the first stop, where the sum begins with one of the terms.
    fn begin(self, terms: [usize; 2], mut note: impl FnMut((usize, usize), Choice)) -> Lengths {
        let mut after = [[IMPOSSIBLE; 2]; 2];
        for sign in [0, 1] {
            let mut rest = terms;
            let Some(same) = terms[sign].checked_sub(1) else { continue };
            rest[sign] = same;
            let mut lengths = [[IMPOSSIBLE; 2]; 2];
            lengths[sign][0] = 0;
            let from = self.pass(&lengths, (0, 0), rest, |state, choice| {
                // Signs are tried one after the other.
                if choice.before.0 == sign {
                    note_if_better(&after, state, rest, self, choice, &mut note);
                }
            });
            for (all, own) in after.iter_mut().flatten().zip(from.iter().flatten()) {
                *all = (*all).min(*own);
            }
        }
        after
    }

    fn moves(self, from: Displacement, to: Displacement) -> u32 {
        from.distance(to).div_ceil(self.reach)
    }
}

/// Passes on a choice for the first stop if it is better than those that begin with the other sign.
fn note_if_better(
    after: &Lengths,
    state: (usize, usize),
    rest: [usize; 2],
    walk: MacroWalk,
    choice: Choice,
    note: &mut impl FnMut((usize, usize), Choice),
) {
    let sign = choice.before.0;
    let here = walk.at_stop(rest[sign], rest[1 - sign], state.1 == 1, choice.turns);
    if here.is_some_and(|here| here < after[state.0][state.1]) {
        note(state, choice);
    }
}

/// The length of the end: the way back to the PE itself, the last halvings, and making the sign positive.
fn end(walk: MacroWalk, lengths: &Lengths, last: Visit, last_plane: u8) -> (u32, (usize, bool)) {
    let moves = walk.moves(last.place, Displacement::ZERO);
    let fixed = moves + u32::from(last_plane - last.plane);
    let states = [(0, false), (0, true), (1, false), (1, true)];
    let possible = states.into_iter().filter(|(_, is_left)| !is_left || moves > 0);
    let total = |&(sign, is_left): &(usize, bool)| {
        lengths[sign][usize::from(is_left)] + fixed + u32::try_from(sign).unwrap_or(0)
    };
    possible.map(|state| (total(&state), state)).min_by_key(|end| end.0).unwrap_or((IMPOSSIBLE, (0, false)))
}

impl Walk for MacroWalk {
    const SUMS_ARE_NEGATIVE: bool = false;

    fn length(&self, visits: &[Visit], last_plane: u8) -> u32 {
        let [first, others @ ..] = visits else { return 1 };
        let mut lengths = self.begin(first.counts, |_, _| {});
        let mut before = *first;
        for &stop in others {
            let way = (self.moves(before.place, stop.place), u32::from(stop.plane - before.plane));
            lengths = self.pass(&lengths, way, stop.counts, |_, _| {});
            before = stop;
        }
        end(*self, &lengths, before, last_plane).0
    }

    fn moments(&self, stops: &[Stop], last_plane: u8) -> Option<Vec<Moment>> {
        let (begin, steps) = self.steps(stops, last_plane)?;
        let first = stops.first()?;
        let mut place = first.place;
        let mut is_negative = !first.terms[0].contains(&begin);
        let mut moments = vec![Moment::Take(place, begin, is_negative), Moment::Write];
        for step in steps {
            match step {
                Step::Halve => moments.push(Moment::Halve),
                Step::Negate => is_negative = !is_negative,
                Step::Move { by, plus, minus } => {
                    moments.extend(plus.map(|entry| Moment::Take(place, entry, is_negative)));
                    place = place.checked_add(-by)?;
                    moments.extend(minus.map(|entry| Moment::Take(place, entry, !is_negative)));
                }
                Step::Add(entry, second) => {
                    let both = [Some(entry), second].into_iter().flatten();
                    moments.extend(both.map(|entry| Moment::Take(place, entry, is_negative)));
                }
                Step::Subtract(entry) => moments.push(Moment::Take(place, entry, !is_negative)),
                Step::TurnOver(entry) => {
                    is_negative = !is_negative;
                    moments.push(Moment::Take(place, entry, is_negative));
                }
            }
            moments.push(Moment::Write);
        }
        Some(moments)
    }
}

impl MacroWalk {
    /// The entry that the sum of some stops begins with, and the steps that follow.
    pub(super) fn steps(self, stops: &[Stop], last_plane: u8) -> Option<(EntryId, Vec<Step>)> {
        let visits: Vec<Visit> = stops.iter().map(Visit::from).collect();
        let first = visits.first()?;
        let mut choices = vec![[[Choice::default(); 2]; 2]; stops.len()];
        let mut lengths = self.begin(first.counts, |(sign, left), choice| choices[0][sign][left] = choice);
        for i in 1..stops.len() {
            let (before, stop) = (visits[i - 1], visits[i]);
            let way = (self.moves(before.place, stop.place), u32::from(stop.plane - before.plane));
            let chosen = &mut choices[i];
            lengths = self.pass(&lengths, way, stop.counts, |(sign, left), choice| chosen[sign][left] = choice);
        }
        let last = stops.last()?;
        let (length, mut state) = end(self, &lengths, last.into(), last_plane);
        if length >= IMPOSSIBLE {
            return None;
        }
        let is_negative = state.0 == 1;
        let mut path = Vec::new();
        for chosen in choices.iter().rev() {
            let choice = chosen[state.0][usize::from(state.1)];
            path.push((choice, state.1));
            state = choice.before;
        }
        path.reverse();
        let mut steps = Steps { walk: self, list: Vec::new(), left: None };
        let mut begin = None;
        for (i, (stop, (choice, leaves))) in stops.iter().zip(path).enumerate() {
            let mut terms = [&stop.terms[0][..], &stop.terms[1][..]];
            let sign = choice.before.0;
            if i == 0 {
                let (entry, rest) = terms[sign].split_first()?;
                (begin, terms[sign]) = (Some(*entry), rest);
            } else {
                let minus = if choice.on_arrival { take(&mut terms[1 - sign]) } else { None };
                steps.go(&stops[i - 1], stop, minus);
            }
            steps.stop(choice, leaves, terms[sign], terms[1 - sign]);
        }
        let home = Stop { plane: last_plane, place: Displacement::ZERO, terms: [vec![], vec![]] };
        steps.go(last, &home, None);
        if is_negative {
            steps.list.push(Step::Negate);
        }
        Some((begin?, steps.list))
    }
}

fn take(terms: &mut &[EntryId]) -> Option<EntryId> {
    let (first, rest) = terms.split_first()?;
    *terms = rest;
    Some(*first)
}

/// A list of steps in the making.
struct Steps {
    walk: MacroWalk,
    list: Vec<Step>,
    /// The term that the next move adds.
    left: Option<EntryId>,
}

impl Steps {
    /// Goes from one stop to the next, where the move may subtract a term.
    fn go(&mut self, from: &Stop, to: &Stop, minus: Option<EntryId>) {
        let mut plus = self.left.take();
        let parts = parts(from.place, to.place, self.walk.reach);
        let mut moves = parts.iter().enumerate().map(|(i, &by)| {
            let is_last = i + 1 == parts.len();
            Step::Move { by, plus: plus.take(), minus: minus.filter(|_| is_last) }
        });
        // A term that is added belongs to the plane before the halvings, one that is subtracted to the plane after
        // them.
        let early: Vec<Step> =
            if minus.is_none() { moves.by_ref().collect() } else { moves.by_ref().take(parts.len() - 1).collect() };
        let late: Vec<Step> = moves.collect();
        self.list.extend(early);
        self.list.extend((from.plane..to.plane).map(|_| Step::Halve));
        self.list.extend(late);
    }

    /// Takes up the terms at a stop: those with the sign of the sum, and the others.
    fn stop<'t>(&mut self, choice: Choice, leaves: bool, mut same: &'t [EntryId], mut other: &'t [EntryId]) {
        let after = if choice.turns == 1 { &mut other } else { &mut same };
        if leaves {
            self.left = take(after);
        }
        match choice.turns {
            0 => {
                self.add(same);
                self.list.extend(other.iter().map(|&entry| Step::Subtract(entry)));
            }
            1 => {
                self.add(same);
                self.list.extend(take(&mut other).map(Step::TurnOver));
                self.add(other);
            }
            _ => {
                self.list.extend(take(&mut other).map(Step::TurnOver));
                self.add(other);
                self.list.extend(take(&mut same).map(Step::TurnOver));
                self.add(same);
            }
        }
    }

    fn add(&mut self, terms: &[EntryId]) {
        let at_once = if self.walk.adds_two { 2 } else { 1 };
        self.list.extend(terms.chunks(at_once).map(|terms| Step::Add(terms[0], terms.get(1).copied())));
    }
}

/// The moves of a sum from one place to another, as the displacements at which it is read.
pub(super) fn parts(from: Displacement, to: Displacement, reach: u32) -> Vec<Displacement> {
    let mut rest = (i32::from(from.x) - i32::from(to.x), i32::from(from.y) - i32::from(to.y));
    let mut parts = Vec::new();
    while rest != (0, 0) {
        let mut part = Displacement::ZERO;
        for _ in 0..reach {
            if rest.0 != 0 {
                part.x += if rest.0 > 0 { 1 } else { -1 };
                rest.0 -= rest.0.signum();
            } else if rest.1 != 0 {
                part.y += if rest.1 > 0 { 1 } else { -1 };
                rest.1 -= rest.1.signum();
            }
        }
        parts.push(part);
    }
    parts
}
