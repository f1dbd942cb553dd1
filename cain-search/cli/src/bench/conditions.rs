//! The conditions of the searches that are compared.

use cain_search::{InstructionSet, MaxGain, OffsetRule};

use crate::options::Search;

/// A search under the conditions of Cain, which has no opening book and limits neither offset errors nor gains.
pub(super) fn unconstrained(search: &Search, set: InstructionSet) -> Search {
    Search {
        isa: Some(set),
        offset: Some(OffsetRule::Any),
        max_gain: Some(MaxGain::Any),
        no_book: true,
        ..search.clone()
    }
}

/// A search for native programs, with the constraints that were asked for, or the default ones, and without the opening book.
pub(super) fn native(search: &Search) -> Search {
    Search {
        isa: Some(InstructionSet::Native),
        offset: search.offset.or(Some(OffsetRule::default())),
        max_gain: search.max_gain.or(Some(MaxGain::default())),
        no_book: true,
        ..search.clone()
    }
}
