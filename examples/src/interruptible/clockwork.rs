//! Computes when a request is served, by the clock alone: a table of switch points determines it for every moment.

use cain_runtime::isa::{Instruction, Plan, SwitchPoint, SwitchStep, Times};
use cain_search::switches::{Steps, SwitchTable};

/// The words of a program and its points.
pub(crate) struct Clockwork {
    /// The number of control words before each boundary.
    before: Vec<u32>,
    points: Vec<Way>,
}

/// A point where the program is left.
#[derive(Clone, Copy)]
struct Way {
    /// The number of control words before it.
    before: u32,
    /// The number of control words that make room there.
    leaving: u32,
    /// The price in words.
    extra: u32,
}

impl Clockwork {
    /// The clockwork of a kernel.
    pub(crate) fn of_plan(plan: &Plan) -> Self {
        let words = |instruction: &Instruction| instruction.words().map(|_| 1).sum::<u32>();
        let before = std::iter::once(0).chain(plan.listing.iter().scan(0, |sum, instruction| {
            *sum += words(instruction);
            Some(*sum)
        }));
        let points = plan.switches.first().map_or(&[][..], |table| table.points);
        Self::new(before.collect(), points.iter().copied())
    }

    /// The clockwork of a long program.
    pub(crate) fn of_steps(steps: &Steps, table: &SwitchTable) -> Self {
        Self::new(steps.words_before(), table.switch_points())
    }

    fn new<'p>(before: Vec<u32>, points: impl Iterator<Item = SwitchPoint<'p>>) -> Self {
        let way = |point: SwitchPoint<'_>| Way {
            before: before[point.at as usize],
            leaving: point.leaving().filter_map(SwitchStep::word).map(|_| 1).sum(),
            extra: point.extra,
        };
        let points = points.map(way).collect();
        Self { before, points }
    }

    /// The number of all words.
    pub(crate) fn words(&self) -> u32 {
        self.before.last().copied().unwrap_or(0)
    }

    /// The time for which a request waits that is made `at` nanoseconds after the program began, and its price in
    /// words.
    pub(crate) fn response(&self, at: u32) -> (u32, u32) {
        let reached = self.points.partition_point(|way| way.before * WORD < at);
        // Every program can be left at its end.
        let Some(way) = self.points.get(reached) else { return (0, 0) };
        ((way.before + way.leaving) * WORD - at, way.extra)
    }

    /// The time for which it waits for the end of the running unit, an instruction or a layer, given the words before
    /// each end.
    pub(crate) fn until(ends: &[u32], at: u32) -> u32 {
        let reached = ends.partition_point(|&end| end * WORD < at);
        ends.get(reached).map_or(0, |&end| end * WORD - at)
    }

    /// The number of control words before each boundary.
    pub(crate) fn boundaries(&self) -> &[u32] {
        &self.before
    }
}

/// The time of a control word.
pub(crate) const WORD: u32 = Times::SCAMP5.analogue;
