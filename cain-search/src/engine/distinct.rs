//! Which numbers of a bag were not there before.

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

/// The numbers so far.
///
/// Most bags are small, so that comparing a number with all before it is quickest. What the work grows with is the size of
/// a bag, not its square: with many registers, bags hold a hundred values.
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

    /// Whether the number was not there before.
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
