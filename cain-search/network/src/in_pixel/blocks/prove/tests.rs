//! Tests with hand-written programs: wrong ones, and right ones that differ from them in one detail.

use cain_isa::program::Area;
use cain_isa::{Bit, Dreg};

use super::super::super::steps::Steps;
use super::super::tests::sized;
use super::{InPixelProofError, Programs, SCRATCH, duplication};
use crate::in_pixel::{Declaration, Pixels};
use cain_isa::program::owned::Step;

/// The program followed by words that set the bit to 1 or 0 in one PE.
fn changed(program: &[Step], [row, column]: [usize; 2], bit: Dreg, spare: Dreg, value: bool) -> Vec<Step> {
    let mut steps = Steps::default();
    steps.controller(Step::Region(Area { top: row, left: column, height: 1, width: 1 })).unwrap();
    if value {
        steps.words.or(spare, &[bit.into(), Bit::Rect]).or(bit, &[spare.into()]);
    } else {
        steps.words.nor(spare, &[bit.into()]).nor(bit, &[spare.into(), Bit::Rect]);
    }
    [program, &steps.finish().unwrap()].concat()
}

/// Four blocks of 8×8 PEs, each with a picture in its rows and columns 1 to 4: a wrong bit in any PE is detected, while
/// a background bit may be set to background.
#[test]
fn the_picture_comes_to_every_pe_of_every_block() {
    for pixels in [Pixels::OneBit, Pixels::TwoBits, Pixels::Halves] {
        let network = Declaration { pixels, ..sized(16, 8, 2, 2, 1) };
        let parts = Programs::of(&network).unwrap();
        let program = &parts.parts[0].steps;
        assert_eq!(duplication(&network, program, &parts.ink), Ok(()));
        let spare = SCRATCH.into_iter().find(|register| !parts.ink.contains(register)).unwrap();
        for (pe, &bit) in (0..16 * 16).flat_map(|pe| parts.ink.iter().map(move |bit| (pe, bit))) {
            let (row, column) = (pe / 16, pe % 16);
            let has_pixel = [row, column].iter().all(|at| (1..5).contains(&(at % 8)));
            let found = |value| duplication(&network, &changed(program, [row, column], bit, spare, value), &parts.ink);
            let wrong = Err(InPixelProofError::Duplication { row, column });
            assert_eq!(found(true), wrong, "{pixels:?}");
            assert_eq!(found(false), if has_pixel { wrong } else { Ok(()) }, "{pixels:?}");
        }
        // The bits are in the wrong order, or too few.
        let reversed: Vec<Dreg> = parts.ink.iter().rev().copied().collect();
        assert_eq!(duplication(&network, program, &reversed).is_ok(), reversed.len() == 1);
        assert!(duplication(&network, program, &[spare]).is_err());
    }
}
