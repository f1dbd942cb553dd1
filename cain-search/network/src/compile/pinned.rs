//! Programs of sums from earlier searches.

use core::fmt;
use std::collections::VecDeque;

use cain_isa::Instruction;

use cain_search::{Declaration, Proved, SearchError};

/// The result of a search; a network is compiled with these in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched {
    /// What the search was for.
    pub wanted: Wanted,
    /// The program, if there was one.
    pub program: Option<Answer>,
}

/// The object of a search.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "most are sums")]
pub enum Wanted {
    /// Weighted sums in analogue registers.
    Sum(Declaration),
    /// A number in digital registers.
    Exact(cain_digital::Declaration),
}

impl fmt::Display for Wanted {
    /// The sums, or the name of the layer of a number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sum(declaration) => declaration.fmt(f),
            Self::Exact(declaration) => f.write_str(&declaration.name),
        }
    }
}

/// A program that was found.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A program for sums.
    Sum(Vec<Instruction>),
    /// A program for a number in digital registers.
    Exact(cain_digital::Program),
}

/// The results of earlier searches, in order.
///
/// Compiling depends on nothing else: with the answers of all its searches, a network yields the same steps again, and
/// each program is verified once more.
#[derive(Clone, Debug)]
pub struct Pins {
    /// For each search, the [identity](Self::identity) of its declaration, and the program if it found one.
    pub answers: VecDeque<(String, Option<Answer>)>,
    /// A text that identifies a declaration.
    pub identity: fn(&Wanted) -> String,
    /// Proves that a program computes a declaration, such as [`verify`](cain_search::verify()).
    pub verify: fn(&Declaration, &[Instruction]) -> Option<Proved>,
}

/// The source of answers, and the answers given so far.
#[derive(Debug, Default)]
pub struct Log {
    pins: Option<Pins>,
    searched: Vec<Searched>,
    /// The first question for which the pins had no answer, or a wrong one.
    unanswered: Option<Box<Wanted>>,
}

impl Log {
    /// One that has the answers of earlier searches, and does not search.
    #[must_use]
    pub fn pinned(pins: Pins) -> Self {
        Self { pins: Some(pins), ..Self::default() }
    }

    /// The program for sums: from the pins if there are any, otherwise from `search`.
    pub fn answer(
        &mut self,
        declaration: &Declaration,
        search: impl FnOnce() -> Result<Proved, SearchError>,
    ) -> Result<Proved, SearchError> {
        let wanted = Wanted::Sum(declaration.clone());
        let nothing =
            || SearchError::Budget { nodes: declaration.options.nodes, writable: vec![], enough: None, remedy: None };
        let program = self.ask(&wanted).map_or_else(search, |found| {
            let Some(Answer::Sum(listing)) = found.map_err(|_| nothing())? else { return Err(nothing()) };
            let verify = self.pins.as_ref().map(|pins| pins.verify);
            verify.and_then(|verify| verify(declaration, &listing)).ok_or_else(|| {
                self.miss(&wanted);
                nothing()
            })
        });
        let listing = program.as_ref().ok().map(|program| Answer::Sum(program.listing().to_vec()));
        self.searched.push(Searched { wanted, program: listing });
        program
    }

    /// The program for a number in digital registers: from the pins if there are any, otherwise from `search`.
    pub fn answer_exact(
        &mut self,
        declaration: &cain_digital::Declaration,
        search: impl FnOnce() -> Result<cain_digital::Program, cain_digital::SearchError>,
    ) -> Result<cain_digital::Program, cain_digital::SearchError> {
        let wanted = Wanted::Exact(declaration.clone());
        let nothing = || cain_digital::SearchError::Budget {
            nodes: declaration.nodes,
            fitting: cain_digital::Fitting::default(),
        };
        // The program is proved later, when its registers are known.
        let program = self.ask(&wanted).map_or_else(search, |found| match found {
            Ok(Some(Answer::Exact(program))) => Ok(program),
            _ => Err(nothing()),
        });
        self.searched.push(Searched { wanted, program: program.as_ref().ok().cloned().map(Answer::Exact) });
        program
    }

    /// The pins' answer to a question; `None` if there are no pins, an error if they have no answer.
    fn ask(&mut self, wanted: &Wanted) -> Option<Result<Option<Answer>, Unanswered>> {
        let Pins { answers, identity, .. } = self.pins.as_mut()?;
        let answer = answers.pop_front().filter(|(found, _)| *found == identity(wanted));
        let is_of_kind = |answer: &Answer| matches!(answer, Answer::Sum(_)) == matches!(wanted, Wanted::Sum(_));
        match answer {
            Some((_, program)) if program.as_ref().is_none_or(is_of_kind) => Some(Ok(program)),
            _ => {
                self.miss(wanted);
                Some(Err(Unanswered))
            }
        }
    }

    fn miss(&mut self, wanted: &Wanted) {
        self.unanswered.get_or_insert_with(|| Box::new(wanted.clone()));
    }

    /// The first question for which the pins had no answer, or a wrong one.
    #[must_use]
    pub fn unanswered(&self) -> Option<&Wanted> {
        self.unanswered.as_deref()
    }

    /// The questions so far, and their answers.
    #[must_use]
    pub fn searched(&self) -> &[Searched] {
        &self.searched
    }

    pub(super) fn into_searched(self) -> Vec<Searched> {
        self.searched
    }
}

/// The error that the pins have no answer to a question.
struct Unanswered;
