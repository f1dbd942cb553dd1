//! Tests with hand-written programs: wrong ones, and right ones that differ from them in one detail.

use cain_analysis::owned::Step;
use cain_isa::program::{Area, Selection};
use cain_isa::{Bit, Cell, Direction, Dreg};

use super::super::tests::sized;
use super::{InPixelProofError, MAXIMUM, Programs, SCRATCH, convolution, copied, duplication, windows};
use crate::registers::{DENSE, EAST, NORTH, SOUTH, WEST};
use crate::steps::Steps;
use crate::{Declaration, Pixels};

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

/// A step that overwrites weights is refused in each of the programs, even at its end.
#[test]
fn weights_stay_where_they_are() {
    let network = sized(16, 8, 2, 2, 1);
    let parts = Programs::of(&network).unwrap();
    for (part, plane) in (0..5).flat_map(|part| parts.planes.iter().map(move |plane| (part, plane.register))) {
        let mut changed = parts.clone();
        let mut steps = Steps::default();
        steps.words.set(&[plane]);
        changed.parts[part].steps.extend(steps.finish().unwrap());
        assert_eq!(changed.prove(&network), Err(InPixelProofError::Overwritten(plane)), "{part}");
    }
}

/// Copies that leave out some rows, and those that bring values from beyond any side of the array, are refused.
#[test]
fn every_pe_of_every_window_gets_its_maximum() {
    let network = sized(16, 8, 2, 2, 1);
    let parts = Programs::of(&network).unwrap();
    let program = &parts.parts[3].steps;
    assert_eq!(windows(&network, program), Ok(()));
    for left_out in [4, 8] {
        let not_everywhere = |step: &Step| match step {
            Step::Select(all) => Step::Select(Selection { free_row_bits: all.free_row_bits & !left_out, ..*all }),
            step => step.clone(),
        };
        let program: Vec<Step> = program.iter().map(not_everywhere).collect();
        assert_eq!(windows(&network, &program), Err(InPixelProofError::Windows), "{left_out}");
    }
    for direction in [Direction::North, Direction::South, Direction::West, Direction::East] {
        let mut steps = Steps::default();
        steps.controller(Step::Select(Selection::ALL)).unwrap();
        steps.words.bus(Cell::Port(direction), &[MAXIMUM.into()]).where_bits(&[Bit::Select]);
        steps.words.bus(MAXIMUM.into(), &[Cell::News]).all();
        let found = copied(&network, MAXIMUM, &steps.finish().unwrap());
        assert_eq!(found, Err(InPixelProofError::Windows), "{direction:?}");
    }
}

/// The dense layer brings its products from another PE of the window to the one that is summed up, along both axes.
#[test]
fn products_move_along_both_axes() {
    // Classes in all places of a window.
    let network = Declaration { dense: vec![vec![0; 16]; 16], ..sized(16, 8, 2, 4, 1) };
    let parts = Programs::of(&network).unwrap();
    assert_eq!(parts.prove(&network), Ok(()));
    let classes: Vec<&[Step]> = parts.parts[4].steps.split_inclusive(|step| matches!(step, Step::Sum { .. })).collect();
    // Of every class: what selects its PEs, its product, and the two copies, which each begin with whom they are for.
    for left_out in [2..4, 4..6] {
        let mut changed = parts.clone();
        let without = |class: &&[Step]| [&class[..left_out.start], &class[left_out.end..]].concat();
        changed.parts[4].steps = classes.iter().flat_map(without).collect();
        assert_eq!(changed.prove(&network), Err(InPixelProofError::Windows), "{left_out:?}");
    }
}

/// Weights of every other block, in place of those of the block itself, are detected.
#[test]
fn blocks_have_their_own_weights() {
    let network = sized(16, 8, 2, 2, 1);
    let parts = Programs::of(&network).unwrap();
    let weights = parts.homes.bits[0].register;
    // The convolution does not read the weights of the dense layer.
    let [moved, other] = DENSE;
    let inside = SCRATCH.into_iter().find(|register| !parts.ink.contains(register)).unwrap();
    let blocks = || [[0, 0], [0, 1], [1, 0], [1, 1]];
    for (to, from) in blocks().into_iter().flat_map(|to| blocks().map(|from| (to, from))) {
        let mut steps = Steps::default();
        steps.controller(Step::Region(Area { top: 8 * to[0], left: 8 * to[1], height: 8, width: 8 })).unwrap();
        steps.words.or(moved, &[weights.into()]);
        for (axis, [back, on]) in [[NORTH, SOUTH], [WEST, EAST]].into_iter().enumerate() {
            if from[axis] != to[axis] {
                let open = if from[axis] < to[axis] { back } else { on };
                steps.words.clr(&[SOUTH, WEST, NORTH, EAST]).set(&[open]);
                for _ in 0..4 {
                    steps.words.neighbours(other, moved).neighbours(moved, other);
                }
            }
        }
        // The moved weights within the region, and the others outside.
        steps.words.nor(other, &[Bit::Rect]).nor(inside, &[other.into(), moved.into()]);
        steps.words.nor(other, &[weights.into(), Bit::Rect]).nor(weights, &[inside.into(), other.into()]);
        let program = [steps.finish().unwrap(), parts.parts[1].steps.clone()].concat();
        assert_eq!(convolution(&network, &parts, &program).is_ok(), from == to, "{from:?} {to:?}");
    }
}
