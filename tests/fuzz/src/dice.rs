//! Choices that depend only on the target, the seed and the index.

use rand::RngExt as _;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

/// A source of choices.
#[derive(Clone, Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The choices for one input of a target.
    #[must_use]
    pub fn new(target: &str, seed: u64, index: u64) -> Self {
        let mut key = [0; 32];
        let (numbers, name) = key.split_at_mut(16);
        for (place, byte) in numbers.iter_mut().zip(seed.to_le_bytes().into_iter().chain(index.to_le_bytes())) {
            *place = byte;
        }
        for (place, byte) in name.iter_mut().zip(target.bytes()) {
            *place = byte;
        }
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A number below `count`; 0 if `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        // The number is drawn from 64 bits, so it is the same where `usize` has 32.
        let drawn = self.0.random_range(0..(count as u64).max(1));
        usize::try_from(drawn).unwrap_or_default()
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        self.0.random_range(low..=high)
    }

    /// Whether an event happens that has a probability of 1 in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// A byte.
    pub fn byte(&mut self) -> u8 {
        self.0.random()
    }

    /// One of the items.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn one_of<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[self.below(items.len())]
    }

    /// A copy of one of the items.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        *self.one_of(items)
    }

    /// `count` of the items, in random order.
    pub fn some<T: Clone>(&mut self, items: &[T], count: usize) -> Vec<T> {
        let mut left = items.to_vec();
        let mut chosen = Vec::new();
        while chosen.len() < count && !left.is_empty() {
            chosen.push(left.swap_remove(self.below(left.len())));
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::Dice;

    /// The meaning of a seed must not change, or faults could not be reported by it.
    #[test]
    fn the_same_on_every_machine() {
        let mut dice = Dice::new("tokens", 1, 2);
        let drawn = [dice.below(1_000), dice.below(1 << 20), dice.byte().into()];
        assert_eq!(drawn, [418, 932_510, 244]);
    }
}
