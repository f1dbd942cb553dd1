//! The points of a program.

use cain_isa::{Cells, SwitchPoint};

use super::point::Point;

/// The places where a program may be left for others that overwrite certain cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchTable {
    pub(super) others: Cells,
    pub(super) points: Vec<Point>,
    pub(super) latency: u32,
    pub(super) words: u32,
}

impl SwitchTable {
    /// The cells that the others may overwrite.
    #[must_use]
    pub fn others(&self) -> Cells {
        self.others
    }

    /// The points, in the order of the program.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The longest time from a request until the others begin, in control words, wherever the program is.
    #[must_use]
    pub fn latency(&self) -> u32 {
        self.latency
    }

    /// The highest price of an interruption at any point, in control words.
    #[must_use]
    pub fn most_extra(&self) -> u32 {
        self.points.iter().map(|point| point.extra).max().unwrap_or(0)
    }

    /// The points as the constant data of [`Switches`](cain_isa::Switches).
    pub fn switch_points(&self) -> impl Iterator<Item = SwitchPoint<'_>> {
        self.points.iter().map(Point::as_switch_point)
    }
}
