//! Automata as Rust: a function that carries out steps, and a module with its plan and the cells of an array.

mod docs;
mod plan;

use cain_network::automaton::{Automaton, CompiledAutomaton};
use proc_macro2::TokenStream;
use quote::quote;

use super::frame;
use super::frame::{Frame, Signature};
use super::plan::allow_evaluation_of;

/// The function of an automaton.
pub(crate) type Function<'a> = frame::Function<'a, Automaton, CompiledAutomaton>;

/// The function and the module of the same name.
pub(crate) fn function(function: &Function<'_>) -> TokenStream {
    let Frame { runtime, name, .. } = function.frame;
    let parameters = [("cells", quote!(&mut #name::Cells)), ("steps", quote!(::core::primitive::u32))];
    let signature = Signature {
        controller: quote!(#runtime::automaton::IntegerIo),
        ..Signature::of_array(runtime, parameters, quote!(()))
    };
    let body = |_: &CompiledAutomaton| {
        quote! {
            let _ = cells;
            for _ in 0..steps {
                #runtime::automaton::step(scamp, &#name::PLAN)?;
            }
            ::core::result::Result::Ok(())
        }
    };
    function.tokens("automaton", &signature, docs::of_compiled, body, &module(function))
}

/// The module with the plan and the cells.
fn module(function: &Function<'_>) -> TokenStream {
    let Function { frame, declaration: automaton, program: compiled } = function;
    let (runtime, inner, name, host) = (frame.runtime, frame.inner(), frame.name, frame.host());
    let plan_docs = super::docs::line(&format!("What the function `{name}` does."));
    let plan = plan::plan(runtime, automaton, *compiled);
    let allow = allow_evaluation_of(compiled.map_or(0, |compiled| compiled.instructions().count()));
    let [begin, show, classes] = bodies(function);
    let items = quote! {
        #plan_docs
        #allow
        #inner static PLAN: #runtime::isa::automaton::AutomatonPlan = #plan;

        /// The cells of an array that sees a picture. They are in its registers, which nothing else may write meanwhile.
        #[derive(Debug)]
        #inner struct Cells(());

        impl Cells {
            /// Cells that see a picture, of a byte for each pixel, row by row; pixels that are missing are black. Their
            /// states are 0, their random bits are drawn with the seed.
            ///
            /// # Errors
            ///
            /// Those of the host controller.
            #inner fn begin<#host: #runtime::automaton::IntegerIo>(
                scamp: &mut #host,
                picture: &[::core::primitive::u8],
                seed: ::core::primitive::u64,
            ) -> ::core::result::Result<Self, #host::Error> {
                #begin
            }

            /// Shows another picture. Cells that live in both keep their state.
            ///
            /// # Errors
            ///
            /// Those of the host controller.
            #inner fn show<#host: #runtime::automaton::IntegerIo>(
                &mut self,
                scamp: &mut #host,
                picture: &[::core::primitive::u8],
            ) -> ::core::result::Result<(), #host::Error> {
                #show
            }

            /// Writes the class of each cell, row by row; nothing where a cell does not live.
            ///
            /// # Errors
            ///
            /// Those of the host controller.
            #inner fn classes<#host: #runtime::automaton::IntegerIo>(
                &self,
                scamp: &mut #host,
                classes: &mut [::core::option::Option<::core::primitive::u16>],
            ) -> ::core::result::Result<(), #host::Error> {
                #classes
            }
        }
    };
    frame.module(&format!("The plan and the cells of the automaton `{name}`."), &items)
}

/// What the methods of the cells do: begin, show, and find classes.
fn bodies(function: &Function<'_>) -> [TokenStream; 3] {
    let Function { frame, program, .. } = function;
    if program.is_none() {
        let arguments = [quote!(scamp, picture, seed), quote!(scamp, picture), quote!(scamp, classes)];
        return arguments.map(|arguments| frame.stub("automaton", &arguments));
    }
    let runtime = frame.runtime;
    [
        quote! {
            #runtime::automaton::begin(scamp, &PLAN, picture, seed)?;
            ::core::result::Result::Ok(Self(()))
        },
        quote!(#runtime::automaton::show(scamp, &PLAN, picture)),
        quote!(#runtime::automaton::classes(scamp, &PLAN, classes)),
    ]
}
