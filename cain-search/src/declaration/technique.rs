//! The techniques of a search.

/// A technique that a search uses beside others. One of them can be [left out](crate::Options::without), to measure what
/// it brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// Sweeps over bags, from the wanted kernels to the inputs.
    Beam,
    /// The learned estimate, by which some sweeps rank bags of control words.
    LearnedEstimate,
    /// Programs that are made without a search, and those of each kernel alone.
    FirstPrograms,
    /// The search through all programs that are shorter than the best one.
    Exhaustive,
    /// The search through all programs of up to three instructions on the actual registers.
    ShortPrograms,
    /// Shortening runs of instructions of the best program.
    Peephole,
    /// Exchanging values of the best program for others.
    Exchange,
    /// Further programs that pass through the same bags.
    FurtherWays,
    /// Compensating transfer errors in finished programs.
    Compensation,
    /// The search for large maps.
    LargeMaps,
    /// Looking for more accurate programs of the same length.
    Polishing,
}

impl Technique {
    /// All techniques.
    pub const ALL: [Self; 11] = [
        Self::Beam,
        Self::LearnedEstimate,
        Self::FirstPrograms,
        Self::Exhaustive,
        Self::ShortPrograms,
        Self::Peephole,
        Self::Exchange,
        Self::FurtherWays,
        Self::Compensation,
        Self::LargeMaps,
        Self::Polishing,
    ];
}
