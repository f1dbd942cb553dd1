//! The clocks of words, which decide how long they take.

/// The waveform with which the controller sends a word, which decides how long it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Clock {
    /// Analogue words, including those that write FLAG from analogue cells.
    Analogue,
    /// Digital words within a PE.
    Digital,
    /// Digital words that read neighbours.
    Neighbours,
    /// Propagation.
    Propagation,
}

impl Clock {
    /// The clocks, in the order of tables.
    pub const ALL: [Self; 4] = [Self::Analogue, Self::Digital, Self::Neighbours, Self::Propagation];

    /// Its name in tables, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Analogue => "analogue",
            Self::Digital => "digital",
            Self::Neighbours => "neighbours",
            Self::Propagation => "propagation",
        }
    }
}
