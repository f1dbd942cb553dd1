//! FLAG and NEWS between stages.

use cain_isa::network::Step;
use cain_isa::{Bit, Cell, Instruction, Word};

use super::stage::Stage;

/// Takes out the words that set FLAG in all PEs where the next word decides it anew.
///
/// No analogue cell is written in between, and nothing else depends on FLAG: controller functions only set levels, write
/// digital registers and read.
pub(super) fn drop_needless(stages: &mut [Stage]) {
    let mut decides = false;
    for listing in stages.iter_mut().rev().flat_map(|stage| stage.steps.iter_mut().rev()).filter_map(listing) {
        let mut kept: Vec<Instruction> = Vec::with_capacity(listing.len());
        for instruction in listing.drain(..).rev() {
            match instruction {
                Instruction::Word(Word::All) if decides => continue,
                Instruction::Word(Word::Where(_)) => decides = true,
                Instruction::Word(Word::WhereBits(bits)) => decides = !bits.bits().contains(&Bit::Flag),
                _ => decides = false,
            }
            kept.push(instruction);
        }
        kept.reverse();
        *listing = kept;
    }
}

/// Takes out the words that clear NEWS where an earlier one has done that and no word has written NEWS since.
///
/// What counts is what is written with FLAG set in all PEs, as operations leave it.
pub(super) fn drop_repeated_clears(stages: &mut [Stage]) {
    let (mut everywhere, mut cleared) = (true, false);
    for step in stages.iter_mut().flat_map(|stage| &mut stage.steps) {
        // A read-out may use NEWS.
        cleared &= !matches!(step, Step::Read(_) | Step::Events(_));
        let Some(listing) = listing(step) else { continue };
        listing.retain(|instruction| {
            let is_clear = is_clear(instruction) && everywhere;
            let is_needed = !(is_clear && cleared);
            cleared = is_clear || (cleared && !writes_news(instruction));
            everywhere = match instruction {
                Instruction::Word(Word::All) => true,
                Instruction::Word(Word::Where(_) | Word::WhereBits(_)) => false,
                _ => everywhere,
            };
            is_needed
        });
    }
}

/// Whether NEWS becomes 0, but for the error of a transfer.
fn is_clear(instruction: &Instruction) -> bool {
    matches!(instruction, Instruction::Word(Word::Bus(bus)) if bus.destinations() == [Cell::News] && bus.sources().is_empty())
}

fn writes_news(instruction: &Instruction) -> bool {
    let is_news = |cell: &Cell| matches!(cell, Cell::News | Cell::Port(_));
    instruction.words().any(|word| word.destinations().iter().any(is_news))
}

fn listing<W>(step: &mut Step<Vec<Instruction>, W>) -> Option<&mut Vec<Instruction>> {
    match step {
        Step::Execute(listing) => Some(listing),
        Step::Level(_) | Step::Compensation { .. } | Step::Outside(..) | Step::Read(_) | Step::Events(_) => None,
    }
}
