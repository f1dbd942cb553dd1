//! Networks in the pixels as Rust: a function on handles of registers, and a module with its plan, the weights and a function
//! that loads them.

mod docs;

use cain_analysis::owned::{Program, Step};
use cain_analysis::sorted::Set;
use cain_in_pixel::{Compiled, Declaration, Scores};
use cain_isa::program::{Grid, Picture};
use cain_isa::{Dreg, Reg, Times};
use cain_search::switches::SwitchTable;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::frame::{Frame, Signature};
use super::scratch::Scratch;
use super::{frame, program, registers};

/// The function of a network in the pixels.
pub(crate) type Function<'a> = frame::Function<'a, Declaration, Compiled>;

/// What a function does; without a program, nothing, with all registers that some network has.
fn program_of(Function { frame, program, .. }: &Function<'_>) -> (Program, Scratch) {
    let name = frame.name.to_string();
    if let Some(compiled) = program {
        let program = compiled.program(&name);
        let scratch = Scratch::of(&program);
        return (program, scratch);
    }
    let (bits, loaded): (Set<Dreg>, _) = Dreg::ALL.into_iter().partition(|bit| bit.number() < 7);
    let regs = [Reg::B, Reg::C, Reg::D, Reg::E].into();
    let picture = Picture { register: Reg::A, pixels: Grid::new((0, 0), (1, 1), (1, 1)) };
    let nothing = Program { pictures: vec![picture], ..Program::new(name, Times::SCAMP5) };
    (nothing, Scratch { image: Reg::A, regs, bits, loaded })
}

/// The function and the module of the same name.
pub(crate) fn function(function: &Function<'_>) -> TokenStream {
    let Function { frame, declaration, .. } = function;
    let (runtime, name) = (frame.runtime, frame.name);
    let (program, scratch) = program_of(function);
    let image = registers::marker(runtime, scratch.image);
    let parameters = [
        ("image", quote!(#runtime::Plane<'_, #image>)),
        ("scratch", quote!(&mut #name::Scratch<'_>)),
        ("weights", quote!(&#name::Weights<'_>)),
    ];
    let signature = Signature::of_array(runtime, parameters, quote!(#name::Answer));
    let docs = |compiled: &Compiled| docs::of_compiled(compiled, &program);
    let body = |compiled: &Compiled| body(frame, declaration.classes(), &program, compiled.switches());
    function.tokens("network", &signature, docs, body, &module(function, &program, &scratch))
}

/// The statements of the function.
fn body(
    Frame { runtime, name, .. }: &Frame<'_>,
    classes: usize,
    program: &Program,
    tables: &[SwitchTable],
) -> TokenStream {
    let (classes, kinds) = (Literal::usize_unsuffixed(classes), program::kinds(runtime, program.steps(), tables));
    // Scores in bits are exact, however large.
    let is_exact = program.steps().any(|step| matches!(step, Step::Count(_)));
    let zero = if is_exact { quote!(0.0_f64) } else { quote!(0.0_f32) };
    quote! {
        let _ = (image, scratch, weights);
        let mut read = [#zero; #classes];
        #runtime::program::run_only::<#kinds, _, _>(
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

/// The module with the plan, the weights, the registers and the results.
fn module(function: &Function<'_>, program: &Program, scratch: &Scratch) -> TokenStream {
    let Function { frame, declaration: network, program: compiled } = function;
    let (runtime, inner, name, host) = (frame.runtime, frame.inner(), frame.name, frame.host());
    let scores_docs = super::docs::line(match network.second.as_ref().map(|second| second.scores) {
        Some(Scores::Exact) => "The exact sum of each class.",
        Some(Scores::Analogue) | None => "The sum of each class, in steps of the converter.",
    });
    let answer_docs = super::docs::line(&format!("What the network `{name}` makes of a picture."));
    let tables = compiled.map_or(&[][..], |compiled| compiled.switches());
    let docs = format!("What the function `{name}` does, and the weights that [`load`] writes before.");
    let plan = program::constant(frame, &docs, program, tables);
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
        frame.stub("network", &quote!(scamp, registers, scratch))
    };
    let items = quote! {
        #plan

        /// The level of a pixel of 1, in DN. It counts half of it in a sum.
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
    };
    frame.module(&format!("The plan, the weights, the registers and the results of the network `{name}`."), &items)
}
