//! Digital filters as Rust: a function on handles of bits, and a module with its plan and registers.

mod registers;
mod text;
mod words;

use std::collections::BTreeSet;

use cain_digital::{Declaration, Format, Program, Solution};
use cain_isa::{Dreg, Stop};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use syn::{Attribute, Visibility};

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
pub(super) use self::words::instruction;
use super::assembler::integer;
use super::bit::constant;
use super::{docs, plan, signature, visibility};
use crate::names::parameter;
use crate::plans::Mode;

/// The parts of a generated function on bits.
pub(crate) struct Function<'a> {
    /// The path of the runtime crate.
    pub(crate) runtime: &'a TokenStream,
    pub(crate) attributes: &'a [Attribute],
    pub(crate) visibility: &'a Visibility,
    pub(crate) name: &'a Ident,
    pub(crate) declaration: &'a Declaration,
    /// If `None`, the function exists only so that callers compile.
    pub(crate) solution: Option<&'a Solution>,
}

/// The output that is in a register of an input that is kept, for which no two handles can be.
pub(crate) fn kept_output(solution: &Solution) -> Option<&str> {
    let (declaration, program) = (solution.program.declaration(), solution.program.program());
    let inputs = declaration.inputs.iter().zip(&program.inputs);
    let kept: Vec<Dreg> = inputs.filter(|(input, _)| input.keep).flat_map(|(_, bits)| bits).copied().collect();
    let mut outputs = declaration.outputs.iter().zip(&program.outputs);
    outputs.find(|(_, bits)| bits.iter().any(|bit| kept.contains(bit))).map(|(output, _)| output.name.as_str())
}

