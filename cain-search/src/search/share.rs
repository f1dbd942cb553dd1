//! Divides the work of a search among its parts beside the beam.

use std::ops::RangeInclusive;

use crate::engine::work;
use crate::{Declaration, Technique};

/// The factor from one allotment to the next, for parts that begin anew and for parts that continue where they stopped.
const GROWTH: u64 = 4;
const GROWTH_OF_CARRIED_ON: u64 = 2;
/// The share of a part never falls below one in so many nodes.
const LEAST: u64 = 64;
/// The first allotment of [`Part::ErrorsAside`], per square of the number of weights: with fewer nodes, it seldom finds
/// a program without bias for kernels with many weights.
const ASIDE_OF_WEIGHT: u64 = 4;

/// A part of a search beside the beam.
///
/// The exhaustive search and the exchange of values continue where they stopped. The others begin anew with larger and
/// larger allotments, so that all their allotments together are a third more than the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Smaller searches, whose programs are better than none.
    Others,
    /// A smaller search that ignores errors, if the whole search considers them.
    ErrorsAside,
    /// A smaller search for a program that needs no completion, as long as there is no program.
    Complete,
    /// The search for large maps.
    Large,
    /// A search through all programs of macro instructions that are shorter than the best one.
    Exhaustive,
    /// A search through all programs of up to three instructions, on the actual registers.
    Short,
    /// Shortens runs of instructions of the best program.
    Peephole,
    /// Exchanges values of the best program for others, leaving out what completes the program.
    ExchangeIncomplete,
    /// Exchanges values of the best program, including what completes it, for others.
    Exchange,
    /// Looks for more accurate programs that are not longer.
    Accuracy,
}

impl Part {
    pub(super) const ALL: [Self; 10] = [
        Self::Others,
        Self::ErrorsAside,
        Self::Complete,
        Self::Large,
        Self::Exhaustive,
        Self::Short,
        Self::Peephole,
        Self::ExchangeIncomplete,
        Self::Exchange,
        Self::Accuracy,
    ];

    /// The parts that start from the best program.
    pub(super) const OF_BEST: [Self; 4] = [Self::Peephole, Self::ExchangeIncomplete, Self::Exchange, Self::Accuracy];

    /// The technique that a part belongs to; `None` if there may be no program without it.
    fn technique(self) -> Option<Technique> {
        match self {
            Self::Others => Some(Technique::FirstPrograms),
            Self::ErrorsAside | Self::Complete => None,
            Self::Large => Some(Technique::LargeMaps),
            Self::Exhaustive => Some(Technique::Exhaustive),
            Self::Short => Some(Technique::ShortPrograms),
            Self::Peephole => Some(Technique::Peephole),
            Self::ExchangeIncomplete | Self::Exchange => Some(Technique::Exchange),
            Self::Accuracy => Some(Technique::Polishing),
        }
    }

    /// The shares of all parts in a search, in the order of [`Part::ALL`].
    pub(super) fn shares(declaration: &Declaration) -> [Share; Self::ALL.len()] {
        let weights = work::units(declaration.weights());
        let is_used = |part: Self| part.technique().is_none_or(|technique| declaration.options.uses(technique));
        Self::ALL.map(|part| if is_used(part) { part.share(weights) } else { Share::NONE })
    }

    /// The share in a search for so many weights.
    fn share(self, weights: u64) -> Share {
        match self {
            Self::Others => Share::fixed(16, 2),
            Self::ErrorsAside => Share::new(ASIDE_OF_WEIGHT.saturating_mul(weights.saturating_pow(2)).max(16), 2),
            Self::Complete => Share::fixed(2048, 1),
            Self::Large => Share::new(256, 4),
            Self::Exhaustive | Self::Peephole => Share::new(16, 8),
            Self::ExchangeIncomplete | Self::Exchange => Share::carried_on(64, 1..=16, 8),
            Self::Short => Share::new(96, 3),
            Self::Accuracy => Share::new(32, 6),
        }
    }
}

/// The share of a part in the work of a search, in nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    /// The next allotment.
    allotment: u64,
    /// The part is due when the whole search has used this many times its next allotment.
    part: u64,
    /// The largest share and the smallest one, as such multiples.
    limits: (u64, u64),
    growth: u64,
    /// Whether the search has the part at all.
    is_used: bool,
    /// Whether more work may lead to something.
    is_open: bool,
}

impl Share {
    /// The share of a part that is left out.
    const NONE: Self = Self { allotment: 0, part: 1, limits: (1, 1), growth: 1, is_used: false, is_open: false };

    /// At most one in `part` of all nodes, beginning with this allotment.
    pub(super) fn new(allotment: u64, part: u64) -> Self {
        Self { allotment, part, limits: (part, LEAST.max(part)), growth: GROWTH, is_used: true, is_open: true }
    }

    /// Always one in `part` of all nodes.
    fn fixed(allotment: u64, part: u64) -> Self {
        Self { limits: (part, part), ..Self::new(allotment, part) }
    }

    /// The share of a part that continues where it stopped: at first one in `part` of all nodes, later within limits,
    /// beginning with this allotment.
    pub(super) fn carried_on(allotment: u64, limits: RangeInclusive<u64>, part: u64) -> Self {
        let limits = limits.into_inner();
        Self { allotment, part, limits, growth: GROWTH_OF_CARRIED_ON, is_used: true, is_open: true }
    }

    /// Doubles the share of a part whose last allotment led to something, and halves that of any other.
    pub(super) fn judge(&mut self, has_found: bool) {
        let (most, least) = self.limits;
        self.part = if has_found { self.part / 2 } else { self.part * 2 }.clamp(most, least);
    }

    /// Whether the part should be continued after so many nodes of the whole search.
    pub(super) fn is_due(self, used: u64) -> bool {
        self.is_open && used / self.part >= self.allotment
    }

    pub(super) fn is_open(self) -> bool {
        self.is_open
    }

    /// Takes the next allotment.
    pub(super) fn take(&mut self) -> u64 {
        let allotment = self.allotment;
        self.allotment = allotment.saturating_mul(self.growth);
        allotment
    }

    pub(super) fn close(&mut self) {
        self.is_open = false;
    }

    pub(super) fn open(&mut self) {
        self.is_open = self.is_used;
    }
}
