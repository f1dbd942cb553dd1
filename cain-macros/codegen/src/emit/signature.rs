//! Typed handles of registers in the generated signature.
//!
//! They depend only on the declaration, so that a better program changes no types.

use cain_search::Declaration;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Lifetime;

use super::registers::Registers;

/// The parts of a generated function that depend on its registers.
pub(crate) struct Signature {
    pub(crate) lifetimes: Vec<Lifetime>,
    /// Those after the host controller: inputs, outputs that are not inputs, scratch.
    pub(crate) parameters: Vec<TokenStream>,
    /// The type of the result on success.
    pub(crate) result: TokenStream,
    /// The names of the parameters.
    pub(crate) handles: Vec<Ident>,
    /// A statement that consumes the handles that are not returned.
    pub(crate) unused: Option<TokenStream>,
    /// The result on success.
    pub(crate) value: TokenStream,
    /// An attribute that allows lints about many registers.
    pub(crate) allow: Option<TokenStream>,
}

/// The most names of one letter in a function that Clippy accepts.
const MOST_SHORT_NAMES: usize = 4;
/// The most parameters that Clippy accepts.
const MOST_PARAMETERS: usize = 7;
/// The most planes in a result that Clippy accepts.
const MOST_OUTPUTS: usize = 2;

impl Signature {
    pub(crate) fn new(runtime: &TokenStream, declaration: &Declaration, registers: &Registers<'_>) -> Self {
        let is_input = |reg| declaration.inputs.iter().any(|input| input.reg == reg);
        let is_output = |reg| declaration.outputs.iter().any(|output| output.reg == reg);

        let (mut lifetimes, mut parameters, mut handles, mut unused) = (vec![], vec![], vec![], vec![]);
        for input in &declaration.inputs {
            let (name, marker) = (registers.parameter(input.reg), registers.marker(input.reg));
            handles.push(name.clone());
            if is_output(input.reg) {
                let lifetime = registers.lifetime(input.reg);
                parameters.push(quote!(#name: #runtime::Plane<#lifetime, #marker>));
                continue;
            }
            let borrow = input.keep.then(|| quote!(&));
            parameters.push(quote!(#name: #borrow #runtime::Plane<'_, #marker>));
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
                parameters.push(quote!(#name: &#lifetime mut #runtime::Areg<#marker>));
                handles.push(name.clone());
                values.push(quote!(#runtime::Areg::hold(#name)));
            }
            lifetimes.push(lifetime);
        }
        for &reg in &declaration.scratch {
            let (name, marker) = (registers.parameter(reg), registers.marker(reg));
            parameters.push(quote!(#name: &mut #runtime::Areg<#marker>));
            handles.push(name.clone());
            unused.push(name);
        }
        let unused = (!unused.is_empty()).then(|| quote!(let _ = (#(#unused,)*);));
        let (result, value) = (one_or_tuple(&results), one_or_tuple(&values));
        let allow = allow(parameters.len(), declaration.outputs.len());
        Self { lifetimes, parameters, result, handles, unused, value, allow }
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

pub(super) fn one_or_tuple(parts: &[TokenStream]) -> TokenStream {
    match parts {
        [one] => one.clone(),
        several => quote!((#(#several),*)),
    }
}
