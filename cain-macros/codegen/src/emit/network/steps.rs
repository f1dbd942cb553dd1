//! Steps of a network as constant data.

use std::collections::BTreeSet;

use cain_isa::network::{Area, EventRead, Grid, Held, ReadOut, Step};
use cain_isa::{Bit, Instruction, Reg, Word};
use cain_network::{Network, NetworkStep, Stage};
use cain_search::switches::SwitchTable;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::super::digital;
use super::super::plan::{Assembler, integer};
use super::super::switches::switches;
use crate::emit::bit::constant;

/// Writes words, and records the names to import for them.
#[derive(Default)]
pub(super) struct Words {
    analogue: Assembler,
    digital: BTreeSet<String>,
    /// Of `cain_isa::network`.
    types: BTreeSet<&'static str>,
}

impl Words {
    pub(super) fn reg(&mut self, reg: Reg) -> TokenStream {
        self.analogue.reg(reg)
    }

    /// A type of `cain_isa::network`.
    pub(super) fn kind(&mut self, name: &'static str) -> Ident {
        self.types.insert(name);
        format_ident!("{name}")
    }

    /// Where the network may be left.
    pub(super) fn switches(&mut self, runtime: &TokenStream, table: &SwitchTable) -> TokenStream {
        switches(runtime, table, &mut self.analogue)
    }

    fn bit(&mut self, bit: Bit) -> TokenStream {
        let name = bit.to_string();
        let ident = format_ident!("{name}");
        self.digital.insert(name);
        quote!(#ident)
    }

    fn instruction(&mut self, instruction: &Instruction) -> TokenStream {
        match instruction {
            Instruction::Word(Word::Logic(_) | Word::FromNeighbours(_) | Word::WhereBits(_)) => {
                digital::instruction(instruction, &mut self.digital)
            }
            _ => self.analogue.instruction(instruction),
        }
    }

    /// The imports of the names that were used.
    pub(super) fn imports(&self, runtime: &TokenStream) -> TokenStream {
        let names = self.analogue.names();
        let digital = self.digital.iter().map(|name| format_ident!("{name}"));
        let digital = (!self.digital.is_empty()).then(|| quote!(use #runtime::isa::asm::digital::{#(#digital),*};));
        let types: BTreeSet<_> = self.types.iter().map(|name| format_ident!("{name}")).collect();
        quote! {
            use #runtime::isa::asm::{#(#names),*};
            #digital
            use #runtime::isa::network::{#(#types),*};
        }
    }
}

/// A stage as an expression.
pub(super) fn stage(runtime: &TokenStream, network: &Network, stage: &Stage, words: &mut Words) -> TokenStream {
    let (name, count) = (stage.name(network), integer(stage.words() as u64));
    let nanoseconds = integer(stage.nanoseconds(&network.machine.times));
    let steps: Vec<_> = stage.steps.iter().map(|step| self::step(runtime, step, words)).collect();
    let kind = words.kind("StagePlan");
    quote! {
        #kind {
            name: #name,
            words: #count,
            nanoseconds: #nanoseconds,
            steps: &[#(#steps),*],
        }
    }
}

fn step(runtime: &TokenStream, step: &NetworkStep, words: &mut Words) -> TokenStream {
    let kind = words.kind("Step");
    match step {
        Step::Execute(listing) => {
            let listing: Vec<_> = listing.iter().map(|instruction| words.instruction(instruction)).collect();
            quote!(#kind::Execute(&[#(#listing),*]))
        }
        Step::Level(level) => {
            let level = signed(i64::from(*level));
            quote!(#kind::Level(#level))
        }
        Step::Compensation { level, errors } => {
            let (level, errors) = (signed(i64::from(*level)), errors.map(|error| words.analogue.ratio(error)));
            quote!(#kind::Compensation { level: #level, errors: [#(#errors),*] })
        }
        Step::Outside(bit, grid) => {
            let (bit, grid) = (constant(runtime, *bit), self::grid(grid, words));
            quote!(#kind::Outside(#bit, #grid))
        }
        Step::Read(read) => {
            let read = read_out(read, words);
            quote!(#kind::Read(#read))
        }
        Step::Events(EventRead { from, grid, capacity, first, is_alone }) => {
            let (from, grid) = (words.bit(*from), self::grid(grid, words));
            let [capacity, first] = [*capacity, *first].map(Literal::usize_unsuffixed);
            let read = words.kind("EventRead");
            quote! {
                #kind::Events(#read {
                    from: #from,
                    grid: #grid,
                    capacity: #capacity,
                    first: #first,
                    is_alone: #is_alone,
                })
            }
        }
    }
}

fn read_out(read: &ReadOut<Vec<Area>>, words: &mut Words) -> TokenStream {
    let ReadOut { from, grid, windows, first, scale, shift, mean, adds } = read;
    let held = words.kind("Held");
    let from = match *from {
        Held::Reg(reg) => {
            let reg = words.reg(reg);
            quote!(#held::Reg(#reg))
        }
        Held::Bit(bit) => {
            let bit = words.bit(bit);
            quote!(#held::Bit(#bit))
        }
    };
    let grid = self::grid(grid, words);
    let windows = match windows {
        None => quote!(::core::option::Option::None),
        Some(areas) => {
            let kind = words.kind("Area");
            let areas = areas.iter().map(|of| area(&quote!(#kind), *of));
            quote!(::core::option::Option::Some(&[#(#areas),*]))
        }
    };
    let (first, scale, shift) = (Literal::usize_unsuffixed(*first), real(*scale), real(*shift));
    let kind = words.kind("ReadOut");
    quote! {
        #kind {
            from: #from,
            grid: #grid,
            windows: #windows,
            first: #first,
            scale: #scale,
            shift: #shift,
            mean: #mean,
            adds: #adds,
        }
    }
}

/// An area, whose type has that path.
pub(super) fn area(kind: &TokenStream, Area { top, left, height, width }: Area) -> TokenStream {
    let [top, left, height, width] = [top, left, height, width].map(Literal::usize_unsuffixed);
    quote!(#kind::new(#top, #left, #height, #width))
}

fn grid(grid: &Grid, words: &mut Words) -> TokenStream {
    let kind = words.kind("Grid");
    let Grid { top, left, row_step, column_step, height, width } = *grid;
    let [top, left] = [top, left].map(|place| signed(place as i64));
    let [row_step, column_step, height, width] = [row_step, column_step, height, width].map(Literal::usize_unsuffixed);
    quote!(#kind::new((#top, #left), (#row_step, #column_step), (#height, #width)))
}

/// A whole number of any type.
pub(super) fn signed(value: i64) -> TokenStream {
    let (sign, digits) = ((value < 0).then(|| quote!(-)), integer(value.unsigned_abs()));
    quote!(#sign #digits)
}

/// A literal of a type that is inferred.
fn real(value: f64) -> TokenStream {
    let sign = value.is_sign_negative().then(|| quote!(-));
    // What is not finite is refused with the declaration.
    let digits = Literal::f64_unsuffixed(if value.is_finite() { value.abs() } else { 0.0 });
    quote!(#sign #digits)
}

/// The same for the nearest number in single precision.
#[expect(clippy::cast_possible_truncation, reason = "that is the rounding")]
pub(super) fn single(value: f64) -> TokenStream {
    let value = value as f32;
    let sign = value.is_sign_negative().then(|| quote!(-));
    let digits = Literal::f32_unsuffixed(if value.is_finite() { value.abs() } else { f32::MAX });
    quote!(#sign #digits)
}
