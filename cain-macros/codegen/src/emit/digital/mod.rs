//! Digital filters as Rust: a function on handles of bits, and a module with its plan and registers.

mod registers;
mod text;

use cain_digital::{Declaration, Format, Solution};
use cain_isa::Dreg;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::Lifetime;

use self::registers::Registers;
pub(super) use self::registers::targets;
#[cfg(feature = "networks")]
pub(crate) use self::text::expression;
#[cfg(not(test))]
use self::text::formulas;
#[cfg(test)]
pub(crate) use self::text::formulas;
pub(super) use self::text::sum;
pub(crate) use self::text::text;
use super::bit::constant;
use super::frame::{Frame, Signature, one_or_tuple};
use super::plan::Constant;
use super::{docs, frame};
use crate::names::parameter;

/// The function of a digital filter.
pub(crate) type Function<'a> = frame::Function<'a, Declaration, Solution>;

/// The function and the module of the same name.
pub(crate) fn function(function: &Function<'_>) -> TokenStream {
    let Function { frame, declaration, program } = function;
    let (runtime, name) = (frame.runtime, frame.name);
    let registers = Registers::of(declaration, *program);
    let names: Vec<Ident> = declaration.inputs.iter().map(|input| parameter(&input.name)).collect();
    let types = declaration.inputs.iter().zip(&registers.inputs).map(|(input, bits)| {
        let planes = bits.iter().map(|&bit| {
            let marker = marker(runtime, bit);
            if input.keep { quote!(&#runtime::BitPlane<'_, #marker>) } else { quote!(#runtime::BitPlane<'r, #marker>) }
        });
        one_or_tuple(&planes.collect::<Vec<_>>())
    });
    let results = registers.outputs.iter().map(|bits| {
        let planes = bits.iter().map(|&bit| {
            let marker = marker(runtime, bit);
            quote!(#runtime::BitPlane<'r, #marker>)
        });
        one_or_tuple(&planes.collect::<Vec<_>>())
    });
    let scratch = (format_ident!("scratch"), quote!(#name::Scratch<'r>));
    let signature = Signature {
        allow: Some(
            quote!(#[allow(clippy::needless_pass_by_value, clippy::type_complexity, clippy::too_many_arguments)]),
        ),
        lifetimes: vec![Lifetime::new("'r", Span::call_site())],
        controller: quote!(#runtime::HostController),
        types: Vec::new(),
        parameters: names.iter().cloned().zip(types).chain([scratch]).collect(),
        is_named: true,
        result: one_or_tuple(&results.collect::<Vec<_>>()),
    };
    let (body, module) = (body(frame, &registers, &names), module(function, &registers, &names));
    function.tokens("filter", &signature, docs, |_| body, &module)
}

/// The statements of the function.
fn body(frame: &Frame<'_>, registers: &Registers, parameters: &[Ident]) -> TokenStream {
    let Frame { runtime, name, .. } = frame;
    let held = |register: &Dreg| {
        let place =
            registers.inputs.iter().zip(parameters).find_map(|(bits, parameter)| {
                Some((bits.len(), bits.iter().position(|bit| bit == register)?, parameter))
            });
        match place {
            Some((1, _, parameter)) => quote!(#parameter),
            Some((_, bit, parameter)) => {
                let bit = Literal::usize_unsuffixed(bit);
                quote!(#parameter.#bit)
            }
            None => {
                let field = field(*register);
                quote!(#runtime::Dreg::hold(scratch.#field))
            }
        }
    };
    let numbers: Vec<_> =
        registers.outputs.iter().map(|bits| one_or_tuple(&bits.iter().map(held).collect::<Vec<_>>())).collect();
    let value = one_or_tuple(&numbers);
    quote! {
        let _ = (#(&#parameters,)* &scratch);
        #runtime::HostController::run(scamp, &#name::PLAN)?;
        ::core::result::Result::Ok(#value)
    }
}

/// The module with the plan and the registers.
fn module(function: &Function<'_>, registers: &Registers, parameters: &[Ident]) -> TokenStream {
    let Function { frame, declaration, program } = function;
    let (runtime, inner, name) = (frame.runtime, frame.inner(), &declaration.name);
    let plan_docs = docs::line(&format!("The plan that the function `{name}` runs."));
    let program = program.map(|found| (found.program.program().listing.as_slice(), found.statistics));
    let plan = Constant::on_bits(name, text(declaration), program).tokens(runtime);
    let inputs = declaration.inputs.iter().zip(&registers.inputs);
    let inputs: Vec<_> =
        inputs.map(|(input, bits)| number(runtime, &input.name, bits, input.format.is_signed())).collect();
    let outputs = declaration.outputs.iter().zip(&registers.outputs).enumerate().map(|(i, (output, bits))| {
        let signed = declaration.output_format(i).is_ok_and(Format::is_signed);
        number(runtime, &output.name, bits, signed)
    });
    let outputs: Vec<_> = outputs.collect();
    let [input_count, output_count] = [&inputs, &outputs].map(|numbers| Literal::usize_unsuffixed(numbers.len()));
    let structs = structs(frame, registers, parameters);
    let items = quote! {
        #plan_docs
        #inner const PLAN: #runtime::isa::Plan = #plan;
        /// Where the inputs are when the function is called.
        #inner const INPUTS: [#runtime::isa::Number; #input_count] = [#(#inputs),*];
        /// Where the outputs are afterwards.
        #inner const OUTPUTS: [#runtime::isa::Number; #output_count] = [#(#outputs),*];
        #structs
    };
    frame.module(&format!("The plan of the filter `{name}`, and its registers."), &items)
}

/// The handles that the function needs, by the names of the declaration.
fn structs(frame: &Frame<'_>, registers: &Registers, parameters: &[Ident]) -> TokenStream {
    let (runtime, inner) = (frame.runtime, frame.inner());
    let handle = |register: &Dreg| {
        let marker = marker(runtime, *register);
        quote!(&'r mut #runtime::Dreg<#marker>)
    };
    let types = registers.inputs.iter().map(|bits| one_or_tuple(&bits.iter().map(handle).collect::<Vec<_>>()));
    let values = registers.inputs.iter().map(|bits| {
        let fields = bits.iter().map(|&bit| field(bit)).map(|field| quote!(&mut all.#field));
        one_or_tuple(&fields.collect::<Vec<_>>())
    });
    let fields: Vec<Ident> = registers.scratch.iter().map(|&register| field(register)).collect();
    let handles: Vec<_> = registers.scratch.iter().map(handle).collect();
    let field_docs: Vec<_> =
        registers.scratch.iter().map(|register| docs::line(&format!("Register {register}."))).collect();
    let input_docs: Vec<_> =
        parameters.iter().map(|name| docs::line(&format!("The bits of `{name}`, lowest first."))).collect();
    // A lifetime must be used.
    let unused = fields.is_empty();
    let marker = unused.then(|| quote!(array: ::core::marker::PhantomData<&'r mut #runtime::Dregs>));
    let marked = unused.then(|| quote!(array: ::core::marker::PhantomData));
    quote! {
        /// The registers of the function, taken out of all of them.
        #[derive(Debug)]
        #[allow(clippy::type_complexity)]
        #inner struct Registers<'r> {
            #(#input_docs #inner #parameters: #types,)*
            /// The registers beside those of the inputs.
            #inner scratch: Scratch<'r>,
        }

        impl<'r> Registers<'r> {
            /// The registers of the function among those of an array.
            #inner const fn of(all: &'r mut #runtime::Dregs) -> Self {
                Self { #(#parameters: #values,)* scratch: Scratch { #(#fields: &mut all.#fields,)* #marked } }
            }
        }

        /// The registers that the function overwrites beside those of the inputs.
        #[derive(Debug)]
        #inner struct Scratch<'r> {
            #(#field_docs #inner #fields: #handles,)*
            #marker
        }
    }
}

fn number(runtime: &TokenStream, name: &str, registers: &[Dreg], signed: bool) -> TokenStream {
    let registers = registers.iter().map(|&register| constant(runtime, register));
    quote!(#runtime::isa::Number { name: #name, registers: &[#(#registers),*], signed: #signed })
}

/// The documentation of the function, after the user's own.
fn docs(solution: &Solution) -> Vec<Vec<String>> {
    let (declaration, program) = (solution.program.declaration(), solution.program.program());
    let formulas = formulas(declaration).iter().map(|formula| format!("- `{formula}`")).collect();
    let facts = vec![
        format!("{} control words, exact for all inputs; pixels outside of the array are 0.", program.words()),
        format!("Search nodes: {}.", solution.statistics.nodes),
    ];
    vec![formulas, facts, docs::listing(&program.listing)]
}

/// The marker type of a register.
pub(super) fn marker(runtime: &TokenStream, register: Dreg) -> TokenStream {
    let name = format_ident!("{}", register.to_string());
    quote!(#runtime::reg::digital::#name)
}

/// The field of `Dregs`.
pub(super) fn field(register: Dreg) -> Ident {
    format_ident!("{}", register.to_string().to_lowercase())
}

/// A field of a structure with the handle of a register, for the lifetime `'r`.
pub(super) fn handle(runtime: &TokenStream, inner: &TokenStream, register: Dreg) -> TokenStream {
    let docs = super::docs::line(&format!("Register {register}."));
    let (field, marker) = (field(register), marker(runtime, register));
    quote!(#docs #inner #field: &'r mut #runtime::Dreg<#marker>)
}
