//! What a program needs at each point between its instructions.

use cain_isa::{Cells, Effect, Instruction};

/// What is needed, written and spent along a program. A *boundary* is a point between two instructions: boundary 0 is
/// before the first, and there is one more of them than instructions.
pub(super) struct Flow {
    /// What the rest of the program reads before it writes it, or promises to its caller, at each boundary.
    pub(super) live: Vec<Cells>,
    /// What each instruction overwrites, wholly or in some PEs.
    pub(super) written: Vec<Cells>,
    /// Control words before each boundary.
    pub(super) words: Vec<u32>,
    /// Whether FLAG is 1 in every PE at a boundary, and no word waits for its second half.
    pub(super) is_open: Vec<bool>,
}

impl Flow {
    /// The flow of a listing that starts with FLAG set everywhere and ends with `promised` for its caller.
    pub(super) fn of(listing: &[Instruction], promised: Cells) -> Self {
        let mut flow = Self { live: Vec::new(), written: Vec::new(), words: vec![0], is_open: vec![true] };
        let mut effects: Vec<Vec<Effect>> = Vec::with_capacity(listing.len());
        let (mut flag_everywhere, mut words) = (true, 0);
        for instruction in listing {
            let mut of_instruction = Vec::new();
            for word in instruction.words() {
                of_instruction.push(word.effect(flag_everywhere));
                flag_everywhere = word.sets_flag_everywhere().unwrap_or(flag_everywhere);
                words += 1;
            }
            let is_half = of_instruction.last().is_some_and(|effect| effect.is_first_half);
            flow.is_open.push(flag_everywhere && !is_half);
            flow.words.push(words);
            let written = of_instruction.iter().map(|effect| effect.writes.union(effect.changes));
            flow.written.push(written.fold(Cells::NONE, Cells::union));
            effects.push(of_instruction);
        }
        let mut needed = promised;
        flow.live.push(needed);
        for of_instruction in effects.iter().rev() {
            for effect in of_instruction.iter().rev() {
                needed = needed.without(effect.writes).union(effect.reads);
            }
            flow.live.push(needed);
        }
        flow.live.reverse();
        flow
    }

    /// The last boundary.
    pub(super) fn end(&self) -> usize {
        self.written.len()
    }
}
