//! Networks as Rust: a function on handles of registers, and a module with its plan, its weights and its results.

mod controller;
mod docs;

use std::collections::BTreeSet;

use cain_isa::program::owned::Program;
use cain_isa::program::{Grid, Picture};
use cain_isa::{Dreg, Reg};
use cain_network::{CompiledNetwork, Network};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::{Attribute, Visibility};

use super::scratch::Scratch;
use super::{plan, program, registers, visibility};
use crate::plans::Mode;
use controller::Controller;

/// The parts of a generated function of a network.
pub(crate) struct Function<'a> {
    /// The path of the runtime crate.
    pub(crate) runtime: &'a TokenStream,
    pub(crate) attributes: &'a [Attribute],
    pub(crate) visibility: &'a Visibility,
    pub(crate) name: &'a Ident,
    pub(crate) network: &'a Network,
    /// If `None`, the function exists only so that callers compile.
    pub(crate) compiled: Option<&'a CompiledNetwork>,
}

impl Function<'_> {
    /// What it does; without a program, nothing, with all registers of the machine.
    fn program(&self) -> (Program, Scratch) {
        if let Some(compiled) = self.compiled {
            let program = compiled.program();
            let scratch = Scratch::of(&program);
            return (program, scratch);
        }
        let mut regs: BTreeSet<Reg> = self.network.machine.registers.iter().collect();
        let image = regs.pop_first().unwrap_or(Reg::A);
        let input = &self.network.input;
        let pixels = Grid::new((0, 0), (1, 1), (input.height, input.width));
        let (bits, loaded) = (Dreg::ALL.into_iter().collect(), BTreeSet::new());
        let picture = Picture { register: image, pixels };
        let nothing = Program { pictures: vec![picture], ..program::nothing(&self.network.name) };
        (nothing, Scratch { image, regs, bits, loaded })
    }
}

/// The function and the module of the same name; the layer whose name no field can have, and why.
pub(crate) fn function(function: &Function<'_>) -> Result<TokenStream, (usize, String)> {
    let Function { runtime, attributes, visibility, name, network, .. } = function;
    let controller = Controller::of(runtime, name, network)?;
    let (program, scratch) = function.program();
    let docs = docs::of_function(attributes, function.compiled, &program);
    let host = super::host(&network.name);
    let image = registers::marker(runtime, scratch.image);
    let body = body(function, &controller, &program);
    let module = module(function, &controller, &program, &scratch);
    Ok(quote! {
        #(#attributes)*
        #docs
        #visibility fn #name<#host: #runtime::io::ArrayIo>(
            scamp: &mut #host,
            image: #runtime::Plane<'_, #image>,
            scratch: #name::Scratch<'_>,
            at: #runtime::program::Place,
        ) -> ::core::result::Result<#name::Heads, #host::Error> {
            #body
        }
        #module
    })
}

/// The statements of the function.
fn body(function: &Function<'_>, controller: &Controller<'_>, program: &Program) -> TokenStream {
    let Function { runtime, name, network, compiled, .. } = function;
    let (numbers, kinds) = (Literal::usize_unsuffixed(program.numbers), program::kinds(runtime, program));
    if compiled.is_none() {
        let message = format!("the network `{}` has no program; build without `{}=stub`", network.name, Mode::VARIABLE);
        return quote! {
            let _ = (scamp, image, scratch, at);
            ::core::panic!(#message)
        };
    }
    let (layers, heads) = (controller.statements(), controller.heads());
    quote! {
        let _ = (image, scratch);
        let mut read = [0.0; #numbers];
        #runtime::program::run_only::<#kinds, _>(scamp, &#name::PLAN, &[at], &mut read)?;
        #(#layers)*
        ::core::result::Result::Ok(#name::Heads { #(#heads),* })
    }
}

/// The module with the plan, the weights, the registers and the results.
fn module(function: &Function<'_>, controller: &Controller<'_>, program: &Program, scratch: &Scratch) -> TokenStream {
    let Function { runtime, attributes, visibility, name, network, .. } = function;
    let shared = attributes.iter().filter(|attribute| plan::is_shared(attribute));
    let inner = visibility::of_child(visibility);
    let module_docs = super::docs::line(&format!("The plan, the registers and the results of the network `{name}`."));
    let plan_docs = super::docs::line(&format!("What the function `{name}` does on the array."));
    let tables = function.compiled.map_or(&[][..], |compiled| compiled.switches());
    let plan = program::program(runtime, program, tables);
    let weights = controller.weights(&inner);
    let allow_evaluation = plan::allow_evaluation_of(program.words());
    let (fields, allow) = (controller.fields(&inner), controller.allow());
    let structs = scratch.structs(runtime, &inner);
    let class_docs = super::docs::line(&format!("What the network `{}` makes of a picture.", network.name));
    quote! {
        #(#shared)*
        #module_docs
        #visibility mod #name {
            #plan_docs
            #allow_evaluation
            #inner static PLAN: #runtime::isa::program::Program = #plan;
            #(#weights)*

            #class_docs
            #allow
            #[derive(Clone, Copy, Debug, PartialEq)]
            #inner struct Heads {
                #(#fields,)*
            }

            #structs
        }
    }
}
