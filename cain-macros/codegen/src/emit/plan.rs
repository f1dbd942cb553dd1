//! Programs as constant data.

use cain_isa::Stop;
use cain_search::{Accuracy, thousandths};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::{Attribute, MetaList};

use super::assembler::{Assembler, integer};
use super::function::Function;
use super::switches::switches;
use super::{docs, visibility};

/// Constants of so many instructions take the compiler more steps to check than it makes without asking.
const LONG: usize = 500;

/// What allows the compiler as many steps as a constant of so many instructions takes, where that is needed.
pub(super) fn allow_evaluation_of(instructions: usize) -> Option<TokenStream> {
    (instructions >= LONG).then(|| quote!(#[allow(long_running_const_eval)]))
}

/// The module with the constant `PLAN`.
pub(crate) fn module(function: &Function<'_>) -> TokenStream {
    let Function { runtime, attributes, visibility, name, .. } = function;
    let shared = attributes.iter().filter(|attribute| is_shared(attribute));
    let inner = visibility::of_child(visibility);
    let (module_docs, plan_docs) = docs::of_plan(function);
    let value = plan(function);
    let allow = allow_evaluation_of(function.code.instructions());
    quote! {
        #(#shared)*
        #module_docs
        #visibility mod #name {
            #plan_docs
            #[allow(clippy::approx_constant)]
            #allow
            #inner const PLAN: #runtime::isa::Plan = #value;
        }
    }
}

/// Whether an attribute of the function applies to the module as well.
pub(super) fn is_shared(attribute: &Attribute) -> bool {
    let hidden = |list: &MetaList| list.tokens.to_string() == "hidden";
    attribute.path().is_ident("cfg")
        || attribute.path().is_ident("doc") && attribute.meta.require_list().is_ok_and(hidden)
}

/// The plan as an expression; for a stub, a plan without instructions.
fn plan(function: &Function<'_>) -> TokenStream {
    let Function { runtime, code, .. } = function;
    let declaration = code.declaration();
    let mut asm = Assembler::default();
    let inputs: Vec<_> = declaration.inputs.iter().map(|input| asm.reg(input.reg)).collect();
    let outputs: Vec<_> = declaration.outputs.iter().map(|output| asm.reg(output.reg)).collect();
    let solution = code.plan().map(|plan| &plan.solution);
    let listing: Vec<_> = solution
        .into_iter()
        .flat_map(|solution| solution.program.listing())
        .map(|line| asm.instruction(line))
        .collect();
    let report = solution.map(|solution| solution.program.report().clone()).unwrap_or_default();
    let [macros, icws] = [report.macros, report.icws].map(|count| integer(count.into()));
    let peak_gain = asm.ratio(report.peak_gain);
    let (nodes, lower_bound, stop) = solution.map_or((0, 0, Stop::Exhausted), |solution| {
        let found = &solution.statistics;
        (found.nodes, found.lower_bound, found.stop)
    });
    let (nodes, lower_bound) = (integer(nodes), integer(lower_bound.into()));
    let predicted = solution.map(|solution| solution.program.accuracy()).unwrap_or_default();
    let accuracy: Vec<_> = predicted.iter().map(|output| accuracy(runtime, output)).collect();
    let switches: Vec<_> = code
        .plan()
        .into_iter()
        .flat_map(|plan| plan.solution.program.switches())
        .map(|table| self::switches(runtime, table, &mut asm))
        .collect();
    // `Debug` prints the name of a variant without fields.
    let stop = format_ident!("{stop:?}");
    let name = &declaration.name;
    let text = declaration.to_string();
    let names = asm.names();
    quote! {{
        use #runtime::isa::asm::{#(#names),*};
        #runtime::isa::Plan {
            name: #name,
            declaration: #text,
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
