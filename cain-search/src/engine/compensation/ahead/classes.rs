//! The classes of a lattice: vectors that differ by a vector of a lattice within it are in the same class.

use super::lattice::{Lattice, inverse_of_odd_part, scale, subtract};

/// A class, as a number. The classes are a product of cyclic groups, and the numbers have the position in each of them
/// in some of their binary digits.
pub(in crate::engine::compensation) type Class = usize;

/// The classes of a lattice.
pub(super) struct Classes {
    /// For each cyclic group, its place in the number of a class, and the logarithm of its size.
    groups: Vec<(u32, u32)>,
    /// The highest digits of all groups.
    high: usize,
    /// For each coordinate of a vector, what it adds to the position in each group.
    positions: Vec<Vec<u8>>,
    /// For each group, the coordinates of a vector that is one farther in this group.
    vectors: Vec<Vec<u8>>,
}

impl Classes {
    /// The classes that a lattice within another divides it into.
    pub(super) fn of(lattice: &Lattice, within: &Lattice) -> Self {
        // The Smith normal form of the relations between coordinates, by column operations that are noted.
        let mut relations = lattice.relations(within);
        let entries = relations.first().map_or(0, Vec::len);
        let unit = |i: usize| (0..entries).map(|j| u8::from(i == j)).collect::<Vec<u8>>();
        let mut positions: Vec<Vec<u8>> = (0..entries).map(unit).collect();
        let mut vectors = positions.clone();
        let (mut groups, mut digits) = (Vec::new(), 0);
        for column in 0..entries {
            let rest = relations.iter().enumerate().skip(column);
            let all =
                rest.flat_map(|(row, relation)| (column..entries).map(move |column| (relation[column], row, column)));
            let Some((pivot, row, from)) = all.min_by_key(|(entry, ..)| entry.trailing_zeros()) else { break };
            relations.swap(column, row);
            relations.iter_mut().chain(&mut positions).for_each(|row| row.swap(column, from));
            vectors.swap(column, from);
            let (zeros, unit) = (pivot.trailing_zeros(), inverse_of_odd_part(pivot));
            scale(&mut relations[column], unit);
            let chosen = relations[column].clone();
            for relation in &mut relations[column + 1..] {
                let times = relation[column].checked_shr(zeros).unwrap_or(0);
                subtract(relation, times, &chosen);
            }
            for other in column + 1..entries {
                let times = chosen[other].checked_shr(zeros).unwrap_or(0);
                for row in relations.iter_mut().chain(&mut positions) {
                    row[other] = row[other].wrapping_sub(times.wrapping_mul(row[column]));
                }
                let farther = vectors[other].clone();
                subtract(&mut vectors[column], times.wrapping_neg(), &farther);
            }
            groups.push((digits, zeros));
            digits += zeros;
        }
        let high = groups.iter().filter(|group| group.1 > 0).map(|(at, digits)| 1 << (at + digits - 1)).sum();
        Self { groups, high, positions, vectors }
    }

    /// The number of classes.
    pub(super) fn len(&self) -> usize {
        self.groups.last().map_or(1, |(at, digits)| 1 << (at + digits))
    }

    /// The class of the vector with these coordinates.
    pub(super) fn class(&self, coordinates: &[u8]) -> Class {
        let mut class = 0;
        for (column, (at, digits)) in self.groups.iter().enumerate() {
            let terms = coordinates.iter().zip(&self.positions);
            let position = terms.fold(0_u8, |sum, (times, row)| sum.wrapping_add(times.wrapping_mul(row[column])));
            class |= (usize::from(position) & ((1 << digits) - 1)) << at;
        }
        class
    }

    /// The class of the sum of two vectors: the digits are added without carries between groups.
    pub(super) fn sum(&self, a: Class, b: Class) -> Class {
        ((a & !self.high) + (b & !self.high)) ^ ((a ^ b) & self.high)
    }

    /// For each class, the image that `image` gives for the sum of vectors whose coordinates are those of the groups;
    /// images are added by `sum`.
    pub(super) fn images(&self, image: impl Fn(&[u8]) -> Class, sum: impl Fn(Class, Class) -> Class) -> Vec<Class> {
        let mut images = vec![0];
        for ((_, digits), vector) in self.groups.iter().zip(&self.vectors) {
            let (step, count) = (image(vector), images.len());
            for next in count..count << digits {
                images.push(sum(images[next - count], step));
            }
        }
        images
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::lattice::Lattice;
    use super::Classes;

    proptest! {
        /// Classes are those of the sums of vectors, and exactly the vectors of the smaller lattice are in class 0.
        #[test]
        fn classes_of_sums(
            within in prop::collection::vec(prop::array::uniform3(-3_i64..3), 3..6),
            vectors in prop::collection::vec(prop::array::uniform3(-3_i64..3), 2..4),
        ) {
            let within = Lattice::zero(3).spanned_with(&within);
            let lattice = within.clone().spanned_with(&vectors);
            let log = within.log_index() - lattice.log_index();
            prop_assume!(log <= 10);
            let classes = Classes::of(&lattice, &within);
            prop_assert_eq!(classes.len(), 1 << log);
            let class = |vector: [i64; 3]| {
                lattice.coordinates(lattice.residues(vector.into_iter())).map(|coordinates| classes.class(&coordinates))
            };
            for a in &vectors {
                for b in &vectors {
                    let sum = std::array::from_fn(|i| 5 * a[i] - b[i]);
                    let five = (0..5).fold(0, |sum, _| classes.sum(sum, class(*a).unwrap()));
                    prop_assert_eq!(classes.sum(class(sum).unwrap(), class(*b).unwrap()), five);
                    let is_within = within.coordinates(within.residues(sum.into_iter())).is_some();
                    prop_assert_eq!(class(sum) == Some(0), is_within);
                }
            }
            // Each class is its own image.
            let own = classes.images(|coordinates| classes.class(coordinates), |a, b| classes.sum(a, b));
            prop_assert_eq!(own, (0..classes.len()).collect::<Vec<_>>());
        }
    }
}
