//! The registers of a function that carries out a program: structures of handles.

use cain_analysis::owned::Program;
use cain_analysis::sorted::Set;
use cain_isa::{Dreg, Reg};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::{digital, registers};

/// The registers beside that of the picture.
pub(super) struct Scratch {
    /// The register of the picture.
    pub(super) image: Reg,
    /// What is overwritten.
    pub(super) regs: Set<Reg>,
    pub(super) bits: Set<Dreg>,
    /// What is loaded before the first call, and then stays.
    pub(super) loaded: Set<Dreg>,
}

impl Scratch {
    pub(super) fn of(program: &Program) -> Self {
        let image = program.pictures.first().map_or(Reg::A, |picture| picture.register);
        let ((mut regs, mut bits), loaded) = (program.written(), program.loaded());
        regs.remove(&image);
        bits.retain(|bit| !loaded.contains(bit));
        Self { image, regs, bits, loaded }
    }

    /// The structures of handles.
    pub(super) fn structs(&self, runtime: &TokenStream, inner: &TokenStream) -> TokenStream {
        let of_bit = |bit: &Dreg| digital::handle(runtime, inner, *bit);
        let regs = self.regs.iter().map(|reg| registers::handle(runtime, inner, *reg));
        let handles: Vec<_> = regs.chain(self.bits.iter().map(of_bit)).collect();
        // A lifetime must be used.
        let marker = handles.is_empty().then(|| quote!(array: ::core::marker::PhantomData<&'r mut #runtime::Aregs>));
        let all = self.of_all(runtime, inner, handles.is_empty());
        let loaded = self.loaded.iter().map(of_bit);
        let loaded = (!self.loaded.is_empty()).then(|| {
            quote! {
                /// The registers that weights are loaded into.
                #[derive(Debug)]
                #inner struct WeightRegisters<'r> {
                    #(#loaded,)*
                }

                /// Weights in their registers, which nothing else can write meanwhile.
                #[derive(Debug)]
                #inner struct Weights<'r>(::core::marker::PhantomData<&'r mut #runtime::Dregs>);
            }
        });
        quote! {
            /// The registers that the function overwrites beside that of the picture.
            #[derive(Debug)]
            #inner struct Scratch<'r> {
                #(#handles,)*
                #marker
            }

            #loaded

            #all
        }
    }

    /// The structure that takes the handles out of all of SCAMP-5, if it has these registers.
    fn of_all(&self, runtime: &TokenStream, inner: &TokenStream, is_empty: bool) -> Option<TokenStream> {
        let is_known = |reg: &Reg| usize::from(reg.index()) < KNOWN;
        if !self.regs.iter().chain([&self.image]).all(is_known) {
            return None;
        }
        let marked = is_empty.then(|| quote!(array: ::core::marker::PhantomData));
        let regs = self.regs.iter().map(|&reg| registers::field(reg)).collect::<Vec<_>>();
        let fields = |bits: &Set<Dreg>| bits.iter().map(|&bit| digital::field(bit)).collect::<Vec<_>>();
        let (scratch, loaded) = (fields(&self.bits), fields(&self.loaded));
        let is_used = !scratch.is_empty() || !loaded.is_empty();
        let bits = Ident::new(if is_used { "bits" } else { "_bits" }, Span::call_site());
        let (image, marker) = (registers::field(self.image), registers::marker(runtime, self.image));
        let weights = (!loaded.is_empty()).then(|| {
            quote! {
                /// Those of the weights.
                #inner weights: WeightRegisters<'r>,
            }
        });
        let of_weights =
            (!loaded.is_empty()).then(|| quote!(weights: WeightRegisters { #(#loaded: &mut bits.#loaded,)* },));
        Some(quote! {
            /// The registers of the function, taken out of all of them.
            #[derive(Debug)]
            #inner struct Registers<'r> {
                /// The register of the picture.
                #inner image: &'r mut #runtime::Areg<#marker>,
                /// The other registers that are overwritten.
                #inner scratch: Scratch<'r>,
                #weights
            }

            impl<'r> Registers<'r> {
                /// The registers of the function among those of an array.
                #inner const fn of(all: &'r mut #runtime::Aregs, #bits: &'r mut #runtime::Dregs) -> Self {
                    Self {
                        image: &mut all.#image,
                        scratch: Scratch { #(#regs: &mut all.#regs,)* #(#scratch: &mut bits.#scratch,)* #marked },
                        #of_weights
                    }
                }
            }
        })
    }
}

/// The analogue registers of SCAMP-5, A to F.
const KNOWN: usize = 6;
