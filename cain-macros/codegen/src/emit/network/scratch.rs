//! The registers that the function of a network overwrites.

use std::collections::BTreeSet;

use cain_isa::{Dreg, Reg};
use cain_network::CompiledNetwork;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::super::{digital, registers};
use super::Function;

/// The registers beside that of the picture.
pub(super) struct Scratch {
    regs: BTreeSet<Reg>,
    bits: BTreeSet<Dreg>,
}

impl Scratch {
    /// Without a program, all of the machine.
    pub(super) fn of(function: &Function<'_>) -> Self {
        let machine = &function.network.machine;
        let all = || (machine.registers.iter().collect(), Dreg::ALL.into_iter().collect());
        let (mut regs, bits) = function.compiled.map_or_else(all, CompiledNetwork::written);
        regs.remove(&function.input());
        Self { regs, bits }
    }

    /// The structures of handles.
    pub(super) fn structs(&self, runtime: &TokenStream, inner: &TokenStream, input: Reg) -> TokenStream {
        let regs = self.regs.iter().map(|reg| registers::handle(runtime, inner, *reg));
        let bits = self.bits.iter().map(|bit| digital::handle(runtime, inner, *bit));
        let handles: Vec<_> = regs.chain(bits).collect();
        // A lifetime must be used.
        let marker = handles.is_empty().then(|| quote!(array: ::core::marker::PhantomData<&'r mut #runtime::Aregs>));
        let all = self.of_all(runtime, inner, input, handles.is_empty());
        quote! {
            /// The registers that the function overwrites beside that of the picture.
            #[derive(Debug)]
            #inner struct Scratch<'r> {
                #(#handles,)*
                #marker
            }

            #all
        }
    }

    /// The structure that takes the handles out of all of SCAMP-5, if it has these registers.
    fn of_all(&self, runtime: &TokenStream, inner: &TokenStream, input: Reg, is_empty: bool) -> Option<TokenStream> {
        let is_known = |reg: &Reg| usize::from(reg.index()) < KNOWN;
        if !self.regs.iter().chain([&input]).all(is_known) {
            return None;
        }
        let marked = is_empty.then(|| quote!(array: ::core::marker::PhantomData));
        let regs = self.regs.iter().map(|&reg| registers::field(reg)).collect::<Vec<_>>();
        let fields = self.bits.iter().map(|&bit| digital::field(bit)).collect::<Vec<_>>();
        let bits = Ident::new(if fields.is_empty() { "_bits" } else { "bits" }, Span::call_site());
        let (image, marker) = (registers::field(input), registers::marker(runtime, input));
        Some(quote! {
            /// The registers of the function, taken out of all of them.
            #[derive(Debug)]
            #inner struct Registers<'r> {
                /// The register of the picture.
                #inner image: &'r mut #runtime::Areg<#marker>,
                /// The other registers.
                #inner scratch: Scratch<'r>,
            }

            impl<'r> Registers<'r> {
                /// The registers of the function among those of an array.
                #inner const fn of(all: &'r mut #runtime::Aregs, #bits: &'r mut #runtime::Dregs) -> Self {
                    Self {
                        image: &mut all.#image,
                        scratch: Scratch { #(#regs: &mut all.#regs,)* #(#fields: &mut bits.#fields,)* #marked },
                    }
                }
            }
        })
    }
}

/// The analogue registers of SCAMP-5, A to F.
const KNOWN: usize = 6;
