//! Pseudo-random numbers that are the same in every run.

/// A generator of such numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    pub(crate) fn between(&mut self, min: i64, max: i64) -> i64 {
        min + i64::try_from(self.below((max - min + 1).unsigned_abs())).unwrap()
    }
}
