//! Combines several tables of one program.

use cain_isa::Cells;

use super::flow::Flow;
use super::points::latency;
use super::ways_back::way_back_stays;
use super::{Point, SwitchTable};

/// The tables, reduced to the points that are valid beside those of the tables before them, whose others overwrite
/// more.
///
/// A program is left at a point of the first table that has one there and whose others overwrite everything to be
/// overwritten, so only additional points of a later table are useful. Each table is proved for its own others. That is
/// not enough for a program that is left for different others in turn: those of one point, or the values moved for
/// them, may have overwritten the state to which another point goes back. Such points are left out, and so are all
/// points of a table if others would wait longer with them than without.
pub(super) fn beside_each_other(flow: &Flow, tables: Vec<SwitchTable>) -> Vec<SwitchTable> {
    let mut known: Vec<(Cells, Point)> = Vec::new();
    let mut longest = u32::MAX;
    let chosen = tables.into_iter().map(|table| {
        let mut all = known.clone();
        let mut points = Vec::new();
        for point in table.points {
            let Err(place) = all.binary_search_by_key(&point.at, |(_, known)| known.at) else { continue };
            all.insert(place, (table.others, point));
            let point = &all[place].1;
            let between = |(_, other): &&(Cells, Point)| (other.resume..=other.at).contains(&point.at);
            if all.iter().filter(between).all(|other| stays(flow, &all, other)) {
                points.push(point.clone());
            } else {
                all.remove(place);
            }
        }
        match latency(flow, all.iter().map(|(_, point)| point)) {
            Some(latency) if latency <= longest => (known, longest) = (all, latency),
            _ => points.clear(),
        }
        SwitchTable { points, latency: longest, ..table }
    });
    chosen.collect()
}

fn stays(flow: &Flow, all: &[(Cells, Point)], (others, point): &(Cells, Point)) -> bool {
    way_back_stays(flow, all.iter().map(|(others, point)| (*others, point)), (*others, point))
}
