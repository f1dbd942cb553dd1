//! Where numbers on super-pixels are, as constant data.

use cain_digital::superpixel::{Converter, Declaration};
use cain_isa::Dreg;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::assembler::integer;
use super::super::bit::constant;

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
