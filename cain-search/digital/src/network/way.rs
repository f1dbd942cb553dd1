//! How Boolean functions are made.

/// The signals that a short sequence begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// Every bit that the function reads, each read from its place.
    Bits,
    /// Every bit, and the complements of the bits of the PE itself.
    BitsAndComplements,
    /// The bits of the PE itself; of the neighbours, only whether some of them are 1, or whether not all of them are.
    Neighbours { some: bool, not_all: bool },
}

impl Start {
    pub(super) const ALL: [Self; 5] = [
        Self::Bits,
        Self::BitsAndComplements,
        Self::Neighbours { some: true, not_all: false },
        Self::Neighbours { some: false, not_all: true },
        Self::Neighbours { some: true, not_all: true },
    ];
}

/// A way to make a function. `None` makes it of its parts. Otherwise a search finds its shortest words from a start; if
/// the flag is set, counts are taken as numbers.
pub(super) type Way = Option<(Start, bool)>;
