//! The state of a search, as far as the bounds depend on it.

use super::size::{Floor, Measure, Size, Tops};
use super::wanted::{Wanted, WantedSet, members};

/// What the bounds depend on: a summary of the known values, and the wanted values that are missing.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) tops: Tops,
    /// How many times all known values can be halved and still be integers.
    pub(super) valuation: u32,
    /// The wanted values that are ±2^k times a known value.
    pub(super) rays: WantedSet,
    pub(super) missing: WantedSet,
    /// Whether the residue of the known values does not divide that of the single wanted value.
    pub(super) is_astray: bool,
}

/// What the missing values together require.
struct Demand {
    size: Size,
    /// The number of divisions that must still come.
    divisions: u32,
    /// The number of missing values that differ by more than ±2^k from each other and from what is known.
    rays: u32,
}

impl State {
    pub(super) fn new(missing: WantedSet) -> Self {
        Self { tops: Tops::default(), valuation: u32::MAX, rays: 0, missing, is_astray: false }
    }

    /// The fewest instructions that produce all missing values: one for each, except that a division may produce a
    /// value and its negative.
    pub(super) fn producers(&self, wanted: &[Wanted], divides: bool) -> u32 {
        let pairs = || members(self.missing).filter(|&i| wanted[i].negative & self.missing != 0).count() / 2;
        self.missing.count_ones() - if divides { u32::try_from(pairs()).unwrap_or(0) } else { 0 }
    }

    /// Whether none of the bounds rules out a program of `left` more instructions.
    pub(super) fn is_open(&self, wanted: &[Wanted], divides: bool, left: u32) -> bool {
        let demand = self.demand(wanted);
        self.has_room(&demand, wanted, divides, left)
            && Measure::ALL
                .iter()
                .all(|&measure| measure.reaches(self.tops.of(measure), demand.size.of(measure), demand.divisions, left))
    }

    /// Whether none of the bounds but those on sizes, apart from supports, rules out a program of `left` more
    /// instructions.
    pub(super) fn is_open_but_for_sizes(&self, wanted: &[Wanted], divides: bool, left: u32) -> bool {
        let demand = self.demand(wanted);
        let support = Measure::Support;
        self.has_room(&demand, wanted, divides, left)
            && support.reaches(self.tops.of(support), demand.size.of(support), demand.divisions, left)
    }

    fn has_room(&self, demand: &Demand, wanted: &[Wanted], divides: bool, left: u32) -> bool {
        demand.divisions.saturating_add(demand.rays) <= left && self.producers(wanted, divides) <= left
    }

    /// The sizes that the next value, if it is a sum, needs at least so that `left` more instructions may suffice.
    pub(super) fn floor(&self, wanted: &[Wanted], left: u32) -> Floor {
        let demand = self.demand(wanted);
        Floor::new(|measure| {
            let (tops, goal) = (self.tops.of(measure), demand.size.of(measure));
            // The smallest sufficient size; all larger ones suffice too.
            let (mut low, mut high) = (0, goal.saturating_add(1));
            while low < high {
                let middle = u32::midpoint(low, high);
                if measure.reaches(tops.with(middle), goal, demand.divisions, left) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            if low > goal && !measure.reaches(tops.with(low), goal, demand.divisions, left) { u32::MAX } else { low }
        })
    }

    /// The sizes that a sum needs at least so that one instruction can make the one missing value from it.
    pub(super) fn last_floor(&self, wanted: &[Wanted]) -> Floor {
        let demand = self.demand(wanted);
        Floor::new(|measure| {
            let goal = demand.size.of(measure);
            match demand.divisions {
                // The last instruction adds the sum to itself, or to one or two known values.
                0 => goal.saturating_sub(self.tops.of(measure).two()).min(goal.div_ceil(2)),
                // The last instruction halves the sum.
                1 => goal,
                _ => u32::MAX,
            }
        })
    }

    /// The number of divisions that must still come.
    pub(super) fn divisions(&self, wanted: &[Wanted]) -> u32 {
        self.demand(wanted).divisions
    }

    fn demand(&self, wanted: &[Wanted]) -> Demand {
        let mut demand = Demand { size: Size::default(), divisions: 0, rays: 0 };
        let mut counted = self.rays;
        for i in members(self.missing) {
            let wanted = &wanted[i];
            demand.size = demand.size.max(wanted.size);
            demand.divisions = demand.divisions.max(self.valuation.saturating_sub(wanted.valuation));
            demand.rays += u32::from(wanted.ray & counted == 0);
            counted |= wanted.ray;
        }
        demand.divisions += u32::from(self.is_astray && self.missing != 0);
        demand
    }
}
