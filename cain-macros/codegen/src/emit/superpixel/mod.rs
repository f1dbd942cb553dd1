//! Filters over super-pixels as Rust: a function on handles of registers, and a module with its plan, its registers and what
//! prepares them.

mod docs;
mod handles;
mod number;
mod registers;
mod text;

use cain_analysis::owned::Program;
use cain_digital::superpixel::{Declaration, Input, Output, Solution};
use cain_isa::{Dreg, Reg, Times};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::Lifetime;

use self::number::number;
pub(crate) use self::registers::Function;
use self::registers::{Registers, converts};
pub(crate) use self::text::text;
use super::frame::{Signature, one_or_tuple};
use super::plan::Constant;
use super::{digital, program, registers as analogue};
use crate::names::parameter;

/// The function and the module of the same name.
pub(crate) fn function(function: &Function<'_>) -> TokenStream {
    let Function { frame, declaration, program } = function;
    let (runtime, name) = (frame.runtime, frame.name);
    let registers = Registers::of(declaration, program.map(|solution| solution.program.program()));
    let names: Vec<Ident> = declaration.inputs.iter().map(|input| parameter(&input.name)).collect();
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
    let beside = [("scratch", quote!(#name::Scratch<'r>)), ("prepared", quote!(&#name::Prepared<'_>))];
    let beside = beside.map(|(name, kind)| (format_ident!("{name}"), kind));
    let signature = Signature {
        allow: Some(quote! {
            #[allow(clippy::needless_pass_by_value, clippy::type_complexity, clippy::too_many_arguments)]
        }),
        lifetimes: vec![Lifetime::new("'r", Span::call_site())],
        controller: if converts(declaration) {
            quote!(#runtime::io::ArrayIo)
        } else {
            quote!(#runtime::HostController)
        },
        types: Vec::new(),
        parameters: names.iter().cloned().zip(types).chain(beside).collect(),
        is_named: true,
        result: one_or_tuple(&kept.chain(outputs).collect::<Vec<_>>()),
    };
    let module = module(function, &registers, &names);
    let body = |solution: &Solution| body(function, solution, &registers, &names);
    function.tokens("filter", &signature, docs::of_solution, body, &module)
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
fn body(
    Function { frame, declaration, .. }: &Function<'_>,
    solution: &Solution,
    registers: &Registers,
    parameters: &[Ident],
) -> TokenStream {
    let (runtime, name) = (frame.runtime, frame.name);
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
    let value = one_or_tuple(&values);
    let run = if converts(declaration) {
        let kinds = program::kinds(runtime, solution.program.program().program(declaration).steps(), &[]);
        quote!(#runtime::program::run_only::<#kinds, _, _>(scamp, &#name::PROGRAM, &[], &mut [0.0_f32; 0])?;)
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
fn module(function: &Function<'_>, registers: &Registers, parameters: &[Ident]) -> TokenStream {
    let Function { frame, declaration, program } = function;
    let (runtime, inner, name) = (frame.runtime, frame.inner(), &declaration.name);
    let plan_docs = super::docs::line(&format!("The plan that the function `{name}` runs."));
    let found = program.map(|found| (found.program.program().listing.as_slice(), found.statistics));
    let plan = Constant::on_bits(name, text(declaration), found).tokens(runtime);
    let program = program.map(|solution| solution.program.program().program(declaration));
    let program = program.unwrap_or_else(|| Program::new(name, Times::SCAMP5));
    let program = program::program(runtime, &program, &[]);
    let inputs =
        declaration.inputs.iter().zip(&registers.inputs).map(|(input, register)| {
            number(runtime, declaration, (&input.name, input.bank, input.converted), *register)
        });
    let outputs = declaration.outputs.iter().zip(&registers.outputs).map(|(output, register)| {
        number(runtime, declaration, (&output.name, output.bank, output.converted), *register)
    });
    let [input_count, output_count] =
        [declaration.inputs.len(), declaration.outputs.len()].map(Literal::usize_unsuffixed);
    let structs = handles::structs(function, registers, parameters);
    let items = quote! {
        #plan_docs
        #inner const PLAN: #runtime::isa::Plan = #plan;
        /// What the controller does: what is prepared once, and for each run the conversions and the plan between them.
        #inner static PROGRAM: #runtime::isa::program::Program = #program;
        /// Where the inputs are when the function is called.
        #inner const INPUTS: [#runtime::isa::superpixel::Number; #input_count] = [#(#inputs),*];
        /// Where the outputs are afterwards.
        #inner const OUTPUTS: [#runtime::isa::superpixel::Number; #output_count] = [#(#outputs),*];
        #structs
    };
    frame.module(&format!("The plan of the filter `{name}`, and its registers."), &items)
}
