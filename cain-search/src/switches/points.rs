//! The cheapest way to leave a program at each point, and to come back.

use cain_isa::{Cells, Kept, Reg, Registers};

use super::flow::Flow;
use super::{Point, SwitchError, SwitchLimits};

/// The points of a program that may use the registers `own`, for others that overwrite `others`.
///
/// An *anchor* is a point where the others overwrite nothing that is needed. From a later point, up to the next anchor,
/// the program may go back to it if nothing that it needs there was overwritten meanwhile, neither by the program nor by
/// moving values out of the way. So it holds however often the program is left: the others cannot overwrite what an
/// anchor needs, and between two anchors the program goes back to the first one only.
pub(super) fn of(flow: &Flow, own: Registers, others: Cells, limits: SwitchLimits) -> Vec<Point> {
    let mut points = Vec::new();
    let mut anchor = None;
    for at in 0..=flow.end() {
        if let Some(last) = at.checked_sub(1) {
            anchor = anchor.filter(|&anchor: &usize| flow.live[anchor].intersection(flow.written[last]).is_empty());
        }
        if !flow.is_open[at] {
            continue;
        }
        if flow.live[at].intersection(others).is_empty() {
            anchor = Some(at);
        }
        let point = cheapest(flow, at, anchor, own, others);
        let point = point.filter(|point| point.extra <= limits.extra);
        // What is moved must not overwrite what the anchor needs, or there is no way back to it any more.
        let moved: Registers = point.iter().flat_map(|point| &point.kept).map(|kept| kept.register).collect();
        anchor = anchor.filter(|&anchor| flow.live[anchor].intersection(Cells::registers(moved)).is_empty());
        points.extend(point);
    }
    points
}

/// The cheapest way at one boundary: to go back to the anchor, or to move values out of the way. Of two that cost the same,
/// the one after which the others can begin at once.
fn cheapest(flow: &Flow, at: usize, anchor: Option<usize>, own: Registers, others: Cells) -> Option<Point> {
    let back = anchor.map(|anchor| {
        let extra = flow.words[at] - flow.words[anchor];
        Point { at: index(at), resume: index(anchor), kept: Vec::new(), extra }
    });
    let spared = anchor.map_or(Cells::NONE, |anchor| flow.live[anchor]);
    let kept = room(flow.live[at], own.without(spared.analogue()), others);
    let kept = kept.or_else(|| room(flow.live[at], own, others));
    let moved = kept.map(|kept| {
        let extra = 2 * u32::try_from(kept.len()).unwrap_or(u32::MAX / 2);
        Point { at: index(at), resume: index(at), kept, extra }
    });
    back.into_iter().chain(moved).min_by_key(|point| point.extra)
}

/// Registers that are free for what is needed and would be overwritten; nothing if there are too few, or if a bit would
/// be overwritten.
fn room(needed: Cells, own: Registers, others: Cells) -> Option<Vec<Kept>> {
    let lost = needed.intersection(others);
    if lost.bits().next().is_some() {
        return None;
    }
    let news = lost.contains(Cells::NEWS).then_some(None);
    let homes = news.into_iter().chain(lost.analogue().iter().map(Some));
    let mut free = own.without(needed.union(others).analogue()).iter();
    homes.map(|home| free.next().map(|register| Kept { home, register })).collect()
}

/// The most control words from a request until the others begin: the longest way from one point to the next, with what is
/// moved there. Nothing if the program cannot be left at its end.
pub(super) fn latency(flow: &Flow, points: &[Point]) -> Option<u32> {
    let mut from = 0;
    let mut longest = 0;
    for point in points {
        let here = flow.words[usize::try_from(point.at).ok()?];
        longest = longest.max(here - from + index(point.kept.len()));
        from = here;
    }
    let is_at_end = points.last().is_some_and(|point| point.at == index(flow.end()));
    is_at_end.then_some(longest)
}

/// What a program lacks that cannot be left at its end.
pub(super) fn shortage(flow: &Flow, own: Registers, others: Cells) -> SwitchError {
    let needed = flow.live[flow.end()].analogue();
    let results: Vec<Reg> = needed.intersection(others.analogue()).iter().collect();
    let free = own.without(needed).without(others.analogue()).len();
    SwitchError::NoRoom { missing: results.len().saturating_sub(free).max(1), results }
}

fn index(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