/// The function and the module of the same name.
pub(crate) fn function(function: &Function<'_>) -> TokenStream {
    let Function { runtime, attributes, visibility, name, declaration, solution } = function;
    let registers = Registers::of(declaration, *solution);
    let docs = docs(function);
    let host = super::host(&declaration.name);
    let parameters: Vec<Ident> = declaration.inputs.iter().map(|input| parameter(&input.name)).collect();
    let types = declaration.inputs.iter().zip(&registers.inputs).map(|(input, bits)| {
        let planes = bits.iter().map(|&bit| {
            let marker = marker(runtime, bit);
            if input.keep { quote!(&#runtime::BitPlane<'_, #marker>) } else { quote!(#runtime::BitPlane<'r, #marker>) }
        });
        signature::one_or_tuple(&planes.collect::<Vec<_>>())
    });
    let results: Vec<_> = registers
        .outputs
        .iter()
        .map(|bits| {
            let planes = bits.iter().map(|&bit| {
                let marker = marker(runtime, bit);
                quote!(#runtime::BitPlane<'r, #marker>)
            });
            signature::one_or_tuple(&planes.collect::<Vec<_>>())
        })
        .collect();
    let result = signature::one_or_tuple(&results);
    let body = body(function, &registers, &parameters);
    let module = module(function, &registers, &parameters);
    quote! {
        #(#attributes)*
        #docs
        #[allow(clippy::type_complexity, clippy::too_many_arguments)]
        #visibility fn #name<'r, #host: #runtime::HostController>(
            scamp: &mut #host,
            #(#parameters: #types,)*
            scratch: #name::Scratch<'r>,
        ) -> ::core::result::Result<#result, #host::Error> {
            #body
        }
        #module
    }
}

/// The statements of the function.
fn body(function: &Function<'_>, registers: &Registers, parameters: &[Ident]) -> TokenStream {
    let Function { runtime, name, declaration, solution, .. } = function;
    if solution.is_none() {
        let message =
            format!("the filter `{}` has no program; build without `{}=stub`", declaration.name, Mode::VARIABLE);
        return quote! {
            let _ = (scamp, #(#parameters,)* scratch);
            ::core::panic!(#message)
        };
    }
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
    let numbers: Vec<_> = registers
        .outputs
        .iter()
        .map(|bits| signature::one_or_tuple(&bits.iter().map(held).collect::<Vec<_>>()))
        .collect();
    let value = signature::one_or_tuple(&numbers);
    quote! {
        let _ = (#(&#parameters,)* &scratch);
        #runtime::HostController::run(scamp, &#name::PLAN)?;
        ::core::result::Result::Ok(#value)
    }
}

/// The module with the plan and the registers.
fn module(function: &Function<'_>, registers: &Registers, parameters: &[Ident]) -> TokenStream {
    let Function { runtime, attributes, visibility, name, declaration, .. } = function;
    let shared = attributes.iter().filter(|attribute| plan::is_shared(attribute));
    let inner = visibility::of_child(visibility);
    let module_docs = docs::line(&format!("The plan of the filter `{}`, and its registers.", declaration.name));
    let plan_docs = docs::line(&format!("The plan that the function `{}` runs.", declaration.name));
    let plan = plan_value(function);
    let inputs = declaration.inputs.iter().zip(&registers.inputs);
    let inputs: Vec<_> =
        inputs.map(|(input, bits)| number(runtime, &input.name, bits, input.format.is_signed())).collect();
    let outputs = declaration.outputs.iter().zip(&registers.outputs).enumerate().map(|(i, (output, bits))| {
        let signed = declaration.output_format(i).is_ok_and(Format::is_signed);
        number(runtime, &output.name, bits, signed)
    });
    let outputs: Vec<_> = outputs.collect();
    let [input_count, output_count] = [&inputs, &outputs].map(|numbers| Literal::usize_unsuffixed(numbers.len()));
    let structs = structs(function, registers, parameters);
    quote! {
        #(#shared)*
        #module_docs
        #visibility mod #name {
            #plan_docs
            #inner const PLAN: #runtime::isa::Plan = #plan;
            /// Where the inputs are when the function is called.
            #inner const INPUTS: [#runtime::isa::Number; #input_count] = [#(#inputs),*];
            /// Where the outputs are afterwards.
            #inner const OUTPUTS: [#runtime::isa::Number; #output_count] = [#(#outputs),*];
            #structs
        }
    }
}

/// The handles that the function needs, by the names of the declaration.
fn structs(function: &Function<'_>, registers: &Registers, parameters: &[Ident]) -> TokenStream {
    let Function { runtime, visibility, .. } = function;
    let inner = visibility::of_child(visibility);
    let handle = |register: &Dreg| {
        let marker = marker(runtime, *register);
        quote!(&'r mut #runtime::Dreg<#marker>)
    };
    let types =
        registers.inputs.iter().map(|bits| signature::one_or_tuple(&bits.iter().map(handle).collect::<Vec<_>>()));
    let values = registers.inputs.iter().map(|bits| {
        let fields = bits.iter().map(|&bit| field(bit)).map(|field| quote!(&mut all.#field));
        signature::one_or_tuple(&fields.collect::<Vec<_>>())
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

/// The plan as an expression; for a stub, a plan without instructions.
fn plan_value(function: &Function<'_>) -> TokenStream {
    let Function { runtime, declaration, solution, .. } = function;
    let mut used = BTreeSet::new();
    let program = solution.map(|solution| solution.program.program());
    let listing: Vec<_> =
        program.into_iter().flat_map(|program| &program.listing).map(|line| instruction(line, &mut used)).collect();
    let words = integer(program.map_or(0, Program::words) as u64);
    let (nodes, stop) = solution.map_or((0, Stop::Exhausted), |found| (found.statistics.nodes, found.statistics.stop));
    let (nodes, stop) = (integer(nodes), format_ident!("{stop:?}"));
    let (name, text) = (&declaration.name, text(declaration));
    let all = used.remove("all").then(|| quote!(use #runtime::isa::asm::all;));
    let names = used.iter().map(|name| format_ident!("{name}"));
    quote! {{
        #all
        use #runtime::isa::asm::digital::{#(#names),*};
        #runtime::isa::Plan {
            name: #name,
            declaration: #text,
            inputs: &[],
            outputs: &[],
            listing: &[#(#listing),*],
            cost: #runtime::isa::Cost { macros: 0, icws: #words, peak_gain: #runtime::isa::Fraction::ZERO },
            accuracy: &[],
            found: #runtime::isa::Found { nodes: #nodes, lower_bound: 0, stop: #runtime::isa::Stop::#stop },
            switches: &[],
        }
    }}
}

/// The documentation of the function, after the user's own.
fn docs(function: &Function<'_>) -> TokenStream {
    let Function { attributes, declaration, solution, .. } = function;
    let Some(solution) = solution else {
        return docs::after(
            attributes,
            &[vec!["# Panics".to_owned()], vec!["Always: there is no program.".to_owned()]],
        );
    };
    let program = solution.program.program();
    let formulas = formulas(declaration).iter().map(|formula| format!("- `{formula}`")).collect();
    let facts = vec![
        format!("{} control words, exact for all inputs; pixels outside of the array are 0.", program.words()),
        format!("Search nodes: {}.", solution.statistics.nodes),
    ];
    docs::after(attributes, &[formulas, facts, docs::listing(&program.listing)])
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
