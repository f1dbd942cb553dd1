//! Moves programs to other registers.
//!
//! Analogue registers are alike, so a program does the same in any of them, as long as they are different.

use super::Plan;
use crate::renaming::Renaming;
use crate::{Instruction, Reg, Word};

impl Plan {
    /// The program with each register in `from` replaced by the one at the same place in `to`; others are unchanged.
    /// `N` is the number of instructions.
    ///
    /// Generated functions that run in any registers get their programs from this, at compile time.
    ///
    /// ```
    /// use cain_isa::{Instruction, Reg, asm::*};
    /// # use cain_isa::{Cost, Found, Fraction, Plan, Stop};
    /// # const PLAN: Plan = Plan {
    /// #     name: "f", declaration: "", inputs: &[A], outputs: &[B], listing: &[neg(B, A)], accuracy: &[],
    /// #     cost: Cost { macros: 1, icws: 2, peak_gain: Fraction::ONE },
    /// #     found: Found { nodes: 1, lower_bound: 1, stop: Stop::Proved }, switches: &[],
    /// # };
    ///
    /// // PLAN.listing is `neg(B,A);`.
    /// const IN_D_AND_A: [Instruction; 1] = PLAN.in_registers(&[A, B], &[D, A]);
    /// assert_eq!(IN_D_AND_A[0].to_string(), "neg(A,D);");
    /// ```
    ///
    /// # Panics
    ///
    /// If two of the registers are the same or the numbers do not fit; in a constant that is a compile error.
    #[must_use]
    #[track_caller]
    pub const fn in_registers<const N: usize>(&self, from: &[Reg], to: &[Reg]) -> [Instruction; N] {
        assert!(self.listing.len() == N, "the plan has another number of instructions");
        assert!(from.len() == to.len(), "there must be a register for each register");
        let mut i = 0;
        while i < to.len() {
            let mut j = i + 1;
            while j < to.len() {
                assert!(!to[i].same(to[j]), "two of the handles are for the same register");
                j += 1;
            }
            i += 1;
        }
        let renaming = Renaming { from, to };
        let mut listing = [Instruction::Word(Word::Nop); N];
        let mut i = 0;
        while i < N {
            listing[i] = renamed(self.listing[i], renaming);
            i += 1;
        }
        listing
    }
}

/// An instruction on other registers, which must differ where its own do.
const fn renamed(instruction: Instruction, renaming: Renaming<'_>) -> Instruction {
    match instruction {
        Instruction::Macro(instruction) => Instruction::Macro(instruction.renamed(renaming)),
        Instruction::Word(word) => Instruction::Word(match word {
            Word::Bus(bus) => Word::Bus(bus.renamed(renaming)),
            Word::Where(sum) => Word::Where(sum.renamed(renaming)),
            Word::Blur(blur) => Word::Blur(blur.renamed(renaming)),
            Word::Square(square) => Word::Square(square.renamed(renaming)),
            word => word,
        }),
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::{Renaming, renamed};
    use crate::asm::{A, B, C, D};
    use std::string::ToString;

    #[test]
    fn every_kind_of_instruction_is_renamed() {
        let renaming = Renaming { from: &[A, B, C], to: &[B, D, A] };
        for (line, wanted) in [
            ("sub2x(A,B,east,north,C);", "sub2x(B,D,east,north,A);"),
            ("bus2(A,NEWS,B,C);", "bus2(B,NEWS,D,A);"),
            ("bus(XW,A,IN);", "bus(XW,B,IN);"),
            ("bus(C,XE,XW);", "bus(A,XE,XW);"),
            ("where(A,C);", "where(B,A);"),
            ("sq(A,B);", "sq(B,D);"),
            ("blurh(NEWS,B);", "blurh(NEWS,D);"),
            ("AND(R5,R6,R7);", "AND(R5,R6,R7);"),
            ("all();", "all();"),
        ] {
            assert_eq!(renamed(line.parse().unwrap(), renaming).to_string(), wanted);
        }
    }
}
