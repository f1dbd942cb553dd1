//! Proves the convolutions: every PE adds up the right pixels with the weights of its own filter.

use cain_analysis::owned::Step;
use cain_isa::{Bit, Cell, Dreg, Fraction, Sum};

use super::super::geometry::Geometry;
use super::super::planes::{FILTERS, of_first, of_second};
use super::super::{maps, pooling};
use crate::follower::Follower;
use crate::pixels::CUT;
use crate::registers::{PICTURE, SUM};
use crate::replay::Replay;
use crate::sums::{Combination, Flags, Term};
use crate::truth::{Symbol, Unknown};
use crate::{Declaration, InPixelProofError, Second};

/// The term of the picture's register in every PE.
pub(super) fn picture() -> (Term, Fraction) {
    (Term::Ink { plane: usize::MAX, bit: None, x: 0, y: 0 }, Fraction::ONE)
}

/// A convolution as it should be.
struct Wanted<'a> {
    side: usize,
    taps: usize,
    spacing: usize,
    bits: usize,
    level: i8,
    weights: Dreg,
    /// The filter and the index of the weight that a PE holds, if any.
    holds: &'a dyn Fn(usize, usize) -> Option<(usize, usize)>,
    /// The filter of a PE.
    filter: &'a dyn Fn(usize, usize) -> usize,
    /// Whether the pixel of a PE counts.
    counts: &'a dyn Fn(usize, usize) -> bool,
}

/// The convolution of the picture.
pub(super) fn first(network: &Declaration, second: &Second, program: &[Step]) -> Result<(), InPixelProofError> {
    let (geometry, region) = (Geometry::of(network, second), network.taken());
    let level = maps::level(network, network.taps, network.pixels.largest_seen().into());
    Wanted {
        side: network.side,
        taps: network.taps,
        spacing: network.scale,
        bits: network.pixels.bits(),
        level: level.map_err(|_| InPixelProofError::Border)?,
        weights: FILTERS[0],
        holds: &|row, column| of_first(&geometry, network.taps, row, column),
        filter: &|row, column| geometry.in_group(row, column),
        counts: &|row, column| region.contains(row, column),
    }
    .prove(program)
}

/// The convolution of the maxima.
pub(super) fn second(network: &Declaration, second: &Second, program: &[Step]) -> Result<(), InPixelProofError> {
    let geometry = Geometry::of(network, second);
    let level = maps::level(network, second.taps, second.thresholds[0].len());
    Wanted {
        side: network.side,
        taps: second.taps,
        spacing: geometry.place,
        bits: pooling::bits(second),
        level: level.map_err(|_| InPixelProofError::Border)?,
        weights: FILTERS[1],
        holds: &|row, column| of_second(&geometry, second.taps, row, column),
        filter: &|row, column| {
            geometry.map(row, column) * geometry.group * geometry.group + geometry.in_group(row, column)
        },
        counts: &|_, _| true,
    }
    .prove(program)
}

