//! Networks in the pixels as Rust: a function on handles of registers, and a module with its plan, the weights and a function
//! that loads them.

mod docs;

use std::collections::BTreeSet;

use cain_isa::program::owned::Program;
use cain_isa::program::{Grid, Picture};
use cain_isa::{Dreg, Reg};
use cain_network::in_pixel::{Compiled, Declaration, Scores};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::{Attribute, Visibility};

use super::scratch::Scratch;
use super::{program, registers, visibility};
use crate::plans::Mode;

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

impl Function<'_> {
    /// What it does; without a program, nothing, with all registers that some network has.
    fn program(&self) -> (Program, Scratch) {
        let name = self.name.to_string();
        if let Some(compiled) = self.compiled {
            let program = compiled.program(&name);
            let scratch = Scratch::of(&program);
            return (program, scratch);
        }
        let (bits, loaded): (BTreeSet<Dreg>, _) = Dreg::ALL.into_iter().partition(|bit| bit.number() < 7);
        let regs = [Reg::B, Reg::C, Reg::D, Reg::E].into();
        let picture = Picture { register: Reg::A, pixels: Grid::new((0, 0), (1, 1), (1, 1)) };
        let nothing = Program { pictures: vec![picture], ..program::nothing(&name) };
        (nothing, Scratch { image: Reg::A, regs, bits, loaded })
    }
}

/// The function and the module of the same name.
pub(crate) fn function(function: &Function<'_>) -> TokenStream {
    let Function { runtime, attributes, visibility, name, .. } = function;
    let (program, scratch) = function.program();
    let docs = docs::of_function(attributes, function.compiled, &program);
    let host = super::host(&name.to_string());
    let image = registers::marker(runtime, scratch.image);
    let body = body(function, &program);
    let module = module(function, &program, &scratch, &host);
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
fn body(function: &Function<'_>, program: &Program) -> TokenStream {
    let Function { runtime, name, network, compiled, .. } = function;
    if compiled.is_none() {
        let panic = panic(name);
        return quote! {
            let _ = (scamp, image, scratch, weights);
            #panic
        };
    }
    let (classes, kinds) = (Literal::usize_unsuffixed(network.classes()), program::kinds(runtime, program));
    quote! {
        let _ = (image, scratch, weights);
        let mut read = [0.0; #classes];
        #runtime::program::run_only::<#kinds, _>(
            scamp,
            &#name::PLAN,
            &[#runtime::program::Place { row: 0, column: 0 }],
            &mut read,
        )?;
        let scores = #runtime::network::counts(&read, 0);
        ::core::result::Result::Ok(#name::Answer {
            class: #runtime::dense::largest(&scores),
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
fn module(function: &Function<'_>, program: &Program, scratch: &Scratch, host: &Ident) -> TokenStream {
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
    let tables = function.compiled.map_or(&[][..], |compiled| compiled.switches());
    let plan = program::program(runtime, program, tables);
    let allow_evaluation = super::plan::allow_evaluation_of(program.words());
    let level = Literal::i8_unsuffixed(compiled.map_or(0, Compiled::level));
    let structs = scratch.structs(runtime, &inner);
    let classes = Literal::usize_unsuffixed(network.classes());
    let load = if compiled.is_some() {
        quote! {
            let _ = (registers, scratch);
            #runtime::program::prepare(scamp, &PLAN)?;
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
            #allow_evaluation
            #inner static PLAN: #runtime::isa::program::Program = #plan;

            /// What a pixel of 1 counts in a sum, in DN.
            #inner const LEVEL: ::core::primitive::i8 = #level;

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
