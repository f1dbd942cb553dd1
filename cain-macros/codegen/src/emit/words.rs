//! Instructions on registers of both kinds as expressions.

use std::collections::BTreeSet;

use cain_isa::{Bit, Instruction, Reg, Word};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::assembler::Assembler;
use super::digital;

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

    pub(super) fn bit(&mut self, bit: Bit) -> TokenStream {
        let name = bit.to_string();
        let ident = format_ident!("{name}");
        self.digital.insert(name);
        quote!(#ident)
    }

    pub(super) fn instruction(&mut self, instruction: &Instruction) -> TokenStream {
        let is_on_bits = match instruction {
            Instruction::Word(word) => {
                matches!(word, Word::Logic(_) | Word::FromNeighbours(_) | Word::WhereBits(_))
            }
            // `PROP0` is the only one in programs that is not on analogue registers.
            Instruction::Macro(instruction) => instruction.operands().is_empty(),
        };
        if is_on_bits {
            digital::instruction(instruction, &mut self.digital)
        } else {
            self.analogue.instruction(instruction)
        }
    }

    /// What writes everything but bits.
    pub(super) fn analogue(&mut self) -> &mut Assembler {
        &mut self.analogue
    }

    /// The imports of the names that were used.
    pub(super) fn imports(&self, runtime: &TokenStream) -> TokenStream {
        let names: Vec<_> = self.analogue.names().collect();
        let digital: Vec<_> = self.digital.iter().map(|name| format_ident!("{name}")).collect();
        let analogue = (!names.is_empty()).then(|| quote!(use #runtime::isa::asm::{#(#names),*};));
        let digital = (!digital.is_empty()).then(|| quote!(use #runtime::isa::asm::digital::{#(#digital),*};));
        quote!(#analogue #digital)
    }
}
