//! Plans of functions over super-pixels, and where numbers are, as constant data.

use cain_digital::superpixel::{Converter, Declaration, Solution};
use cain_isa::{Dreg, Stop};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::assembler::integer;
use super::super::bit::constant;
use super::super::words::Words;
use super::text::text;

/// The plan as an expression; without a program, one that does nothing.
pub(super) fn plan(runtime: &TokenStream, declaration: &Declaration, solution: Option<&Solution>) -> TokenStream {
    let mut words = Words::default();
    let program = solution.map(|solution| solution.program.program());
    let listing: Vec<_> =
        program.into_iter().flat_map(|program| &program.listing).map(|line| words.instruction(line)).collect();
    let of_listing = program.into_iter().flat_map(|program| &program.listing);
    let cost = integer(of_listing.map(|instruction| instruction.words().count() as u64).sum());
    let (nodes, stop) = solution.map_or((0, Stop::Exhausted), |found| (found.statistics.nodes, found.statistics.stop));
    let (nodes, stop) = (integer(nodes), format_ident!("{stop:?}"));
    let (name, text, imports) = (&declaration.name, text(declaration), words.imports(runtime));
    quote! {{
        #imports
        #runtime::isa::Plan {
            name: #name,
            declaration: #text,
            inputs: &[],
            outputs: &[],
            listing: &[#(#listing),*],
            cost: #runtime::isa::Cost { macros: 0, icws: #cost, peak_gain: #runtime::isa::Fraction::ZERO },
            accuracy: &[],
            found: #runtime::isa::Found { nodes: #nodes, lower_bound: 0, stop: #runtime::isa::Stop::#stop },
            switches: &[],
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
