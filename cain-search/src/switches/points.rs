//! Finds the cheapest way to leave a program at each point, and to come back.

use cain_analysis::sorted::Set;
use cain_isa::{Bit, Cells, Dreg, Kept, KeptBit, KeptLevels, Reg};

use super::flow::{Flow, Gate};
use super::{Point, SwitchError, SwitchLimits};
use crate::costs::count;

/// The points of a program that may use the registers `own`, for others that overwrite `others`.
///
/// An *anchor* is a point where the others overwrite nothing that is needed. From a later point, up to the next anchor,
/// the program may go back to it if nothing that it needs there was overwritten meanwhile, neither by the program nor
/// by moving values out of the way, and nothing was read out. So this is right however often the program is left: the
/// others cannot overwrite what an anchor needs, and between two anchors the program only goes back to the first one.
pub(super) fn of(flow: &Flow, own: Cells, others: Cells, limits: SwitchLimits) -> Vec<Point> {
    let mut points = Vec::new();
    let mut anchor = None;
    for at in 0..=flow.end() {
        if let Some(last) = at.checked_sub(1) {
            let stays = |anchor: &usize| flow.live[*anchor].intersection(flow.written[last]).is_empty();
            anchor = anchor.filter(|anchor| stays(anchor) && !flow.happens_once[last]);
        }
        if flow.gates[at] == Gate::Shut {
            continue;
        }
        if flow.lost(at, others).is_empty() {
            anchor = Some(at);
        }
        let point = cheapest(flow, at, anchor, own, others);
        let point = point.filter(|point| point.extra <= limits.extra);
        // Moved values must not overwrite what the anchor needs, or there is no way back to it any more.
        let moved = point.iter().map(Point::keepers).fold(Cells::NONE, Cells::union);
        anchor = anchor.filter(|&anchor| flow.live[anchor].intersection(moved).is_empty());
        points.extend(point);
    }
    soonest(flow, &points)
}

/// The points without those that keep planes as bits and need so many words for it, there and back, that others begin
/// sooner if they wait for the next point.
fn soonest(flow: &Flow, points: &[Point]) -> Vec<Point> {
    let words = |point: &Point| if point.levels.is_empty() { 0 } else { point.leaving() + point.returning() };
    let most: Set<u32> = points.iter().map(words).collect();
    let up_to = |most: u32| points.iter().filter(move |point| words(point) <= most);
    let waiting = |most: &u32| latency(flow, up_to(*most)).unwrap_or(u32::MAX);
    let best = most.iter().copied().rev().min_by_key(waiting).unwrap_or(0);
    points.iter().filter(|point| words(point) <= best).cloned().collect()
}

/// The cheapest way at one boundary: to go back to the anchor, or to move values out of the way. Of two ways with the
/// same price, the one after which the others can begin at once.
fn cheapest(flow: &Flow, at: usize, anchor: Option<usize>, own: Cells, others: Cells) -> Option<Point> {
    let sets_flag = flow.gates[at] != Gate::All;
    let point = |resume: usize, Room { kept, bits, levels }: Room, extra| {
        let extra = extra + u32::from(sets_flag);
        Point { at: count(at), resume: count(resume), kept, bits, levels, sets_flag, extra }
    };
    let back = anchor.map(|anchor| point(anchor, Room::default(), flow.words[at] - flow.words[anchor]));
    let spared = anchor.map_or(Cells::NONE, |anchor| flow.live[anchor]);
    let room = room(flow, at, own.without(spared), others).or_else(|| room(flow, at, own, others));
    let moved = room.map(|room| {
        let extra = 2 * count(room.kept.len() + room.bits.len()) + KeptLevels::WORDS * count(room.levels.len());
        point(at, room, extra)
    });
    back.into_iter().chain(moved).min_by_key(|point| point.extra)
}

/// The values that are moved, and their registers.
#[derive(Default)]
struct Room {
    kept: Vec<Kept>,
    bits: Vec<KeptBit>,
    levels: Vec<KeptLevels>,
}

