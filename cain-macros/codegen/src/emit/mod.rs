//! Declarations and their programs as Rust.

mod depend;
mod docs;
mod plan;
mod signature;
mod visibility;

use std::path::PathBuf;

use cain_search::{Approximated, Declaration, Solution};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Attribute, Visibility};

use crate::compile::Compiled;
use crate::plans::Mode;

#[cfg(feature = "toml")]
pub(crate) use depend::depend_on_file;
pub(crate) use depend::{depend_on_plan, depend_on_variable};

/// What is known about one generated function.
pub(crate) struct Function<'a> {
    /// The path of the runtime crate.
    pub(crate) runtime: &'a TokenStream,
    /// What the user wrote above it.
    pub(crate) attributes: &'a [Attribute],
    pub(crate) visibility: &'a Visibility,
    pub(crate) name: &'a Ident,
    pub(crate) declaration: &'a Declaration,
    /// `None` after a mistake, and where none is wanted: the function is then there only so that callers compile.
    pub(crate) program: Option<&'a Program>,
}

/// A proved program and what approximation did to the kernels before it was searched for.
pub(crate) struct Program {
    pub(crate) solution: Solution,
    pub(crate) approximated: Option<Approximated>,
    /// The plan file that it comes from.
    pub(crate) plan: Option<PathBuf>,
}

impl Program {
    pub(crate) fn new(compiled: Compiled, approximated: Option<Approximated>) -> Self {
        let Compiled { solution, plan } = compiled;
        Self { solution, approximated, plan }
    }
}

/// The function, and beside it the module with its plan.
pub(crate) fn function(function: &Function<'_>) -> TokenStream {
    let Function { runtime, attributes, visibility, name, declaration, .. } = function;
    let docs = docs::of_function(function);
    let host = host(&declaration.name);
    let signature = signature::Signature::new(runtime, declaration);
    let signature::Signature { lifetimes, parameters, result, allow, .. } = &signature;
    let body = body(function, &signature);
    let plan = plan::module(function);
    quote! {
        #(#attributes)*
        #docs
        #allow
        #visibility fn #name<#(#lifetimes,)* #host: #runtime::HostController>(
            scamp: &mut #host,
            #(#parameters),*
        ) -> ::core::result::Result<#result, #host::Error> {
            #body
        }
        #plan
    }
}

/// The type of the host controller; another name than that of the module with the plan, which it would hide.
fn host(kernel: &str) -> Ident {
    Ident::new(if kernel == "H" { "Host" } else { "H" }, Span::call_site())
}

/// The statements of the function: it runs its plan, or says that it has none.
fn body(function: &Function<'_>, signature: &signature::Signature) -> TokenStream {
    let Function { runtime, name, .. } = function;
    let signature::Signature { handles, unused, value, .. } = signature;
    if function.program.is_some() {
        return quote! {
            #unused
            #runtime::HostController::run(scamp, &#name::PLAN)?;
            ::core::result::Result::Ok(#value)
        };
    }
    let kernel = &function.declaration.name;
    let message = format!("the kernel `{kernel}` has no program; build without `{}=stub`", Mode::VARIABLE);
    quote! {
        let _ = (scamp, #(#handles),*);
        ::core::panic!(#message)
    }
}

#[cfg(test)]
mod tests {
    use cain_isa::{Instruction, Reg};
    use cain_search::{Declaration, Input, Options, Output, Solution, Statistics};
    use proc_macro2::{Ident, Span};
    use quote::quote;
    use syn::Visibility;

    use super::{Function, Program, function};

    /// Registers beyond those of SCAMP-5, and words beside macro instructions.
    #[test]
    fn larger_machines() {
        let reg = |name: &str| name.parse::<Reg>().unwrap();
        let declaration = Declaration {
            name: "f".to_owned(),
            inputs: vec![Input { reg: reg("R18"), keep: true }],
            outputs: vec![Output { reg: reg("R"), kernel: cain_isa::prove::Polynomial::input(0) }],
            scratch: vec![reg("Z")],
            machine: cain_isa::Machine::SCAMP5,
            options: Options::default(),
        };
        let line = |text: &str| text.parse::<Instruction>().unwrap();
        let listing = vec![line("bus2(Z,NEWS,R18);"), line("bus(XW,Z,R18);"), line("add(R,R18,Z,A);")];
        let statistics = Statistics {
            nodes: 1_234_567,
            nodes_to_first: 1,
            nodes_to_best: 1,
            lower_bound: 2,
            stop: cain_isa::Stop::Exhausted,
        };
        let program = Program {
            solution: Solution { listing, report: cain_isa::prove::Report::default(), statistics },
            approximated: None,
            plan: None,
        };
        let tokens = function(&Function {
            runtime: &quote!(rt),
            attributes: &[],
            visibility: &Visibility::Inherited,
            name: &Ident::new("f", Span::call_site()),
            declaration: &declaration,
            program: Some(&program),
        });
        let text = tokens.to_string();
        for part in [
            quote!(fn f<'r, H: rt::HostController>),
            quote!((scamp: &mut H, r18: & rt::Plane<'_, rt::reg::R<18> >, r: &'r mut rt::Areg<rt::reg::R>, z: &mut rt::Areg<rt::reg::Z>)),
            quote!(
                use rt::isa::asm::{A, NEWS, R, XW, Z, add3, bus, r, ratio, reg};
            ),
            quote!(inputs: &[r(18)]),
            quote!(&[bus(&[reg(Z), NEWS], &[reg(r(18))]), bus(&[XW], &[reg(Z), reg(r(18))]), add3(R, r(18), Z, A)]),
            quote!(nodes: 1_234_567),
        ] {
            assert!(text.contains(&part.to_string()), "{part}\n{text}");
        }
    }
}
