//! Automata as Rust: a function that carries out steps, and a module with its plan and the cells of an array.

mod docs;
mod plan;

use cain_network::automaton::{Automaton, CompiledAutomaton};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Attribute, Visibility};

use super::plan::allow_evaluation_of;
use super::visibility;
use crate::plans::Mode;

/// The parts of a generated function of an automaton.
pub(crate) struct Function<'a> {
    /// The path of the runtime crate.
    pub(crate) runtime: &'a TokenStream,
    pub(crate) attributes: &'a [Attribute],
    pub(crate) visibility: &'a Visibility,
    pub(crate) name: &'a Ident,
    pub(crate) automaton: &'a Automaton,
    /// If `None`, the function exists only so that callers compile.
    pub(crate) compiled: Option<&'a CompiledAutomaton>,
}

/// The function and the module of the same name; an error if the machine has no such operation as a step takes.
pub(crate) fn function(function: &Function<'_>) -> Result<TokenStream, String> {
    let Function { runtime, attributes, visibility, name, compiled, .. } = function;
    let host = super::host(&name.to_string());
    let docs = docs::of_function(attributes, *compiled);
    let body = if compiled.is_some() {
        quote! {
            let _ = cells;
            for _ in 0..steps {
                #runtime::automaton::step(scamp, &#name::PLAN)?;
            }
            ::core::result::Result::Ok(())
        }
    } else {
        let panic = panic(name);
        quote! {
            let _ = (scamp, cells, steps);
            #panic
        }
    };
    let module = module(function, &host)?;
    Ok(quote! {
        #(#attributes)*
        #docs
        #visibility fn #name<#host: #runtime::automaton::IntegerIo>(
            scamp: &mut #host,
            cells: &mut #name::Cells,
            steps: ::core::primitive::u32,
        ) -> ::core::result::Result<(), #host::Error> {
            #body
        }
        #module
    })
}

/// What a function does that has no program.
fn panic(name: &Ident) -> TokenStream {
    let message = format!("the automaton `{name}` has no program; build without `{}=stub`", Mode::VARIABLE);
    quote!(::core::panic!(#message))
}

/// The module with the plan and the cells.
fn module(function: &Function<'_>, host: &Ident) -> Result<TokenStream, String> {
    let Function { runtime, attributes, visibility, name, automaton, compiled } = function;
    let shared = attributes.iter().filter(|attribute| super::plan::is_shared(attribute));
    let inner = visibility::of_child(visibility);
    let line = |text: String| super::docs::line(&text);
    let module_docs = line(format!("The plan and the cells of the automaton `{name}`."));
    let plan_docs = line(format!("What the function `{name}` does."));
    let plan = match compiled {
        Some(compiled) => plan::plan(runtime, name, compiled).map_err(|error| error.to_string())?,
        None => plan::stub(runtime, name, automaton),
    };
    let allow = allow_evaluation_of(compiled.map_or(0, instructions));
    let [begin, show, classes] = bodies(function);
    Ok(quote! {
        #(#shared)*
        #module_docs
        #visibility mod #name {
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
        }
    })
}

/// What the methods of the cells do: begin, show, and find classes.
fn bodies(function: &Function<'_>) -> [TokenStream; 3] {
    let Function { runtime, name, compiled, .. } = function;
    if compiled.is_none() {
        let panic = panic(name);
        let operands = [quote!((scamp, picture, seed)), quote!((scamp, picture)), quote!((scamp, classes))];
        return operands.map(|operands| {
            quote! {
                let _ = #operands;
                #panic
            }
        });
    }
    [
        quote! {
            #runtime::automaton::begin(scamp, &PLAN, picture, seed)?;
            ::core::result::Result::Ok(Self(()))
        },
        quote!(#runtime::automaton::show(scamp, &PLAN, picture)),
        quote!(#runtime::automaton::classes(scamp, &PLAN, classes)),
    ]
}

/// The instructions of all layers.
fn instructions(compiled: &CompiledAutomaton) -> usize {
    compiled.layers().iter().map(|layer| layer.program.listing().len()).sum()
}
