//! Leaves out words that do not matter.

use cain_analysis::owned::Step;
use cain_isa::{Bit, Instruction, Word};

use crate::plan::Piece;

/// Leaves out every `all` after which FLAG is written before it matters.
pub(super) fn tidy(pieces: &mut [Piece<'_>]) {
    // Where the last `all` is that has not mattered yet.
    let mut last: Option<(usize, usize)> = None;
    for at in 0..pieces.len() {
        let mut superfluous = Vec::new();
        match &mut pieces[at] {
            Piece::Do(Step::Execute(listing)) => {
                for (number, instruction) in listing.iter().enumerate() {
                    for word in instruction.words() {
                        match word {
                            Word::All => {
                                superfluous.extend(last.take());
                                last = is_alone(instruction).then_some((at, number));
                            }
                            Word::Where(_) => superfluous.extend(last.take()),
                            Word::WhereBits(bits) if !bits.bits().contains(&Bit::Flag) => {
                                superfluous.extend(last.take());
                            }
                            Word::Logic(logic) if !logic.sources().contains(&Bit::Flag) => {}
                            Word::FromNeighbours(word) if word.source() != Bit::Flag => {}
                            _ => last = None,
                        }
                    }
                }
            }
            Piece::Do(Step::Find { of: Bit::Flag, .. }) => last = None,
            Piece::Do(_) | Piece::Holds(..) | Piece::List { .. } => {}
            piece @ (Piece::Loop { .. } | Piece::Decide { .. } | Piece::First { .. }) => {
                piece.bodies_mut().for_each(|body| tidy(body));
                last = None;
            }
        }
        // From the last to the first, so that places stay right.
        superfluous.sort_unstable();
        for (piece, number) in superfluous.into_iter().rev() {
            if let Piece::Do(Step::Execute(listing)) = &mut pieces[piece] {
                listing.remove(number);
            }
            if let Some((kept, place)) = &mut last
                && *kept == piece
                && *place > number
            {
                *place -= 1;
            }
        }
    }
}

/// Whether an instruction is one word.
fn is_alone(instruction: &Instruction) -> bool {
    instruction.icws() == 1
}
