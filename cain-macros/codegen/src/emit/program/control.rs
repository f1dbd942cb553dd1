//! Steps with which the controller computes and decides.

use cain_analysis::Owned;
use cain_analysis::owned::Step;
use cain_isa::program::{Body, Found, Term};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::assembler::integer;
use super::super::bit::constant;
use super::{Writer, pair, real, size};

impl Writer<'_> {
    /// A step that depends on numbers of the controller or makes some; nothing for others.
    pub(super) fn control(&mut self, step: &Step) -> Option<TokenStream> {
        let kind = self.kind("Step");
        Some(match step {
            Step::Capture { into, half } => {
                let [into, half] = [into, half].map(|reg| self.words.reg(*reg));
                quote!(#kind::Capture { into: #into, half: #half })
            }
            Step::LevelOf { number, corrected } => {
                let (number, corrected) = (size(*number), pair(*corrected));
                quote!(#kind::LevelOf { number: #number, corrected: #corrected })
            }
            Step::RegionOf { register, first } => {
                let (register, first) = (constant(self.runtime, *register), size(*first));
                quote!(#kind::RegionOf { register: #register, first: #first })
            }
            Step::Find { what, of, first } => {
                let found = self.kind("Found");
                let name = match what {
                    Found::Any => "Any",
                    Found::Ones => "Ones",
                    Found::Bounds => "Bounds",
                    Found::First => "First",
                };
                let (name, of, first) = (format_ident!("{name}"), self.words.bit(*of), size(*first));
                quote!(#kind::Find { what: #found::#name, of: #of, first: #first })
            }
            Step::Compute { number, formula } => {
                let number = size(*number);
                let formula: Vec<_> = formula.iter().map(|term| self.term(*term)).collect();
                quote!(#kind::Compute { number: #number, formula: &[#(#formula),*] })
            }
            Step::Loop { most, counter, check, goes_on, body } => {
                let (most, [counter, goes_on]) = (integer((*most).into()), [*counter, *goes_on].map(size));
                let [check, body] = [check, body].map(|steps| self.body(steps));
                quote! {
                    #kind::Loop {
                        most: #most,
                        counter: #counter,
                        check: #check,
                        goes_on: #goes_on,
                        body: #body,
                    }
                }
            }
            Step::Decide { number, then, otherwise } => {
                let number = size(*number);
                let [then, otherwise] = [then, otherwise].map(|steps| self.body(steps));
                quote!(#kind::Decide { number: #number, then: #then, otherwise: #otherwise })
            }
            Step::Append { list, capacity, numbers } => {
                let [list, capacity] = [*list, *capacity].map(size);
                let numbers = numbers.iter().map(|number| size(*number));
                quote!(#kind::Append { list: #list, capacity: #capacity, numbers: &[#(#numbers),*] })
            }
            _ => return None,
        })
    }

    /// The steps of a pass of a loop, or of a decision.
    fn body(&mut self, body: &Body<Owned>) -> TokenStream {
        let kind = self.kind("Body");
        let steps: Vec<_> = body.steps().iter().map(|step| self.step(step)).collect();
        quote!(#kind::new(&[#(#steps),*]))
    }

    fn term(&mut self, term: Term) -> TokenStream {
        let kind = self.kind("Term");
        let name = match term {
            Term::Constant(constant) => {
                let constant = real(constant);
                return quote!(#kind::Constant(#constant));
            }
            Term::Number(number) => {
                let number = size(number);
                return quote!(#kind::Number(#number));
            }
            Term::Add => "Add",
            Term::Subtract => "Subtract",
            Term::Multiply => "Multiply",
            Term::Divide => "Divide",
            Term::Min => "Min",
            Term::Max => "Max",
            Term::Less => "Less",
            Term::AtMost => "AtMost",
            Term::Equal => "Equal",
            Term::Choose => "Choose",
        };
        let name = format_ident!("{name}");
        quote!(#kind::#name)
    }
}
