//! Ways of reading NEWS.

use crate::{Cell, Word};

/// The way in which a word can read the cell that PEs share with their neighbours; each way includes those before it.
///
/// Every machine can write a neighbour's NEWS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NewsReading {
    /// Only the PE's own NEWS.
    Own,
    /// The NEWS of one neighbour, through a port.
    Port,
    /// The NEWS of several neighbours at once, which are averaged.
    ///
    /// The vendor's `newsblur` reads them in this way. Its accuracy has not been published, and the search does not use
    /// it.
    Mean,
}

impl NewsReading {
    /// All ways, each of which includes those before it.
    pub const ALL: [Self; 3] = [Self::Own, Self::Port, Self::Mean];

    /// The name in descriptions of machines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Port => "port",
            Self::Mean => "mean",
        }
    }

    /// The way in which a word reads NEWS.
    pub(super) fn of(word: &Word) -> Self {
        match word {
            Word::Bus(bus) if bus.is_mean() => Self::Mean,
            word if word.sources().iter().any(|cell| matches!(cell, Cell::Port(_))) => Self::Port,
            _ => Self::Own,
        }
    }
}
