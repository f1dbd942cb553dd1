//! Words as expressions.

use std::collections::BTreeSet;

use cain_isa::{Bit, Instruction, Operation, Word};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// A word as a call of a function of `cain_isa::asm`, whose name is added to those used.
pub(crate) fn instruction(line: &Instruction, used: &mut BTreeSet<String>) -> TokenStream {
    let mut name = |name: String| {
        let ident = format_ident!("{name}");
        used.insert(name);
        ident
    };
    if let Instruction::Macro(line) = line
        && line.operands().is_empty()
    {
        let function = name(line.op().constructor().to_owned());
        return quote!(#function());
    }
    let words: Vec<Word> = line.words().collect();
    let mut bits = |bits: &[Bit]| bits.iter().map(|bit| name(bit.to_string())).collect::<Vec<_>>();
    let call = match words.as_slice() {
        [Word::Logic(logic)] => {
            let targets = bits(&logic.targets().iter().map(|&target| Bit::Reg(target)).collect::<Vec<_>>());
            let sources = bits(logic.sources());
            match (logic.operation(), targets.as_slice()) {
                (Operation::Set, _) => ("set", quote!((&[#(#targets),*]))),
                (Operation::Clr, _) => ("clr", quote!((&[#(#targets),*]))),
                (Operation::Nor, _) => ("nor", quote!((#(#targets),*, &[#(#sources),*]))),
                _ => ("or", quote!((#(#targets),*, &[#(#sources),*]))),
            }
        }
        [Word::FromNeighbours(word)] => {
            let operands = bits(&[Bit::Reg(word.target()), word.source()]);
            let outside = word.outside();
            ("from_neighbours", quote!((#(#operands),*, #outside)))
        }
        [Word::WhereBits(list)] => {
            let list = bits(list.bits());
            ("where_bits", quote!((&[#(#list),*])))
        }
        _ => ("all", quote!(())),
    };
    let (function, arguments) = call;
    let function = name(function.to_owned());
    quote!(#function #arguments)
}
