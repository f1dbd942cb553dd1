//! Random bits for the cells.

use cain_isa::random::SplitMix64;

/// A cellular automaton on bits that chooses cells at random.
///
/// A chip has no random numbers. Here every cell has a random bit and a *rule* bit, both loaded once; from then on, its
/// random bit becomes the exclusive or of those of its four neighbours and, where the rule is 1, of its own. A linear
/// automaton with mixed rules preserves a uniform distribution, and its bits are independent in pairs, both of their
/// neighbours and of earlier steps. Beyond the border, bits are 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noise {
    width: usize,
    bits: Vec<bool>,
    rule: Vec<bool>,
}

impl Noise {
    /// Draws bits and rules for rows and columns of cells, from a seed.
    #[must_use]
    pub fn new(seed: u64, (height, width): (usize, usize)) -> Self {
        let mut drawn = SplitMix64::new(seed);
        let mut plane = || (0..height * width).map(|_| drawn.next_bit()).collect();
        Self { width, bits: plane(), rule: plane() }
    }

    /// The random bits.
    #[must_use]
    pub fn bits(&self) -> &[bool] {
        &self.bits
    }

    /// The rule bits.
    #[must_use]
    pub fn rule(&self) -> &[bool] {
        &self.rule
    }

    /// Makes the next random bits.
    pub fn step(&mut self) {
        let (bits, width) = (&self.bits, self.width);
        let at = |cell: Option<usize>| cell.and_then(|cell| bits.get(cell)).copied().unwrap_or(false);
        let next = |cell: usize| {
            let column = cell % width;
            let north = at(cell.checked_sub(width));
            let south = at(cell.checked_add(width));
            let west = column > 0 && at(cell.checked_sub(1));
            let east = column + 1 < width && at(Some(cell + 1));
            let own = self.rule[cell] && bits[cell];
            north ^ south ^ west ^ east ^ own
        };
        self.bits = (0..bits.len()).map(next).collect();
    }
}