/// Assigns free registers to values that are needed and would be lost: to bits first, then to planes, and finally bits
/// to planes of two levels for which there is no other room. Returns `None` if there are too few registers, or if a bit
/// has a gate, so that it could not be brought back.
fn room(flow: &Flow, at: usize, own: Cells, others: Cells) -> Option<Room> {
    let lost = flow.lost(at, others);
    let free = own.without(flow.live[at].union(others));
    let mut free_bits = free.bits().filter_map(|bit| match bit {
        Bit::Reg(register) if register.gate().is_none() => Some(register),
        _ => None,
    });
    let bits = lost.bits().map(|home| match home {
        Bit::Reg(register) if register.gate().is_some() => None,
        _ => free_bits.next().map(|register| KeptBit { home, register }),
    });
    let bits = bits.collect::<Option<_>>()?;
    let news = lost.contains(Cells::NEWS).then_some(None);
    let (of_levels, homes): (Vec<_>, Vec<_>) = news
        .into_iter()
        .chain(lost.analogue().iter().map(Some))
        .partition(|home| home.is_some_and(|home| flow.levels[at].contains_key(&home)));
    let mut room = Room { bits, ..Room::default() };
    let mut free = free.analogue().iter();
    for home in homes.into_iter().chain(of_levels) {
        if let Some(register) = free.next() {
            room.kept.push(Kept { home, register });
        } else {
            room.levels.push(as_bit(flow, at, home?, free_bits.next()?)?);
        }
    }
    Some(room)
}

/// The plane as a bit in a register, if it has two levels.
fn as_bit(flow: &Flow, at: usize, home: Reg, register: Dreg) -> Option<KeptLevels> {
    let &(low, high) = flow.levels[at].get(&home)?;
    Some(KeptLevels { home, register, low, high })
}

/// Reduces the points such that others still need not wait longer than `allowed` words, where that is possible: of the
/// points in reach of the last one, it takes the cheapest, and the furthest of equal ones.
pub(super) fn thinned(flow: &Flow, points: &[Point], allowed: u32) -> Vec<Point> {
    let words = |point: &Point| flow.words[point.at as usize];
    let mut chosen = Vec::new();
    let (mut next, mut from) = (0, 0);
    while let Some(rest) = points.get(next..).filter(|rest| !rest.is_empty()) {
        let near = rest.iter().take_while(|point| words(point) - from <= allowed).count();
        let is_in_reach = |point: &Point| words(point) - from + point.leaving() <= allowed;
        // The program's end is the last point, and always stays.
        let best = if near == rest.len() {
            near - 1
        } else {
            let in_reach = rest[..near].iter().enumerate().filter(|(_, point)| is_in_reach(point));
            in_reach.min_by_key(|(place, point)| (point.extra, near - place)).map_or(0, |(place, _)| place)
        };
        from = words(&rest[best]);
        chosen.push(rest[best].clone());
        next += best + 1;
    }
    chosen
}

/// The longest time from a request until the others begin, in control words: the longest way from one point to the
/// next, including moves there; or the way back from an interruption, during which a request may come that leaves again
/// at once. `None` if the program cannot be left at its end.
pub(super) fn latency<'p>(flow: &Flow, points: impl IntoIterator<Item = &'p Point>) -> Option<u32> {
    let mut from = 0;
    let mut last = None;
    let mut longest = 0;
    for point in points {
        let here = flow.words[usize::try_from(point.at).ok()?];
        longest = longest.max(here - from + point.leaving()).max(point.returning() + point.leaving());
        from = here;
        last = Some(point.at);
    }
    (last? == count(flow.end())).then_some(longest)
}

/// The resources that are missing for leaving a program at its end.
pub(super) fn shortage(flow: &Flow, own: Cells, others: Cells) -> SwitchError {
    let lost = flow.lost(flow.end(), others);
    let free = own.without(flow.live[flow.end()]).without(others);
    let results: Vec<Reg> = lost.analogue().iter().collect();
    if results.is_empty() {
        return SwitchError::NoRoomForBits { bits: lost.bits().collect() };
    }
    SwitchError::NoRoom { missing: results.len().saturating_sub(free.analogue().len()).max(1), results }
}
