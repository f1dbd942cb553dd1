//! How much of the work of a search goes to each of its parts beside the beam.

/// Each allotment is so many times the one before it, of parts that begin anew and of those that are carried on.
const GROWTH: u64 = 4;
const GROWTH_OF_CARRIED_ON: u64 = 2;
/// The first allotment of [`Part::ErrorsAside`], for the square of the number of weights: with fewer nodes, it seldom finds a
/// program without bias for kernels of many weights.
const ASIDE_OF_WEIGHT: u64 = 4;

/// A part of a search beside the beam.
///
/// The exhaustive search and the exchange of values are carried on where they stopped. The others begin anew with larger
/// and larger allotments, so that all of them together take a third more than the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Smaller searches, whose programs are better than none.
    Others,
    /// A smaller search that looks at no errors, where the whole does.
    ErrorsAside,
    /// A smaller search for a program that needs no completion, as long as there is none.
    Complete,
    /// The search for large maps.
    Large,
    /// All programs of macro instructions that are shorter than the best one.
    Exhaustive,
    /// All programs of up to three instructions, on the registers there are.
    Short,
    /// Shortening runs of instructions of the best program.
    Peephole,
    /// Exchanging values of the best program for others, without what completes it.
    ExchangeIncomplete,
    /// The same with what completes it, or of a program that needs no completion.
    Exchange,
    /// More accurate programs that are not longer.
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

    /// Those that begin with the best program.
    pub(super) const OF_BEST: [Self; 4] = [Self::Peephole, Self::ExchangeIncomplete, Self::Exchange, Self::Accuracy];

    /// What they get in a search for so many weights, in that order.
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

/// What a part of a search is given, in nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    /// The next allotment.
    allotment: u64,
    /// It is due when the whole search has used so many times as much.
    part: u64,
    growth: u64,
    /// Whether more work may lead to something.
    is_open: bool,
}

impl Share {
    /// One in `part` of all nodes, from an allotment on.
    pub(super) fn new(allotment: u64, part: u64) -> Self {
        Self { allotment, part, growth: GROWTH, is_open: true }
    }

    /// The same for a part that is carried on where it stopped.
    pub(super) fn carried_on(allotment: u64, part: u64) -> Self {
        Self { growth: GROWTH_OF_CARRIED_ON, ..Self::new(allotment, part) }
    }

    /// Whether it is to be carried on, after so many nodes of the whole search.
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
