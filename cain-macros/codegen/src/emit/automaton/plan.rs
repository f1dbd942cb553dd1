//! Plans of automata as constant data.

use cain_isa::automaton::Format;
use cain_isa::{Dreg, Instruction, OperationError, Reg};
use cain_network::automaton::{Automaton, CompiledAutomaton, Registers};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::super::words::Words;
use crate::emit::bit::constant;

/// The plan as an expression.
pub(super) fn plan(
    runtime: &TokenStream,
    name: &Ident,
    compiled: &CompiledAutomaton,
) -> Result<TokenStream, OperationError> {
    let mut words = Words::default();
    let reach = size(compiled.reach());
    let format = self::format(compiled.state_format());
    let state = registers(&mut words, compiled.registers().state());
    let layers = (0..compiled.layers().len()).map(|number| layer(&mut words, compiled, number));
    let layers = layers.collect::<Result<Vec<_>, _>>()?;
    let [clear, noise, update] =
        [compiled.clear()?, compiled.noise()?, compiled.update()?].map(|listing| list(&mut words, &listing));
    let classes = compiled.classes()?;
    let classes: Vec<_> = classes.iter().map(|listing| list(&mut words, listing)).collect();
    let head = head(runtime, name, compiled.automaton());
    let imports = words.imports(runtime);
    Ok(quote! {{
        #imports
        use #runtime::isa::automaton::{AutomatonLayer, AutomatonPlan, Format, StateBits};
        AutomatonPlan {
            #head
            reach: #reach,
            state: &#state,
            format: #format,
            clear: &#clear,
            noise: &#noise,
            layers: &[#(#layers),*],
            update: &#update,
            classes: &[#(&#classes),*],
        }
    }})
}

/// A plan that does nothing.
pub(super) fn stub(runtime: &TokenStream, name: &Ident, automaton: &Automaton) -> TokenStream {
    let head = head(runtime, name, automaton);
    quote! {{
        use #runtime::isa::automaton::{AutomatonPlan, Format, StateBits};
        AutomatonPlan {
            #head
            reach: 0,
            state: &[],
            format: Format { dropped: 0, least: 0, most: 0, guard: 0 },
            clear: &[],
            noise: &[],
            layers: &[],
            update: &[],
            classes: &[],
        }
    }}
}

/// What is known without programs.
fn head(runtime: &TokenStream, name: &Ident, automaton: &Automaton) -> TokenStream {
    let ((height, width), alive) = (automaton.size, Literal::u8_unsuffixed(automaton.alive));
    let ([height, width], name) = ([height, width].map(size), name.to_string());
    let bit = |register: Dreg| constant(runtime, register);
    let [lives, noise, rule, class] = [Registers::ALIVE, Registers::NOISE, Registers::RULE, Registers::CLASS].map(bit);
    quote! {
        name: #name,
        size: (#height, #width),
        alive: #alive,
        bits: StateBits { alive: #lives, noise: #noise, rule: #rule, class: #class },
    }
}

fn layer(words: &mut Words, compiled: &CompiledAutomaton, number: usize) -> Result<TokenStream, OperationError> {
    let program = compiled.layers().get(number).map_or(&[][..], |layer| layer.program.listing());
    let sums = list(words, program);
    let rectification = list(words, &compiled.rectification(number)?);
    let results = registers(words, compiled.registers().outputs(number));
    let format = self::format(compiled.format(number));
    Ok(quote! {
        AutomatonLayer {
            sums: &#sums,
            rectification: &#rectification,
            results: &#results,
            format: #format,
        }
    })
}

fn list(words: &mut Words, listing: &[Instruction]) -> TokenStream {
    let lines = listing.iter().map(|line| words.instruction(line));
    quote!([#(#lines),*])
}

fn registers(words: &mut Words, registers: &[Reg]) -> TokenStream {
    let registers = registers.iter().map(|reg| words.reg(*reg));
    quote!([#(#registers),*])
}

fn format(format: Format) -> TokenStream {
    let Format { dropped, least, most, guard } = format;
    let [dropped, guard] = [dropped, guard].map(Literal::u8_unsuffixed);
    let [least, most] = [least, most].map(signed);
    quote!(Format { dropped: #dropped, least: #least, most: #most, guard: #guard })
}

fn signed(number: i32) -> TokenStream {
    let magnitude = super::super::assembler::integer(number.unsigned_abs().into());
    let sign = (number < 0).then(|| quote!(-));
    quote!(#sign #magnitude)
}

fn size(size: usize) -> Literal {
    Literal::usize_unsuffixed(size)
}
