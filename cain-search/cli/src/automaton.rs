//! Reports on automata: what a step consists of and costs.

use cain_codegen::kinds::{Automaton, Compiled};
use serde::Serialize;

use crate::kinds::{Asked, Shown};
use crate::show;
use crate::show::format::Format;
use crate::show::leaving::of_tables;
use crate::watch::Watched;

/// What is told of an automaton beside the program of a step.
#[derive(Debug, Serialize)]
pub(crate) struct OfAutomaton {
    /// The registers of the grey value and of the state.
    pub(crate) state: Vec<String>,
}

impl Shown for Automaton {
    type More = OfAutomaton;

    const TITLES: &'static [&'static str] = &["automaton", "instructions", "words", "µs"];
    const FORMATS: (&'static str, &'static [Format]) = ("automata", &[Format::Text, Format::Scamp5]);

    fn isa(_: &Compiled<Self>) -> &'static str {
        "automaton"
    }

    fn more(&self, compiled: &Compiled<Self>, _: &Watched) -> OfAutomaton {
        OfAutomaton { state: state(compiled) }
    }

    fn facts(&self, compiled: &Compiled<Self>) -> Vec<String> {
        let compiled_automaton = &compiled.program.compiled;
        let state = format!("grey and state are in {}", state(compiled).join(" "));
        let times = &compiled_automaton.automaton().machine.times;
        [state].into_iter().chain(of_tables(compiled_automaton.switches(), times)).collect()
    }

    fn show(&self, asked: &Asked<'_, Self>) -> Result<String, String> {
        Ok(show::automaton(asked.program, self.facts(asked.compiled), asked.doc, asked.details))
    }
}

/// The registers of the grey value and of the state.
fn state(compiled: &Compiled<Automaton>) -> Vec<String> {
    compiled.program.compiled.registers().state().iter().map(ToString::to_string).collect()
}
