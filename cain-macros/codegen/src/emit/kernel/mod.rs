//! Filters on analogue registers as Rust: a function on handles of planes, and a module with its plan.

mod docs;
mod signature;

use cain_isa::{Cost, Found};
use cain_search::{Declaration, Solution};
use proc_macro2::TokenStream;
use quote::quote;

use self::signature::Handles;
use super::plan::{Constant, allow_evaluation_of};
use super::registers::Registers;
use super::{docs as text, frame};
use crate::compile::Plan;
use crate::lower::Planes;

/// A filter, with the names of its planes if it runs in any registers.
pub(crate) struct Declared<'a> {
    pub(crate) declaration: &'a Declaration,
    pub(crate) planes: Option<&'a Planes>,
}

/// The function of a filter.
pub(crate) type Function<'a> = frame::Function<'a, Declared<'a>, Plan>;

/// The function and the module of the same name.
pub(crate) fn function(function: &Function<'_>) -> TokenStream {
    let Function { frame, declaration: &Declared { declaration, planes }, program } = *function;
    let runtime = frame.runtime;
    let registers = Registers::new(runtime, declaration, planes, &frame.host());
    // A function in any registers has a plan of its own.
    let length = program.filter(|_| planes.is_some()).map_or(0, |plan| plan.listing().len());
    let Handles { signature, unused, value } =
        Handles::new(runtime, declaration, &registers, allow_evaluation_of(length).as_ref());
    let body = |plan: &Plan| {
        let plan = registers.plan(frame.name, plan);
        quote! {
            #unused
            #runtime::HostController::run(scamp, #plan)?;
            ::core::result::Result::Ok(#value)
        }
    };
    function.tokens("filter", &signature, |plan| docs::of_plan(plan, planes), body, &module(function))
}

/// The module with the constant `PLAN`.
fn module(function: &Function<'_>) -> TokenStream {
    let Function { frame, declaration: &Declared { declaration, .. }, program } = *function;
    let (runtime, inner, name) = (frame.runtime, frame.inner(), &declaration.name);
    let docs = text::line(&format!("The plan that the function `{name}` runs."));
    let allow = allow_evaluation_of(program.map_or(0, |plan| plan.listing().len()));
    let plan = constant(declaration, program.map(|plan| &plan.solution)).tokens(runtime);
    let items = quote! {
        #docs
        #[allow(clippy::approx_constant)]
        #allow
        #inner const PLAN: #runtime::isa::Plan = #plan;
    };
    frame.module(&format!("The plan of the filter `{name}`."), &items)
}

/// The plan of a solution.
fn constant<'a>(declaration: &'a Declaration, solution: Option<&'a Solution>) -> Constant<'a> {
    let mut constant = Constant {
        inputs: declaration.inputs.iter().map(|input| input.reg).collect(),
        outputs: declaration.outputs.iter().map(|output| output.reg).collect(),
        ..Constant::new(&declaration.name, declaration.to_string())
    };
    if let Some(Solution { program, statistics }) = solution {
        let report = program.report();
        constant.listing = program.listing();
        constant.cost = Cost { macros: report.macros, icws: report.icws, peak_gain: report.peak_gain };
        constant.accuracy = program.accuracy();
        constant.found = Found { nodes: statistics.nodes, lower_bound: statistics.lower_bound, stop: statistics.stop };
        constant.switches = program.switches();
    }
    constant
}

#[cfg(test)]
mod tests {
    use cain_analysis::prove::Prover;
    use cain_isa::{Instruction, Reg, Stop};
    use cain_search::{
        Declaration, Input, InstructionSet, MaxGain, OffsetRule, Options, Output, Solution, Statistics, verify,
    };
    use proc_macro2::{Ident, Span, TokenStream};
    use quote::quote;
    use syn::Visibility;

    use super::{Declared, Function, function};
    use crate::compile::Plan;
    use crate::emit::Frame;

    /// The function `f` of a program from R18 to R, which is declared to compute what it computes.
    fn emitted(instructions: InstructionSet, scratch: &[&str], listing: &[&str]) -> String {
        let reg = |name: &str| name.parse::<Reg>().unwrap();
        let listing: Vec<Instruction> = listing.iter().map(|line| line.parse().unwrap()).collect();
        let prover = Prover::of(&listing, &[reg("R18")]).unwrap();
        let declaration = Declaration {
            name: "f".to_owned(),
            inputs: vec![Input { reg: reg("R18"), keep: true }],
            outputs: vec![Output { reg: reg("R"), kernel: prover.value(reg("R")).unwrap().clone() }],
            scratch: scratch.iter().copied().map(reg).collect(),
            machine: cain_isa::Machine::SCAMP5.with_registers(256),
            options: Options { instructions, offset: OffsetRule::Any, max_gain: MaxGain::Any, ..Options::default() },
        };
        let statistics =
            Statistics { nodes: 1_234_567, nodes_to_first: 1, nodes_to_best: 1, lower_bound: 2, stop: Stop::Nodes };
        let solution = Solution { program: verify(&declaration, &listing).unwrap(), statistics };
        let plan = Plan::new(solution, None, None);
        let (runtime, name) = (&quote!(rt), &Ident::new("f", Span::call_site()));
        let frame = Frame { runtime, attributes: &[], visibility: &Visibility::Inherited, name };
        let declared = Declared { declaration: plan.declaration(), planes: None };
        function(&Function { frame, declaration: &declared, program: Some(&plan) }).to_string()
    }

    fn expect(text: &str, parts: impl IntoIterator<Item = TokenStream>) {
        for part in parts {
            assert!(text.contains(&part.to_string()), "{part}\n{text}");
        }
    }

    #[test]
    fn larger_machines() {
        let listing = ["movx(Z,R18,east);", "mov(A,R18);", "add(R,R18,Z,A);"];
        let emitted = emitted(InstructionSet::Macro, &["Z", "A"], &listing);
        assert!(emitted.contains("Search nodes: 1234567; `cain pin --nodes 123456700` may find a better one."));
        expect(
            &emitted,
            [
                quote!(fn f<'r, H: rt::HostController>),
                quote!((scamp: &mut H, r18: & rt::Plane<'_, rt::reg::R<18> >, r: &'r mut rt::Areg<rt::reg::R>, z: &mut rt::Areg<rt::reg::Z>, a: &mut rt::Areg<rt::reg::A>)),
                quote!(
                    use rt::isa::asm::{A, EAST, R, Z, add3, mov, movx, r, ratio};
                ),
                quote!(inputs: &[r(18)]),
                quote!(&[movx(Z, r(18), EAST), mov(A, r(18)), add3(R, r(18), Z, A)]),
                quote!(nodes: 1_234_567),
            ],
        );
    }

    /// A few thousand instructions are more than the compiler checks without asking, and more than people read.
    #[test]
    fn long_programs() {
        let listing = |times: usize| ["movx(Z,R18,east);", "movx(R,Z,west);"].repeat(times);
        let long = emitted(InstructionSet::Macro, &["Z"], &listing(250));
        let (allow, fold) =
            (quote!(#[allow(long_running_const_eval)]).to_string(), "<details><summary>The listing, of ");
        assert!(long.contains(&allow) && long.contains(&format!("{fold}500 lines</summary>")), "{long}");
        let short = emitted(InstructionSet::Macro, &["Z"], &listing(32));
        assert!(!short.contains(&allow) && !short.contains(fold), "{short}");
    }

    #[test]
    fn control_words() {
        let listing = ["bus2(Z,NEWS,R18);", "bus(XW,Z,R18);", "bus(R,NEWS,Z);"];
        expect(
            &emitted(InstructionSet::Native, &["Z"], &listing),
            [
                quote!(
                    use rt::isa::asm::{NEWS, R, XW, Z, bus, r, ratio, reg};
                ),
                quote!(&[
                    bus(&[reg(Z), NEWS], &[reg(r(18))]),
                    bus(&[XW], &[reg(Z), reg(r(18))]),
                    bus(&[reg(R)], &[NEWS, reg(Z)])
                ]),
            ],
        );
    }
}
