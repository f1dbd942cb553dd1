//! The parts of a compiled network.

use cain_analysis::owned::{self, Made, Part, Step};
use cain_isa::program::{Grid, Held};
use cain_isa::{Displacement, Fraction, Times};
use cain_search::Proved;

use crate::Network;

/// A part of a compiled network: the steps for some channels of a layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// The layer; `None` for the picture.
    pub layer: Option<usize>,
    /// The channels of the layer, in the order of [`held`](Self::held); a number in bits occurs once for each bit,
    /// lowest first.
    pub channels: Vec<usize>,
    /// The steps.
    pub steps: Vec<Step>,
    /// The registers of the channels afterwards.
    pub held: Vec<Held>,
    /// The positions of their pixels.
    pub grids: Vec<Grid>,
    /// How often each of them holds the errors of transfers to one, two and three cells, where all that reads it are
    /// thresholds, which compensate for that.
    pub compensated: Vec<[Fraction; 3]>,
    /// The least and the largest value of the results, in DN.
    pub range: (f64, f64),
    /// The pixels that results are made of.
    pub pixels: Extent,
    /// The PEs that values pass on their way.
    pub way: Extent,
    /// The number of multiply-accumulates that it stands for, for one picture.
    pub macs: u64,
    /// The kind of work.
    pub work: Work,
}

/// The number of rows and columns around the picture on each side; 0 within it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// In the north.
    pub top: usize,
    /// In the west.
    pub left: usize,
    /// In the south.
    pub bottom: usize,
    /// In the east.
    pub right: usize,
}

impl Extent {
    /// The extent of the PEs in a grid beyond a picture of that size, when each reads from `low` to `high`.
    pub(super) fn of(grid: Grid, size: (usize, usize), low: Displacement, high: Displacement) -> Self {
        let before = |first: isize, reach: i16| usize::try_from(isize::from(reach) - first).unwrap_or(0);
        let after = |first: isize, count: usize, step: usize, length: usize, reach: i16| {
            let last = first + (count.saturating_sub(1) * step).cast_signed();
            usize::try_from(last + isize::from(reach) - (length.cast_signed() - 1)).unwrap_or(0)
        };
        Self {
            top: before(grid.top, high.y),
            left: before(grid.left, low.x.saturating_neg()),
            bottom: after(grid.top, grid.height, grid.row_step, size.0, low.y.saturating_neg()),
            right: after(grid.left, grid.width, grid.column_step, size.1, high.x),
        }
    }

    /// The smallest extent that covers both.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            top: self.top.max(other.top),
            left: self.left.max(other.left),
            bottom: self.bottom.max(other.bottom),
            right: self.right.max(other.right),
        }
    }
}

/// The kind of work that a stage does.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there are few of them")]
pub enum Work {
    /// Weighted sums.
    Sum(Proved),
    /// Anything else on the array.
    Operation,
    /// Values around a map.
    Border,
    /// A read-out.
    Read,
}

impl Stage {
    /// The name of its layer in that network, with its channels: `edge[0,1]`.
    #[must_use]
    pub fn name(&self, network: &Network) -> String {
        let layer = self.layer.and_then(|layer| network.layers.get(layer)).map_or("image", |layer| layer.name.as_str());
        // A number in bits has several planes with the same channel.
        let mut channels = self.channels.clone();
        channels.dedup();
        let channels: Vec<String> = channels.iter().map(usize::to_string).collect();
        format!("{layer}[{}]", channels.join(","))
    }

    /// The part of the program of that network that it is.
    #[must_use]
    pub fn part(&self, network: &Network) -> Part {
        let what = match self.work {
            Work::Border => " (border)",
            Work::Read => " (read out)",
            Work::Sum(_) | Work::Operation => "",
        };
        let made = (self.work != Work::Read).then(|| Made { held: self.held.clone(), range: Some(self.range) });
        Part { name: self.name(network) + what, steps: self.steps.clone(), made }
    }

    /// Control words for a picture.
    #[must_use]
    pub fn words(&self) -> usize {
        owned::words(&self.steps)
    }

    /// The time of its control words for a picture.
    #[must_use]
    pub fn nanoseconds(&self, times: &Times) -> u64 {
        owned::nanoseconds(&self.steps, times)
    }
}
