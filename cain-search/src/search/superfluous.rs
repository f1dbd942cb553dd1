//! Removes instructions that a program does not need, such as those that compute a value again while it is still
//! available.
//!
//! An instruction is superfluous if the outputs are the same with what its cells held before it. Values and the weights
//! with which cells reach the outputs are followed as [images](Image), forwards and backwards; what seems superfluous by
//! them is left out only if the rest is proved.

use std::collections::BTreeMap;

use cain_isa::{Displacement, Instruction, Store, Word};

use crate::engine::image::Image;
use crate::engine::terms;
use crate::{Proved, verify};

/// What is in cells, or reaches the outputs from there.
type Cells = BTreeMap<Store, Image>;

/// The program without superfluous instructions, and the number of replays this took.
pub(super) fn without_superfluous(mut program: Proved) -> (Proved, u64) {
    let mut replays = 0;
    loop {
        let before = program.listing().len();
        // Both directions together take about as long as a replay.
        replays += 1;
        program = go_backwards(program, &mut replays);
        // An instruction may have restored what another one, now left out, had overwritten.
        if program.listing().len() == before {
            return (program, replays);
        }
    }
}

/// Goes through a program once, because what only a superfluous instruction uses comes before it.
fn go_backwards(mut program: Proved, replays: &mut u64) -> Proved {
    let changes = changes(&program);
    let mut reaching: Cells =
        (0..).zip(program.outputs()).map(|(i, output)| (Store::Reg(output.reg), one(i))).collect();
    for (at, changes) in changes.into_iter().enumerate().rev() {
        let lost = changes.iter().fold(Image::ZERO, |lost, (store, change)| lost + of(&reaching, *store) * *change);
        let instruction = program.listing()[at];
        if lost == Image::ZERO {
            let mut shorter = program.listing().to_vec();
            shorter.remove(at);
            *replays += 1;
            if let Ok(proved) = verify(program.declaration(), &shorter) {
                program = proved;
                continue;
            }
        }
        undo(instruction, &mut reaching);
    }
    program
}

/// By how much each instruction changes the cells that it writes.
fn changes(program: &Proved) -> Vec<Vec<(Store, Image)>> {
    let inputs = program.declaration().inputs.iter().map(|input| Store::Reg(input.reg));
    let mut cells: Cells = (0..).zip(inputs).map(|(channel, store)| (store, one(channel))).collect();
    // What other cells hold at first is like no input.
    let written = program.listing().iter().flat_map(Instruction::words).flat_map(|word| word.transfers());
    for (channel, transfer) in (0..terms::MAX_CHANNELS).rev().zip(written) {
        cells.entry(transfer.store).or_insert_with(|| one(channel));
    }
    let change = |instruction: &Instruction| {
        let before = cells.clone();
        for transfer in instruction.words().flat_map(|word| word.transfers()) {
            let sum = transfer.terms().iter().fold(Image::ZERO, |sum, (source, displacement)| {
                sum + of(&cells, *source) * Image::of_shift(*displacement)
            });
            let factor = Image::of_fraction(transfer.factor()).unwrap_or(Image::ZERO);
            cells.insert(transfer.store, sum * factor);
        }
        cells
            .iter()
            .map(|(store, now)| (*store, *now - of(&before, *store)))
            .filter(|(_, change)| *change != Image::ZERO)
            .collect()
    };
    program.listing().iter().map(change).collect()
}

/// Turns what reaches the outputs after an instruction into what reaches them before it.
fn undo(instruction: Instruction, reaching: &mut Cells) {
    let words: Vec<_> = instruction.words().collect();
    for transfer in words.iter().rev().flat_map(Word::transfers) {
        let Some(weight) = reaching.remove(&transfer.store) else { continue };
        let factor = Image::of_fraction(transfer.factor()).unwrap_or(Image::ZERO);
        for &(source, displacement) in transfer.terms() {
            let before = of(reaching, source);
            reaching.insert(source, before + weight * factor * Image::of_shift(displacement));
        }
    }
}

fn of(cells: &Cells, store: Store) -> Image {
    cells.get(&store).copied().unwrap_or(Image::ZERO)
}

fn one(channel: u16) -> Image {
    Image::of(&[(terms::key(channel, Displacement::ZERO), 1)])
}
