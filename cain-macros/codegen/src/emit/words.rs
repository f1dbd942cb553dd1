//! Instructions on registers of both kinds as expressions.

use cain_analysis::sorted::Set;
use cain_isa::{Bit, Instruction, Operation, Reg, Word};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::assembler::Assembler;

/// Writes instructions, and records the names to import for them.
#[derive(Default)]
pub(super) struct Words {
    analogue: Assembler,
    digital: Set<String>,
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

    /// An instruction as a call of a function of `cain_isa::asm`.
    pub(super) fn instruction(&mut self, instruction: &Instruction) -> TokenStream {
        let (function, arguments) = match instruction {
            // `PROP0` is the only one in programs that is not on analogue registers.
            Instruction::Macro(instruction) if instruction.operands().is_empty() => {
                (instruction.op().constructor(), quote!(()))
            }
            Instruction::Word(Word::Logic(logic)) => {
                let targets = self.bits(logic.targets().iter().map(|&target| Bit::Reg(target)));
                let sources = self.bits(logic.sources().iter().copied());
                match logic.operation() {
                    Operation::Set => ("set", quote!((&[#(#targets),*]))),
                    Operation::Clr => ("clr", quote!((&[#(#targets),*]))),
                    Operation::Nor => ("nor", quote!((#(#targets),*, &[#(#sources),*]))),
                    _ => ("or", quote!((#(#targets),*, &[#(#sources),*]))),
                }
            }
            Instruction::Word(Word::FromNeighbours(word)) => {
                let operands = self.bits([Bit::Reg(word.target()), word.source()]);
                let outside = word.outside();
                ("from_neighbours", quote!((#(#operands),*, #outside)))
            }
            Instruction::Word(Word::WhereBits(list)) => {
                let list = self.bits(list.bits().iter().copied());
                ("where_bits", quote!((&[#(#list),*])))
            }
            _ => return self.analogue.instruction(instruction),
        };
        let name = format_ident!("{function}");
        self.digital.insert(function.to_owned());
        quote!(#name #arguments)
    }

    fn bits(&mut self, bits: impl IntoIterator<Item = Bit>) -> Vec<TokenStream> {
        bits.into_iter().map(|bit| self.bit(bit)).collect()
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
