//! Programs and weights of a network in the pixels as constant data.

use cain_isa::Word;
use cain_isa::in_pixel::{Count, Rectangle, Selection, Step};
use cain_network::in_pixel::{Compiled, Component, Declaration, WeightPlane};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::super::plan::integer;
use super::super::switches::switches;
use super::super::words::Words;
use crate::emit::bit::constant;

/// The plan as an expression.
pub(super) fn plan(runtime: &TokenStream, name: &Ident, compiled: &Compiled) -> TokenStream {
    let (network, mut words) = (compiled.network(), Words::default());
    let components: Vec<_> =
        compiled.components().iter().map(|component| words.component(runtime, component, network)).collect();
    let planes: Vec<_> = compiled.planes().iter().map(|plane| self::plane(runtime, plane, network.side)).collect();
    let (input, taken, level) = (words.reg(compiled.input()), rectangle(compiled.taken()), signed(compiled.level()));
    let (name, side, scale) = (name.to_string(), size(network.side), size(network.scale));
    let tables: Vec<_> = compiled.switches().iter().map(|table| switches(runtime, table, words.analogue())).collect();
    let imports = words.imports(runtime);
    quote! {{
        #imports
        use #runtime::isa::in_pixel::{BitPlane, ComponentPlan, InPixelPlan, Rectangle, Selection, Step, words};
        InPixelPlan {
            name: #name,
            side: #side,
            input: #input,
            taken: #taken,
            scale: #scale,
            level: #level,
            planes: &[#(#planes),*],
            components: &[#(#components),*],
            switches: &[#(#tables),*],
        }
    }}
}

/// A plan without components.
pub(super) fn stub(runtime: &TokenStream, name: &Ident, network: &Declaration) -> TokenStream {
    let (name, side, scale) = (name.to_string(), size(network.side), size(network.scale));
    let taken = rectangle(Rectangle { top: 0, left: 0, height: 1, width: 1 });
    quote! {{
        use #runtime::isa::in_pixel::{InPixelPlan, Rectangle};
        InPixelPlan {
            name: #name,
            side: #side,
            input: #runtime::isa::Reg::A,
            taken: #taken,
            scale: #scale,
            level: 0,
            planes: &[],
            components: &[],
            switches: &[],
        }
    }}
}

impl Words {
    fn component(&mut self, runtime: &TokenStream, component: &Component, network: &Declaration) -> TokenStream {
        let (name, words) = (component.name, integer(component.words() as u64));
        let nanoseconds = integer(component.nanoseconds(&network.machine));
        let steps: Vec<_> = component.program.iter().map(|step| self.step(runtime, step)).collect();
        quote! {
            ComponentPlan {
                name: #name,
                words: #words,
                nanoseconds: #nanoseconds,
                steps: &[#(#steps),*],
            }
        }
    }

    fn step(&mut self, runtime: &TokenStream, step: &Step<Vec<Word>>) -> TokenStream {
        match step {
            Step::Execute(words) => {
                let words: Vec<_> = words.iter().map(|&word| self.instruction(&word.into())).collect();
                quote!(Step::Execute(&words([#(#words),*])))
            }
            Step::Level(level) => {
                let level = signed(*level);
                quote!(Step::Level(#level))
            }
            Step::Select(selection) => {
                let selection = self::selection(*selection);
                quote!(Step::Select(#selection))
            }
            Step::Region(rectangle) => {
                let rectangle = self::rectangle(*rectangle);
                quote!(Step::Region(#rectangle))
            }
            Step::Sum(reg) => {
                let reg = self.reg(*reg);
                quote!(Step::Sum(#reg))
            }
            Step::Count(count) => {
                let count = self::count(runtime, count);
                quote!(Step::Count(#count))
            }
        }
    }
}

fn selection(selection: Selection) -> TokenStream {
    let Selection { row, column, free_row_bits, free_column_bits } = selection;
    let [row, column, free_row_bits, free_column_bits] =
        [row, column, free_row_bits, free_column_bits].map(|bits| integer(bits.into()));
    quote! {
        Selection {
            row: #row,
            column: #column,
            free_row_bits: #free_row_bits,
            free_column_bits: #free_column_bits,
        }
    }
}

fn rectangle(rectangle: Rectangle) -> TokenStream {
    let Rectangle { top, left, height, width } = rectangle;
    let [top, left, height, width] = [top, left, height, width].map(size);
    quote!(Rectangle { top: #top, left: #left, height: #height, width: #width })
}

/// What the controller reads, as an expression.
fn count(runtime: &TokenStream, count: &Count) -> TokenStream {
    let Count { register, classes, group, bits, numbers, excess } = *count;
    let register = constant(runtime, register);
    let [classes, group, bits, numbers] = [classes, group, bits, numbers].map(size);
    let excess = excess.map(|excess| integer(excess.into()));
    quote! {
        #runtime::isa::in_pixel::Count {
            register: #register,
            classes: #classes,
            group: #group,
            bits: #bits,
            numbers: #numbers,
            excess: [#(#excess),*],
        }
    }
}

/// The weights of a register, with equal rows once.
fn plane(runtime: &TokenStream, plane: &WeightPlane, side: usize) -> TokenStream {
    let (mut rows, mut distinct) = (Vec::new(), Vec::<Vec<u8>>::new());
    for bits in plane.bits.chunks(side) {
        let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
        let row: Vec<u8> = bits.chunks(8).map(byte).collect();
        let number = distinct.iter().position(|known| *known == row).unwrap_or_else(|| {
            distinct.push(row);
            distinct.len() - 1
        });
        // An array has no more than 256 rows.
        rows.push(u8::try_from(number).unwrap_or(u8::MAX));
    }
    let [rows, distinct] = [rows, distinct.concat()].map(|bytes| Literal::byte_string(&bytes));
    let register = constant(runtime, plane.register);
    quote! {
        BitPlane {
            register: #register,
            rows: #rows,
            distinct: #distinct,
        }
    }
}

fn size(size: usize) -> Literal {
    Literal::usize_unsuffixed(size)
}

fn signed(value: i8) -> TokenStream {
    let (sign, digits) = ((value < 0).then(|| quote!(-)), integer(value.unsigned_abs().into()));
    quote!(#sign #digits)
}
