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
    many: Option<Box<HashSet<u64, FxBuildHasher>>>,
}

impl Distinct {
    const FEW: usize = 12;

    #[inline]
    pub(super) fn new() -> Self {
        Self { few: [0; Self::FEW], count: 0, many: None }
    }

    /// Adds a number; returns whether it is new.
    #[inline]
    pub(super) fn insert(&mut self, number: u64) -> bool {
        // By hand, since most searches run in builds without optimisation.
        let mut i = 0;
        while i < self.count {
            if self.few[i] == number {
                return false;
            }
            i += 1;
        }
        if self.count == Self::FEW {
            return self.insert_further(number);
        }
        self.few[self.count] = number;
        self.count += 1;
        true
    }

    /// Adds a number that is not among the first few.
    #[cold]
    fn insert_further(&mut self, number: u64) -> bool {
        self.many.get_or_insert_default().insert(number)
    }
}
