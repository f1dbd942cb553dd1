//! Reading the text of a plan file.

use std::fmt::Display;
use std::iter::Enumerate;
use std::str::{self, FromStr};

use cain_analysis::owned::{Step, step_of};
use cain_isa::program::Selection;
use cain_isa::{Bit, Dreg, ParseInstructionError, Stop};

use super::finding::Part;
use super::{
    COST, Course, Fault, Finding, How, MAGIC, NONE, PART, PROGRAM, PROVED, PlanFile, REGISTERS, SEARCH, SEARCHES,
    VERSION,
};
use crate::diagnostic::{Diagnostic, Position};
use crate::names;

impl PlanFile {
    /// Reads the contents of a plan file without verifying its programs.
    pub(crate) fn parse(text: &str) -> Result<Self, Fault> {
        let mut lines = Lines::of(text);
        check_version(&mut lines)?;
        file(&mut lines).map_err(Fault::Corrupt)
    }
}

/// Reads the first line, which has the version of the format.
fn check_version(lines: &mut Lines<'_>) -> Result<(), Fault> {
    let first = lines.next("the first line").map_err(Fault::Corrupt)?;
    let version = version(first).map_err(Fault::Corrupt)?;
    if version > VERSION {
        return Err(Fault::Newer(first.problem(
            MAGIC.len(),
            format_args!(
                "the plan has format {version}, but this version of Cain knows none above {VERSION}; update Cain, or \
                 delete the file and run `cain pin`"
            ),
        )));
    }
    if version < VERSION {
        return Err(Fault::Corrupt(first.problem(
            MAGIC.len(),
            format_args!("the plan has format {version}, but this version of Cain reads only {VERSION}"),
        )));
    }
    Ok(())
}

/// The version of the format.
fn version(first: Line<'_>) -> Result<u32, Diagnostic> {
    let expected = format!("this is no plan: expected `{MAGIC}{VERSION}`");
    let rest = first.text.strip_prefix(MAGIC).ok_or_else(|| first.problem(0, &expected))?;
    let end = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
    let version = rest.get(..end).and_then(|digits| digits.parse().ok()).filter(|version| *version > 0);
    version.ok_or_else(|| first.problem(MAGIC.len(), &expected))
}

/// Reads the lines after the first.
fn file(lines: &mut Lines<'_>) -> Result<PlanFile, Diagnostic> {
    let (mut whole, rest) = finding(lines, Key::Cost)?;
    let searches = match rest {
        Rest::Program => {
            whole.program = Some(program(lines, Until::End)?);
            None
        }
        Rest::Nothing => None,
        Rest::Searches(count) => Some(searches(lines, count)?),
    };
    match lines.next_if_any() {
        None => Ok(PlanFile { whole, searches }),
        Some(line) => Err(line.problem(0, "expected the end of the file")),
    }
}

/// Reads so many searches, each behind an empty line.
fn searches(lines: &mut Lines<'_>, count: usize) -> Result<Vec<Finding>, Diagnostic> {
    let mut searches = Vec::new();
    while searches.len() < count {
        let line = lines.next("an empty line and another search")?;
        if !line.text.is_empty() {
            return Err(line.problem(0, "expected an empty line before the next search"));
        }
        let first = lines.last + 1;
        let (mut search, rest) = finding(lines, Key::Identity)?;
        match rest {
            Rest::Program => search.program = Some(program(lines, Until::EmptyLine)?),
            Rest::Nothing => {}
            Rest::Searches(_) => {
                let line = Line { number: first, text: "" };
                return Err(line.problem(0, "a search that is a part of a plan cannot consist of others"));
            }
        }
        searches.push(search);
    }
    Ok(searches)
}

/// What follows the first lines of a search.
enum Rest {
    /// The program, after an empty line.
    Program,
    /// Nothing was found.
    Nothing,
    /// So many searches.
    Searches(usize),
}

/// The kinds of lines before a program, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Identity,
    Cost,
    Search,
    Proved,
    /// A list of registers.
    Registers(usize),
    /// What ends these lines.
    Searches,
    Program,
}

impl Key {
    fn of(key: &str) -> Self {
        match key {
            COST => Self::Cost,
            SEARCH => Self::Search,
            PROVED => Self::Proved,
            SEARCHES => Self::Searches,
            PROGRAM => Self::Program,
            _ => REGISTERS.iter().position(|known| *known == key).map_or(Self::Identity, Self::Registers),
        }
    }

