//! Plan files: programs that searches have found, kept for people and for later builds.
//!
//! ```text
//! # cain plan v2, written by `cain pin`: change the declaration, not this file
//! declaration: gauss(A) -> (A) using (B, C) { A = 1/16 [1 2 1; 2 4 2; 1 2 1] * A; }
//! isa: macro
//! objective: macros
//! cost: macros=8 icws=22 peak_gain=2
//! search: version=1 budget=50000 nodes=4817 first=1 best=37 stop=proved
//! proved: instructions>=8
//!
//! div(C,B,A);
//! ..
//! ```
//!
//! All kinds of declarations share this format:
//!
//! - The first line has the version of the format.
//! - What was wanted: the lines before `cost` are the [identity](Identity) of what was searched for, the canonical
//!   declaration and the options on which the program depends. They are compared as text. The budget is none of them,
//!   because a plan remains right when the budget changes.
//! - What was found: `cost` is checked against the program, which follows after an empty line and can be pasted into a
//!   kernel of the vendor's tools. `peak_gain` is the largest gain of an intermediate value. Programs on bits say in which
//!   registers their numbers are (`inputs`, `outputs`, `reserved`), with the lowest bit first. The parts of a program over
//!   super-pixels follow each other, `// setup` before the first.
//! - How: `search` has the [version](cain_search::VERSION) of the searches, the nodes that could be used and those that
//!   were, the nodes after which there was a first program and this one, and why the search stopped. `proved` is a lower
//!   bound: no program of the instruction set has fewer instructions. It is not proved again, but it must not contradict
//!   the program. That the program computes the declaration is proved whenever the plan is used.
//!
//! The plans of networks and automata consist of several searches, `searches: 5`. Each follows after an empty line in the
//! same form; one that found nothing ends with `program: none`. The budget is that of all together. All else about them
//! follows from their declaration.

#[cfg(feature = "blocks")]
mod declared;
mod finding;
mod folder;
mod identity;
mod parse;
#[cfg(test)]
mod tests;

use std::{fmt, io};

use cain_isa::Stop;

#[cfg(feature = "blocks")]
pub use declared::read;
pub(crate) use finding::problem;
pub use finding::{Course, Finding, How};
#[cfg(feature = "digital")]
pub(crate) use finding::{Part, instructions};
pub use folder::{PlanError, PlanFolder, PlanPath};
pub use identity::Identity;

use crate::diagnostic::Diagnostic;

/// The largest plan file that is read: tens of thousands of instructions.
pub const MAX_BYTES: u64 = 1 << 20;

/// The version of the format.
const VERSION: u32 = 2;
/// How the first line begins, up to the version.
const MAGIC: &str = "# cain plan v";
/// The rest of the first line, for people.
const NOTICE: &str = ", written by `cain pin`: change the declaration, not this file";

/// The keys of lines, but for those of identities.
const COST: &str = "cost";
const SEARCH: &str = "search";
const PROVED: &str = "proved";
const REGISTERS: [&str; 3] = ["inputs", "outputs", "reserved"];
const SEARCHES: &str = "searches";
const PROGRAM: &str = "program";
/// What stands there for no program, and for no registers.
const NONE: &str = "none";
/// How the line before a part of a program begins.
const PART: &str = "// ";

/// The contents of a plan file, which may be wrong; the [kind](crate::kinds::Kind::verify) of the declaration verifies
/// them.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanFile {
    /// What is declared, and its program if a single search finds all of it.
    pub(crate) whole: Finding,
    /// The searches that led to the programs, if there are any number of them.
    pub(crate) searches: Option<Vec<Finding>>,
}

impl PlanFile {
    /// How a file of this format begins.
    pub(crate) fn begin() -> String {
        format!("{MAGIC}{VERSION}")
    }

    /// The plan of a single search.
    pub(crate) fn of(whole: Finding) -> Self {
        Self { whole, searches: None }
    }

    /// The only search of the plan.
    pub(crate) fn single(&self) -> Result<&Finding, Fault> {
        match &self.searches {
            None => Ok(&self.whole),
            Some(_) => Err(Fault::Stale(self.problem("the plan is one of several searches".to_owned()))),
        }
    }

    /// The searches of the plan, if it belongs to what has this identity; messages call that `what`.
    #[cfg(feature = "networks")]
    pub(crate) fn several(&self, identity: &Identity, what: &str) -> Result<&[Finding], Fault> {
        self.whole.is_for(identity, what)?;
        let expected = |line: usize, form: &str| Err(Fault::Corrupt(problem(line, format!("expected `{form}`"))));
        if !matches!(self.whole.how, Some(How { course: None, .. })) {
            return expected(self.whole.line_of_search(), "search: version=.. budget=..");
        }
        if self.whole.bound.is_some() || !self.whole.registers.is_empty() {
            return expected(self.whole.line_of_bound(), "searches: ..");
        }
        self.searches.as_deref().ok_or_else(|| Fault::Corrupt(self.problem(format!("expected `{SEARCHES}: ..`"))))
    }

    /// A problem with the plan as a whole.
    pub(crate) fn problem(&self, message: String) -> Diagnostic {
        problem(self.whole.lines.identity, message)
    }

    /// The node budget of the searches together; 0 if the file is wrong.
    #[must_use]
    pub fn budget(&self) -> u64 {
        self.whole.how.map_or(0, |how| how.budget)
    }

    /// Whether the same searches with this budget, spent to the end, cannot be expected to find anything better.
    #[must_use]
    pub fn is_final(&self, budget: u64) -> bool {
        let mut stops = self.stops().peekable();
        let is_complete = stops.peek().is_some() && stops.all(|stop| matches!(stop, Stop::Proved | Stop::Exhausted));
        let is_cut = self.stops().any(|stop| matches!(stop, Stop::Interrupted | Stop::Patience));
        is_complete || !is_cut && self.budget() >= budget
    }

    /// Whether a search was interrupted.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.stops().any(|stop| stop == Stop::Interrupted)
    }

    /// Why its searches stopped, where that is known.
    fn stops(&self) -> impl Iterator<Item = Stop> {
        let findings = std::iter::once(&self.whole).chain(self.searches.iter().flatten());
        findings.filter_map(|finding| Some(finding.how?.course?.stop))
    }
}

impl fmt::Display for PlanFile {
    /// The text of the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { whole, searches } = self;
        writeln!(f, "{MAGIC}{VERSION}{NOTICE}")?;
        let Some(searches) = searches else { return whole.fmt(f) };
        whole.head(f)?;
        writeln!(f, "{SEARCHES}: {}", searches.len())?;
        searches.iter().try_for_each(|search| write!(f, "\n{search}"))
    }
}

/// What is wrong with a plan file.
#[derive(Debug)]
pub enum Fault {
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
