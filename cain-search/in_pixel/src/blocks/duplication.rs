//! Brings the picture, as bits, into every block.

use cain_analysis::owned::Step;
use cain_isa::program::Area;
use cain_isa::{Bit, Cell, Dreg, WordError};

use crate::pixels::CUT;
use crate::registers::{EAST, NORTH, PICTURE, SCRATCH, SOUTH, WEST};
use crate::steps::{Copies, Steps};
use crate::words::Draft;
use crate::{Declaration, Pixels};

/// Makes the program that brings the picture into every block, as bits. Returns the registers that then hold the bits,
/// lowest bit first.
pub(super) fn duplication(network: &Declaration) -> Result<(Vec<Step>, Vec<Dreg>), WordError> {
    let mut steps = Steps::default();
    let ink = match network.pixels {
        Pixels::OneBit => {
            let mut copies = one_bit(&mut steps, network)?;
            from_one_block(&mut copies, &mut steps, network)?;
            vec![copies.copied]
        }
        Pixels::Halves => {
            let mut copies = halves(&mut steps, network)?;
            spread(&mut copies, &mut steps, network)?;
            vec![copies.copied]
        }
        Pixels::TwoBits => {
            let mut copies = two_bits(&mut steps, network)?;
            from_one_block(&mut copies, &mut steps, network)?;
            // FLAG holds the lower bit first, and then the higher one.
            let [lower, other] = copies.free;
            steps.words.or(lower, &[Bit::Flag]).where_bits(&[copies.copied.into()]);
            copies = Copies { copied: lower, free: [other, copies.copied] };
            from_one_block(&mut copies, &mut steps, network)?;
            let [higher, _] = copies.free;
            steps.words.or(higher, &[Bit::Flag]);
            vec![copies.copied, higher]
        }
    };
    Ok((steps.finish()?, ink))
}

/// Makes a bit that is 1 where the picture is positive, within the block in which it is taken.
fn one_bit(steps: &mut Steps, network: &Declaration) -> Result<Copies, WordError> {
    let [free, bits, other] = SCRATCH;
    steps.words.where_positive(&[PICTURE.into()]);
    steps.controller(Step::Region(network.taken()))?;
    steps.words.nor(free, &[Bit::Flag]).nor(other, &[Bit::Rect]).nor(bits, &[free.into(), other.into()]);
    Ok(Copies { copied: bits, free: [free, other] })
}

/// Makes a bit that is 1 where the picture exceeds the lower cut, within the block in which it is taken, and where it
/// exceeds the higher cut, in the block to the east of that.
fn halves(steps: &mut Steps, network: &Declaration) -> Result<Copies, WordError> {
    let [below, far, outside] = SCRATCH;
    let [lower, higher] = [Pixels::Halves.cuts()[0], Pixels::Halves.cuts()[1]];
    steps.controller(Step::Level(-higher))?;
    steps.words.where_positive(&[PICTURE.into(), Cell::In]);
    steps.part()?;
    steps.words.nor(below, &[Bit::Flag]);
    steps.controller(Step::Level(-lower))?;
    steps.words.where_positive(&[PICTURE.into(), Cell::In]);
    steps.controller(Step::Region(network.taken()))?;
    steps.words.nor(outside, &[Bit::Rect]).nor(far, &[below.into(), outside.into()]);
    // FLAG becomes 1 where the lower bit is 0.
    steps.words.nor(below, &[Bit::Flag]).where_bits(&[below.into(), outside.into()]);
    open_to_the_east(&mut steps.words);
    Copies { copied: far, free: [below; 2] }.shift(&mut steps.words, network.block);
    steps.words.nor(below, &[Bit::Flag]).or(outside, &[below.into(), far.into()]);
    Ok(Copies { copied: outside, free: [below, far] })
}

/// Makes the higher bit of the picture, within the block in which it is taken, with the lower one in FLAG.
fn two_bits(steps: &mut Steps, network: &Declaration) -> Result<Copies, WordError> {
    let [free, bits, other] = SCRATCH;
    steps.controller(Step::Level(CUT))?;
    steps.words.where_positive(&[PICTURE.into(), Cell::In]).nor(free, &[Bit::Flag]);
    steps.words.where_positive(&[PICTURE.into()]).or(bits, &[Bit::Flag]);
    // Pixels of 1 are found here.
    steps.words.nor(other, &[free.into(), bits.into()]);
    steps.controller(Step::Level(-CUT))?;
    // These are the pixels that are neither 1 nor 3.
    steps.words.where_positive(&[PICTURE.into(), Cell::In]).nor(free, &[Bit::Flag, other.into()]);
    steps.controller(Step::Region(network.taken()))?;
    steps.words.nor(other, &[Bit::Rect]).where_bits(&[bits.into()]).nor(bits, &[free.into(), other.into()]);
    steps.words.nor(free, &[Bit::Flag]).where_bits(&[bits.into()]).nor(bits, &[free.into(), other.into()]);
    Ok(Copies { copied: bits, free: [free, other] })
}

/// Lets all PEs read their western neighbours.
fn open_to_the_east(words: &mut Draft) {
    words.clr(&[SOUTH, NORTH, EAST]).set(&[WEST]);
}

/// Brings the bits from the block in which the picture is taken to all blocks.
fn from_one_block(copies: &mut Copies, steps: &mut Steps, network: &Declaration) -> Result<(), WordError> {
    if network.blocks() == 1 {
        return Ok(());
    }
    open_to_the_east(&mut steps.words);
    copies.add(&mut steps.words, network.block);
    spread(copies, steps, network)
}

/// Brings the bits from two adjacent blocks to all: from the middle to both sides at once, and then likewise along the
/// other axis.
fn spread(copies: &mut Copies, steps: &mut Steps, network: &Declaration) -> Result<(), WordError> {
    let Declaration { side, block, .. } = *network;
    let half = side / 2;
    for vertical in [false, true] {
        if vertical {
            steps.words.clr(&[WEST, EAST]).set(&[NORTH]);
            copies.add(&mut steps.words, block);
        }
        if network.blocks() == 2 {
            continue;
        }
        let line = |first: usize| {
            if vertical {
                Area { top: first, left: 0, height: half - 1, width: side }
            } else {
                Area { top: 0, left: first, height: side, width: half - 1 }
            }
        };
        let (near, far) = if vertical { (SOUTH, NORTH) } else { (EAST, WEST) };
        for (direction, first) in [(near, 0), (far, half + 1)] {
            steps.controller(Step::Region(line(first)))?;
            steps.words.or(direction, &[Bit::Rect]);
        }
        for distance in std::iter::successors(Some(block), |far| Some(far * 2)).take_while(|far| *far < half) {
            copies.add(&mut steps.words, distance);
        }
    }
    Ok(())
}
