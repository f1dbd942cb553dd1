//! Takes the maxima of the first convolution and brings them to all groups of their place.

use cain_analysis::owned::Step;
use cain_isa::{Bit, Cell, Dreg, WordError};

use super::geometry::Geometry;
use super::maps::reaches;
use super::moves::{Axis, Mask, Moves, SCRATCH, first_of};
use crate::pixels::CUT;
use crate::registers::{PICTURE, SUM};
use crate::steps::Copies;
use crate::{Declaration, Second};

/// Minus the picture that is being made, with the error of a transfer.
const MINUS: Cell = Cell::Reg(cain_isa::Reg::C);
const NEWS: Cell = Cell::News;

/// The number of bits of the numbers made of results of the first convolution.
pub(super) const fn bits(second: &Second) -> usize {
    if second.thresholds[0].len() > 1 { 2 } else { 1 }
}

/// The level of the number 0 in the picture's register, in DN; the next numbers follow at steps of [`CUT`],
/// so that pictures of two bits, or of one, are read correctly.
pub(super) const fn level_of_zero(bits: usize) -> i8 {
    if bits > 1 { -CUT - CUT / 2 } else { -CUT / 2 }
}

/// Makes the largest number in a pooling window for each filter, as a picture: in the PEs of the window's first pixel,
/// it is that of their filter.
///
/// A maximum reaches a threshold if one of the window's results does.
pub(super) fn maxima(
    network: &Declaration,
    second: &Second,
    geometry: &Geometry,
    level: i8,
) -> Result<Vec<Step>, WordError> {
    let mut moves = Moves::default();
    moves.level(level_of_zero(bits(second)))?;
    moves.words().all().bus(MINUS, &[Cell::In]);
    for &threshold in &second.thresholds[0] {
        moves.level(-reaches(threshold, level))?;
        let [found, free, other, ..] = SCRATCH;
        moves.words().where_positive(&[SUM.into(), Cell::In]).or(found, &[Bit::Flag]);
        moves.part()?;
        let mut copies = Copies { copied: found, free: [free, other] };
        for axis in [Axis::Columns, Axis::Rows] {
            moves.spread_over(&mut copies, axis.after(), network.pool - 1, geometry.pixel);
        }
        moves.part()?;
        one_more(&mut moves, copies.copied)?;
    }
    moves.words().all().bus(PICTURE.into(), &[MINUS]);
    moves.finish()
}

/// Adds 1 to the picture that is being made, where a bit is 1.
fn one_more(moves: &mut Moves, bit: Dreg) -> Result<(), WordError> {
    moves.level(CUT)?;
    moves.words().all().bus(NEWS, &[MINUS]).where_bits(&[bit.into()]).bus(MINUS, &[NEWS, Cell::In]);
    Ok(())
}

/// Brings the maxima of a place to all its groups.
pub(super) fn duplication(second: &Second, geometry: &Geometry) -> Result<Vec<Step>, WordError> {
    let mut moves = Moves::default();
    let bits = bits(second);
    let pixels = geometry.place / geometry.pixel;
    let first = first_of(pixels, geometry.pixel);
    let [one, two, three, four, five] = SCRATCH;
    let (mut found, mut free) = moves.read(bits, Some(Mask::Selection(first)), [one, two, three, four])?;
    free.push(five);
    moves.part()?;
    for axis in [Axis::Columns, Axis::Rows] {
        for bit in &mut found {
            let mut copies = Copies { copied: *bit, free: [free[0], free[1]] };
            moves.spread_over(&mut copies, axis.before(), pixels - 1, geometry.pixel);
            *bit = copies.copied;
            [free[0], free[1]] = copies.free;
        }
    }
    let zero = level_of_zero(bits);
    moves.level(zero)?;
    moves.words().all().bus(MINUS, &[Cell::In]);
    if let [_, high] = found[..] {
        moves.level(zero + CUT + CUT)?;
        moves.words().where_bits(&[high.into()]).bus(MINUS, &[Cell::In]);
    }
    one_more(&mut moves, found[0])?;
    moves.words().all().bus(PICTURE.into(), &[MINUS]);
    moves.finish()
}
