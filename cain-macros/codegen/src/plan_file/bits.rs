//! Plan files of digital filters.
//!
//! ```text
//! # cain plan v1, written by `cain pin`: change the declaration, not this file
//! declaration: edge(image: 1) -> (out) { out = image & !image@east; }
//! isa: digital
//! cost: words=6
//! search: budget=1000000 nodes=120 best=80 stop=exhausted
//! inputs: R5
//! outputs: R0
//!
//! CLR(R1,R2,R3);
//! ..
//! ```
//!
//! The registers of the numbers stand in the order of the declaration, with the lowest bit first. All else is as in the other
//! plan files.

use std::fmt;

use cain_isa::{Bit, Dreg, Instruction};
use cain_search::digital::{Declaration, Program, Solution, Statistics, VerifyError, verify};

use super::check::{difference, problem};
use super::parse::{Line, Lines, check_version, fields, identity, listing};
use super::{Condition, Fault, MAGIC, NOTICE, VERSION};
use crate::diagnostic::Diagnostic;
use crate::emit::digital::text;
use crate::lower::digital::ISA;

/// The contents of the plan file of a digital filter, which may be wrong;
/// [`PlanFolder::check_bits`](super::PlanFolder::check_bits) verifies them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitsPlan {
    identity: Vec<Condition>,
    /// What follows the identity, or what is wrong with it.
    rest: Result<Rest, Diagnostic>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rest {
    words: usize,
    budget: u64,
    statistics: Statistics,
    program: Program,
}

/// The most words of a program: far more than the search writes, and few enough to be followed in no time.
const MOST_WORDS: usize = 8192;
/// The keys of the registers of numbers.
pub(super) const REGISTERS: [&str; 2] = ["inputs", "outputs"];
/// The lines between the identity and the program.
const LINES: usize = 5;

/// What a plan of this declaration depends on, except for the search effort.
pub(super) fn conditions(declaration: &Declaration) -> Vec<Condition> {
    let condition = |key: &str, value: String| Condition { key: key.to_owned(), value };
    vec![condition("declaration", text(declaration)), condition("isa", ISA.to_owned())]
}

impl BitsPlan {
    /// The plan file of a program.
    #[must_use]
    pub fn new(solution: &Solution) -> Self {
        let program = solution.program.program();
        let declaration = solution.program.declaration();
        let rest = Rest {
            words: program.words(),
            budget: declaration.nodes,
            statistics: solution.statistics,
            program: program.clone(),
        };
        Self { identity: conditions(declaration), rest: Ok(rest) }
    }

    /// The node budget of the search that found the program; 0 if the file is wrong.
    #[must_use]
    pub fn budget(&self) -> u64 {
        self.rest.as_ref().map_or(0, |rest| rest.budget)
    }

    /// Reads the contents of a plan file without verifying its program.
    pub(super) fn parse(text: &str) -> Result<Self, Fault> {
        let mut lines = Lines::of(text);
        check_version(&mut lines)?;
        let (identity, line) = identity(&mut lines).map_err(Fault::Corrupt)?;
        Ok(Self { identity, rest: rest(&mut lines, line) })
    }

    /// The verified program, if the file is the plan of that declaration.
    pub(super) fn solution(&self, declaration: &Declaration) -> Result<Solution, Fault> {
        if let Some(difference) = difference(&self.identity, &conditions(declaration)) {
            return Err(Fault::Stale(difference));
        }
        let Rest { words, statistics, program, .. } =
            self.rest.as_ref().map_err(|problem| Fault::Corrupt(problem.clone()))?;
        let cost = 2 + self.identity.len();
        if program.listing.len() > MOST_WORDS {
            let message = format!("the program has more than {MOST_WORDS} words");
            return Err(Fault::Corrupt(problem(cost + LINES + MOST_WORDS, message)));
        }
        if program.words() != *words {
            let message = format!("this is not the cost of the program, which has words={}", program.words());
            return Err(Fault::Corrupt(problem(cost, message)));
        }
        let program = verify(declaration, program).map_err(|error| {
            let index = match &error {
                VerifyError::Unwritten { index, .. }
                | VerifyError::Unsupported { index, .. }
                | VerifyError::Border { index, .. } => *index,
                _ => 0,
            };
            Fault::Corrupt(problem(cost + LINES + index, error.to_string()))
        })?;
        Ok(Solution { program, statistics: *statistics })
    }
}

/// Reads what follows the identity, from the line with the cost on.
fn rest(lines: &mut Lines<'_>, line: Line<'_>) -> Result<Rest, Diagnostic> {
    let [words] = fields(line, "cost", ["words"])?;
    let words = words.number()?;
    let line = lines.next("`search: ..`")?;
    let [budget, nodes, best, stop] = fields(line, "search", ["budget", "nodes", "best", "stop"])?;
    let statistics = Statistics { nodes: nodes.number()?, nodes_to_best: best.number()?, stop: stop.stop()? };
    let budget = budget.number()?;
    let [inputs, outputs] = REGISTERS;
    let (inputs, outputs) = (numbers(lines, inputs)?, numbers(lines, outputs)?);
    let line = lines.next("an empty line and the program")?;
    if !line.text.is_empty() {
        return Err(line.problem(0, "expected an empty line before the program"));
    }
    Ok(Rest { words, budget, statistics, program: Program { listing: listing(lines)?, inputs, outputs } })
}

/// The registers of numbers in the next line.
fn numbers(lines: &mut Lines<'_>, key: &str) -> Result<Vec<Vec<Dreg>>, Diagnostic> {
    registers(lines.next(&format!("`{key}: ..`"))?, key)
}

/// The registers of numbers: `inputs: R5,R6 R7`.
pub(super) fn registers(line: Line<'_>, key: &str) -> Result<Vec<Vec<Dreg>>, Diagnostic> {
    let wrong = || line.problem(0, format_args!("expected `{key}: ..` with registers such as `R5,R6 R7`"));
    let rest = line.text.strip_prefix(key).and_then(|rest| rest.strip_prefix(": ")).ok_or_else(wrong)?;
    let register = |name: &str| match name.parse::<Bit>() {
        Ok(Bit::Reg(register)) => Ok(register),
        _ => Err(wrong()),
    };
    rest.split(' ').map(|number| number.split(',').map(register).collect()).collect()
}

/// The registers of numbers as text.
pub(super) fn shown(numbers: &[Vec<Dreg>]) -> String {
    let number = |bits: &Vec<Dreg>| bits.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    numbers.iter().map(number).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for BitsPlan {
    /// The text of the file, up to what is wrong with it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{MAGIC}{VERSION}{NOTICE}")?;
        for Condition { key, value } in &self.identity {
            writeln!(f, "{key}: {value}")?;
        }
        let Ok(Rest { words, budget, statistics, program }) = &self.rest else { return Ok(()) };
        let Statistics { nodes, nodes_to_best, stop } = statistics;
        writeln!(f, "cost: words={words}")?;
        writeln!(f, "search: budget={budget} nodes={nodes} best={nodes_to_best} stop={stop}")?;
        for (key, numbers) in REGISTERS.into_iter().zip([&program.inputs, &program.outputs]) {
            writeln!(f, "{key}: {}", shown(numbers))?;
        }
        writeln!(f)?;
        program.listing.iter().try_for_each(|word: &Instruction| writeln!(f, "{word}"))
    }
}
