//! Programs that were proved, and how they were found.

use cain_isa::Stop;

/// A program of type `P` that was proved to compute a declaration of type `D`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedOf<D, P> {
    declaration: D,
    program: P,
}

impl<D, P> ProvedOf<D, P> {
    /// To be called where the proof was made.
    pub(crate) const fn new(declaration: D, program: P) -> Self {
        Self { declaration, program }
    }

    /// The declaration that it computes.
    #[must_use]
    pub const fn declaration(&self) -> &D {
        &self.declaration
    }

    /// The program.
    #[must_use]
    pub const fn program(&self) -> &P {
        &self.program
    }
}

/// A proved program and the course of the search for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolutionOf<D, P> {
    /// The program.
    pub program: ProvedOf<D, P>,
    /// The course of the search.
    pub statistics: Statistics,
}

/// The course of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// The states looked at.
    pub nodes: u64,
    /// The states looked at when the program was found.
    pub nodes_to_best: u64,
    /// Why the search stopped.
    pub stop: Stop,
}
