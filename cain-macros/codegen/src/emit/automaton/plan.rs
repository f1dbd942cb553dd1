//! Plans of automata as constant data.

use cain_analysis::owned::Program;
use cain_isa::{Dreg, Instruction};
use cain_network::automaton::{Automaton, CompiledAutomaton, Registers};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::bit::constant;
use super::super::program::program;
use super::super::words::Words;

/// The plan as an expression; without programs, one that does nothing.
pub(super) fn plan(runtime: &TokenStream, automaton: &Automaton, compiled: Option<&CompiledAutomaton>) -> TokenStream {
    let mut words = Words::default();
    let step = compiled.map(|compiled| compiled.program().clone());
    let step = step.unwrap_or_else(|| Program::new(&automaton.name, automaton.machine.times));
    let step = program(runtime, &step, &[]);
    let ((height, width), alive) = (automaton.size, Literal::u8_unsuffixed(automaton.alive));
    let reach = compiled.map_or(0, CompiledAutomaton::reach);
    let [height, width, reach] = [height, width, reach].map(Literal::usize_unsuffixed);
    let state = compiled.map_or(&[][..], |compiled| compiled.registers().state());
    let state: Vec<_> = state.iter().map(|reg| words.reg(*reg)).collect();
    let guard = Literal::u8_unsuffixed(compiled.map_or(0, |compiled| compiled.guard(0)));
    let bit = |register: Dreg| constant(runtime, register);
    let [lives, noise, rule, class] = [Registers::ALIVE, Registers::NOISE, Registers::RULE, Registers::CLASS].map(bit);
    let mut list = |listing: &[Instruction]| {
        let lines = listing.iter().map(|line| words.instruction(line));
        quote!(&[#(#lines),*])
    };
    let clear = list(compiled.map_or(&[][..], CompiledAutomaton::clear));
    let classes = compiled.map_or(&[][..], CompiledAutomaton::classes);
    let classes: Vec<_> = classes.iter().map(|listing| list(listing)).collect();
    let imports = words.imports(runtime);
    quote! {{
        #imports
        use #runtime::isa::automaton::{AutomatonPlan, StateBits};
        AutomatonPlan {
            step: #step,
            size: (#height, #width),
            alive: #alive,
            reach: #reach,
            state: &[#(#state),*],
            guard: #guard,
            bits: StateBits { alive: #lives, noise: #noise, rule: #rule, class: #class },
            clear: #clear,
            classes: &[#(#classes),*],
        }
    }}
}