impl Wanted<'_> {
    fn prove(&self, program: &[Step]) -> Result<(), InPixelProofError> {
        let mut follower = Follower::new(self.side);
        let weights = (0..self.side * self.side).map(|pe| {
            let held = (self.holds)(pe / self.side, pe % self.side);
            held.map_or(Symbol::Other, |(filter, tap)| Symbol::weight(filter, tap).inverse())
        });
        follower.replay.load(self.weights.into(), weights.collect());
        // The previous program has left arbitrary bits in FLAG.
        follower.replay.load(Bit::Flag, vec![Symbol::Other; self.side * self.side]);
        follower.sums.load(PICTURE, Combination::sum([picture()]).unwrap_or_default());
        follower.follow(program, |follower, sum| compare(follower, sum, self.bits), |replay| self.flags(replay))?;
        follower.leaves(SUM, self.sum())
    }

    /// A bit of the pixel that belongs to a weight.
    fn pixel(&self, pe: usize, tap: usize, bit: usize) -> Symbol {
        let row = pe / self.side + tap / self.taps * self.spacing;
        let column = pe % self.side + tap % self.taps * self.spacing;
        let counts = row < self.side && column < self.side && (self.counts)(row, column);
        if counts { Symbol::bit(Unknown::Pe(row * self.side + column), bit) } else { Symbol::Known(false) }
    }

    /// The meaning of FLAG in every PE.
    fn flags(&self, replay: &Replay<Symbol>) -> Option<Flags> {
        let taps = || 0..self.taps * self.taps;
        let filter = |pe: usize| (self.filter)(pe / self.side, pe % self.side);
        let weights = taps().find_map(|tap| {
            let is = |inverts: bool| {
                replay.is(Bit::Flag, |pe| {
                    let weight = Symbol::weight(filter(pe), tap);
                    if inverts { weight.inverse() } else { weight }
                })
            };
            is(false).then_some(Flags::Weight(tap)).or_else(|| is(true).then_some(Flags::NoWeight(tap)))
        });
        let pixels = || taps().flat_map(|tap| (0..self.bits).map(move |bit| (tap, bit)));
        let pixel = |(tap, bit): (usize, usize)| {
            replay.is(Bit::Flag, |pe| self.pixel(pe, tap, bit)).then_some(Flags::Ink(bit, self.place(tap)))
        };
        weights.or_else(|| pixels().find_map(pixel))
    }

    /// The displacement of a weight's pixel, in pixels to the east and north.
    fn place(&self, tap: usize) -> [i16; 2] {
        let [column, row] = [tap % self.taps, tap / self.taps].map(|at| i16::try_from(at).unwrap_or(i16::MAX));
        [column, -row]
    }

    /// The sum over all weights of twice the pixel where the weight's bit is 1, minus the pixel in any case.
    fn sum(&self) -> Option<Combination> {
        let terms = (0..self.taps * self.taps).flat_map(|tap| (0..self.bits).map(move |plane| (tap, plane)));
        Combination::sum(terms.flat_map(|(tap, plane)| {
            let ([x, y], level) = (self.place(tap), i32::from(self.level) << plane);
            [(Some(tap), 2 * level), (None, -level)]
                .map(|(bit, weight)| (Term::Ink { plane, bit, x, y }, Fraction::from(weight)))
        }))
    }
}

/// Follows a comparison of the picture, whose numbers are at steps of [`CUT`], with the level of `IN`: FLAG
/// becomes 1 from some number on.
pub(super) fn compare(follower: &mut Follower<Symbol>, sum: Sum, bits: usize) -> Option<()> {
    const TAKEN: Cell = Cell::Reg(PICTURE);
    let level = match sum.cells() {
        [TAKEN] => 0,
        [TAKEN, Cell::In] => i16::from(follower.level?),
        _ => return None,
    };
    if follower.sums.value(PICTURE)? != &Combination::sum([picture()])? {
        return None;
    }
    let value = |number: i16| i16::from(pooling::level_of_zero(bits)) + number * i16::from(CUT);
    let last: i16 = if bits > 1 { 3 } else { 1 };
    let least = u8::try_from((1..=last).find(|number| value(*number) + level > 0)?).ok()?;
    if value(0) + level > 0 {
        return None;
    }
    let symbol = |number: Unknown| if bits > 1 { Symbol::at_least(number, least) } else { Symbol::bit(number, 0) };
    let side = follower.replay.side();
    follower.replay.load(Bit::Flag, (0..side * side).map(Unknown::Pe).map(symbol).collect());
    Some(())
}

#[cfg(test)]
mod tests {
    use cain_isa::{Bit, Cell, Sum};

    use super::{Combination, Follower, PICTURE, Symbol, Unknown, compare, picture};

    /// What FLAG becomes in a PE if its number is compared with a level.
    fn compared(level: i8, bits: usize) -> Option<Symbol> {
        let mut follower = Follower::new(2);
        follower.level = Some(level);
        follower.sums.load(PICTURE, Combination::sum([picture()]).unwrap());
        compare(&mut follower, Sum::new(&[Cell::Reg(PICTURE), Cell::In]).unwrap(), bits)?;
        Some(follower.replay.plane(Bit::Flag)[0])
    }

    #[test]
    fn levels_tell_one_number_from_the_next() {
        let number = Unknown::Pe(0);
        // -33 and 33 DN.
        for (level, found) in [(-99, false), (-33, false), (-32, true), (33, true), (34, false)] {
            assert_eq!(compared(level, 1), found.then_some(Symbol::bit(number, 0)), "{level}");
        }
        // -99, -33, 33 and 99 DN.
        for (level, least) in [
            (-99, None),
            (-98, Some(3)),
            (-33, Some(3)),
            (-32, Some(2)),
            (33, Some(2)),
            (34, Some(1)),
            (99, Some(1)),
            (100, None),
        ] {
            assert_eq!(compared(level, 2), least.map(|least| Symbol::at_least(number, least)), "{level}");
        }
    }
}
