//! The structures of handles that a function over super-pixels takes.

use std::collections::BTreeSet;

use cain_isa::{Dreg, Reg};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::{digital, docs, registers as analogue};
use super::docs::of_preparation;
use super::registers::{Function, Registers, converts};

/// The handles that the function needs, by the names of the declaration.
pub(super) fn structs(function: &Function<'_>, registers: &Registers, parameters: &[Ident]) -> TokenStream {
    let Function { frame, declaration, .. } = function;
    let (runtime, inner) = (frame.runtime, frame.inner());
    let inputs = || declaration.inputs.iter().zip(&registers.inputs);
    let types: Vec<_> = inputs()
        .map(|(input, register)| match input.converted {
            None => {
                let marker = digital::marker(runtime, *register);
                quote!(&'r mut #runtime::Dreg<#marker>)
            }
            Some(converter) => {
                let marker = analogue::marker(runtime, converter.register);
                quote!(&'r mut #runtime::Areg<#marker>)
            }
        })
        .collect();
    let values = inputs().map(|(input, register)| match input.converted {
        None => {
            let field = digital::field(*register);
            quote!(&mut bits.#field)
        }
        Some(converter) => {
            let field = analogue::field(converter.register);
            quote!(&mut all.#field)
        }
    });
    let of_inputs: Vec<_> = parameters.iter().map(|name| docs::line(&format!("The register of `{name}`."))).collect();
    let Group { fields: scratch, value: scratch_value, reborrowed } =
        Group::new(runtime, &inner, &registers.analogue, &registers.scratch);
    let Group { fields: reserved, value: reserved_value, .. } =
        Group::new(runtime, &inner, &BTreeSet::new(), &registers.reserved);
    let prepare = prepare(function, parameters);
    let has_levels = converts(declaration) || !registers.analogue.is_empty();
    let all = has_levels.then(|| quote!(all: &'r mut #runtime::Aregs,));
    quote! {
        /// The registers of the function, taken out of all of them.
        #[derive(Debug)]
        #inner struct Registers<'r> {
            #(#of_inputs #inner #parameters: #types,)*
            /// The registers beside those of the inputs.
            #inner scratch: Scratch<'r>,
            /// The registers that are prepared once.
            #inner reserved: Reserved<'r>,
        }

        impl<'r> Registers<'r> {
            /// The registers of the function among those of an array.
            #inner const fn of(#all bits: &'r mut #runtime::Dregs) -> Self {
                Self {
                    #(#parameters: #values,)*
                    scratch: Scratch #scratch_value,
                    reserved: Reserved #reserved_value,
                }
            }

            #prepare
        }

        /// The registers of the function when those that are prepared once are.
        #[derive(Debug)]
        #inner struct Ready<'r> {
            #(#of_inputs #inner #parameters: #types,)*
            /// The registers beside those of the inputs.
            #inner scratch: Scratch<'r>,
            /// What the function needs to know that they are.
            #inner prepared: Prepared<'r>,
        }

        /// The registers that the function overwrites beside those of the inputs.
        #[derive(Debug)]
        #inner struct Scratch<'r> #scratch

        impl Scratch<'_> {
            /// The same registers for one run of several.
            #inner const fn reborrow(&mut self) -> Scratch<'_> {
                Scratch #reborrowed
            }
        }

        /// The registers that [`prepare`](Registers::prepare) writes once, and that the function reads.
        #[derive(Debug)]
        #inner struct Reserved<'r> #reserved

        /// Reserved registers that are prepared, which nothing else can write meanwhile.
        #[derive(Debug)]
        #inner struct Prepared<'r>(::core::marker::PhantomData<&'r mut #runtime::Dregs>);
    }
}

/// The method that prepares registers.
fn prepare(Function { frame, program, .. }: &Function<'_>, parameters: &[Ident]) -> TokenStream {
    let (runtime, inner, host) = (frame.runtime, frame.inner(), frame.host());
    let docs = of_preparation(*program);
    let body = if program.is_some() {
        quote! {
            #runtime::program::prepare(scamp, &PROGRAM)?;
            let Self { #(#parameters,)* scratch, .. } = self;
            ::core::result::Result::Ok(Ready {
                #(#parameters,)*
                scratch,
                prepared: Prepared(::core::marker::PhantomData),
            })
        }
    } else {
        frame.stub("filter", &quote!(self, scamp))
    };
    quote! {
        #docs
        #inner fn prepare<#host: #runtime::io::ArrayIo>(
            self,
            scamp: &mut #host,
        ) -> ::core::result::Result<Ready<'r>, #host::Error> {
            #body
        }
    }
}

/// A structure of handles.
struct Group {
    fields: TokenStream,
    /// Its value among all registers.
    value: TokenStream,
    /// Its value by another one that is borrowed.
    reborrowed: TokenStream,
}

impl Group {
    fn new(runtime: &TokenStream, inner: &TokenStream, levels: &BTreeSet<Reg>, bits: &BTreeSet<Dreg>) -> Self {
        if levels.is_empty() && bits.is_empty() {
            // A lifetime must be used.
            let fields = quote!({ array: ::core::marker::PhantomData<&'r mut #runtime::Dregs>, });
            let value = quote!({ array: ::core::marker::PhantomData });
            return Self { fields, reborrowed: value.clone(), value };
        }
        let of_levels = levels.iter().map(|register| analogue::handle(runtime, inner, *register));
        let handles = of_levels.chain(bits.iter().map(|register| digital::handle(runtime, inner, *register)));
        let analogue: Vec<_> = levels.iter().map(|register| analogue::field(*register)).collect();
        let digital: Vec<_> = bits.iter().map(|register| digital::field(*register)).collect();
        Self {
            fields: quote!({ #(#handles,)* }),
            value: quote!({ #(#analogue: &mut all.#analogue,)* #(#digital: &mut bits.#digital,)* }),
            reborrowed: quote!({ #(#analogue: &mut *self.#analogue,)* #(#digital: &mut *self.#digital,)* }),
        }
    }
}
