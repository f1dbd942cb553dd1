//! Typed handles of registers in the generated signature.
//!
//! They depend only on the declaration, so that a better program changes no types.

use cain_search::Declaration;
use proc_macro2::TokenStream;
use quote::quote;

use super::super::frame::{Signature, one_or_tuple};
use super::super::registers::Registers;

/// How a function is called, and what it does with the handles.
pub(super) struct Handles {
    /// The parameters after the host controller: inputs, outputs that are not inputs, scratch.
    pub(super) signature: Signature,
    /// A statement that consumes the handles that are not returned.
    pub(super) unused: Option<TokenStream>,
    /// The result on success.
    pub(super) value: TokenStream,
}

/// The most names of one letter in a function that Clippy accepts.
const MOST_SHORT_NAMES: usize = 4;
/// The most parameters that Clippy accepts.
const MOST_PARAMETERS: usize = 7;
/// The most planes in a result that Clippy accepts.
const MOST_OUTPUTS: usize = 2;

impl Handles {
    /// Those of a declaration; the function also has the attribute `more`.
    pub(super) fn new(
        runtime: &TokenStream,
        declaration: &Declaration,
        registers: &Registers<'_>,
        more: Option<&TokenStream>,
    ) -> Self {
        let is_input = |reg| declaration.inputs.iter().any(|input| input.reg == reg);
        let is_output = |reg| declaration.outputs.iter().any(|output| output.reg == reg);

        let (mut lifetimes, mut parameters, mut unused) = (vec![], vec![], vec![]);
        for input in &declaration.inputs {
            let (name, marker) = (registers.parameter(input.reg), registers.marker(input.reg));
            if is_output(input.reg) {
                let lifetime = registers.lifetime(input.reg);
                parameters.push((name, quote!(#runtime::Plane<#lifetime, #marker>)));
                continue;
            }
            let borrow = input.keep.then(|| quote!(&));
            parameters.push((name.clone(), quote!(#borrow #runtime::Plane<'_, #marker>)));
            unused.push(name);
        }
        let (mut results, mut values) = (Vec::new(), Vec::new());
        for output in &declaration.outputs {
            let (name, marker, lifetime) =
                (registers.parameter(output.reg), registers.marker(output.reg), registers.lifetime(output.reg));
            results.push(quote!(#runtime::Plane<#lifetime, #marker>));
            if is_input(output.reg) {
                values.push(quote!(#name));
            } else {
                values.push(quote!(#runtime::Areg::hold(#name)));
                parameters.push((name, quote!(&#lifetime mut #runtime::Areg<#marker>)));
            }
            lifetimes.push(lifetime);
        }
        for &reg in &declaration.scratch {
            let (name, marker) = (registers.parameter(reg), registers.marker(reg));
            parameters.push((name.clone(), quote!(&mut #runtime::Areg<#marker>)));
            unused.push(name);
        }
        let unused = (!unused.is_empty()).then(|| quote!(let _ = (#(#unused,)*);));
        let (result, value) = (one_or_tuple(&results), one_or_tuple(&values));
        let allow = allow(parameters.len(), declaration.outputs.len());
        let signature = Signature {
            allow: Some(quote!(#allow #more)),
            lifetimes,
            controller: quote!(#runtime::HostController),
            types: registers.type_parameters(),
            parameters,
            is_named: true,
            result,
        };
        Self { signature, unused, value }
    }
}

/// Allows the lints that a function with these numbers of registers and outputs cannot avoid.
fn allow(registers: usize, outputs: usize) -> Option<TokenStream> {
    let lints = [
        (registers > MOST_SHORT_NAMES, quote!(clippy::many_single_char_names)),
        // The host controller is a parameter too.
        (registers + 1 > MOST_PARAMETERS, quote!(clippy::too_many_arguments)),
        (outputs > MOST_OUTPUTS, quote!(clippy::type_complexity)),
    ];
    let needed: Vec<_> = lints.into_iter().filter_map(|(needed, lint)| needed.then_some(lint)).collect();
    (!needed.is_empty()).then(|| quote!(#[allow(#(#needed),*)]))
}
