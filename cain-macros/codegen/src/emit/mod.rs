//! Plans as Rust.

mod agreement;
mod assembler;
mod at_name;
#[cfg(feature = "networks")]
pub(crate) mod automaton;
pub(crate) mod bit;
mod depend;
#[cfg(feature = "digital")]
pub(crate) mod digital;
mod docs;
mod function;
#[cfg(feature = "networks")]
pub(crate) mod in_pixel;
#[cfg(feature = "networks")]
pub(crate) mod network;
mod plan;
#[cfg(feature = "digital")]
mod program;
mod registers;
#[cfg(feature = "networks")]
mod scratch;
mod signature;
#[cfg(feature = "digital")]
pub(crate) mod superpixel;
mod switches;
mod visibility;
mod warn;
#[cfg(feature = "digital")]
mod words;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::plans::Mode;

pub(crate) use agreement::agreement;
pub(crate) use at_name::at_name;
pub(crate) use depend::{depend_on_file, depend_on_variable};
#[cfg(feature = "blocks")]
pub(crate) use docs::documentation;
pub(crate) use function::{Code, Function};
pub(crate) use warn::warning;

/// The function and the module of the same name with its plan.
pub(crate) fn function(function: &Function<'_>) -> TokenStream {
    let Function { runtime, attributes, visibility, name, planes, code } = function;
    let declaration = code.declaration();
    let docs = docs::of_function(function);
    let host = host(&declaration.name);
    let registers = registers::Registers::new(runtime, declaration, *planes, &host);
    let signature = signature::Signature::new(runtime, declaration, &registers);
    let signature::Signature { lifetimes, parameters, result, allow, .. } = &signature;
    let types = registers.type_parameters();
    let body = body(function, &signature, &registers);
    // A function in any registers has a plan of its own.
    let allow_evaluation = planes.and_then(|_| plan::allow_evaluation_of(code.instructions()));
    let plan = plan::module(function);
    quote! {
        #(#attributes)*
        #docs
        #allow
        #allow_evaluation
        #visibility fn #name<#(#lifetimes,)* #host: #runtime::HostController #(, #types)*>(
            scamp: &mut #host,
            #(#parameters),*
        ) -> ::core::result::Result<#result, #host::Error> {
            #body
        }
        #plan
    }
}

/// The type parameter of the host controller, whose name must not hide the module with the plan.
fn host(filter: &str) -> Ident {
    Ident::new(if filter == "H" { "Host" } else { "H" }, Span::call_site())
}

/// The statements of the function.
fn body(
    function: &Function<'_>,
    signature: &signature::Signature,
    registers: &registers::Registers<'_>,
) -> TokenStream {
    let Function { runtime, name, .. } = function;
    let signature::Signature { handles, unused, value, .. } = signature;
    if let Some(plan) = function.code.plan() {
        let plan = registers.plan(name, plan);
        return quote! {
            #unused
            #runtime::HostController::run(scamp, #plan)?;
            ::core::result::Result::Ok(#value)
        };
    }
    let name = &function.code.declaration().name;
    let message = format!("the filter `{name}` has no program; build without `{}=stub`", Mode::VARIABLE);
    quote! {
        let _ = (scamp, #(#handles),*);
        ::core::panic!(#message)
    }
}

#[cfg(test)]
mod tests {
    use cain_isa::prove::Prover;
    use cain_isa::{Instruction, Reg, Stop};
    use cain_search::{
        Declaration, Input, InstructionSet, MaxGain, OffsetRule, Options, Output, Solution, Statistics, verify,
    };
    use proc_macro2::{Ident, Span, TokenStream};
    use quote::quote;
    use syn::Visibility;

    use super::{Code, Function, function};
    use crate::compile::Plan;

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
        let tokens = function(&Function {
            runtime: &quote!(rt),
            attributes: &[],
            visibility: &Visibility::Inherited,
            name: &Ident::new("f", Span::call_site()),
            planes: None,
            code: Code::Plan(&plan),
        });
        tokens.to_string()
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
