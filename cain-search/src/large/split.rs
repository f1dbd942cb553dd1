//! Splits outputs into parts if their intermediate sums would become too large.
//!
//! Before it is halved for the last time, a sum is larger than at the end. If it is larger than allowed, a part of the
//! terms is summed up and halved first; the result is added to the rest at the end.

use cain_isa::Displacement;

use super::anneal::{Frame, State};
use super::chain::Walk;
use super::table::{Coding, Entry, EntryId, Term};

/// The parts of an output, in the order in which they are made; `None` if even a single entry at a single place is too
/// large.
pub(super) fn parts<W: Walk>(terms: &[Term], frame: Frame<'_, W>, work: &mut u64) -> Option<Vec<State>> {
    let mut parts = Vec::new();
    let mut rest = terms.to_vec();
    while !rest.is_empty() {
        let held = held(&parts, terms, &rest, frame.coding);
        let (taken, left) = largest(&rest, held.as_ref(), frame, work)?;
        parts.push(taken);
        rest = left;
    }
    Some(parts)
}

/// The sum of the terms that have already been taken, if there are any.
fn held(parts: &[State], terms: &[Term], rest: &[Term], coding: &Coding) -> Option<Entry> {
    let made: Vec<Term> = terms.iter().filter(|term| !rest.contains(term)).copied().collect();
    (!parts.is_empty()).then(|| coding.total(&made))
}

/// As many of the terms as can be summed up at once, and the remaining ones.
fn largest<W: Walk>(
    terms: &[Term],
    held: Option<&Entry>,
    frame: Frame<'_, W>,
    work: &mut u64,
) -> Option<(State, Vec<Term>)> {
    let groups = groups(terms);
    let mut try_with = |count: usize| {
        let (taken, left): (Vec<_>, Vec<_>) = terms.iter().partition(|term| groups[..count].contains(&group(**term)));
        *work += 40 * u64::try_from(taken.len()).unwrap_or(u64::MAX);
        let state = State::new(&taken, held.cloned(), frame, work);
        (state.is_allowed(frame)).then_some((state, left))
    };
    if let Some(all) = try_with(groups.len()) {
        return Some(all);
    }
    // What is allowed for some groups is nearly always allowed for fewer groups too.
    let (mut best, mut low, mut high) = (None, 0, groups.len());
    while low + 1 < high {
        let middle = usize::midpoint(low, high);
        match try_with(middle) {
            Some(found) => (best, low) = (Some(found), middle),
            None => high = middle,
        }
    }
    best
}

/// The key of terms that stay together: their place and entry.
type Group = (Displacement, EntryId);

fn group(term: Term) -> Group {
    (term.place, term.entry)
}

/// All groups, ordered by place.
fn groups(terms: &[Term]) -> Vec<Group> {
    let mut groups: Vec<Group> = terms.iter().copied().map(group).collect();
    groups.sort_unstable();
    groups.dedup();
    groups
}
