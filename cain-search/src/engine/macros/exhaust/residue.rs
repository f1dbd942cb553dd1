//! Residues: the finest terms of values, and whether one value's can be a multiple of another's.

use cain_analysis::sorted::Set;
use cain_isa::Displacement;

use crate::engine::terms::{self, Term, valuation};

/// The places of those terms of a value that have its largest denominator: a polynomial over the integers modulo 2.
pub(super) struct Residue(Set<Place>);

/// A channel and a position, in an order that shifts preserve.
type Place = (u16, i16, i16);

impl Residue {
    pub(super) fn of(value: &[Term]) -> Self {
        let finest = valuation(value);
        let odd = value.iter().filter(|term| term.1 >> finest & 1 == 1);
        let place = |&(key, _): &Term| {
            let Displacement { x, y } = terms::displacement(key);
            (u16::try_from(terms::channel(key)).unwrap_or(u16::MAX), x, y)
        };
        Self(odd.map(place).collect())
    }

    /// Whether the other one is the product of this one and some polynomial in the two shifts.
    pub(super) fn divides(&self, other: &Self) -> bool {
        let (Some(&last), Some((from, to))) = (self.0.last(), self.room_in(other)) else { return false };
        let mut rest = other.0.clone();
        // The highest term of a product is the product of the highest terms of its factors.
        while let Some(&(channel, x, y)) = rest.last() {
            let (x, y) = (x - last.1, y - last.2);
            let is_inside = from.x <= x && x <= to.x && from.y <= y && y <= to.y;
            if channel != last.0 || !is_inside {
                return false;
            }
            for &(channel, u, v) in &self.0 {
                let place = (channel, u + x, v + y);
                if !rest.remove(&place) {
                    rest.insert(place);
                }
            }
        }
        true
    }

    /// The box in which the terms of the quotient must lie: the box around a product is the sum of the boxes around its
    /// factors.
    fn room_in(&self, other: &Self) -> Option<(Displacement, Displacement)> {
        let ((a, b), (c, d)) = (self.area()?, other.area()?);
        Some((Displacement::new(c.x - a.x, c.y - a.y), Displacement::new(d.x - b.x, d.y - b.y)))
    }

    /// The corners of the box around all places.
    fn area(&self) -> Option<(Displacement, Displacement)> {
        let (xs, ys) = (|| self.0.iter().map(|place| place.1), || self.0.iter().map(|place| place.2));
        Some((Displacement::new(xs().min()?, ys().min()?), Displacement::new(xs().max()?, ys().max()?)))
    }
}

#[cfg(test)]
mod tests {
    use cain_isa::Displacement;

    use super::Residue;
    use crate::engine::terms::{self, Term};

    fn value(terms: &[(i16, i16, i32)]) -> Vec<Term> {
        let mut terms: Vec<Term> =
            terms.iter().map(|&(x, y, weight)| (terms::key(0, Displacement::new(x, y)), weight)).collect();
        terms.sort_unstable();
        terms
    }

    #[test]
    fn only_multiples_are_divided() {
        let pair = Residue::of(&value(&[(-1, 0, 6), (0, 0, -2), (2, 2, 4)]));
        // (1 + x)(1 + y) and (1 + x)(1 + x + x²), up to factors of two and terms that these make finer.
        for multiple in [
            value(&[(0, 0, 1), (1, 0, 3), (0, 1, 5), (1, 1, -1), (7, 7, 2)]),
            value(&[(3, -2, 8), (6, -2, 8), (4, -2, 16)]),
            value(&[(5, 5, 1), (6, 5, 1)]),
        ] {
            assert!(pair.divides(&Residue::of(&multiple)), "{multiple:?}");
        }
        for other in [
            value(&[(0, 0, 1)]),
            value(&[(0, 0, 1), (1, 0, 1), (0, 1, 1)]),
            value(&[(0, 0, 1), (0, 1, 1)]),
            value(&[(0, 0, 1), (1, 1, 1)]),
        ] {
            assert!(!pair.divides(&Residue::of(&other)), "{other:?}");
            assert!(Residue::of(&value(&[(4, 4, 12)])).divides(&Residue::of(&other)));
        }
    }

    #[test]
    fn every_channel_is_multiplied_by_the_same() {
        let both = |x: i16, y: i16| {
            Residue::of(&[(terms::key(0, Displacement::new(x, 0)), 1), (terms::key(1, Displacement::new(y, 0)), 1)])
        };
        assert!(both(0, 1).divides(&both(2, 3)));
        assert!(!both(0, 1).divides(&both(2, 2)));
    }
}
