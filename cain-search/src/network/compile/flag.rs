//! FLAG between stages.

use cain_isa::network::Step;
use cain_isa::{Instruction, Word};

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
                Instruction::Word(Word::Where(_) | Word::WhereBits(_)) => decides = true,
                _ => decides = false,
            }
            kept.push(instruction);
        }
        kept.reverse();
        *listing = kept;
    }
}

fn listing<W>(step: &mut Step<Vec<Instruction>, W>) -> Option<&mut Vec<Instruction>> {
    match step {
        Step::Execute(listing) => Some(listing),
        Step::Level(_) | Step::Compensation { .. } | Step::Outside(..) | Step::Read(_) => None,
    }
}
