//! Divides the work of a search among its parts beside the beam.

/// The factor from one allotment to the next, for parts that begin anew and for parts that continue where they stopped.
const GROWTH: u64 = 4;
const GROWTH_OF_CARRIED_ON: u64 = 2;
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

    /// The shares of all parts in a search for so many weights, in the order of [`Part::ALL`].
    pub(super) fn shares(weights: u64) -> [Share; Self::ALL.len()] {
        Self::ALL.map(|part| match part {
            Self::Others => Share::new(16, 2),
            Self::ErrorsAside => Share::new(ASIDE_OF_WEIGHT.saturating_mul(weights.saturating_pow(2)).max(16), 2),
            Self::Complete => Share::new(2048, 1),
            Self::Large => Share::new(256, 4),
            Self::Exhaustive | Self::Peephole => Share::new(16, 8),
            Self::ExchangeIncomplete | Self::Exchange => Share::carried_on(32, 16),
            Self::Short => Share::new(96, 3),
            Self::Accuracy => Share::new(32, 6),
        })
    }
}

/// The share of a part in the work of a search, in nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    /// The next allotment.
    allotment: u64,
    /// The part is due when the whole search has used this many times its next allotment.
    part: u64,
    growth: u64,
    /// Whether more work may lead to something.
    is_open: bool,
}

impl Share {
    /// One in `part` of all nodes, beginning with this allotment.
    pub(super) fn new(allotment: u64, part: u64) -> Self {
        Self { allotment, part, growth: GROWTH, is_open: true }
    }

    /// The share of a part that continues where it stopped: one in `part` of all nodes, beginning with this allotment.
    pub(super) fn carried_on(allotment: u64, part: u64) -> Self {
        Self { growth: GROWTH_OF_CARRIED_ON, ..Self::new(allotment, part) }
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
        self.is_open = true;
    }
}
