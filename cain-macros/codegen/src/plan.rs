//! What code, plan files and pictures are made from.

use std::path::PathBuf;

use cain_isa::Instruction;
use cain_isa::prove::Report;
use cain_search::{Approximated, Declaration, Solution};

use crate::plan_file::PlanFolder;

/// A kernel, a program that was proved to compute it, and how that was found.
///
/// There is no plan without proof: the program of a [`Solution`] comes from [`cain_search::verify()`], whether a search
/// has found it or it was read from a plan file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The program with the kernel as it was declared, and how the search for it went.
    pub solution: Solution,
    /// What approximation did to the weights before, if it was asked for.
    pub approximated: Option<Approximated>,
    /// The folder with the plan file that it was read from; none if it was searched for now.
    pub folder: Option<PlanFolder>,
}

impl Plan {
    /// What the program computes.
    #[must_use]
    pub fn declaration(&self) -> &Declaration {
        self.solution.program.declaration()
    }

    /// The program.
    #[must_use]
    pub fn listing(&self) -> &[Instruction] {
        self.solution.program.listing()
    }

    /// Costs and registers of the program, as the prover found them.
    #[must_use]
    pub fn report(&self) -> &Report {
        self.solution.program.report()
    }

    /// The plan file that it was read from.
    #[must_use]
    pub fn file(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.file(&self.declaration().name))
    }

    /// That file as messages name it.
    #[must_use]
    pub fn shown(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.shown(&self.declaration().name))
    }
}
