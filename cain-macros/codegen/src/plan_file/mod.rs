//! Plan files: programs that were found once and are kept, to be read by people and by later builds.
//!
//! ```text
//! # cain plan v1, written by `cain pin`: change the kernel, not this file
//! declaration: gauss(A) -> (A) using (B, C) { A = 1/16 [1 2 1; 2 4 2; 1 2 1] * A; }
//! isa: macro
//! objective: macros
//! cost: macros=8 icws=22 peak_gain=2
//! search: budget=50000 nodes=4817 first=1 best=37 stop=proved
//! proved: instructions>=8
//!
//! div(C,B,A);
//! ..
//! ```
//!
//! - The first line has the version of the format. Files of all versions so far can be read, for ever.
//! - The lines up to `cost` say what was asked for: the canonical declaration and the options on which the answer
//!   depends. An option that is not given has no line, so that new options make no file stale. The budget is not among
//!   them: a plan stays right when the budget changes. They are compared as text.
//! - `cost` is checked against the program. `peak_gain` is the largest gain of a value on the way.
//! - `search` tells how many nodes the search could use and used, after how many it had its first program and this one,
//!   and why it stopped.
//! - `proved`: no program of the instruction set has fewer instructions. That the program computes the declaration is
//!   proved anew whenever it is used; this line is not, but it must not contradict the program.
//! - After an empty line follows the program, which can be pasted into a kernel of the vendor's tools.

mod asked;
mod check;
mod error;
mod folder;
mod lines;
mod read;
#[cfg(test)]
mod tests;
mod write;

use cain_isa::{Cost, Instruction, Stop};
use cain_search::{Solution, Statistics};

pub use error::PlanError;
pub use folder::PlanFolder;

use asked::{Asked, asked};

/// The largest plan file that is read: tens of thousands of instructions.
pub const MAX_BYTES: u64 = 1 << 20;

/// The version of the format that is written.
const VERSION: u32 = 1;
/// How the first line begins, up to the version.
const MAGIC: &str = "# cain plan v";
/// The rest of the first line, for people.
const NOTICE: &str = ", written by `cain pin`: change the kernel, not this file";

/// Why a search stopped, in plan files and in what `cain` writes: a user ends a search with a time limit.
#[must_use]
pub fn stop_name(stop: Stop) -> String {
    match stop {
        Stop::Interrupted => "time".to_owned(),
        stop => stop.to_string(),
    }
}

/// What a plan file says. It may be wrong; [`PlanFolder::check`] decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanFile {
    asked: Vec<Asked>,
    cost: Cost,
    budget: u64,
    statistics: Statistics,
    listing: Vec<Instruction>,
}

impl PlanFile {
    /// What to write about a program.
    #[must_use]
    pub fn new(solution: &Solution) -> Self {
        let (declaration, report) = (solution.program.declaration(), solution.program.report());
        Self {
            asked: asked(declaration),
            cost: Cost { macros: report.macros, icws: report.icws, peak_gain: report.peak_gain },
            budget: declaration.options.nodes,
            statistics: solution.statistics,
            listing: solution.program.listing().to_vec(),
        }
    }

    /// The nodes that its search was allowed.
    #[must_use]
    pub fn budget(&self) -> u64 {
        self.budget
    }

    /// The number of the line, from 1, with a part of what was asked for.
    fn line_of_asked(index: usize) -> usize {
        2 + index
    }

    fn line_of_cost(&self) -> usize {
        Self::line_of_asked(self.asked.len())
    }

    fn line_of_proved(&self) -> usize {
        self.line_of_cost() + 2
    }

    fn line_of_instruction(&self, index: usize) -> usize {
        self.line_of_proved() + 2 + index
    }
}
