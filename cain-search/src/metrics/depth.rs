//! The depth of a program.

use cain_analysis::sorted::Map;
use cain_isa::{Instruction, Store};

/// The number of instructions in the longest chain in which each one needs a result of the one before it.
///
/// Dependences follow from the control words: an instruction depends on those that wrote the cells that its words read,
/// unless it wrote these cells itself. The array carries out one instruction at a time, so depth costs no time, but
/// errors add up along the chain.
///
/// ```
/// use cain_isa::asm::{A, B, C, EAST, add, divq, movx};
///
/// // Both halves of a sum are made side by side.
/// assert_eq!(cain_search::depth(&[divq(B, A), movx(C, A, EAST), add(A, B, C)]), 2);
/// ```
#[must_use]
pub fn depth(listing: &[Instruction]) -> u32 {
    let mut deepest = 0;
    let mut depths: Map<Store, u32> = Map::new();
    for instruction in listing {
        let mut written: Map<Store, u32> = Map::new();
        for transfer in instruction.words().flat_map(|word| word.transfers()) {
            let before = |store: &Store| depths.get(store).map_or(1, |depth| depth + 1);
            let through = |store: &Store| written.get(store).copied().unwrap_or_else(|| before(store));
            let depth = transfer.terms().iter().map(|(store, _)| through(store)).max().unwrap_or(1);
            written.insert(transfer.store, depth);
            deepest = deepest.max(depth);
        }
        depths.extend(written);
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::depth;
    use cain_isa::asm::{A, B, C, D, EAST, NEWS, XE, add, bus, div, mov, movx, reg, res, sub};

    #[test]
    fn chains() {
        assert_eq!(depth(&[]), 0);
        assert_eq!(depth(&[res(A)]), 1);
        assert_eq!(depth(&[mov(B, A), mov(C, B), mov(D, C)]), 3);
        assert_eq!(depth(&[mov(B, A), mov(C, A), mov(D, A)]), 1);
        assert_eq!(depth(&[movx(B, A, EAST), movx(C, A, EAST), add(D, B, C), sub(A, D, B)]), 3);
    }

    /// The second result of `div` goes through the third, but that is still one instruction.
    #[test]
    fn what_an_instruction_passes_on_within_itself_counts_once() {
        assert_eq!(depth(&[div(B, C, A), add(D, B, C)]), 2);
    }

    /// Overwriting is not a dependence, and what was overwritten is forgotten.
    #[test]
    fn a_register_used_again_starts_anew() {
        assert_eq!(depth(&[mov(B, A), mov(B, A), mov(B, A)]), 1);
        assert_eq!(depth(&[mov(C, A), mov(C, C), mov(C, C), res(C), mov(D, C)]), 3);
    }

    #[test]
    fn native_words_pass_values_in_news() {
        assert_eq!(depth(&[bus(&[NEWS], &[reg(A)]), bus(&[reg(B)], &[XE]), bus(&[reg(C)], &[reg(B)])]), 3);
    }
}
