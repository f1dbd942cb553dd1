//! Proves the maxima, and that they reach all groups of a place.

use cain_analysis::owned::Step;
use cain_isa::{Bit, Cell, Fraction};

use super::super::geometry::Geometry;
use super::super::{maps, pooling};
use super::convolution::{compare, picture};
use crate::follower::Follower;
use crate::pixels::CUT;
use crate::registers::{PICTURE, SUM};
use crate::sums::{Combination, Flags, Term};
use crate::truth::{AnyOf, Symbol, Truth, Unknown};
use crate::{Declaration, InPixelProofError, Second};

/// Proves that, for each threshold, the bits of a window which tell whether its sums reach it are joined, and that each
/// result adds 1.
pub(super) fn maxima(
    network: &Declaration,
    second: &Second,
    geometry: &Geometry,
    program: &[Step],
) -> Result<(), InPixelProofError> {
    let (side, pool) = (network.side, network.pool);
    let level = maps::level(network, network.taps, network.pixels.largest_seen().into())
        .map_err(|_| InPixelProofError::Border)?;
    let sums = Combination::sum([picture()]).unwrap_or_default();
    let reached = |threshold: usize, pe: usize| AnyOf::one(Unknown::Reached(threshold, pe));
    let mut follower = Follower::<AnyOf>::new(side);
    follower.sums.load(SUM, sums.clone());
    let compared = std::cell::Cell::new(0);
    let compare = |follower: &mut Follower<AnyOf>, sum: cain_isa::Sum| {
        const SUMS: Cell = Cell::Reg(SUM);
        let threshold = second.thresholds[0].get(compared.get())?;
        let (cut, level, threshold) = (-i16::from(follower.level?), i16::from(level), i16::from(*threshold));
        let tells = (threshold - 1) * level <= cut && cut < threshold * level;
        if sum.cells() != [SUMS, Cell::In] || follower.sums.value(SUM)? != &sums || !tells {
            return None;
        }
        let bits = (0..side * side).map(|pe| reached(compared.get(), pe));
        follower.replay.load(Bit::Flag, bits.collect());
        compared.set(compared.get() + 1);
        Some(())
    };
    let window = |threshold: usize, pe: usize| {
        let places = (0..pool * pool).filter_map(|place| {
            let row = pe / side + place / pool * geometry.pixel;
            let column = pe % side + place % pool * geometry.pixel;
            (row < side && column < side).then(|| reached(threshold, row * side + column))
        });
        places.fold(AnyOf::known(false), |any, one| any.or(&one))
    };
    follower.follow(program, compare, |replay| {
        let threshold = compared.get().checked_sub(1)?;
        replay.is(Bit::Flag, |pe| window(threshold, pe)).then_some(Flags::Ink(threshold, [0, 0]))
    })?;
    follower.leaves(PICTURE, numbers(second, (0..second.thresholds[0].len()).map(|threshold| (threshold, 1))))
}

/// Proves that each bit of a number comes from the first pixel of the place.
pub(super) fn duplication(second: &Second, geometry: &Geometry, program: &[Step]) -> Result<(), InPixelProofError> {
    let (side, bits) = (geometry.side, pooling::bits(second));
    let mut follower = Follower::new(side);
    follower.sums.load(PICTURE, Combination::sum([picture()]).unwrap_or_default());
    let corner = |at: usize| at / geometry.place * geometry.place + at % geometry.pixel;
    follower.follow(
        program,
        |follower, sum| compare(follower, sum, bits),
        |replay| {
            let is = |bit: usize| {
                replay.is(Bit::Flag, |pe| {
                    let first = corner(pe / side) * side + corner(pe % side);
                    Symbol::bit(Unknown::Pe(first), bit)
                })
            };
            (0..bits).find(|bit| is(*bit)).map(|bit| Flags::Ink(bit, [0, 0]))
        },
    )?;
    follower.leaves(PICTURE, numbers(second, (0..bits).map(|bit| (bit, 1 << bit))))
}

/// A picture whose numbers are sums of bits, each with its value.
fn numbers(second: &Second, bits: impl Iterator<Item = (usize, i32)>) -> Option<Combination> {
    let zero = i32::from(pooling::level_of_zero(pooling::bits(second)));
    let counted =
        bits.map(|(plane, count)| (Term::Ink { plane, bit: None, x: 0, y: 0 }, Fraction::from(count * i32::from(CUT))));
    Combination::sum([(Term::One, Fraction::from(zero))].into_iter().chain(counted))
}
