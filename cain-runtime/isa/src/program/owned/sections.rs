//! What a call of a program consists of, for people.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Program, Step};
use crate::Times;

/// Steps that follow each other, a loop or a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What it is.
    pub name: String,
    /// Its control words: those of all passes of loops, and of the longer way of decisions.
    pub words: u64,
    /// Its [calls](super::super::StepOf::calls) of the controller.
    pub calls: u64,
    /// Its time as far as it is [known](super::super::StepOf::nanoseconds).
    pub nanoseconds: u64,
}

/// The sections of all parts of a program.
#[must_use]
pub fn sections(program: &Program) -> Vec<Section> {
    let mut sections = Vec::new();
    for part in &program.parts {
        let mut straight: Option<Section> = None;
        for step in &part.steps {
            let name = match step {
                Step::Loop { most: 1, .. } => format!("{}: loop, at most 1 pass", part.name),
                Step::Loop { most, .. } => format!("{}: loop, at most {most} passes", part.name),
                Step::Decide { .. } => format!("{}: decision", part.name),
                _ => {
                    let empty = || Section { name: part.name.clone(), words: 0, calls: 0, nanoseconds: 0 };
                    straight.get_or_insert_with(empty).add(step, &program.times);
                    continue;
                }
            };
            sections.extend(straight.take());
            let mut section = Section { name, words: 0, calls: 0, nanoseconds: 0 };
            section.add(step, &program.times);
            sections.push(section);
        }
        sections.extend(straight);
    }
    sections
}

impl Section {
    fn add(&mut self, step: &Step, times: &Times) {
        self.words += step.tally().words();
        self.calls += step.calls();
        self.nanoseconds += step.nanoseconds(times);
    }
}
