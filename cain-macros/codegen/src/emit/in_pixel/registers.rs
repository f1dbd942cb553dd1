//! The registers that the function of a network in the pixels uses.

use std::collections::BTreeSet;

use cain_isa::in_pixel::Step;
use cain_isa::{Cell, Dreg, Reg, Word};
use cain_network::in_pixel::Compiled;
use proc_macro2::TokenStream;
use quote::quote;

use super::super::{digital, registers};

/// The register of the picture.
const IMAGE: Reg = Reg::A;
/// What loading weights overwrites.
const LOADING: [Dreg; 3] = [Dreg::ALL[0], Dreg::ALL[5], Dreg::ALL[6]];

/// The registers beside that of the picture.
pub(super) struct Registers {
    regs: BTreeSet<Reg>,
    bits: BTreeSet<Dreg>,
    weights: BTreeSet<Dreg>,
}

impl Registers {
    /// Without programs, those that some network overwrites.
    pub(super) fn of(compiled: Option<&Compiled>) -> Self {
        let Some(compiled) = compiled else {
            let (bits, weights) = Dreg::ALL.into_iter().partition(|bit| bit.number() < 7);
            return Self { regs: [Reg::B, Reg::C, Reg::D, Reg::E].into(), bits, weights };
        };
        let steps = compiled.components().iter().flat_map(|component| &component.program);
        let words = steps.flat_map(|step| match step {
            Step::Execute(words) => words.as_slice(),
            _ => &[],
        });
        let (mut regs, mut bits) = (BTreeSet::new(), BTreeSet::from(LOADING));
        for word in words {
            regs.extend(word.destinations().iter().filter_map(|cell| match cell {
                Cell::Reg(reg) if *reg != IMAGE => Some(*reg),
                _ => None,
            }));
            match word {
                Word::Logic(logic) => bits.extend(logic.targets()),
                Word::FromNeighbours(word) => bits.extend([word.target()]),
                _ => {}
            }
        }
        Self { regs, bits, weights: compiled.planes().iter().map(|plane| plane.register).collect() }
    }

    /// The structures of handles.
    pub(super) fn structs(&self, runtime: &TokenStream, inner: &TokenStream) -> TokenStream {
        let of_bit = |bit: &Dreg| digital::handle(runtime, inner, *bit);
        let regs = self.regs.iter().map(|reg| registers::handle(runtime, inner, *reg));
        let scratch = regs.chain(self.bits.iter().map(of_bit));
        let weights = self.weights.iter().map(of_bit);
        let (image, marker) = (registers::field(IMAGE), image(runtime));
        let regs: Vec<_> = self.regs.iter().map(|reg| registers::field(*reg)).collect();
        let [bits, of_weights] =
            [&self.bits, &self.weights].map(|bits| bits.iter().map(|bit| digital::field(*bit)).collect::<Vec<_>>());
        quote! {
            /// The registers that the function overwrites beside that of the picture.
            #[derive(Debug)]
            #inner struct Scratch<'r> {
                #(#scratch,)*
            }

            /// The registers that weights are loaded into.
            #[derive(Debug)]
            #inner struct WeightRegisters<'r> {
                #(#weights,)*
            }

            /// Weights in their registers, which nothing else can write meanwhile.
            #[derive(Debug)]
            #inner struct Weights<'r>(::core::marker::PhantomData<&'r mut #runtime::Dregs>);

            /// The registers of the function, taken out of all of them.
            #[derive(Debug)]
            #inner struct Registers<'r> {
                /// The register of the picture.
                #inner image: &'r mut #runtime::Areg<#marker>,
                /// The other registers that are overwritten.
                #inner scratch: Scratch<'r>,
                /// Those of the weights.
                #inner weights: WeightRegisters<'r>,
            }

            impl<'r> Registers<'r> {
                /// The registers of the function among those of an array.
                #inner const fn of(all: &'r mut #runtime::Aregs, bits: &'r mut #runtime::Dregs) -> Self {
                    Self {
                        image: &mut all.#image,
                        scratch: Scratch { #(#regs: &mut all.#regs,)* #(#bits: &mut bits.#bits,)* },
                        weights: WeightRegisters { #(#of_weights: &mut bits.#of_weights,)* },
                    }
                }
            }
        }
    }
}

/// The marker type of the picture's register.
pub(super) fn image(runtime: &TokenStream) -> TokenStream {
    registers::marker(runtime, IMAGE)
}
