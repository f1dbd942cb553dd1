//! Programs on super-pixels as constant data.

use std::collections::BTreeSet;

use cain_isa::superpixel::{Pattern, Step};
use cain_isa::{Dreg, Instruction, Stop, Word};
use cain_search::digital::superpixel::{Converter, Declaration, Program, Solution};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::super::digital::{constant, instruction};
use super::super::plan::{Assembler, integer};
use super::text::text;

/// The plan as an expression; without a program, one that does nothing.
pub(super) fn plan(runtime: &TokenStream, declaration: &Declaration, solution: Option<&Solution>) -> TokenStream {
    let mut words = Words::default();
    let program = solution.map(|solution| solution.program.program());
    let mut steps = |of: fn(&Program) -> &Vec<Step>| -> Vec<TokenStream> {
        program.into_iter().flat_map(of).map(|step| words.step(step)).collect()
    };
    let (setup, before, after) =
        (steps(|program| &program.setup), steps(|program| &program.before), steps(|program| &program.after));
    let listing: Vec<_> =
        program.into_iter().flat_map(|program| &program.listing).map(|line| words.instruction(line)).collect();
    let of_listing = program.into_iter().flat_map(|program| &program.listing);
    let cost = integer(of_listing.map(|instruction| instruction.words().count() as u64).sum());
    let (nodes, stop) = solution.map_or((0, Stop::Exhausted), |found| (found.statistics.nodes, found.statistics.stop));
    let (nodes, stop) = (integer(nodes), format_ident!("{stop:?}"));
    let (width, height) = (declaration.layout.width() as u64, declaration.layout.height() as u64);
    let (width, height) = (integer(width), integer(height));
    let (name, text, imports) = (&declaration.name, text(declaration), words.imports(runtime));
    quote! {{
        #imports
        SuperPixelPlan {
            width: #width,
            height: #height,
            setup: &[#(#setup),*],
            before: &[#(#before),*],
            program: #runtime::isa::Plan {
                name: #name,
                declaration: #text,
                inputs: &[],
                outputs: &[],
                listing: &[#(#listing),*],
                cost: #runtime::isa::Cost { macros: 0, icws: #cost, peak_gain: #runtime::isa::Fraction::ZERO },
                accuracy: &[],
                found: #runtime::isa::Found { nodes: #nodes, lower_bound: 0, stop: #runtime::isa::Stop::#stop },
                switches: &[],
            },
            after: &[#(#after),*],
        }
    }}
}

/// Where a number is, as an expression.
pub(super) fn number(
    runtime: &TokenStream,
    declaration: &Declaration,
    (name, bank, converter): (&str, usize, Option<Converter>),
    register: Dreg,
) -> TokenStream {
    let layout = &declaration.layout;
    let [width, height] = [layout.width(), layout.height()].map(|side| integer(side as u64));
    let places = layout.places(bank).iter().map(|place| {
        let (row, column) = (integer(place.row as u64), integer(place.column as u64));
        quote!((#row, #column))
    });
    let register = constant(runtime, register);
    let analogue = converter.map_or_else(
        || quote!(::core::option::Option::None),
        |converter| {
            let letter = format_ident!("{}", converter.register.to_string());
            quote!(::core::option::Option::Some(#runtime::isa::Reg::#letter))
        },
    );
    quote! {
        #runtime::isa::superpixel::Number {
            name: #name,
            register: #register,
            width: #width,
            height: #height,
            places: &[#(#places),*],
            analogue: #analogue,
        }
    }
}

/// Writes words, and records the names to import for them.
#[derive(Default)]
struct Words {
    analogue: Assembler,
    digital: BTreeSet<String>,
    steps: BTreeSet<&'static str>,
}

impl Words {
    fn step(&mut self, step: &Step) -> TokenStream {
        self.steps.insert("Step");
        match *step {
            Step::Select(Pattern { row, column, free_row_bits, free_column_bits }) => {
                self.steps.insert("Pattern");
                let arguments = [row, column, free_row_bits, free_column_bits].map(Literal::u8_unsuffixed);
                quote!(Step::Select(Pattern::new(#(#arguments),*)))
            }
            Step::Level(level) => {
                let (sign, digits) = ((level < 0).then(|| quote!(-)), Literal::u8_unsuffixed(level.unsigned_abs()));
                quote!(Step::Level(#sign #digits))
            }
            Step::Instruction(line) => {
                let line = self.instruction(&line);
                quote!(Step::Instruction(#line))
            }
        }
    }

    fn instruction(&mut self, line: &Instruction) -> TokenStream {
        let is_digital = match line {
            Instruction::Word(Word::Logic(_) | Word::FromNeighbours(_) | Word::WhereBits(_)) => true,
            Instruction::Word(_) => false,
            // Of the macros, only moves have analogue registers.
            Instruction::Macro(line) => line.operands().is_empty(),
        };
        if is_digital { instruction(line, &mut self.digital) } else { self.analogue.instruction(line) }
    }

    /// The imports of the names that were used.
    fn imports(&self, runtime: &TokenStream) -> TokenStream {
        let names: Vec<_> = self.analogue.names().collect();
        let analogue = (!names.is_empty()).then(|| quote!(use #runtime::isa::asm::{#(#names),*};));
        let names: Vec<_> = self.digital.iter().map(|name| format_ident!("{name}")).collect();
        let digital = (!names.is_empty()).then(|| quote!(use #runtime::isa::asm::digital::{#(#names),*};));
        let names = self.steps.iter().map(|name| format_ident!("{name}"));
        quote!(#analogue #digital use #runtime::isa::superpixel::{#(#names,)* SuperPixelPlan};)
    }
}
