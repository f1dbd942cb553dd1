//! One search of a plan: what it was for, what it found, and how.

use std::fmt;

use cain_analysis::owned::{SIDE, Step, lines, step_of};
use cain_isa::{Dreg, Instruction, Stop};

use super::{COST, Fault, Identity, NONE, PART, PROGRAM, PROVED, SEARCH};
use crate::diagnostic::{Diagnostic, Position};

/// A search: what it was for, what it found, and how, as a plan file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// What it was for.
    pub(crate) wanted: Identity,
    /// The costs of the program.
    pub(crate) cost: Option<String>,
    /// How it was found.
    pub(crate) how: Option<How>,
    /// A proved lower bound: no program has fewer instructions.
    pub(crate) bound: Option<u32>,
    /// For each list of registers its key and the registers of each number.
    pub(crate) registers: Vec<(&'static str, Vec<Vec<Dreg>>)>,
    /// The parts of the program, if there is one.
    pub(crate) program: Option<Vec<Part>>,
    /// Where it stands in a file.
    pub(crate) lines: Lines,
}

/// How a program was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct How {
    /// The version of the search.
    pub version: u32,
    /// The nodes that it could use.
    pub budget: u64,
    /// The course of the search, where that is known.
    pub course: Option<Course>,
}

/// The course of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// The nodes used.
    pub nodes: u64,
    /// The nodes used when the first program was found, where that is known.
    pub first: Option<u64>,
    /// The nodes used when this program was found.
    pub best: u64,
    /// Why the search stopped.
    pub stop: Stop,
}

/// A part of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Part {
    /// Its name, unless it is the whole program.
    pub(crate) name: Option<String>,
    /// Its steps, each in one line.
    pub(crate) steps: Vec<Step>,
}

/// The places of a search in a file, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lines {
    /// The first line of its identity.
    pub(super) identity: usize,
    /// The first line of its program.
    pub(super) program: usize,
}

impl How {
    /// A search by this version.
    pub(crate) fn now(budget: u64, course: Option<Course>) -> Self {
        Self { version: cain_search::VERSION, budget, course }
    }
}

impl Finding {
    /// A search that found a program in one part.
    pub(crate) fn of(wanted: Identity, listing: &[Instruction]) -> Self {
        let steps = listing.iter().copied().map(step_of).collect();
        Self { wanted, program: Some(vec![Part { name: None, steps }]), ..Self::default() }
    }

    /// The lines before the program.
    pub(super) fn head(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.wanted)?;
        if let Some(cost) = &self.cost {
            writeln!(f, "{COST}: {cost}")?;
        }
        if let Some(how) = &self.how {
            writeln!(f, "{SEARCH}: {how}")?;
        }
        if let Some(bound) = self.bound {
            writeln!(f, "{PROVED}: instructions>={bound}")?;
        }
        self.registers.iter().try_for_each(|(key, numbers)| writeln!(f, "{key}: {}", shown(numbers)))
    }

    /// Fails if the search was not for this.
    pub(crate) fn is_for(&self, wanted: &Identity, what: &str) -> Result<(), Fault> {
        self.wanted
            .difference(self.lines.identity, wanted, what)
            .map_or(Ok(()), |difference| Err(Fault::Stale(difference)))
    }

    /// Fails unless these costs, those of the program, are stated.
    pub(crate) fn costs(&self, costs: &str) -> Result<(), Fault> {
        match &self.cost {
            Some(cost) if cost == costs => Ok(()),
            Some(_) => {
                let message = format!("these are not the costs of the program, which has {costs}");
                Err(Fault::Corrupt(problem(self.line_of_cost(), message)))
            }
            None => Err(Fault::Corrupt(problem(self.line_of_cost(), format!("expected `{COST}: {costs}`")))),
        }
    }

    /// The program of a single part that consists of instructions.
    pub(crate) fn listing(&self) -> Result<Vec<Instruction>, Diagnostic> {
        let steps = match self.program.as_deref().unwrap_or_default() {
            [Part { name: None, steps }] => Ok(steps),
            [Part { name: None, steps }, ..] => Err(self.line_of_step(0, steps.len())),
            _ => Err(self.lines.program),
        };
        let expected = "expected an instruction such as `movx(B,A,east);`";
        let steps = steps.map_err(|line| problem(line, expected.to_owned()))?;
        instructions(steps).map_err(|(index, message)| problem(self.line_of_step(0, index), message))
    }

    /// The line of the costs, as all lines counted from 1.
    pub(crate) fn line_of_cost(&self) -> usize {
        self.lines.identity + self.wanted.len()
    }

    /// The line that says how the search went.
    pub(crate) fn line_of_search(&self) -> usize {
        self.line_of_cost() + usize::from(self.cost.is_some())
    }

    /// The line with the lower bound.
    pub(crate) fn line_of_bound(&self) -> usize {
        self.line_of_search() + usize::from(self.how.is_some())
    }

    /// The line of a list of registers.
    pub(crate) fn line_of_registers(&self, index: usize) -> usize {
        self.line_of_bound() + usize::from(self.bound.is_some()) + index
    }

    /// The line of a step in a part of the program; behind the last one, the line that follows.
    pub(crate) fn line_of_step(&self, part: usize, step: usize) -> usize {
        let parts = self.program.as_deref().unwrap_or_default();
        let title = |part: &Part| usize::from(part.name.is_some());
        let before: usize = parts.iter().take(part).map(|part| title(part) + part.steps.len()).sum();
        self.lines.program + before + parts.get(part).map_or(0, title) + step
    }
}

impl fmt::Display for Finding {
    /// The text in the file, from the identity on.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.head(f)?;
        let Some(parts) = &self.program else { return writeln!(f, "{PROGRAM}: {NONE}") };
        writeln!(f)?;
        for Part { name, steps } in parts {
            if let Some(name) = name {
                writeln!(f, "{PART}{name}")?;
            }
            steps.iter().flat_map(|step| lines(step, SIDE)).try_for_each(|line| writeln!(f, "{line}"))?;
        }
        Ok(())
    }
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, budget, course } = self;
        write!(f, "version={version} budget={budget}")?;
        let Some(Course { nodes, first, best, stop }) = course else { return Ok(()) };
        write!(f, " nodes={nodes}")?;
        if let Some(first) = first {
            write!(f, " first={first}")?;
        }
        write!(f, " best={best} stop={stop}")
    }
}

/// The instructions of steps that the controller has no part in; otherwise the step that is none, and what it is.
pub(crate) fn instructions(steps: &[Step]) -> Result<Vec<Instruction>, (usize, String)> {
    let instruction = |(index, step): (usize, &Step)| match step.listing() {
        Some(&[instruction]) => Ok(instruction),
        _ => Err((index, format!("`{}` is no control word", lines(step, SIDE).join(" ")))),
    };
    steps.iter().enumerate().map(instruction).collect()
}

/// The registers of numbers as text.
fn shown(numbers: &[Vec<Dreg>]) -> String {
    if numbers.is_empty() {
        return NONE.to_owned();
    }
    let number = |bits: &Vec<Dreg>| bits.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    numbers.iter().map(number).collect::<Vec<_>>().join(" ")
}

/// A problem with a line.
pub(crate) fn problem(line: usize, message: String) -> Diagnostic {
    Diagnostic { place: Position { line, column: 1 }, message }
}
