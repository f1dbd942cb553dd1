//! Proves the dense layer: for each class, every result counts with the weight of its group for that class.

use cain_analysis::owned::Step;
use cain_isa::{Bit, Fraction};

use super::super::dense::PRODUCT;
use super::super::geometry::Geometry;
use super::super::maps::RESULT;
use super::convolution::picture;
use crate::follower::Follower;
use crate::registers::DENSE;
use crate::sums::{Combination, Flags, Term};
use crate::truth::Symbol;
use crate::{Declaration, InPixelProofError};

pub(super) fn program(network: &Declaration, geometry: &Geometry, program: &[Step]) -> Result<(), InPixelProofError> {
    let side = geometry.side;
    let mut follower = Follower::new(side);
    for (sign, register) in DENSE.into_iter().enumerate() {
        let symbols = (0..side * side).map(|pe| Symbol::weight(pe, sign).inverse());
        follower.replay.load(register.into(), symbols.collect());
    }
    follower.sums.load(RESULT, Combination::sum([picture()]).unwrap_or_default());
    let (term, one) = picture();
    let counted = |sign: usize| match term {
        Term::Ink { plane, x, y, .. } => Term::Ink { plane, bit: Some(sign), x, y },
        term => term,
    };
    let parts: Vec<_> = program.split_inclusive(|step| matches!(step, Step::Sum { .. })).collect();
    if parts.len() != network.classes() {
        return Err(InPixelProofError::Class(parts.len()));
    }
    for (class, part) in parts.into_iter().enumerate() {
        if part.last() != Some(&Step::Sum { from: PRODUCT, first: class }) {
            return Err(InPixelProofError::Class(class));
        }
        let (row, column) = (class / geometry.group, class % geometry.group);
        let holder = |pe: usize| {
            let first = |at: usize| at / geometry.group * geometry.group;
            (first(pe / side) + row) * side + first(pe % side) + column
        };
        follower.follow(
            part,
            |_, _| None,
            |replay| {
                let is = |sign: usize| replay.is(Bit::Flag, |pe| Symbol::weight(holder(pe), sign));
                (0..DENSE.len()).find(|sign| is(*sign)).map(Flags::Weight)
            },
        )?;
        follower.leaves(PRODUCT, Combination::sum([(counted(0), one), (counted(1), Fraction::from(-1))]))?;
    }
    Ok(())
}
