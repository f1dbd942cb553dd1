//! Limits on what one control word can connect.

use super::error::MachineError;
use super::reading::NewsReading;
use crate::Word;

/// The limits on what one control word can connect, within the forms that words have.
///
/// Whatever the limits, a word with two destinations takes at most two sources, and a word with three a single one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BusLimits {
    /// The most cells that a word writes.
    pub destinations: u8,
    /// The most cells that a word reads.
    pub sources: u8,
    /// The ways in which NEWS can be read.
    pub reads: NewsReading,
}

impl BusLimits {
    /// The limits of SCAMP-5: `bus` with four sources, `bus3` with three destinations.
    pub const SCAMP5: Self = Self {
        destinations: Word::MAX_DESTINATIONS.to_le_bytes()[0],
        sources: Word::MAX_SOURCES.to_le_bytes()[0],
        reads: NewsReading::Mean,
    };

    /// Checks that a word is within the limits.
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

    /// Checks that every word within the other limits is within these.
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
