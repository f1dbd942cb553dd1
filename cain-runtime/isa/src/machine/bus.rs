//! What one control word can connect.

use crate::{Cell, MachineError, Word};

/// What one control word can connect, within the forms that words have.
///
/// A word with two destinations takes two sources at most and one with three a single one, whatever the limits are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BusLimits {
    /// The most cells that a word writes.
    pub destinations: u8,
    /// The most cells that a word reads.
    pub sources: u8,
    /// How NEWS can be read.
    pub reads: NewsReading,
}

/// How a word can read the cell that PEs share with their neighbours; each way includes those before it.
///
/// Every machine can write a neighbour's NEWS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NewsReading {
    /// The PE's own NEWS only.
    Own,
    /// The NEWS of one neighbour, through a port.
    Port,
    /// Those of several neighbours at once, which are averaged.
    ///
    /// The vendor's `newsblur` reads them so. How exact it is has not been published, and the search does not use it.
    Mean,
}

impl NewsReading {
    /// Every way, each including those before it.
    pub const ALL: [Self; 3] = [Self::Own, Self::Port, Self::Mean];

    /// Its name in descriptions of machines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Port => "port",
            Self::Mean => "mean",
        }
    }

    /// The way in which a word reads NEWS.
    fn of(word: &Word) -> Self {
        match word {
            Word::Bus(bus) if bus.is_mean() => Self::Mean,
            word if word.sources().iter().any(|cell| matches!(cell, Cell::Port(_))) => Self::Port,
            _ => Self::Own,
        }
    }
}

impl BusLimits {
    /// `bus` with four sources, `bus3` with three destinations.
    pub const SCAMP5: Self = Self {
        destinations: Word::MAX_DESTINATIONS.to_le_bytes()[0],
        sources: Word::MAX_SOURCES.to_le_bytes()[0],
        reads: NewsReading::Mean,
    };

    /// Whether the word is within the limits.
    pub fn allows(self, word: &Word) -> Result<(), MachineError> {
        let reads = NewsReading::of(word);
        if word.destinations().len() > self.destinations.into() {
            Err(MachineError::Destinations { most: self.destinations })
        } else if word.sources().len() > self.sources.into() {
            Err(MachineError::Sources { most: self.sources })
        } else if reads > self.reads {
            Err(MachineError::Reading(reads))
        } else {
            Ok(())
        }
    }

    /// Whether every word within other limits is within these.
    pub(super) fn includes(self, other: Self) -> Result<(), MachineError> {
        if other.destinations > self.destinations {
            Err(MachineError::Destinations { most: self.destinations })
        } else if other.sources > self.sources {
            Err(MachineError::Sources { most: self.sources })
        } else if other.reads > self.reads {
            Err(MachineError::Reading(other.reads))
        } else {
            Ok(())
        }
    }
}
