//! Plans as constant data.

use cain_isa::{Cost, Found, Fraction, Instruction, Reg, Stop};
use cain_search::switches::SwitchTable;
use cain_search::{Accuracy, thousandths};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::assembler::integer;
use super::switches::switches;
use super::words::Words;

/// Constants of so many instructions take the compiler more steps to check than it makes without asking.
const LONG: usize = 500;

/// What allows the compiler as many steps as a constant of so many instructions takes, where that is needed.
pub(super) fn allow_evaluation_of(instructions: usize) -> Option<TokenStream> {
    (instructions >= LONG).then(|| quote!(#[allow(long_running_const_eval)]))
}

/// A plan, to be written as constant data.
pub(super) struct Constant<'a> {
    pub(super) name: &'a str,
    /// What it computes.
    pub(super) declaration: String,
    pub(super) inputs: Vec<Reg>,
    pub(super) outputs: Vec<Reg>,
    pub(super) listing: &'a [Instruction],
    pub(super) cost: Cost,
    pub(super) accuracy: Vec<Accuracy>,
    pub(super) found: Found,
    pub(super) switches: &'a [SwitchTable],
}

impl<'a> Constant<'a> {
    /// A plan without a program.
    pub(super) fn new(name: &'a str, declaration: String) -> Self {
        Self {
            name,
            declaration,
            inputs: Vec::new(),
            outputs: Vec::new(),
            listing: &[],
            cost: Cost { macros: 0, icws: 0, peak_gain: Fraction::ZERO },
            accuracy: Vec::new(),
            found: Found { nodes: 0, lower_bound: 0, stop: Stop::Exhausted },
            switches: &[],
        }
    }

    /// The plan of a program on bits, if there is one.
    #[cfg(feature = "digital")]
    pub(super) fn on_bits(
        name: &'a str,
        declaration: String,
        program: Option<(&'a [Instruction], cain_digital::Statistics)>,
    ) -> Self {
        let mut constant = Self::new(name, declaration);
        if let Some((listing, statistics)) = program {
            let words = listing.iter().flat_map(Instruction::words).count();
            constant.listing = listing;
            constant.cost.icws = u32::try_from(words).unwrap_or(u32::MAX);
            constant.found = Found { nodes: statistics.nodes, lower_bound: 0, stop: statistics.stop };
        }
        constant
    }

    /// The plan as an expression.
    pub(super) fn tokens(&self, runtime: &TokenStream) -> TokenStream {
        let Self { name, declaration, cost, found, .. } = self;
        let mut words = Words::default();
        let [inputs, outputs] =
            [&self.inputs, &self.outputs].map(|list| list.iter().map(|reg| words.reg(*reg)).collect::<Vec<_>>());
        let listing: Vec<_> = self.listing.iter().map(|line| words.instruction(line)).collect();
        let [macros, icws, lower_bound] =
            [cost.macros, cost.icws, found.lower_bound].map(|count| integer(count.into()));
        let (peak_gain, nodes) = (words.analogue().ratio(cost.peak_gain), integer(found.nodes));
        // `Debug` prints the name of a variant without fields.
        let stop = format_ident!("{}", format!("{:?}", found.stop));
        let accuracy: Vec<_> = self.accuracy.iter().map(|output| accuracy(runtime, output)).collect();
        let switches: Vec<_> = self.switches.iter().map(|table| switches(runtime, table, words.analogue())).collect();
        let imports = words.imports(runtime);
        quote! {{
            #imports
            #runtime::isa::Plan {
                name: #name,
                declaration: #declaration,
                inputs: &[#(#inputs),*],
                outputs: &[#(#outputs),*],
                listing: &[#(#listing),*],
                cost: #runtime::isa::Cost { macros: #macros, icws: #icws, peak_gain: #peak_gain },
                accuracy: &[#(#accuracy),*],
                found: #runtime::isa::Found {
                    nodes: #nodes,
                    lower_bound: #lower_bound,
                    stop: #runtime::isa::Stop::#stop,
                },
                switches: &[#(#switches),*],
            }
        }}
    }
}

fn accuracy(runtime: &TokenStream, predicted: &Accuracy) -> TokenStream {
    let &Accuracy { bias, gain, distortion, fixed_pattern, noise } = predicted;
    let [rms, bias, gain, distortion, fixed_pattern, noise] =
        [predicted.rms(), bias, gain, distortion, fixed_pattern, noise].map(decimal);
    quote! {
        #runtime::isa::Accuracy {
            rms: #rms,
            bias: #bias,
            gain: #gain,
            distortion: #distortion,
            fixed_pattern: #fixed_pattern,
            noise: #noise,
        }
    }
}

/// A number of DN as a literal of type `f32`: in thousandths, with as many digits as the type holds.
fn decimal(dn: f64) -> TokenStream {
    #[expect(clippy::cast_possible_truncation, reason = "the type of the field")]
    let value = thousandths(dn) as f32;
    let digits = value.abs().to_string();
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, "0"));
    let sign = (value < 0.0).then(|| quote!(-));
    // Not finite only for programs whose weights are beyond all bounds.
    let whole = whole.parse().map_or_else(|_| Literal::u64_unsuffixed(0), integer);
    let literal = format!("{whole}.{fraction}").parse().unwrap_or_else(|_| Literal::f32_unsuffixed(f32::MAX));
    quote!(#sign #literal)
}
