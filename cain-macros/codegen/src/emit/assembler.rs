//! Expressions of instructions and numbers.

use cain_analysis::sorted::Set;
use cain_isa::{Cell, Direction, Fraction, Instruction, Operand, Reg, Word};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::registers;

/// Writes expressions of `cain_isa::asm` and records the names to import, because lints refuse glob imports.
#[derive(Default)]
pub(super) struct Assembler {
    used: Set<String>,
}

impl Assembler {
    /// The names to import, sorted.
    pub(super) fn names(&self) -> impl Iterator<Item = Ident> + '_ {
        self.used.iter().map(|name| format_ident!("{name}"))
    }

    pub(super) fn name(&mut self, name: &str) -> Ident {
        self.used.insert(name.to_owned());
        format_ident!("{name}")
    }

    pub(super) fn reg(&mut self, reg: Reg) -> TokenStream {
        match registers::number(reg) {
            None => {
                let letter = self.name(&reg.to_string());
                quote!(#letter)
            }
            Some(number) => {
                let (r, number) = (self.name("r"), Literal::u8_unsuffixed(number));
                quote!(#r(#number))
            }
        }
    }

    fn direction(&mut self, direction: Direction) -> TokenStream {
        let name = self.name(&direction.name().to_uppercase());
        quote!(#name)
    }

    fn cell(&mut self, cell: Cell) -> TokenStream {
        let name = match cell {
            Cell::Reg(reg) => {
                let (cell, reg) = (self.name("reg"), self.reg(reg));
                return quote!(#cell(#reg));
            }
            Cell::News | Cell::Port(_) | Cell::Pix | Cell::In => self.name(&cell.to_string()),
        };
        quote!(#name)
    }

    pub(super) fn ratio(&mut self, fraction: Fraction) -> TokenStream {
        let ratio = self.name("ratio");
        let sign = (fraction.numerator() < 0).then(|| quote!(-));
        let [numerator, denominator] =
            [fraction.numerator(), fraction.denominator()].map(i64::unsigned_abs).map(integer);
        quote!(#ratio(#sign #numerator, #denominator))
    }

    pub(super) fn instruction(&mut self, instruction: &Instruction) -> TokenStream {
        match instruction {
            Instruction::Macro(instruction) => {
                let name = self.name(instruction.op().constructor());
                let operands = instruction.operands().iter().map(|operand| match *operand {
                    Operand::Reg(reg) => self.reg(reg),
                    Operand::Direction(direction) => self.direction(direction),
                    // Never in a plan, because the prover knows only analogue instructions.
                    operand => Literal::string(&operand.to_string()).into_token_stream(),
                });
                quote!(#name(#(#operands),*))
            }
            Instruction::Word(Word::All) => {
                let all = self.name("all");
                quote!(#all())
            }
            Instruction::Word(Word::Where(sum)) => {
                let name = self.name("where_positive");
                let cells: Vec<_> = sum.cells().iter().map(|cell| self.cell(*cell)).collect();
                quote!(#name(&[#(#cells),*]))
            }
            Instruction::Word(word) => {
                let bus = self.name("bus");
                let destinations: Vec<_> = word.destinations().iter().map(|cell| self.cell(*cell)).collect();
                let sources: Vec<_> = word.sources().iter().map(|cell| self.cell(*cell)).collect();
                quote!(#bus(&[#(#destinations),*], &[#(#sources),*]))
            }
        }
    }
}

/// A literal with its digits in groups, as lints demand.
pub(super) fn integer(value: u64) -> Literal {
    let digits = value.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push('_');
        }
        grouped.push(digit);
    }
    grouped.parse().unwrap_or_else(|_| Literal::u64_unsuffixed(value))
}
