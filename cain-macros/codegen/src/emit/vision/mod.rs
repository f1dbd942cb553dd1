//! Whole programs as Rust: a type that runs frame after frame, and a module with what it takes and gives.

mod docs;
mod fields;
mod interface;
mod results;

use cain_analysis::owned::Program;
use cain_vision::Compiled;
use cain_vision::declaration::{Declaration, Input, Kind};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::ext::IdentExt as _;

use super::frame::{Frame, is_shared};
use super::program;
use crate::names;
use crate::plans::Mode;

/// A program and what it is called.
pub(crate) struct Unit<'a> {
    pub(crate) frame: &'a Frame<'a>,
    pub(crate) declaration: &'a Declaration,
    /// If `None`, the type exists only so that callers compile.
    pub(crate) compiled: Option<&'a Compiled>,
}

impl Unit<'_> {
    /// The type and the module; an error if one of their names cannot be.
    pub(crate) fn items(&self) -> Result<TokenStream, String> {
        let Frame { runtime, attributes, visibility, name } = *self.frame;
        let kind = type_of(name)?;
        let given: Vec<&Input> = self.given().collect();
        names::numbers(given.iter().map(|input| input.name.as_str()), &["scamp", "parameters"])
            .and_then(|()| names::numbers(self.declaration.parameters.iter().map(|of| of.name.as_str()), &[]))
            .map_err(|(_, message)| message)?;
        let program = self.program();
        let steps = program.preparation.iter().chain(program.steps());
        let kinds = program::kinds(runtime, steps, self.compiled.map_or(&[][..], Compiled::switches));
        let numbers = Literal::usize_unsuffixed(program.numbers);
        let shared: Vec<_> = attributes.iter().filter(|attribute| is_shared(attribute)).collect();
        let docs = docs::of_type(attributes, self.compiled);
        // Without a program nothing reads it.
        let allow = self.compiled.is_none().then(|| quote!(#[allow(dead_code)]));
        let (methods, module) = (self.methods(&given), self.module());
        Ok(quote! {
            #(#attributes)*
            #docs
            #allow
            #[derive(::core::fmt::Debug)]
            #visibility struct #kind(#runtime::program::Frames<[::core::primitive::f64; #numbers], #kinds>);

            #(#shared)*
            #[allow(dead_code, deprecated)]
            impl #kind {
                #methods
            }

            #module
        })
    }

    /// The planes that the host gives; the array takes the others itself.
    fn given(&self) -> impl Iterator<Item = &Input> {
        self.declaration.inputs.iter().filter(|input| !input.is_captured)
    }

    /// What it does; without a program, nothing.
    fn program(&self) -> Program {
        self.compiled.map_or_else(
            || Program::new(&self.declaration.name, self.declaration.machine.times),
            |compiled| compiled.program().clone(),
        )
    }

    fn methods(&self, given: &[&Input]) -> TokenStream {
        let Frame { runtime, visibility, name, .. } = *self.frame;
        let host = self.frame.host();
        let array = if given.is_empty() { quote!(io::ArrayIo) } else { quote!(program::PlaneIo) };
        let (inputs, parameters): (Vec<_>, _) = (given.iter().map(|input| self.argument(input)).collect(), self.set());
        let results = results::kind(self.declaration);
        let [begin, frame, reset] = self.bodies(given);
        let docs = docs::of_frame(self.declaration);
        quote! {
            /// The program before its first frame, on an array that holds nothing else.
            ///
            /// # Errors
            ///
            /// Those of the array.
            #visibility fn begin<#host: #runtime::io::ArrayIo + ?::core::marker::Sized>(
                scamp: &mut #host,
            ) -> ::core::result::Result<Self, #host::Error> {
                #begin
            }

            #docs
            #visibility fn frame<#host: #runtime::#array + ?::core::marker::Sized>(
                &mut self,
                scamp: &mut #host,
                #(#inputs,)*
                #parameters
            ) -> ::core::result::Result<
                #name::#results,
                #runtime::program::FrameError<'static, #host::Error>,
            > {
                #frame
            }

            /// Forgets all frames.
            ///
            /// # Errors
            ///
            /// Those of the array; then it has to be reset again.
            #visibility fn reset<#host: #runtime::io::ArrayIo + ?::core::marker::Sized>(
                &mut self,
                scamp: &mut #host,
            ) -> ::core::result::Result<(), #host::Error> {
                #reset
            }
        }
    }

    /// The parameter of the function for a plane.
    fn argument(&self, input: &Input) -> TokenStream {
        let name = names::parameter(&input.name);
        let is_bits = matches!(self.declaration.values.get(input.value.0), Some(Kind::Bits));
        let value = if is_bits { quote!(::core::primitive::bool) } else { quote!(::core::primitive::i8) };
        quote!(#name: &[#value])
    }

    /// The parameter of the function for numbers.
    fn set(&self) -> Option<TokenStream> {
        let name = self.frame.name;
        (!self.declaration.parameters.is_empty()).then(|| quote!(parameters: &#name::Parameters,))
    }

    /// What the functions do: begin, frame and reset.
    fn bodies(&self, given: &[&Input]) -> [TokenStream; 3] {
        let Frame { runtime, name, .. } = *self.frame;
        let planes = given.iter().map(|input| names::parameter(&input.name));
        let Some(compiled) = self.compiled else {
            let message = format!("the program `{name}` has no program; build without `{}=stub`", Mode::VARIABLE);
            let parameters = self.set().map(|_| quote!(parameters));
            let all = [quote!(scamp), quote!((self, scamp, #(#planes,)* #parameters)), quote!((self, scamp))];
            return all.map(|all| {
                quote! {
                    let _ = #all;
                    ::core::panic!(#message)
                }
            });
        };
        let program = compiled.program();
        let numbers = Literal::usize_unsuffixed(program.numbers);
        let set = fields::values(self.declaration);
        let results = results::values(runtime, compiled);
        let set = quote!(&[#(#set),*]);
        let (function, set) = if given.is_empty() {
            (quote!(frame), set)
        } else {
            let planes = given
                .iter()
                .zip(planes)
                .map(|(input, plane)| interface::given(runtime, self.declaration, input, &plane));
            (quote!(frame_of), quote!((&[#(#planes),*], #set)))
        };
        [
            quote! {
                let numbers = [0.0; #numbers];
                ::core::result::Result::Ok(Self(#runtime::program::Frames::begin(scamp, #name::PLAN.preparation, numbers)?))
            },
            quote! {
                self.0.#function(scamp, &#name::INTERFACE, #name::PLAN.steps(), #name::PLAN.switches, #set)?;
                ::core::result::Result::Ok(#name::Results { #(#results),* })
            },
            quote!(self.0.reset(scamp, #name::PLAN.preparation)),
        ]
    }

    /// The module with the plan, the parameters and the results.
    fn module(&self) -> TokenStream {
        let Frame { runtime, name, .. } = *self.frame;
        let inner = self.frame.inner();
        let switches = self.compiled.map_or(&[][..], Compiled::switches);
        let docs = "What is done on the array for each frame.";
        let plan = program::constant(self.frame, docs, &self.program(), switches);
        let (parameters, results) =
            (fields::parameters(self.declaration, &inner), results::fields(runtime, self.declaration, &inner));
        let interface = self.compiled.map(|compiled| interface::interface(runtime, compiled));
        let items = quote! {
            #plan
            #interface
            #parameters
            #results
        };
        let docs = format!("The plan, the parameters and the results of the program `{name}`.");
        let module = self.frame.module(&docs, &items);
        quote!(#[allow(dead_code)] #module)
    }
}

/// The type of a program of that name, if it can have one.
fn type_of(name: &Ident) -> Result<Ident, String> {
    let plain = name.unraw().to_string();
    let kind = names::of_type(&plain);
    if kind == plain {
        return Err(format!(
            "a program cannot be called `{plain}`, since its type and its module would not have different names; use lower-case \
             letters, as in `{}`",
            plain.to_ascii_lowercase()
        ));
    }
    names::identifier(&kind, name.span()).ok_or_else(|| {
        let other = plain.trim_start_matches('_');
        format!(
            "a program cannot be called `{plain}`, since no Rust type can be called `{kind}`; call it `program_{other}`"
        )
    })
}
