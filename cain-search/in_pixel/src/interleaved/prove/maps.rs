//! Proves the sums of groups, and the numbers made of them.

use cain_analysis::owned::Step;
use cain_isa::{Bit, Cell, Fraction};

use super::super::geometry::Geometry;
use super::super::maps::{self, RESULT};
use super::convolution::picture;
use crate::follower::Follower;
use crate::registers::SUM;
use crate::sums::{Combination, Flags, Term};
use crate::truth::{Symbol, Unknown};
use crate::{Declaration, InPixelProofError, Second};

/// Proves that every comparison is one of the sum over a group with a threshold, whose result reaches all PEs of the
/// group and adds 1.
pub(super) fn program(
    network: &Declaration,
    second: &Second,
    geometry: &Geometry,
    program: &[Step],
) -> Result<(), InPixelProofError> {
    let side = geometry.side;
    let level = maps::level(network, second.taps, second.thresholds[0].len()).map_err(|_| InPixelProofError::Border)?;
    let mut follower = Follower::new(side);
    follower.sums.load(SUM, Combination::sum([picture()]).unwrap_or_default());
    let reached = |threshold: usize, pe: usize| Symbol::bit(Unknown::Reached(threshold, pe), 0);
    let compared = std::cell::Cell::new(0);
    let compare = |follower: &mut Follower<Symbol>, sum: cain_isa::Sum| {
        let threshold = second.thresholds[1].get(compared.get())?;
        let unit = share(follower, sum, geometry)?.checked_mul(Fraction::from(i32::from(level)))?;
        let cut = Fraction::from(-i32::from(follower.level?));
        let [below, from] = [i32::from(*threshold) - 1, i32::from(*threshold)].map(Fraction::from);
        if below.checked_mul(unit)? > cut || cut >= from.checked_mul(unit)? {
            return None;
        }
        follower.replay.load(Bit::Flag, (0..side * side).map(|pe| reached(compared.get(), pe)).collect());
        compared.set(compared.get() + 1);
        Some(())
    };
    let corner = |at: usize| at / geometry.group * geometry.group;
    follower.follow(program, compare, |replay| {
        let threshold = compared.get().checked_sub(1)?;
        let first = |pe: usize| reached(threshold, corner(pe / side) * side + corner(pe % side));
        replay.is(Bit::Flag, first).then_some(Flags::Ink(threshold, [0, 0]))
    })?;
    let result = Fraction::from(i32::from(maps::result_level(network, second)));
    let counted = (0..second.thresholds[1].len()).map(|plane| (Term::Ink { plane, bit: None, x: 0, y: 0 }, result));
    follower.leaves(RESULT, Combination::sum(counted))
}

/// The factor with which each sum of a group is compared with the level of `IN`, if it is the same for all of them and
/// nothing else is compared.
fn share(follower: &Follower<Symbol>, sum: cain_isa::Sum, geometry: &Geometry) -> Option<Fraction> {
    let (last, cells) = sum.cells().split_last()?;
    if *last != Cell::In {
        return None;
    }
    let compared = cells.iter().try_fold(Combination::default(), |compared, cell| match cell {
        Cell::Reg(reg) => compared.plus(Fraction::ONE, follower.sums.value(*reg)?),
        _ => None,
    })?;
    let (term, _) = picture();
    let share = compared.weight(term);
    let Term::Ink { plane, bit, .. } = term else { return None };
    let coordinates = || 0..i16::try_from(geometry.group).unwrap_or(0);
    let group = coordinates().flat_map(|y| coordinates().map(move |x| (Term::Ink { plane, bit, x, y: -y }, share)));
    let rest = compared.plus(Fraction::from(-1), &Combination::sum(group)?)?;
    // The difference between the errors of words with one destination and with two is less than 2 DN, and is subtracted
    // on purpose.
    let difference = [(Term::Error(1), Fraction::ONE), (Term::Error(2), Fraction::from(-1))];
    (rest == Combination::default() || rest == Combination::sum(difference)?).then_some(share)
}
