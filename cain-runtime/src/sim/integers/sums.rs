//! Sums of planes of integers.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the wider vectors")]

/// A sum to be computed, in a loop that the compiler turns into vector instructions.
pub(super) struct Sums<'a> {
    pub(super) into: &'a mut [i32],
    pub(super) added: &'a [&'a [i32]],
    pub(super) subtracted: &'a [&'a [i32]],
    pub(super) halvings: u32,
}

impl Sums<'_> {
    #[inline(always)]
    pub(super) fn run(self) {
        match (self.added.len(), self.subtracted.len()) {
            (1, 0) => self.fill::<1, 0>(),
            (0, 1) => self.fill::<0, 1>(),
            (2, 0) => self.fill::<2, 0>(),
            (1, 1) => self.fill::<1, 1>(),
            (0, 2) => self.fill::<0, 2>(),
            (3, 0) => self.fill::<3, 0>(),
            (2, 1) => self.fill::<2, 1>(),
            (1, 2) => self.fill::<1, 2>(),
            (0, 3) => self.fill::<0, 3>(),
            (4, 0) => self.fill::<4, 0>(),
            (3, 1) => self.fill::<3, 1>(),
            (2, 2) => self.fill::<2, 2>(),
            (1, 3) => self.fill::<1, 3>(),
            (0, 4) => self.fill::<0, 4>(),
            _ => self.into.fill(0),
        }
    }

    /// Computes the sum if `P` planes are added and `N` subtracted.
    #[inline(always)]
    fn fill<const P: usize, const N: usize>(self) {
        let Self { into, added, subtracted, halvings } = self;
        let (Some(added), Some(subtracted)) = (added.first_chunk::<P>(), subtracted.first_chunk::<N>()) else { return };
        let added = added.map(|plane| &plane[..into.len()]);
        let subtracted = subtracted.map(|plane| &plane[..into.len()]);
        let sum = |i: usize| {
            let sum = added.iter().fold(0_i32, |sum, plane| sum.wrapping_add(plane[i]));
            subtracted.iter().fold(sum, |sum, plane| sum.wrapping_sub(plane[i]))
        };
        if halvings == 0 {
            into.iter_mut().enumerate().for_each(|(i, into)| *into = sum(i));
        } else {
            into.iter_mut().enumerate().for_each(|(i, into)| *into = sum(i) >> halvings);
        }
    }
}
