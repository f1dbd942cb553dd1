//! Programs on super-pixels as constant data.

use std::collections::BTreeSet;

use cain_digital::superpixel::{Converter, Declaration, Program, Solution};
use cain_isa::superpixel::{Pattern, Step};
use cain_isa::{Dreg, Stop};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::super::bit::constant;
use super::super::plan::integer;
use super::super::words::Words;
use super::text::text;

/// The plan as an expression; without a program, one that does nothing.
pub(super) fn plan(runtime: &TokenStream, declaration: &Declaration, solution: Option<&Solution>) -> TokenStream {
    let mut all = Steps::default();
    let program = solution.map(|solution| solution.program.program());
    let mut steps = |of: fn(&Program) -> &Vec<Step>| -> Vec<TokenStream> {
        program.into_iter().flat_map(of).map(|step| all.step(step)).collect()
    };
    let (setup, before, after) =
        (steps(|program| &program.setup), steps(|program| &program.before), steps(|program| &program.after));
    let listing: Vec<_> =
        program.into_iter().flat_map(|program| &program.listing).map(|line| all.words.instruction(line)).collect();
    let of_listing = program.into_iter().flat_map(|program| &program.listing);
    let cost = integer(of_listing.map(|instruction| instruction.words().count() as u64).sum());
    let (nodes, stop) = solution.map_or((0, Stop::Exhausted), |found| (found.statistics.nodes, found.statistics.stop));
    let (nodes, stop) = (integer(nodes), format_ident!("{stop:?}"));
    let (width, height) = (declaration.layout.width() as u64, declaration.layout.height() as u64);
    let (width, height) = (integer(width), integer(height));
    let (name, text, imports) = (&declaration.name, text(declaration), all.imports(runtime));
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

/// Writes steps, and records the names to import for them.
#[derive(Default)]
struct Steps {
    words: Words,
    names: BTreeSet<&'static str>,
}

impl Steps {
    fn step(&mut self, step: &Step) -> TokenStream {
        self.names.insert("Step");
        match *step {
            Step::Select(Pattern { row, column, free_row_bits, free_column_bits }) => {
                self.names.insert("Pattern");
                let arguments = [row, column, free_row_bits, free_column_bits].map(Literal::u8_unsuffixed);
                quote!(Step::Select(Pattern::new(#(#arguments),*)))
            }
            Step::Level(level) => {
                let (sign, digits) = ((level < 0).then(|| quote!(-)), Literal::u8_unsuffixed(level.unsigned_abs()));
                quote!(Step::Level(#sign #digits))
            }
            Step::Instruction(line) => {
                let line = self.words.instruction(&line);
                quote!(Step::Instruction(#line))
            }
        }
    }

    /// The imports of the names that were used.
    fn imports(&self, runtime: &TokenStream) -> TokenStream {
        let words = self.words.imports(runtime);
        let names = self.names.iter().map(|name| format_ident!("{name}"));
        quote!(#words use #runtime::isa::superpixel::{#(#names,)* SuperPixelPlan};)
    }
}
