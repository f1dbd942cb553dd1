//! Networks as Rust: a function on handles of registers, and a module with its plan, its weights and its results.

mod controller;
mod docs;
mod scratch;
mod steps;

use cain_isa::Reg;
use cain_network::{CompiledNetwork, Network, Stage};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::{Attribute, Visibility};

use super::{plan, registers, visibility};
use crate::plans::Mode;
use controller::Controller;
use scratch::Scratch;

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
    /// The register of the picture.
    fn input(&self) -> Reg {
        let first = || self.network.machine.registers.iter().next().unwrap_or(Reg::A);
        self.compiled.map_or_else(first, CompiledNetwork::input)
    }
}

/// The function and the module of the same name; the layer whose name no field can have, and why.
pub(crate) fn function(function: &Function<'_>) -> Result<TokenStream, (usize, String)> {
    let Function { runtime, attributes, visibility, name, network, .. } = function;
    let controller = Controller::of(runtime, name, network)?;
    let scratch = Scratch::of(function);
    let docs = docs::of_function(function);
    let host = super::host(&network.name);
    let image = registers::marker(runtime, function.input());
    let body = body(function, &controller);
    let module = module(function, &controller, &scratch);
    Ok(quote! {
        #(#attributes)*
        #docs
        #visibility fn #name<#host: #runtime::io::ArrayIo>(
            scamp: &mut #host,
            image: #runtime::Plane<'_, #image>,
            scratch: #name::Scratch<'_>,
            at: #runtime::network::Place,
        ) -> ::core::result::Result<#name::Heads, #host::Error> {
            #body
        }
        #module
    })
}

/// The statements of the function.
fn body(function: &Function<'_>, controller: &Controller<'_>) -> TokenStream {
    let Function { runtime, name, network, compiled, .. } = function;
    if compiled.is_none() {
        let message = format!("the network `{}` has no program; build without `{}=stub`", network.name, Mode::VARIABLE);
        return quote! {
            let _ = (scamp, image, scratch, at);
            ::core::panic!(#message)
        };
    }
    let (layers, heads) = (controller.statements(), controller.heads());
    let plan = quote!(#name::PLAN);
    let run = if network.interruption.is_some() {
        quote!(#runtime::tasks::run_network(scamp, #plan.steps(), #plan.switches, &[at], #plan.numbers, &mut read)?;)
    } else {
        quote!(#runtime::network::run(scamp, #plan.steps(), &[at], #plan.numbers, &mut read)?;)
    };
    quote! {
        let _ = (image, scratch);
        let mut read = [0.0; #name::PLAN.numbers];
        #run
        #(#layers)*
        ::core::result::Result::Ok(#name::Heads { #(#heads),* })
    }
}

/// The module with the plan, the weights, the registers and the results.
fn module(function: &Function<'_>, controller: &Controller<'_>, scratch: &Scratch) -> TokenStream {
    let Function { runtime, attributes, visibility, name, network, .. } = function;
    let shared = attributes.iter().filter(|attribute| plan::is_shared(attribute));
    let inner = visibility::of_child(visibility);
    let module_docs = super::docs::line(&format!("The plan, the registers and the results of the network `{name}`."));
    let plan_docs = super::docs::line(&format!("What the function `{name}` does on the array."));
    let plan = plan_value(function);
    let weights = controller.weights(&inner);
    let words = function.compiled.iter().flat_map(|compiled| compiled.stages()).map(Stage::words).sum();
    let allow_evaluation = plan::allow_evaluation_of(words);
    let (fields, allow) = (controller.fields(&inner), controller.allow());
    let structs = scratch.structs(runtime, &inner, function.input());
    let class_docs = super::docs::line(&format!("What the network `{}` makes of a picture.", network.name));
    quote! {
        #(#shared)*
        #module_docs
        #visibility mod #name {
            #plan_docs
            #allow_evaluation
            #inner const PLAN: #runtime::isa::network::NetworkPlan = #plan;
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

/// The plan as an expression; for a stub, a plan without stages.
fn plan_value(function: &Function<'_>) -> TokenStream {
    let Function { runtime, network, compiled, .. } = function;
    let mut words = steps::Words::default();
    let (input, kind) = (words.reg(function.input()), words.kind("NetworkPlan"));
    let stages: Vec<_> = compiled
        .iter()
        .flat_map(|compiled| compiled.stages())
        .map(|stage| steps::stage(runtime, network, stage, &mut words))
        .collect();
    let switches: Vec<_> =
        compiled.iter().flat_map(|compiled| compiled.switches()).map(|table| words.switches(runtime, table)).collect();
    let numbers = compiled.map_or(0, |compiled| compiled.readouts().iter().map(|(_, count)| count).sum());
    let [height, width, numbers] = [network.input.height, network.input.width, numbers].map(Literal::usize_unsuffixed);
    let imports = words.imports(runtime);
    let name = &network.name;
    quote! {{
        #imports
        #kind {
            name: #name,
            size: (#height, #width),
            input: #input,
            stages: &[#(#stages),*],
            numbers: #numbers,
            switches: &[#(#switches),*],
        }
    }}
}
