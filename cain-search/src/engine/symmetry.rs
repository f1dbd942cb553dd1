//! Reflections and rotations of the plane that leave the wanted kernels unchanged.
//!
//! Every input lies at the origin, and an array has no preferred direction, so the image of a bag under a reflection in
//! an axis or a diagonal takes as many instructions as the bag itself. The image of a bag often turns up in the same
//! search only if the wanted kernels are their own images, as those of blurs are. There a beam that told images apart
//! would keep up to eight bags of each kind.

use super::goal_id::GoalId;
use super::hash::mix;
use super::terms::{self, Term};
use cain_isa::Displacement;

/// A reflection or rotation, which first swaps the coordinates, then changes their signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Symmetry {
    transposed: bool,
    mirrored: (bool, bool),
}

impl Symmetry {
    pub(crate) const IDENTITY: Self = Self { transposed: false, mirrored: (false, false) };

    /// All eight of them, the identity first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|i| Self { transposed: i & 4 != 0, mirrored: (i & 1 != 0, i & 2 != 0) })
    }

    /// The image of a place; `None` if it is too far away.
    pub(crate) fn image(self, Displacement { x, y }: Displacement) -> Option<Displacement> {
        let (x, y) = if self.transposed { (y, x) } else { (x, y) };
        let signed =
            |coordinate: i16, mirrored: bool| if mirrored { coordinate.checked_neg() } else { Some(coordinate) };
        Some(Displacement::new(signed(x, self.mirrored.0)?, signed(y, self.mirrored.1)?))
    }

    fn of_key(self, key: u32) -> u32 {
        let moved = self.image(terms::displacement(key)).unwrap_or_default();
        terms::origin(key).wrapping_add(terms::step(moved))
    }

    fn of_terms(self, terms: &[Term]) -> Vec<Term> {
        let mut image: Vec<Term> = terms.iter().map(|&(key, weight)| (self.of_key(key), weight)).collect();
        image.sort_unstable();
        image
    }
}

/// The symmetries of some kernels, including the identity; empty if there are no others.
#[derive(Clone, Debug, Default)]
pub(super) struct Symmetries(Vec<Symmetry>);

impl Symmetries {
    /// The symmetries that map each kernel to a kernel, and each of the `fixed` kernels to itself.
    pub(super) fn of<'a>(kernels: &[(GoalId, &'a [Term])], fixed: impl Fn(GoalId) -> bool) -> Self {
        let is_one = |image: &[Term]| kernels.iter().any(|kernel: &(GoalId, &'a [Term])| kernel.1 == image);
        let fits = |symmetry: &Symmetry| {
            kernels.iter().all(|&(goal, terms)| {
                let image = symmetry.of_terms(terms);
                if fixed(goal) { image == terms } else { is_one(&image) }
            })
        };
        let list: Vec<Symmetry> = Symmetry::all().filter(fits).collect();
        Self(if list.len() > 1 { list } else { Vec::new() })
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// A hash of each image of a value, which does not depend on the order of its terms.
    ///
    /// Bags are hashed by sums over their values: if the sum over the terms were not mixed, a value would be mistaken
    /// for the values that add up to it.
    pub(super) fn hashes<'a>(
        &'a self,
        terms: &'a [Term],
        hash_of_term: impl Fn(u32, i32) -> u64 + Copy + 'a,
    ) -> impl Iterator<Item = u64> + 'a {
        self.0.iter().map(move |symmetry| {
            let of_terms = terms.iter().map(|&(key, weight)| hash_of_term(symmetry.of_key(key), weight));
            mix(of_terms.fold(0, u64::wrapping_add))
        })
    }
}

#[cfg(test)]
mod tests {
    use cain_isa::Displacement;

    use super::Symmetries;
    use crate::engine::terms::{Term, key};

    fn terms(weights: &[(i16, i16, i32)]) -> Vec<Term> {
        let mut terms: Vec<Term> =
            weights.iter().map(|&(x, y, weight)| (key(0, Displacement::new(x, y)), weight)).collect();
        terms.sort_unstable();
        terms
    }

    fn count(kernels: &[&[Term]], fixed: bool) -> usize {
        let kernels: Vec<_> = (0..).zip(kernels.iter().copied()).collect();
        Symmetries::of(&kernels, |_| fixed).count()
    }

    #[test]
    fn of_kernels() {
        let plus = terms(&[(0, 0, 4), (1, 0, 1), (-1, 0, 1), (0, 1, 1), (0, -1, 1)]);
        let (row, column) = (terms(&[(1, 0, 1), (-1, 0, 1)]), terms(&[(0, 1, 1), (0, -1, 1)]));
        let lopsided = terms(&[(1, 0, 1), (0, 1, 2)]);
        assert_eq!(count(&[&plus], false), 8);
        assert_eq!(count(&[&row], false), 4);
        assert_eq!((count(&[&row, &column], false), count(&[&row, &column], true)), (8, 4));
        assert_eq!(count(&[&plus, &lopsided], false), 0);
    }

    /// Bags are hashed by sums over their values: two values must not hash like their sum.
    #[test]
    fn a_value_is_not_taken_for_its_parts() {
        let (row, left, right) = (terms(&[(1, 0, 1), (-1, 0, 1)]), terms(&[(-1, 0, 1)]), terms(&[(1, 0, 1)]));
        let symmetries = Symmetries::of(&[(0, &row)], |_| false);
        let hashes = |terms: &[Term]| -> Vec<u64> {
            symmetries.hashes(terms, |key, weight| u64::from(key) << 32 | u64::from(weight.cast_unsigned())).collect()
        };
        let parts = hashes(&left).into_iter().zip(hashes(&right)).map(|(left, right)| left.wrapping_add(right));
        assert!(hashes(&row).into_iter().zip(parts).all(|(whole, parts)| whole != parts));
    }
}
