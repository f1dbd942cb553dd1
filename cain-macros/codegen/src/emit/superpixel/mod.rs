//! Filters over super-pixels as Rust: a function on handles of registers, and a module with its plan, its registers and what
//! prepares them.

mod docs;
mod function;
mod handles;
mod plan;
mod registers;
mod text;

use cain_digital::superpixel::{Declaration, Input, Output, Solution};
use cain_isa::{Dreg, Reg};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

pub(crate) use self::function::Function;
use self::function::{converts, panic};
use self::registers::Registers;
pub(crate) use self::text::text;
use super::program::nothing;
use super::{digital, program, registers as analogue, signature, visibility};
use crate::names::parameter;

/// The output that is in the register of an input that is kept, for which no two handles can be.
pub(crate) fn kept_output(solution: &Solution) -> Option<&str> {
    let (declaration, program) = (solution.program.declaration(), solution.program.program());
    let inputs = declaration.inputs.iter().zip(&program.inputs);
    let kept: Vec<Dreg> = inputs.filter(|(input, _)| input.keep).map(|(_, register)| *register).collect();
    let mut outputs = declaration.outputs.iter().zip(&program.outputs);
    outputs.find(|(_, register)| kept.contains(register)).map(|(output, _)| output.name.as_str())
}

/// The function and the module of the same name.
pub(crate) fn function(function: &Function<'_>) -> TokenStream {
    let Function { runtime, attributes, visibility, name, declaration, solution } = function;
    let registers = Registers::of(declaration, solution.map(|solution| solution.program.program()));
    let docs = docs::of_function(attributes, declaration, *solution);
    let host = super::host(&declaration.name);
    let controller =
        if converts(declaration) { quote!(#runtime::io::ArrayIo) } else { quote!(#runtime::HostController) };
    let parameters = parameters(declaration);
    let types =
        declaration.inputs.iter().zip(&registers.inputs).map(|(input, register)| given(runtime, input, *register));
    let kept = kept_conversions(declaration, &registers).map(|register| bits(runtime, register));
    let outputs = declaration.outputs.iter().zip(&registers.outputs).map(|(output, register)| {
        let bits = bits(runtime, *register);
        output.converted.map_or_else(
            || bits.clone(),
            |converter| {
                let levels = levels(runtime, converter.register);
                quote!((#bits, #levels))
            },
        )
    });
    let result = signature::one_or_tuple(&kept.chain(outputs).collect::<Vec<_>>());
    let body = body(function, &registers, &parameters);
    let module = module(function, &registers, &parameters, &host);
    quote! {
        #(#attributes)*
        #docs
        #[allow(clippy::needless_pass_by_value, clippy::type_complexity, clippy::too_many_arguments)]
        #visibility fn #name<'r, #host: #controller>(
            scamp: &mut #host,
            #(#parameters: #types,)*
            scratch: #name::Scratch<'r>,
            prepared: &#name::Prepared<'_>,
        ) -> ::core::result::Result<#result, #host::Error> {
            #body
        }
        #module
    }
}

/// The names of the inputs as parameters.
fn parameters(declaration: &Declaration) -> Vec<Ident> {
    declaration.inputs.iter().map(|input| parameter(&input.name)).collect()
}

/// The registers of numbers that are converted, and kept afterwards.
fn kept_conversions(declaration: &Declaration, registers: &Registers) -> impl Iterator<Item = Dreg> {
    let inputs = declaration.inputs.iter().zip(&registers.inputs);
    inputs.filter(|(input, _)| input.keep && input.converted.is_some()).map(|(_, register)| *register)
}

/// The handle of what an input is given in.
fn given(runtime: &TokenStream, input: &Input, register: Dreg) -> TokenStream {
    match input.converted {
        None if input.keep => {
            let marker = digital::marker(runtime, register);
            quote!(&#runtime::BitPlane<'_, #marker>)
        }
        None => bits(runtime, register),
        Some(converter) => levels(runtime, converter.register),
    }
}

fn bits(runtime: &TokenStream, register: Dreg) -> TokenStream {
    let marker = digital::marker(runtime, register);
    quote!(#runtime::BitPlane<'r, #marker>)
}

fn levels(runtime: &TokenStream, register: Reg) -> TokenStream {
    let marker = analogue::marker(runtime, register);
    quote!(#runtime::Plane<'r, #marker>)
}

/// The statements of the function.
fn body(function: &Function<'_>, registers: &Registers, parameters: &[Ident]) -> TokenStream {
    let Function { runtime, name, declaration, solution, .. } = function;
    let Some(solution) = solution else {
        let panic = panic(name);
        return quote! {
            let _ = (scamp, #(#parameters,)* scratch, prepared);
            #panic
        };
    };
    let inputs = || declaration.inputs.iter().zip(&registers.inputs).zip(parameters);
    let held = |register: Dreg| {
        let is_in = |input: &Input, known: Dreg| input.converted.is_none() && known == register;
        let parameter = inputs().find(|((input, known), _)| is_in(input, **known)).map(|(_, parameter)| parameter);
        parameter.map_or_else(
            || {
                let field = digital::field(register);
                quote!(#runtime::Dreg::hold(scratch.#field))
            },
            |parameter| quote!(#parameter),
        )
    };
    let of_levels = |register: Reg| {
        let is_in = |input: &Input| input.converted.is_some_and(|converter| converter.register == register);
        let parameter = inputs().find(|((input, _), _)| is_in(input)).map(|(_, parameter)| parameter);
        parameter.map_or_else(
            || {
                let field = analogue::field(register);
                quote!(#runtime::Areg::hold(scratch.#field))
            },
            |parameter| quote!(#parameter),
        )
    };
    let outputs = declaration.outputs.iter().zip(&registers.outputs).map(|(output, register): (&Output, _)| {
        let bits = held(*register);
        output.converted.map_or_else(
            || bits.clone(),
            |converter| {
                let levels = of_levels(converter.register);
                quote!((#bits, #levels))
            },
        )
    });
    let values: Vec<_> = kept_conversions(declaration, registers).map(held).chain(outputs).collect();
    let value = signature::one_or_tuple(&values);
    let run = if converts(declaration) {
        let kinds = program::kinds(runtime, &solution.program.program().program(declaration));
        quote!(#runtime::program::run_only::<#kinds, _>(scamp, &#name::PROGRAM, &[], &mut [])?;)
    } else {
        quote!(#runtime::HostController::run(scamp, &#name::PLAN)?;)
    };
    quote! {
        let _ = (#(&#parameters,)* &scratch, prepared);
        #run
        ::core::result::Result::Ok(#value)
    }
}

/// The module with the plan, the registers and what prepares them.
fn module(function: &Function<'_>, registers: &Registers, parameters: &[Ident], host: &Ident) -> TokenStream {
    let Function { runtime, attributes, visibility, name, declaration, solution } = function;
    let shared = attributes.iter().filter(|attribute| super::plan::is_shared(attribute));
    let inner = visibility::of_child(visibility);
    let module_docs = super::docs::line(&format!("The plan of the filter `{}`, and its registers.", declaration.name));
    let plan_docs = super::docs::line(&format!("The plan that the function `{}` runs.", declaration.name));
    let plan = plan::plan(runtime, declaration, *solution);
    let program = solution.map(|solution| solution.program.program().program(declaration));
    let program = super::program::program(runtime, &program.unwrap_or_else(|| nothing(&declaration.name)), &[]);
    let inputs = declaration.inputs.iter().zip(&registers.inputs);
    let inputs: Vec<_> = inputs
        .map(|(input, register)| {
            plan::number(runtime, declaration, (&input.name, input.bank, input.converted), *register)
        })
        .collect();
    let outputs = declaration.outputs.iter().zip(&registers.outputs);
    let outputs: Vec<_> = outputs
        .map(|(output, register)| {
            plan::number(runtime, declaration, (&output.name, output.bank, output.converted), *register)
        })
        .collect();
    let [input_count, output_count] = [&inputs, &outputs].map(|numbers| Literal::usize_unsuffixed(numbers.len()));
    let structs = handles::structs(function, registers, parameters, host);
    quote! {
        #(#shared)*
        #module_docs
        #visibility mod #name {
            #plan_docs
            #inner const PLAN: #runtime::isa::Plan = #plan;
            /// What the controller does: what is prepared once, and for each run the conversions and the plan between them.
            #inner static PROGRAM: #runtime::isa::program::Program = #program;
            /// Where the inputs are when the function is called.
            #inner const INPUTS: [#runtime::isa::superpixel::Number; #input_count] = [#(#inputs),*];
            /// Where the outputs are afterwards.
            #inner const OUTPUTS: [#runtime::isa::superpixel::Number; #output_count] = [#(#outputs),*];
            #structs
        }
    }
}