    /// Whether a line of this kind may follow one of another.
    fn follows(self, before: Self) -> bool {
        self > before || self == Self::Identity && before == Self::Identity
    }

    /// What may follow it.
    fn expected(self) -> &'static str {
        match self {
            Self::Identity => "`declaration: ..`, options of the search, or `cost: ..`",
            _ => "an empty line before the program",
        }
    }
}

/// Reads the lines of a search before its program: its identity, costs and so on. The program may follow lines of the kind
/// `first` and those after it.
fn finding(lines: &mut Lines<'_>, first: Key) -> Result<(Finding, Rest), Diagnostic> {
    let mut finding = Finding::default();
    finding.lines.identity = lines.last + 1;
    let mut before = Key::Identity;
    loop {
        let line = lines.next(before.expected())?;
        if line.text.is_empty() && before >= first {
            finding.lines.program = line.number + 1;
            return Ok((finding, Rest::Program));
        }
        let parts = line.text.split_once(": ").map(|(name, value)| (Key::of(name), name, value));
        let Some((key, name, value)) = parts.filter(|(key, ..)| key.follows(before)) else {
            return Err(line.problem(0, format_args!("expected {}", before.expected())));
        };
        before = key;
        match key {
            Key::Identity => finding.wanted.push(name, value),
            Key::Cost => finding.cost = Some(value.to_owned()),
            Key::Search => finding.how = Some(how(line)?),
            Key::Proved => {
                let [bound] = fields(line, PROVED, ["instructions>"])?;
                finding.bound = Some(bound.number()?);
            }
            Key::Registers(index) => {
                let key = REGISTERS.get(index).copied().unwrap_or_default();
                finding.registers.push((key, registers(line, key, value)?));
            }
            Key::Searches => {
                let count = Field { line, at: line.text.len() - value.len(), text: value };
                return Ok((finding, Rest::Searches(count.number()?)));
            }
            Key::Program if value == NONE => return Ok((finding, Rest::Nothing)),
            Key::Program => return Err(line.problem(0, format_args!("expected `{PROGRAM}: {NONE}`"))),
        }
    }
}

/// How a program was found; what is known of the course of the search depends on the search.
fn how(line: Line<'_>) -> Result<How, Diagnostic> {
    let has = |name: &str| line.text.contains(name);
    let (version, budget, course) = if has(" first=") {
        let [version, budget, nodes, first, best, stop] =
            fields(line, SEARCH, ["version", "budget", "nodes", "first", "best", "stop"])?;
        (version, budget, Some((nodes, Some(first), best, stop)))
    } else if has(" nodes=") {
        let [version, budget, nodes, best, stop] =
            fields(line, SEARCH, ["version", "budget", "nodes", "best", "stop"])?;
        (version, budget, Some((nodes, None, best, stop)))
    } else {
        let [version, budget] = fields(line, SEARCH, ["version", "budget"])?;
        (version, budget, None)
    };
    let course = match course {
        None => None,
        Some((nodes, first, best, stop)) => Some(Course {
            nodes: nodes.number()?,
            first: first.map(Field::number).transpose()?,
            best: best.number()?,
            stop: stop.stop()?,
        }),
    };
    Ok(How { version: version.number()?, budget: budget.number()?, course })
}

/// The registers of numbers: `inputs: R5,R6 R7`.
fn registers(line: Line<'_>, key: &str, value: &str) -> Result<Vec<Vec<Dreg>>, Diagnostic> {
    let wrong = || line.problem(0, format_args!("expected `{key}: ..` with registers such as `R5,R6 R7`"));
    let register = |name: &str| match name.parse::<Bit>() {
        Ok(Bit::Reg(register)) => Ok(register),
        _ => Err(wrong()),
    };
    if value == NONE {
        return Ok(Vec::new());
    }
    value.split(' ').map(|number| number.split(',').map(register).collect()).collect()
}

/// Where a program ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    End,
    EmptyLine,
}

/// Reads the parts of a program.
fn program(lines: &mut Lines<'_>, until: Until) -> Result<Vec<Part>, Diagnostic> {
    let mut parts = Vec::new();
    let mut part = Part::default();
    while until == Until::End || !lines.is_at_empty_line() {
        let Some(line) = lines.next_if_any() else { break };
        if let Some(name) = line.text.strip_prefix(PART) {
            let next = Part { name: Some(name.to_owned()), steps: Vec::new() };
            let done = std::mem::replace(&mut part, next);
            parts.extend((done != Part::default()).then_some(done));
        } else {
            part.steps.push(step(line)?);
        }
    }
    parts.push(part);
    Ok(parts)
}

