//! Lattices: what can be added up from some vectors and their negatives.
//!
//! Integers are taken modulo 2⁸, so a lattice also holds every vector of multiples of 2⁸. That keeps the arithmetic
//! exact, and odd factors can be divided by: what remains is how often each combination of entries is divisible by two.

/// The binary digits of an entry.
const DIGITS: u32 = u8::BITS;

/// Subtracts a multiple of another vector.
pub(super) fn subtract(vector: &mut [u8], times: u8, other: &[u8]) {
    for (own, other) in vector.iter_mut().zip(other) {
        *own = own.wrapping_sub(times.wrapping_mul(*other));
    }
}

/// Multiplies a vector.
pub(super) fn scale(vector: &mut [u8], times: u8) {
    for entry in vector {
        *entry = entry.wrapping_mul(times);
    }
}

/// The odd number by which this one, times a power of two, has to be multiplied to become that power of two: its odd
/// part inverted. Each step of Newton's method doubles the digits that are right, of which there are three at first.
pub(super) fn inverse_of_odd_part(entry: u8) -> u8 {
    let odd = entry >> entry.trailing_zeros().min(DIGITS - 1);
    (0..2).fold(odd, |inverse, _| inverse.wrapping_mul(2_u8.wrapping_sub(odd.wrapping_mul(inverse))))
}

/// A lattice, by a basis in echelon form.
#[derive(Clone)]
pub(super) struct Lattice {
    /// For each entry, the basis vector in which all entries before it are 0, and this one is a power of two.
    basis: Vec<Vec<u8>>,
    /// The logarithms of these powers. That of 2⁸, which is 0 here, stands for no such vector.
    zeros: Vec<u32>,
}

impl Lattice {
    /// The lattice of vectors of so many multiples of 2⁸.
    pub(super) fn zero(entries: usize) -> Self {
        Self { basis: vec![vec![0; entries]; entries], zeros: vec![DIGITS; entries] }
    }

    /// The first entries of a vector, modulo 2⁸, as many as vectors of the lattice have.
    pub(super) fn residues(&self, vector: impl Iterator<Item = i64>) -> Vec<u8> {
        let residue = |entry: i64| u8::try_from(entry.rem_euclid(1 << DIGITS)).unwrap_or_default();
        vector.take(self.basis.len()).map(residue).collect()
    }

    /// The binary logarithm of the index: one in 2 to this power of all vectors is in the lattice.
    pub(super) fn log_index(&self) -> u32 {
        self.zeros.iter().sum()
    }

    /// Adds a vector, and with it what can be added up from it.
    pub(super) fn insert(&mut self, mut vector: Vec<u8>) {
        for entry in 0..vector.len() {
            if vector[entry] == 0 {
                continue;
            }
            let (zeros, own) = (vector[entry].trailing_zeros(), self.zeros[entry]);
            if zeros < own {
                let unit = inverse_of_odd_part(vector[entry]);
                scale(&mut vector, unit);
                std::mem::swap(&mut vector, &mut self.basis[entry]);
                self.zeros[entry] = zeros;
                // The former basis vector, or else the multiple of the new one that begins with 2⁸.
                let times = 1_u8.checked_shl(own - zeros).unwrap_or(0);
                subtract(&mut vector, times, &self.basis[entry]);
            } else {
                let times = vector[entry] >> own;
                subtract(&mut vector, times, &self.basis[entry]);
            }
        }
    }

    /// This lattice together with the doubles of the vectors of another one.
    pub(super) fn with_doubles(&self, other: &Self) -> Self {
        let mut with = self.clone();
        for vector in &other.basis {
            with.insert(vector.iter().map(|entry| entry << 1).collect());
        }
        with
    }

    /// The multiples of the basis vectors that add up to a vector; `None` if it is not in the lattice.
    pub(super) fn coordinates(&self, mut vector: Vec<u8>) -> Option<Vec<u8>> {
        for entry in 0..vector.len() {
            let times = vector[entry].checked_shr(self.zeros[entry]).unwrap_or(0);
            if vector[entry] != times.checked_shl(self.zeros[entry]).unwrap_or(0) {
                return None;
            }
            subtract(&mut vector[entry..], times, &self.basis[entry][entry..]);
            vector[entry] = times;
        }
        Some(vector)
    }

    /// The sum of these multiples of the basis vectors.
    pub(super) fn vector(&self, coordinates: &[u8]) -> Vec<u8> {
        let mut sum = vec![0; self.basis.len()];
        for (times, vector) in coordinates.iter().zip(&self.basis) {
            subtract(&mut sum, times.wrapping_neg(), vector);
        }
        sum
    }

    /// For each entry, the coordinates of 2⁸ at this entry alone, and then those of the basis of a lattice within this
    /// one.
    pub(super) fn relations(&self, within: &Self) -> Vec<Vec<u8>> {
        let of_zero = (0..self.basis.len()).filter_map(|entry| {
            let times = 1_u8.checked_shl(DIGITS - self.zeros[entry]).unwrap_or(0);
            let mut rest = vec![0; self.basis.len()];
            subtract(&mut rest[entry + 1..], times, &self.basis[entry][entry + 1..]);
            let mut relation = self.coordinates(rest)?;
            relation[entry] = times;
            Some(relation)
        });
        of_zero.chain(within.basis.iter().filter_map(|vector| self.coordinates(vector.clone()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Lattice;

    impl Lattice {
        /// The lattice together with these vectors.
        pub(in super::super) fn spanned_with(mut self, vectors: &[[i64; 3]]) -> Self {
            for vector in vectors {
                self.insert(self.residues(vector.iter().copied()));
            }
            self
        }
    }

    fn holds(lattice: &Lattice, vector: [i64; 3]) -> bool {
        lattice.coordinates(lattice.residues(vector.into_iter())).is_some()
    }

    #[test]
    fn what_can_be_added_up() {
        let lattice = Lattice::zero(3).spanned_with(&[[2, 0, 1], [0, 4, 1], [6, 4, 0]]);
        assert!(holds(&lattice, [2, 4, 2]) && holds(&lattice, [0, 0, 4]));
        assert!(!holds(&lattice, [2, 0, 0]) && !holds(&lattice, [0, 0, 2]) && !holds(&lattice, [1, 0, 0]));
        // The determinant of the three vectors is −2·4 − 1·6·4 = −32.
        assert_eq!(lattice.log_index(), 5);
        // An odd factor is none: 5 · 51 is −1 modulo 2⁸.
        assert!(holds(&Lattice::zero(3).spanned_with(&[[5, 0, 0]]), [1, 0, 0]));
    }

    proptest! {
        /// Sums are in the lattice, and their coordinates lead back to them. A vector that is not makes it larger.
        #[test]
        fn sums_and_others(
            vectors in prop::collection::vec(prop::array::uniform3(-40_i64..40), 1..5),
            times in prop::collection::vec(-9_i64..9, 5),
            other in prop::array::uniform3(-40_i64..40),
        ) {
            let lattice = Lattice::zero(3).spanned_with(&vectors);
            let sum: [i64; 3] = std::array::from_fn(|i| vectors.iter().zip(&times).map(|(v, times)| v[i] * times).sum());
            let sum = lattice.residues(sum.into_iter());
            prop_assert_eq!(lattice.coordinates(sum.clone()).map(|found| lattice.vector(&found)), Some(sum));
            let larger = lattice.clone().spanned_with(&[other]);
            prop_assert_eq!(holds(&lattice, other), larger.log_index() == lattice.log_index());
            prop_assert!(holds(&larger, other));
        }
    }
}
