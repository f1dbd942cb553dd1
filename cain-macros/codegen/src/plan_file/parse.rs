//! Reading the text of a plan file.

use std::fmt::Display;
use std::iter::Enumerate;
use std::str::{self, FromStr};

use cain_isa::{Cost, Instruction, Stop};
use cain_search::Statistics;

use super::{Condition, Fault, MAGIC, PlanFile, VERSION};
use crate::diagnostic::{Diagnostic, Position};
use crate::names;

impl PlanFile {
    /// Reads the contents of a plan file without verifying its program.
    pub(super) fn parse(text: &str) -> Result<Self, Fault> {
        let mut lines = Lines::of(text);
        check_version(&mut lines)?;
        version_1(&mut lines).map_err(Fault::Corrupt)
    }
}

/// Reads the first line, which has the version of the format.
pub(super) fn check_version(lines: &mut Lines<'_>) -> Result<(), Fault> {
    let first = lines.next("the first line").map_err(Fault::Corrupt)?;
    match version(first).map_err(Fault::Corrupt)? {
        VERSION => Ok(()),
        newer => Err(Fault::Newer(first.problem(
            MAGIC.len(),
            format_args!(
                "the plan has format {newer}, but this version of Cain knows none above {VERSION}; update Cain, or \
                 delete the file and run `cain pin`"
            ),
        ))),
    }
}

/// The version of the format.
fn version(first: Line<'_>) -> Result<u32, Diagnostic> {
    let expected = format!("this is no plan: expected `{MAGIC}{VERSION}`");
    let rest = first.text.strip_prefix(MAGIC).ok_or_else(|| first.problem(0, &expected))?;
    let end = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
    let version = rest.get(..end).and_then(|digits| digits.parse().ok()).filter(|version| *version > 0);
    version.ok_or_else(|| first.problem(MAGIC.len(), &expected))
}

/// Reads the lines after the first in version 1 of the format.
fn version_1(lines: &mut Lines<'_>) -> Result<PlanFile, Diagnostic> {
    let (identity, line) = identity(lines)?;
    let [macros, icws, peak_gain] = fields(line, "cost", ["macros", "icws", "peak_gain"])?;
    let cost = Cost { macros: macros.number()?, icws: icws.number()?, peak_gain: peak_gain.number()? };

    let line = lines.next("`search: ..`")?;
    let [budget, nodes, first, best, stop] = fields(line, "search", ["budget", "nodes", "first", "best", "stop"])?;
    let budget = budget.number()?;
    let (nodes, nodes_to_first, nodes_to_best) = (nodes.number()?, first.number()?, best.number()?);
    let stop = stop.stop()?;

    let line = lines.next("`proved: ..`")?;
    let [lower_bound] = fields(line, "proved", ["instructions>"])?;
    let lower_bound = lower_bound.number()?;
    let statistics = Statistics { nodes, nodes_to_first, nodes_to_best, lower_bound, stop };

    let line = lines.next("an empty line and the program")?;
    if !line.text.is_empty() {
        return Err(line.problem(0, "expected an empty line before the program"));
    }
    Ok(PlanFile { identity, cost, budget, statistics, listing: listing(lines)? })
}

/// The identity of the plan, and the line after it.
pub(super) fn identity<'t>(lines: &mut Lines<'t>) -> Result<(Vec<Condition>, Line<'t>), Diagnostic> {
    let mut identity = Vec::new();
    loop {
        let line = lines.next("`cost: ..`")?;
        match line.text.split_once(": ") {
            Some(("cost", _)) => return Ok((identity, line)),
            Some((key, value)) => identity.push(Condition { key: key.to_owned(), value: value.to_owned() }),
            None => return Err(line.problem(0, "expected `declaration: ..`, options of the search, or `cost: ..`")),
        }
    }
}

pub(super) fn listing(lines: &mut Lines<'_>) -> Result<Vec<Instruction>, Diagnostic> {
    let mut listing = Vec::new();
    while let Some(line) = lines.next_if_any() {
        let instruction = line.text.parse::<Instruction>();
        listing.push(instruction.map_err(|error| line.problem(error.column, error.kind))?);
    }
    Ok(listing)
}

/// The values of a line such as `key: a=1 b=2`, which must have exactly these names in this order.
pub(super) fn fields<'t, const N: usize>(
    line: Line<'t>,
    key: &str,
    names: [&str; N],
) -> Result<[Field<'t>; N], Diagnostic> {
    let form = || names.iter().fold(format!("{key}:"), |form, name| form + " " + name + "=..");
    let wrong = |rest: &str| line.problem(line.text.len() - rest.len(), format_args!("expected `{}`", form()));
    let mut rest = line.text;
    for part in [key, ":"] {
        rest = rest.strip_prefix(part).ok_or_else(|| wrong(rest))?;
    }
    let mut fields = [Field { line, at: 0, text: "" }; N];
    for (field, name) in fields.iter_mut().zip(names) {
        for part in [" ", name, "="] {
            rest = rest.strip_prefix(part).ok_or_else(|| wrong(rest))?;
        }
        let (text, after) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
        *field = Field { line, at: line.text.len() - rest.len(), text };
        rest = after;
    }
    if rest.is_empty() { Ok(fields) } else { Err(wrong(rest)) }
}

/// A value within a line.
#[derive(Clone, Copy)]
pub(super) struct Field<'t> {
    line: Line<'t>,
    /// The byte of the line at which it begins.
    at: usize,
    text: &'t str,
}

impl Field<'_> {
    pub(super) fn number<T: FromStr>(self) -> Result<T, Diagnostic> {
        self.text.parse().map_err(|_| self.wrong("a number"))
    }

    pub(super) fn stop(self) -> Result<Stop, Diagnostic> {
        let stops = [Stop::Proved, Stop::Nodes, Stop::Interrupted, Stop::Exhausted];
        let stop = stops.into_iter().find(|stop| stop.to_string() == self.text);
        stop.ok_or_else(|| self.wrong(&names::list(stops.map(|stop| stop.to_string()), "or")))
    }

    fn wrong(self, expected: &str) -> Diagnostic {
        self.line.problem(self.at, format_args!("expected {expected}, found {:?}", self.text))
    }
}

/// A line without its line break.
#[derive(Clone, Copy)]
pub(super) struct Line<'t> {
    /// Counted from 1.
    number: usize,
    pub(super) text: &'t str,
}

impl Line<'_> {
    /// A problem at a byte of the line.
    pub(super) fn problem(self, at: usize, message: impl Display) -> Diagnostic {
        let before = self.text.get(..at).unwrap_or(self.text);
        let place = Position { line: self.number, column: before.chars().count() + 1 };
        Diagnostic { place, message: message.to_string() }
    }
}

pub(super) struct Lines<'t> {
    rest: Enumerate<str::Lines<'t>>,
    /// The number of the last line read.
    last: usize,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { rest: text.lines().enumerate(), last: 0 }
    }

    /// The next line; at the end of the file an error that names what is missing.
    pub(super) fn next(&mut self, what: &str) -> Result<Line<'t>, Diagnostic> {
        let end = Line { number: self.last + 1, text: "" };
        self.next_if_any().ok_or_else(|| end.problem(0, format_args!("the file ends here; expected {what}")))
    }

    fn next_if_any(&mut self) -> Option<Line<'t>> {
        let (index, text) = self.rest.next()?;
        self.last = index + 1;
        Some(Line { number: self.last, text })
    }
}
