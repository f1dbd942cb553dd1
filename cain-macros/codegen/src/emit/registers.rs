//! The registers of a generated function: those of its declaration, or type parameters.

use cain_isa::Reg;
use cain_search::Declaration;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::Lifetime;

use crate::compile::Plan;
use crate::lower::Planes;
use crate::names::{self, is_keyword};

/// How a function names its registers.
pub(super) struct Registers<'a> {
    runtime: &'a TokenStream,
    /// The planes of a function that runs in any registers.
    planes: Vec<Plane>,
}

/// A plane in any register.
struct Plane {
    /// The register of the declaration that stands for it.
    reg: Reg,
    name: String,
    /// The type parameter.
    register: Ident,
}

impl<'a> Registers<'a> {
    pub(super) fn new(
        runtime: &'a TokenStream,
        declaration: &Declaration,
        planes: Option<&Planes>,
        host: &Ident,
    ) -> Self {
        // The type parameters must not hide each other, nor the module with the plan; `self_` would be `Self`.
        let mut taken = vec![host.to_string(), declaration.name.clone()];
        let plane = |(reg, name): (Reg, &str)| {
            let mut register = names::of_type(name);
            while taken.contains(&register) || is_keyword(&register) {
                register.push_str("Plane");
            }
            taken.push(register.clone());
            Plane { reg, name: name.to_owned(), register: Ident::new(&register, Span::call_site()) }
        };
        let planes = planes.into_iter().flat_map(Planes::iter).map(plane).collect();
        Self { runtime, planes }
    }

    fn plane(&self, reg: Reg) -> Option<&Plane> {
        self.planes.iter().find(|plane| plane.reg == reg)
    }

    /// The marker type of a register.
    pub(super) fn marker(&self, reg: Reg) -> TokenStream {
        let runtime = self.runtime;
        if let Some(Plane { register, .. }) = self.plane(reg) {
            return quote!(#register);
        }
        marker(runtime, reg)
    }

    fn name(&self, reg: Reg) -> String {
        self.plane(reg).map_or_else(|| reg.to_string().to_lowercase(), |plane| plane.name.clone())
    }

    /// The parameter of a register.
    pub(super) fn parameter(&self, reg: Reg) -> Ident {
        Ident::new(&self.name(reg), Span::call_site())
    }

    /// The lifetime of the plane in a register.
    pub(super) fn lifetime(&self, reg: Reg) -> Lifetime {
        Lifetime::new(&format!("'{}", self.name(reg)), Span::call_site())
    }

    /// The type parameters of a function that runs in any registers.
    pub(super) fn type_parameters(&self) -> Vec<TokenStream> {
        let runtime = self.runtime;
        self.planes.iter().map(|Plane { register, .. }| quote!(#register: #runtime::reg::Register)).collect()
    }

    /// What the function `name` runs.
    pub(super) fn plan(&self, name: &Ident, plan: &Plan) -> TokenStream {
        if self.planes.is_empty() {
            return quote!(&#name::PLAN);
        }
        let runtime = self.runtime;
        let here = |reg: Reg| {
            let marker = self.marker(reg);
            quote!(<#marker as #runtime::reg::Register>::REG)
        };
        let declaration = plan.declaration();
        let inputs = declaration.inputs.iter().map(|input| here(input.reg));
        let outputs = declaration.outputs.iter().map(|output| here(output.reg));
        let declared = self.planes.iter().map(|plane| u8_of(plane.reg));
        let given = self.planes.iter().map(|plane| here(plane.reg));
        let length = Literal::usize_unsuffixed(plan.listing().len());
        quote! {
            const {
                &#runtime::isa::Plan {
                    inputs: &[#(#inputs),*],
                    outputs: &[#(#outputs),*],
                    listing: &#name::PLAN.in_registers::<#length>(
                        &[#(#runtime::isa::Reg::from_index(#declared)),*],
                        &[#(#given),*],
                    ),
                    ..#name::PLAN
                }
            }
        }
    }
}

/// The marker type of a register.
pub(super) fn marker(runtime: &TokenStream, reg: Reg) -> TokenStream {
    match number(reg) {
        None => {
            let letter = format_ident!("{}", reg.to_string());
            quote!(#runtime::reg::#letter)
        }
        Some(number) => {
            let number = Literal::u8_unsuffixed(number);
            quote!(#runtime::reg::R<#number>)
        }
    }
}

fn u8_of(reg: Reg) -> Literal {
    Literal::u8_unsuffixed(reg.index())
}

/// The field of `Aregs`.
#[cfg(feature = "digital")]
pub(super) fn field(reg: Reg) -> Ident {
    Ident::new(&reg.to_string().to_lowercase(), Span::call_site())
}

/// A field of a structure with the handle of a register, for the lifetime `'r`.
#[cfg(feature = "digital")]
pub(super) fn handle(runtime: &TokenStream, inner: &TokenStream, reg: Reg) -> TokenStream {
    let (docs, field, marker) = (super::docs::line(&format!("Register {reg}.")), field(reg), marker(runtime, reg));
    quote!(#docs #inner #field: &'r mut #runtime::Areg<#marker>)
}

/// The n of register `Rn`.
pub(super) fn number(reg: Reg) -> Option<u8> {
    reg.to_string().strip_prefix('R').and_then(|digits| digits.parse().ok())
}
