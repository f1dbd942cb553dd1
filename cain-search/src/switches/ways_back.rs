//! Decides whether the state to which a point goes back remains.

use cain_isa::Cells;

use super::Point;
use super::flow::Flow;

/// Whether the state to which a point goes back is still there however often the program was left before, at any of
/// these points for the same others.
pub(super) fn ways_back_stay(flow: &Flow, others: Cells, points: &[Point], point: &Point) -> bool {
    way_back_stays(flow, points.iter().map(|point| (others, point)), (others, point))
}

/// Whether the state to which a point goes back is still there however often the program was left before, at each of
/// the points for others that overwrite its cells. Nothing may overwrite that state: neither the others, nor the
/// instructions in between, nor the moves at the points in between; and those points must go back to the same place or
/// not at all, so that nothing beyond this point was executed since.
pub(super) fn way_back_stays<'p>(
    flow: &Flow,
    points: impl Iterator<Item = (Cells, &'p Point)>,
    (others, point): (Cells, &Point),
) -> bool {
    if point.resume == point.at {
        return true;
    }
    let needed = flow.live[point.resume as usize];
    let written = &flow.written[point.resume as usize..point.at as usize];
    let mut overwritten = written.iter().fold(others, |sum, written| sum.union(*written));
    for (others, other) in points.filter(|(_, other)| (point.resume..=point.at).contains(&other.at)) {
        if other.resume != other.at && other.resume != point.resume {
            return false;
        }
        overwritten = overwritten.union(others).union(other.keepers());
    }
    needed.intersection(overwritten).is_empty()
}
