//! Moves programs to other registers.
//!
//! Analogue registers are alike, so a program does the same in any of them, as long as they are different.

use super::Plan;
use crate::{Instruction, Reg, Renaming, Word};

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
        let Some(renaming) = Renaming::new(from, to) else { panic!("two of the handles are for the same register") };
        let mut listing = [Instruction::Word(Word::Nop); N];
        let mut i = 0;
        while i < N {
            listing[i] = self.listing[i].renamed(renaming);
            i += 1;
        }
        listing
    }
}
