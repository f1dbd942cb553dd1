//! Programs of sums that earlier searches found.

use std::collections::VecDeque;

use cain_isa::Instruction;

use crate::{Declaration, Proved, SearchError};

/// What a search for sums found; a network is compiled with these in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched {
    /// What was searched for.
    pub declaration: Declaration,
    /// The program, if there was one.
    pub listing: Option<Vec<Instruction>>,
}

/// What earlier searches found, in their order.
///
/// Compiling depends on nothing else: with the answers of all its searches a network becomes the same steps again, and each
/// program is verified once more.
#[derive(Clone, Debug)]
pub struct Pins {
    /// For each search the [identity](Self::identity) of its declaration, and the program if there was one.
    pub answers: VecDeque<(String, Option<Vec<Instruction>>)>,
    /// What tells declarations apart, as a text.
    pub identity: fn(&Declaration) -> String,
    /// Proves that a program computes a declaration, such as [`verify`](crate::verify()).
    pub verify: fn(&Declaration, &[Instruction]) -> Option<Proved>,
}

/// Where answers come from, and what was answered.
#[derive(Debug, Default)]
pub(super) struct Log {
    pins: Option<Pins>,
    searched: Vec<Searched>,
    /// The first question to which the pins had no answer, or a wrong one.
    unanswered: Option<Box<Declaration>>,
}

impl Log {
    pub(super) fn pinned(pins: Pins) -> Self {
        Self { pins: Some(pins), ..Self::default() }
    }

    /// The program for a declaration: from the pins if there are any, else from `search`.
    pub(super) fn answer(
        &mut self,
        declaration: &Declaration,
        search: impl FnOnce() -> Result<Proved, SearchError>,
    ) -> Result<Proved, SearchError> {
        let program = match &mut self.pins {
            None => search(),
            Some(Pins { answers, identity, verify }) => {
                let answer = answers.pop_front().filter(|(found, _)| *found == identity(declaration));
                let program = answer.map(|(_, listing)| listing.map(|listing| verify(declaration, &listing)));
                match program {
                    Some(Some(Some(program))) => Ok(program),
                    Some(None) => Err(nothing(declaration)),
                    None | Some(Some(None)) => {
                        self.unanswered.get_or_insert_with(|| Box::new(declaration.clone()));
                        Err(nothing(declaration))
                    }
                }
            }
        };
        let listing = program.as_ref().ok().map(|program| program.listing().to_vec());
        self.searched.push(Searched { declaration: declaration.clone(), listing });
        program
    }

    /// The first question to which the pins had no answer, or a wrong one.
    pub(super) fn unanswered(&self) -> Option<&Declaration> {
        self.unanswered.as_deref()
    }

    pub(super) fn into_searched(self) -> Vec<Searched> {
        self.searched
    }
}

/// That a search found nothing.
fn nothing(declaration: &Declaration) -> SearchError {
    SearchError::Budget { nodes: declaration.options.nodes, writable: vec![], enough: None, remedy: None }
}
