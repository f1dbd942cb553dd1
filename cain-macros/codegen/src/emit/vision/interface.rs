//! What a program takes for each frame, as constant data.

use cain_isa::Reg;
use cain_isa::program::Held;
use cain_vision::Compiled;
use cain_vision::declaration::{Declaration, Input, Kind, Parameter};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::super::program::signed;
use super::super::words::Words;

/// The interface of a program.
pub(super) fn interface(runtime: &TokenStream, compiled: &Compiled) -> TokenStream {
    let declaration = compiled.declaration();
    let given = declaration.inputs.iter().zip(compiled.inputs()).filter(|(input, _)| !input.is_captured);
    let inputs = given.map(|(input, held)| {
        let (name, held, (least, most)) = (&input.name, self::held(runtime, *held), range(declaration, input));
        let [least, most] = [least, most].map(|level| signed(level.into()));
        quote!(Input { name: #name, held: #held, range: (#least, #most) })
    });
    let inputs: Vec<_> = inputs.collect();
    let import = (!inputs.is_empty()).then(|| quote!(Input,));
    let parameters = declaration.parameters.iter().map(|Parameter { name, value, range: (least, most), .. }| {
        let (number, [least, most]) = (place(compiled.number(*value)), [*least, *most].map(signed));
        quote!(Parameter { name: #name, number: #number, range: (#least, #most) })
    });
    let parameters: Vec<_> = parameters.collect();
    let import_parameter = (!parameters.is_empty()).then(|| quote!(Parameter,));
    let [is_first, least_side] = [compiled.is_first(), compiled.least_side()].map(place);
    quote! {
        /// What is checked before a frame.
        pub(super) const INTERFACE: #runtime::program::Interface<'static> = {
            use #runtime::program::{#import #import_parameter Interface};
            Interface {
                inputs: &[#(#inputs),*],
                parameters: &[#(#parameters),*],
                is_first: #is_first,
                least_side: #least_side,
            }
        };
    }
}

/// A plane that is given, as the runtime takes it.
pub(super) fn given(runtime: &TokenStream, declaration: &Declaration, input: &Input, plane: &Ident) -> TokenStream {
    if let Some(Kind::Bits) = declaration.values.get(input.value.0) {
        quote!(#runtime::program::Given::Bits(#plane))
    } else {
        quote!(#runtime::program::Given::Levels(#plane))
    }
}

/// The levels that an input may have.
fn range(declaration: &Declaration, input: &Input) -> (i8, i8) {
    match declaration.values.get(input.value.0) {
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        Some(Kind::Levels { low, high }) => (low.ceil() as i8, high.floor() as i8),
        _ => (0, 1),
    }
}

/// What holds a plane, as an expression.
fn held(runtime: &TokenStream, held: Held) -> TokenStream {
    match held {
        Held::Reg(reg) => {
            let reg = self::reg(runtime, reg);
            quote!(#runtime::isa::program::Held::Reg(#reg))
        }
        Held::Bit(bit) => {
            let bit = self::bit(runtime, bit);
            quote!(#runtime::isa::program::Held::Bit(#bit))
        }
    }
}

/// An analogue register as an expression.
pub(super) fn reg(runtime: &TokenStream, reg: Reg) -> TokenStream {
    let mut words = Words::default();
    let reg = words.reg(reg);
    let imports = words.imports(runtime);
    quote!({ #imports #reg })
}

/// A digital register as an expression.
pub(super) fn bit(runtime: &TokenStream, bit: cain_isa::Bit) -> TokenStream {
    let mut words = Words::default();
    let bit = words.bit(bit);
    let imports = words.imports(runtime);
    quote!({ #imports #bit })
}

/// The place of a number.
pub(super) fn place(place: usize) -> Literal {
    Literal::usize_unsuffixed(place)
}
