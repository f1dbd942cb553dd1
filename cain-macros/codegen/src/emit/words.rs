//! Instructions on registers of both kinds as expressions.

use std::collections::BTreeSet;

use cain_isa::{Instruction, Reg, Word};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::digital;
use super::plan::Assembler;

/// Writes instructions, and records the names to import for them.
#[derive(Default)]
pub(super) struct Words {
    analogue: Assembler,
    digital: BTreeSet<String>,
}

impl Words {
    pub(super) fn reg(&mut self, reg: Reg) -> TokenStream {
        self.analogue.reg(reg)
    }

    pub(super) fn instruction(&mut self, instruction: &Instruction) -> TokenStream {
        match instruction {
            Instruction::Word(Word::Logic(_) | Word::FromNeighbours(_) | Word::WhereBits(_)) => {
                digital::instruction(instruction, &mut self.digital)
            }
            _ => self.analogue.instruction(instruction),
        }
    }

    /// What writes everything but bits.
    pub(super) fn analogue(&mut self) -> &mut Assembler {
        &mut self.analogue
    }

    /// The imports of the names that were used.
    pub(super) fn imports(&self, runtime: &TokenStream) -> TokenStream {
        let names = self.analogue.names();
        let digital = self.digital.iter().map(|name| format_ident!("{name}"));
        quote! {
            use #runtime::isa::asm::{#(#names),*};
            use #runtime::isa::asm::digital::{#(#digital),*};
        }
    }
}
