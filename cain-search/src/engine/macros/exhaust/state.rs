//! The state of a search, as far as bounds depend on it.

use super::size::{Floor, Measure, Size, Tops};
use super::wanted::{Wanted, WantedSet, members};

/// What the bounds depend on: the values that are known, in short, and the wanted values that are missing.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) tops: Tops,
    /// How many times every known value can be halved before it leaves the integers.
    pub(super) valuation: u32,
    /// Wanted values to which a known value is proportional by ±2^k.
    pub(super) rays: WantedSet,
    pub(super) missing: WantedSet,
    /// Whether the finest known terms are no factor of those of the one wanted value.
    pub(super) is_astray: bool,
}

/// What the missing values take together.
struct Demand {
    size: Size,
    /// Divisions that must still come.
    divisions: u32,
    /// Wanted values that differ by more than ±2^k from each other and from what is known.
    rays: u32,
}

impl State {
    pub(super) fn new(missing: WantedSet) -> Self {
        Self { tops: Tops::default(), valuation: u32::MAX, rays: 0, missing, is_astray: false }
    }

    /// The fewest instructions that produce all missing values: one for each, but a division produces a value and its
    /// negative.
    pub(super) fn producers(&self, wanted: &[Wanted], divides: bool) -> u32 {
        let pairs = || members(self.missing).filter(|&i| wanted[i].negative & self.missing != 0).count() / 2;
        self.missing.count_ones() - if divides { u32::try_from(pairs()).unwrap_or(0) } else { 0 }
    }

    /// Whether no bound rules out a program of `left` more instructions.
    pub(super) fn is_open(&self, wanted: &[Wanted], divides: bool, left: u32) -> bool {
        let demand = self.demand(wanted);
        self.has_room(&demand, wanted, divides, left)
            && Measure::ALL
                .iter()
                .all(|&measure| measure.reaches(self.tops.of(measure), demand.size.of(measure), demand.divisions, left))
    }

    /// The same by supports only, without the other sizes.
    pub(super) fn is_open_but_for_sizes(&self, wanted: &[Wanted], divides: bool, left: u32) -> bool {
        let demand = self.demand(wanted);
        let support = Measure::Support;
        self.has_room(&demand, wanted, divides, left)
            && support.reaches(self.tops.of(support), demand.size.of(support), demand.divisions, left)
    }

    fn has_room(&self, demand: &Demand, wanted: &[Wanted], divides: bool, left: u32) -> bool {
        demand.divisions.saturating_add(demand.rays) <= left && self.producers(wanted, divides) <= left
    }

    /// The sizes that a sum must have as the next value so that `left` more instructions may do.
    pub(super) fn floor(&self, wanted: &[Wanted], left: u32) -> Floor {
        let demand = self.demand(wanted);
        Floor::new(|measure| {
            let (tops, goal) = (self.tops.of(measure), demand.size.of(measure));
            // The smallest size that will do; larger ones do as well.
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

    /// The sizes that a sum must have from which the one missing value is made in one instruction.
    pub(super) fn last_floor(&self, wanted: &[Wanted]) -> Floor {
        let demand = self.demand(wanted);
        Floor::new(|measure| {
            let goal = demand.size.of(measure);
            match demand.divisions {
                // The last instruction adds the sum to itself, or to one or two known values.
                0 => goal.saturating_sub(self.tops.of(measure).two()).min(goal.div_ceil(2)),
                // It halves the sum.
                1 => goal,
                _ => u32::MAX,
            }
        })
    }

    /// The divisions that must still come.
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
