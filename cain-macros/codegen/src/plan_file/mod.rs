//! Plan files: programs that a search has found, kept for people and for later builds.
//!
//! ```text
//! # cain plan v1, written by `cain pin`: change the declaration, not this file
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
//! - The lines before `cost` are the identity of the plan: the canonical declaration and the options on which the program
//!   depends. They are compared as text. No line means that gains have no limit, that inputs have any value of the registers, and
//!   that native programs cancel the transfer error while others need not, so that new options make no file stale. The
//!   budget has no line either, because a plan remains right when the budget changes.
//! - `cost` is checked against the program. `peak_gain` is the largest gain of an intermediate value.
//! - `search` has the nodes that the search could use and those it used, the nodes after which it had its first program and
//!   this one, and why it stopped.
//! - `proved` is a lower bound: no program of the instruction set has fewer instructions. It is not proved again, but it
//!   must not contradict the program. That the program computes the declaration is proved whenever the plan is used.
//! - The program follows after an empty line. It can be pasted into a kernel of the vendor's tools.

#[cfg(feature = "digital")]
mod bits;
mod check;
#[cfg(feature = "blocks")]
mod declared;
mod folder;
#[cfg(feature = "digital")]
mod kinds;
#[cfg(feature = "networks")]
mod network;
mod parse;
#[cfg(test)]
mod tests;

use std::{fmt, io};

use cain_isa::{Cost, ErrorModel, Instruction};
use cain_search::{
    Approximation, Declaration, InstructionSet, MaxGain, OffsetRule, Options, Proved, Solution, Statistics,
};

#[cfg(feature = "digital")]
pub use bits::BitsPlan;
#[cfg(feature = "digital")]
pub use bits::own_name_of_bits;
#[cfg(feature = "blocks")]
pub use declared::read;
pub use folder::{PlanError, PlanFolder, PlanPath, own_name};
#[cfg(feature = "digital")]
pub use kinds::{Contents, OnBits};
#[cfg(feature = "networks")]
pub use network::NetworkPlanFile;

use crate::diagnostic::Diagnostic;
use crate::lower::options::{instruction_set_name, max_gain_name, objective_name, offset_rule_name};

/// The largest plan file that is read: tens of thousands of instructions.
pub const MAX_BYTES: u64 = 1 << 20;

/// The version of the format that is written.
const VERSION: u32 = 1;
/// How the first line begins, up to the version.
const MAGIC: &str = "# cain plan v";
/// The rest of the first line, for people.
const NOTICE: &str = ", written by `cain pin`: change the declaration, not this file";

/// The contents of a plan file, which may be wrong; [`PlanFolder::check`] verifies them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanFile {
    identity: Vec<Condition>,
    cost: Cost,
    budget: u64,
    statistics: Statistics,
    listing: Vec<Instruction>,
}

impl PlanFile {
    /// The plan file of a program.
    #[must_use]
    pub fn new(solution: &Solution) -> Self {
        let (declaration, report) = (solution.program.declaration(), solution.program.report());
        Self {
            identity: identity(declaration),
            cost: Cost { macros: report.macros, icws: report.icws, peak_gain: report.peak_gain },
            budget: declaration.options.nodes,
            statistics: solution.statistics,
            listing: solution.program.listing().to_vec(),
        }
    }

    /// The node budget of the search that found the program.
    #[must_use]
    pub fn budget(&self) -> u64 {
        self.budget
    }

    /// The line of a condition, counted from 1 as all lines.
    fn line_of_condition(index: usize) -> usize {
        2 + index
    }

    fn line_of_cost(&self) -> usize {
        Self::line_of_condition(self.identity.len())
    }

    fn line_of_proved(&self) -> usize {
        self.line_of_cost() + 2
    }

    fn line_of_instruction(&self, index: usize) -> usize {
        self.line_of_proved() + 2 + index
    }
}

impl fmt::Display for PlanFile {
    /// The text of the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { identity, cost, budget, statistics, listing } = self;
        writeln!(f, "{MAGIC}{VERSION}{NOTICE}")?;
        for Condition { key, value } in identity {
            writeln!(f, "{key}: {value}")?;
        }
        writeln!(f, "cost: macros={} icws={} peak_gain={}", cost.macros, cost.icws, cost.peak_gain)?;
        let (first, best) = (statistics.nodes_to_first, statistics.nodes_to_best);
        let (nodes, stop) = (statistics.nodes, statistics.stop);
        writeln!(f, "search: budget={budget} nodes={nodes} first={first} best={best} stop={stop}")?;
        writeln!(f, "proved: instructions>={}", statistics.lower_bound)?;
        writeln!(f)?;
        listing.iter().try_for_each(|instruction| writeln!(f, "{instruction}"))
    }
}

/// A line of the identity of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Condition {
    key: String,
    value: String,
}

/// What a plan of this declaration depends on, except for the search effort: declarations with the same identity have the
/// same plan.
///
/// The registers of the machine need no line: the declaration names all that may be used.
fn identity(declaration: &Declaration) -> Vec<Condition> {
    let (options, input) = (&declaration.options, declaration.input_range());
    let lines = [
        ("declaration", Some(declaration.to_string())),
        ("isa", Some(instruction_set_name(options.instructions).to_owned())),
        ("objective", Some(objective_name(options.objective_in_force()).to_owned())),
        ("max_gain", (options.max_gain != MaxGain::Any).then(|| max_gain_name(options.max_gain))),
        (
            "approximate",
            options.approximate.map(|Approximation { depth, error }| format!("depth={depth} error={error}")),
        ),
        ("offset", offset(options).map(str::to_owned)),
        ("input", (input != declaration.machine.range).then(|| input.to_string())),
        ("accuracy", options.accuracy.map(|accuracy| accuracy.to_string())),
        ("errors", unusual_errors(&options.error_model)),
    ];
    lines.into_iter().filter_map(|(key, value)| Some(Condition { key: key.to_owned(), value: value? })).collect()
}

/// The rule for offset errors, if it has a line: version 1 of the format takes it that native programs cancel them, and
/// programs of macro instructions need not.
fn offset(options: &Options) -> Option<&'static str> {
    let usual = match options.instructions {
        InstructionSet::Native => OffsetRule::Cancelled,
        _ => OffsetRule::Any,
    };
    (options.offset != usual).then(|| offset_rule_name(options.offset))
}

/// The errors of the chip, if they are not the published ones.
fn unusual_errors(model: &ErrorModel) -> Option<String> {
    let &ErrorModel { gain, offset: [one, two, three], mismatch, fixed_gain, fixed_offset, .. } = model;
    let &ErrorModel { relative_noise, noise, readout_noise, .. } = model;
    (*model != ErrorModel::measured()).then(|| {
        format!(
            "gain={gain} offset={one},{two},{three} mismatch={mismatch} fixed_gain={fixed_gain} \
             fixed_offset={fixed_offset} relative_noise={relative_noise} noise={noise} readout_noise={readout_noise}"
        )
    })
}

/// What is wrong with a plan file.
#[derive(Debug)]
enum Fault {
    /// The system cannot read it.
    Unreadable(io::Error),
    /// It is larger than [`MAX_BYTES`].
    TooLarge,
    /// A later version of the tool has written it.
    Newer(Diagnostic),
    /// It was damaged, or its program does not compute its declaration.
    Corrupt(Diagnostic),
    /// It is the plan of another declaration.
    Stale(Diagnostic),
}

/// Why a plan file is not used for a declaration.
struct Refused {
    fault: Fault,
    /// The program, if it computes the declaration all the same.
    program: Option<Box<Proved>>,
}
