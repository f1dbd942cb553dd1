//! Networks as Rust: a function on handles of registers, and a module with its plan, its weights and its results.

mod controller;
mod docs;

use cain_analysis::owned::Program;
use cain_analysis::sorted::Set;
use cain_isa::program::{Grid, Picture};
use cain_isa::{Dreg, Reg};
use cain_network::{CompiledNetwork, Network};
use cain_search::switches::SwitchTable;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::frame::{Frame, Signature};
use super::scratch::Scratch;
use super::{frame, program, registers};
use controller::Controller;

/// The function of a network.
pub(crate) type Function<'a> = frame::Function<'a, Network, CompiledNetwork>;

/// What a function does; without a program, nothing, with all registers of the machine.
fn program_of(Function { declaration: network, program, .. }: &Function<'_>) -> (Program, Scratch) {
    if let Some(compiled) = program {
        let program = compiled.program();
        let scratch = Scratch::of(&program);
        return (program, scratch);
    }
    let mut regs: Set<Reg> = network.machine.registers.iter().collect();
    let image = regs.first().copied().unwrap_or(Reg::A);
    regs.remove(&image);
    let pixels = Grid::new((0, 0), (1, 1), (network.input.height, network.input.width));
    let (bits, loaded) = (Dreg::ALL.into_iter().collect(), Set::new());
    let picture = Picture { register: image, pixels };
    let nothing = Program { pictures: vec![picture], ..Program::new(&network.name, network.machine.times) };
    (nothing, Scratch { image, regs, bits, loaded })
}

/// The function and the module of the same name; the layer whose name no field can have, and why.
pub(crate) fn function(function: &Function<'_>) -> Result<TokenStream, (usize, String)> {
    let Function { frame, declaration: network, .. } = function;
    let (runtime, name) = (frame.runtime, frame.name);
    let controller = Controller::of(runtime, name, network)?;
    let (program, scratch) = program_of(function);
    let image = registers::marker(runtime, scratch.image);
    let parameters = [
        ("image", quote!(#runtime::Plane<'_, #image>)),
        ("scratch", quote!(#name::Scratch<'_>)),
        ("at", quote!(#runtime::program::Place)),
    ];
    let signature = Signature::of_array(runtime, parameters, quote!(#name::Heads));
    let module = module(function, &controller, &program, &scratch);
    let docs = |compiled: &CompiledNetwork| docs::of_compiled(compiled, &program);
    let body = |compiled: &CompiledNetwork| body(frame, &controller, &program, compiled.switches());
    Ok(function.tokens("network", &signature, docs, body, &module))
}

/// The statements of the function.
fn body(
    Frame { runtime, name, .. }: &Frame<'_>,
    controller: &Controller<'_>,
    program: &Program,
    tables: &[SwitchTable],
) -> TokenStream {
    let (numbers, kinds) =
        (Literal::usize_unsuffixed(program.numbers), program::kinds(runtime, program.steps(), tables));
    let (layers, heads) = (controller.statements(), controller.heads());
    quote! {
        let _ = (image, scratch);
        let mut read = [0.0_f32; #numbers];
        #runtime::program::run_only::<#kinds, _, _>(scamp, &#name::PLAN, &[at], &mut read)?;
        #(#layers)*
        ::core::result::Result::Ok(#name::Heads { #(#heads),* })
    }
}

/// The module with the plan, the weights, the registers and the results.
fn module(function: &Function<'_>, controller: &Controller<'_>, program: &Program, scratch: &Scratch) -> TokenStream {
    let Function { frame, declaration: network, program: compiled } = function;
    let (runtime, inner, name) = (frame.runtime, frame.inner(), frame.name);
    let tables = compiled.map_or(&[][..], |compiled| compiled.switches());
    let docs = format!("What the function `{name}` does on the array.");
    let plan = program::constant(frame, &docs, program, tables);
    let weights = controller.weights(&inner);
    let (fields, allow) = (controller.fields(&inner), controller.allow());
    let structs = scratch.structs(runtime, &inner);
    let class_docs = super::docs::line(&format!("What the network `{}` makes of a picture.", network.name));
    let items = quote! {
        #plan
        #(#weights)*

        #class_docs
        #allow
        #[derive(Clone, Copy, Debug, PartialEq)]
        #inner struct Heads {
            #(#fields,)*
        }

        #structs
    };
    frame.module(&format!("The plan, the registers and the results of the network `{name}`."), &items)
}
