//! Networks in the pixels as Rust: a function on handles of registers, and a module with its plan, the weights and a function
//! that loads them.

mod docs;
mod plan;
mod registers;

use cain_network::in_pixel::{Compiled, Declaration, Scores};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::{Attribute, Visibility};

use super::visibility;
use crate::plans::Mode;
use registers::Registers;

/// The parts of a generated function of a network in the pixels.
pub(crate) struct Function<'a> {
    /// The path of the runtime crate.
    pub(crate) runtime: &'a TokenStream,
    pub(crate) attributes: &'a [Attribute],
    pub(crate) visibility: &'a Visibility,
    pub(crate) name: &'a Ident,
    pub(crate) network: &'a Declaration,
    /// If `None`, the function exists only so that callers compile.
    pub(crate) compiled: Option<&'a Compiled>,
}

/// The function and the module of the same name.
pub(crate) fn function(function: &Function<'_>) -> TokenStream {
    let Function { runtime, attributes, visibility, name, .. } = function;
    let registers = Registers::of(function.compiled);
    let docs = docs::of_function(function);
    let host = super::host(&name.to_string());
    let image = registers::image(runtime);
    let body = body(function);
    let module = module(function, &registers, &host);
    quote! {
        #(#attributes)*
        #docs
        #visibility fn #name<#host: #runtime::io::ArrayIo>(
            scamp: &mut #host,
            image: #runtime::Plane<'_, #image>,
            scratch: &mut #name::Scratch<'_>,
            weights: &#name::Weights<'_>,
        ) -> ::core::result::Result<#name::Answer, #host::Error> {
            #body
        }
        #module
    }
}

/// The statements of the function.
fn body(function: &Function<'_>) -> TokenStream {
    let Function { runtime, name, network, compiled, .. } = function;
    if compiled.is_none() {
        let panic = panic(name);
        return quote! {
            let _ = (scamp, image, scratch, weights);
            #panic
        };
    }
    let classes = Literal::usize_unsuffixed(network.classes());
    let run = if network.interruption.is_some() {
        quote!(#runtime::tasks::run_in_pixel(scamp, #name::PLAN.steps(), #name::PLAN.switches, &mut scores)?;)
    } else {
        quote!(#runtime::in_pixel::run(scamp, #name::PLAN.steps(), &mut scores)?;)
    };
    quote! {
        let _ = (image, scratch, weights);
        let mut scores = [0; #classes];
        #run
        ::core::result::Result::Ok(#name::Answer {
            class: #runtime::in_pixel::class(&scores),
            scores,
        })
    }
}

/// What a function does that has no program.
fn panic(name: &Ident) -> TokenStream {
    let message = format!("the network `{name}` has no program; build without `{}=stub`", Mode::VARIABLE);
    quote!(::core::panic!(#message))
}

/// The module with the plan, the weights, the registers and the results.
fn module(function: &Function<'_>, registers: &Registers, host: &Ident) -> TokenStream {
    let Function { runtime, attributes, visibility, name, network, compiled } = function;
    let shared = attributes.iter().filter(|attribute| super::plan::is_shared(attribute));
    let inner = visibility::of_child(visibility);
    let line = |text: String| super::docs::line(&text);
    let module_docs = line(format!("The plan, the weights, the registers and the results of the network `{name}`."));
    let plan_docs = line(format!("What the function `{name}` does, and the weights that [`load`] writes before."));
    let scores_docs = line(match network.second.as_ref().map(|second| second.scores) {
        Some(Scores::Exact) => "The exact sum of each class.".to_owned(),
        Some(Scores::Analogue) | None => "The sum of each class, in steps of the converter.".to_owned(),
    });
    let answer_docs = line(format!("What the network `{name}` makes of a picture."));
    let plan =
        compiled.map_or_else(|| plan::stub(runtime, name, network), |compiled| plan::plan(runtime, name, compiled));
    let structs = registers.structs(runtime, &inner);
    let classes = Literal::usize_unsuffixed(network.classes());
    let load = if compiled.is_some() {
        quote! {
            let _ = (registers, scratch);
            for plane in PLAN.planes {
                #runtime::in_pixel::load(scamp, plane)?;
            }
            ::core::result::Result::Ok(Weights(::core::marker::PhantomData))
        }
    } else {
        let panic = panic(name);
        quote! {
            let _ = (scamp, registers, scratch);
            #panic
        }
    };
    quote! {
        #(#shared)*
        #module_docs
        #visibility mod #name {
            #plan_docs
            #inner static PLAN: #runtime::isa::in_pixel::InPixelPlan = #plan;

            #answer_docs
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            #inner struct Answer {
                /// The class with the largest sum, the first one of equals.
                #inner class: ::core::primitive::usize,
                #scores_docs
                #inner scores: [::core::primitive::i32; #classes],
            }

            #structs

            /// Writes the weights into their registers, which has to be done once before the first picture.
            ///
            /// # Errors
            ///
            /// Those of the host controller.
            #inner fn load<'r, #host: #runtime::io::ArrayIo>(
                scamp: &mut #host,
                registers: WeightRegisters<'r>,
                scratch: &mut Scratch<'_>,
            ) -> ::core::result::Result<Weights<'r>, #host::Error> {
                #load
            }
        }
    }
}
