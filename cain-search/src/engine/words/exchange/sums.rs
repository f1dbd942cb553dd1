//! Values in registers, and the sums of pairs of them.

use hashbrown::HashTable;

use crate::engine::exchange::{Place, Table};
use crate::engine::image::Image;

/// Two values in registers, the one with the smaller number first, or one value that is in two registers.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) sum: Image,
    pub(super) values: [usize; 2],
    is_double: bool,
}

impl Pair {
    /// Whether the pair comes after a value in the order in which each sum of three is found only once.
    pub(super) fn is_after(&self, value: usize) -> bool {
        if self.is_double { value != self.values[0] } else { value < self.values[0] }
    }

    /// Whether the pair comes after another pair in the order in which each sum of four is found only once.
    pub(super) fn is_after_pair(&self, other: &Self) -> bool {
        match (other.is_double, self.is_double) {
            (false, false) => other.values[1] < self.values[0],
            (false, true) => !other.values.contains(&self.values[0]),
            (true, false) => false,
            (true, true) => other.values[0] < self.values[0],
        }
    }
}

/// Values in registers, and the sums of pairs of them.
pub(super) struct Sums {
    /// The values, each with its number.
    pub(super) singles: Vec<(usize, Image)>,
    pub(super) pairs: Vec<Pair>,
    /// The numbers of the pairs, by the hashes of their sums.
    table: HashTable<usize>,
    /// A bit set of the hashes in the table: most sums that are looked up are not in it.
    used: Vec<u64>,
    mask: u64,
}

/// The number of bits for each pair.
const BITS_OF_PAIR: usize = 16;

impl Sums {
    pub(super) fn of(values: &Table) -> Self {
        let in_registers = values.held().iter().enumerate().filter(|(_, held)| held.place == Place::Register);
        let singles: Vec<(usize, Image)> = in_registers.map(|(number, held)| (number, held.image)).collect();
        let mut pairs = Vec::with_capacity(singles.len() * singles.len() / 2);
        for (i, &(second, image)) in singles.iter().enumerate() {
            pairs.extend(singles[..i].iter().map(|&(first, other)| Pair {
                sum: image + other,
                values: [first, second],
                is_double: false,
            }));
        }
        // A value that is in two registers.
        for (copy, held) in values.held().iter().enumerate().filter(|(_, held)| held.place == Place::Copy) {
            if let Some(value) =
                values.find_register(held.image).filter(|&value| values.owner(value) == values.owner(copy))
            {
                pairs.push(Pair { sum: held.image.double(), values: [value, copy], is_double: true });
            }
        }
        let bits = (pairs.len() * BITS_OF_PAIR).next_power_of_two().max(64);
        let mask = u64::try_from(bits - 1).unwrap_or(u64::MAX);
        let (mut table, mut used) = (HashTable::with_capacity(pairs.len()), vec![0; bits / 64]);
        for (number, pair) in pairs.iter().enumerate() {
            table.insert_unique(pair.sum.hash(), number, |&other| pairs[other].sum.hash());
            let bit = pair.sum.low_bits(mask);
            used[bit / 64] |= 1 << (bit % 64);
        }
        Self { singles, pairs, table, used, mask }
    }

    /// Finds the pairs with this sum.
    #[inline]
    pub(super) fn pairs_of(&self, sum: Image, mut found: impl FnMut(&Pair)) {
        let bit = sum.low_bits(self.mask);
        if self.used[bit / 64] >> (bit % 64) & 1 == 1 {
            let pairs = self.table.iter_hash(sum.hash()).map(|&number| &self.pairs[number]);
            pairs.filter(|pair| pair.sum == sum).for_each(&mut found);
        }
    }
}
