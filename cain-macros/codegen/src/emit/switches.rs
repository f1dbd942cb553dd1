//! Where a program may be left, as constant data.

use cain_isa::{Bit, Cells, Kept, KeptBit, KeptLevels, SwitchPoint};
use cain_search::switches::SwitchTable;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::assembler::{Assembler, integer};
use super::bit::constant;

/// A table as an expression of `Switches`.
pub(super) fn switches(runtime: &TokenStream, table: &SwitchTable, asm: &mut Assembler) -> TokenStream {
    let others = others(runtime, table.others(), asm);
    let points = table.switch_points().map(|point| self::point(runtime, &point, asm)).collect::<Vec<_>>();
    let latency = integer(table.latency().into());
    quote! {
        #runtime::isa::Switches {
            others: #others,
            points: &[#(#points),*],
            latency: #latency,
        }
    }
}

fn others(runtime: &TokenStream, others: Cells, asm: &mut Assembler) -> TokenStream {
    let registers = others.analogue().iter().map(|reg| asm.reg(reg)).collect::<Vec<_>>();
    let overwritten = asm.name("overwritten");
    let bits = others.bits().map(|of_others| bit(runtime, of_others));
    quote!(#overwritten(&[#(#registers),*])#(.union(#runtime::isa::Cells::bit(#bits)))*)
}

fn point(runtime: &TokenStream, point: &SwitchPoint<'_>, asm: &mut Assembler) -> TokenStream {
    let [at, resume, extra] = [point.at, point.resume, point.extra].map(|count| integer(count.into()));
    let name = asm.name("point");
    let kept: Vec<_> = point.kept.iter().map(|&kept| self::kept(kept, asm)).collect();
    let mut tokens = quote!(#name(#at, #resume, #extra, &[#(#kept),*]));
    if !point.bits.is_empty() || point.sets_flag {
        let bits = point.bits.iter().map(|kept| kept_bit(runtime, *kept));
        let sets_flag = point.sets_flag;
        tokens.extend(quote!(.with_bits(&[#(#bits),*], #sets_flag)));
    }
    if !point.levels.is_empty() {
        let levels: Vec<_> = point.levels.iter().map(|&kept| kept_levels(runtime, kept, asm)).collect();
        tokens.extend(quote!(.with_levels(&[#(#levels),*])));
    }
    tokens
}

fn kept(kept: Kept, asm: &mut Assembler) -> TokenStream {
    let register = asm.reg(kept.register);
    if let Some(home) = kept.home {
        let (name, home) = (asm.name("kept"), asm.reg(home));
        quote!(#name(#home, #register))
    } else {
        let name = asm.name("kept_news");
        quote!(#name(#register))
    }
}

fn kept_bit(runtime: &TokenStream, KeptBit { home, register }: KeptBit) -> TokenStream {
    let (home, register) = (bit(runtime, home), constant(runtime, register));
    quote!(#runtime::isa::KeptBit { home: #home, register: #register })
}

fn kept_levels(runtime: &TokenStream, kept: KeptLevels, asm: &mut Assembler) -> TokenStream {
    let KeptLevels { home, register, low, high } = kept;
    let (home, register) = (asm.reg(home), constant(runtime, register));
    let [low, high] = [low, high].map(Literal::i8_unsuffixed);
    quote!(#runtime::isa::KeptLevels { home: #home, register: #register, low: #low, high: #high })
}

fn bit(runtime: &TokenStream, bit: Bit) -> TokenStream {
    match bit {
        Bit::Reg(register) => {
            let register = constant(runtime, register);
            quote!(#runtime::isa::Bit::Reg(#register))
        }
        Bit::Flag => quote!(#runtime::isa::Bit::Flag),
        Bit::Select => quote!(#runtime::isa::Bit::Select),
        Bit::Rect => quote!(#runtime::isa::Bit::Rect),
    }
}
