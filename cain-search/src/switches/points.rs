//! The cheapest way to leave a program at each point, and to come back.

use cain_isa::{Cells, Kept, Reg, Registers};

use super::flow::Flow;
use super::{Point, SwitchError, SwitchLimits};

/// The points of a program that may use the registers `own`, for others that overwrite `others`.
pub(super) fn of(flow: &Flow, own: Registers, others: Cells, limits: SwitchLimits) -> Vec<Point> {
    (0..=flow.end()).filter_map(|at| cheapest(flow, at, own, others, limits)).collect()
}

/// The cheapest way at one boundary. Of several, the one that moves least before the others can begin, and then the one
/// that computes least again.
fn cheapest(flow: &Flow, at: usize, own: Registers, others: Cells, limits: SwitchLimits) -> Option<Point> {
    if !flow.is_open[at] {
        return None;
    }
    let mut overwritten = Cells::NONE;
    let mut best: Option<Point> = None;
    for resume in (0..=at).rev() {
        let again = flow.words[at] - flow.words[resume];
        if again > limits.extra || best.as_ref().is_some_and(|best| again > best.extra) {
            break;
        }
        if resume < at {
            overwritten = overwritten.union(flow.written[resume]);
        }
        let needed = flow.live[resume];
        if !flow.is_open[resume] || !needed.intersection(overwritten).is_empty() {
            continue;
        }
        let Some(kept) = room(needed, own, others) else { continue };
        let extra = again + 2 * u32::try_from(kept.len()).unwrap_or(u32::MAX / 2);
        let moves_less = |best: &Point| (extra, kept.len()) < (best.extra, best.kept.len());
        if extra <= limits.extra && best.as_ref().is_none_or(moves_less) {
            best = Some(Point { at: index(at), resume: index(resume), kept, extra });
        }
    }
    best
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