/// A step of a program as it is printed.
fn step(line: Line<'_>) -> Result<Step, Diagnostic> {
    let arguments = |function: &str| line.text.strip_prefix(function)?.strip_prefix('(')?.strip_suffix(");");
    if let Some(arguments) = arguments("scamp5_select_pattern") {
        let wrong = || line.problem(0, "expected a pattern such as `scamp5_select_pattern(0,1,252,254);`");
        let numbers = arguments.split(',').map(str::parse::<u8>).collect::<Result<Vec<_>, _>>().map_err(|_| wrong())?;
        let [row, column, free_row_bits, free_column_bits] = numbers.try_into().map_err(|_| wrong())?;
        // Columns count from the right there, and blocks repeat on larger arrays.
        let free = |bits: u8| !u16::from(u8::MAX) | u16::from(bits);
        let (free_row_bits, free_column_bits) = (free(free_row_bits), free(free_column_bits));
        return Ok(Step::Select(Selection {
            row: u16::from(row) & !free_row_bits,
            column: !u16::from(column) & !free_column_bits,
            free_row_bits,
            free_column_bits,
        }));
    }
    if let Some(level) = arguments("scamp5_load_in") {
        let level = level.parse().map_err(|_| line.problem(0, "expected a level such as `scamp5_load_in(-64);`"))?;
        return Ok(Step::Level(level));
    }
    let instruction = line.text.parse();
    instruction.map(step_of).map_err(|error: ParseInstructionError| line.problem(error.column, error.kind))
}

/// The values of a line such as `key: a=1 b=2`, which must have exactly these names in this order.
fn fields<'t, const N: usize>(line: Line<'t>, key: &str, names: [&str; N]) -> Result<[Field<'t>; N], Diagnostic> {
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
struct Field<'t> {
    line: Line<'t>,
    /// The byte of the line at which it begins.
    at: usize,
    text: &'t str,
}

impl Field<'_> {
    fn number<T: FromStr>(self) -> Result<T, Diagnostic> {
        self.text.parse().map_err(|_| self.wrong("a number"))
    }

    fn stop(self) -> Result<Stop, Diagnostic> {
        let stops = [Stop::Proved, Stop::Nodes, Stop::Patience, Stop::Book, Stop::Interrupted, Stop::Exhausted];
        let stop = stops.into_iter().find(|stop| stop.to_string() == self.text);
        stop.ok_or_else(|| self.wrong(&names::list(stops.map(|stop| stop.to_string()), "or")))
    }

    fn wrong(self, expected: &str) -> Diagnostic {
        self.line.problem(self.at, format_args!("expected {expected}, found {:?}", self.text))
    }
}

/// A line without its line break.
#[derive(Clone, Copy)]
struct Line<'t> {
    /// Counted from 1.
    number: usize,
    text: &'t str,
}

impl Line<'_> {
    /// A problem at a byte of the line.
    fn problem(self, at: usize, message: impl Display) -> Diagnostic {
        let before = self.text.get(..at).unwrap_or(self.text);
        let place = Position { line: self.number, column: before.chars().count() + 1 };
        Diagnostic { place, message: message.to_string() }
    }
}

struct Lines<'t> {
    rest: Enumerate<str::Lines<'t>>,
    /// The number of the last line read.
    last: usize,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        Self { rest: text.lines().enumerate(), last: 0 }
    }

    /// The next line; at the end of the file an error that names what is missing.
    fn next(&mut self, what: &str) -> Result<Line<'t>, Diagnostic> {
        let end = Line { number: self.last + 1, text: "" };
        self.next_if_any().ok_or_else(|| end.problem(0, format_args!("the file ends here; expected {what}")))
    }

    /// Whether the next line is empty.
    fn is_at_empty_line(&self) -> bool {
        self.rest.clone().next().is_some_and(|(_, text)| text.is_empty())
    }

    fn next_if_any(&mut self) -> Option<Line<'t>> {
        let (index, text) = self.rest.next()?;
        self.last = index + 1;
        Some(Line { number: self.last, text })
    }
}
