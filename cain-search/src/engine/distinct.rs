//! A set that tells which values of a bag are new.

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

/// The numbers seen so far.
///
/// Most bags are small, and comparing a number with all earlier ones is quickest there. Larger bags use a hash set,
/// because with many registers a bag holds a hundred values, and the work must not grow with the square of that.
pub(super) struct Distinct {
    few: [u64; Self::FEW],
    count: usize,
    many: HashSet<u64, FxBuildHasher>,
}

impl Distinct {
    const FEW: usize = 8;

    pub(super) fn new() -> Self {
        Self { few: [0; Self::FEW], count: 0, many: HashSet::default() }
    }

    /// Adds a number; returns whether it is new.
    pub(super) fn insert(&mut self, number: u64) -> bool {
        if self.few[..self.count].contains(&number) {
            return false;
        }
        if self.count < Self::FEW {
            self.few[self.count] = number;
            self.count += 1;
            return true;
        }
        self.many.insert(number)
    }
}
