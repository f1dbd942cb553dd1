//! Plan files of filters on bits: digital ones, and those over super-pixels.
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
//! The registers of the numbers stand in the order of the declaration, with the lowest bit first. Filters over super-pixels have a
//! line with the `reserved` registers as well, and the parts of their program follow each other, `// setup` before the first.
//! All else is as in the other plan files.

use std::fmt;

use cain_digital::Statistics;
use cain_isa::program::Selection;
use cain_isa::program::owned::{Step, lines};
use cain_isa::{Bit, Dreg, Instruction};

use super::check::{difference, problem};
use super::folder::with_digits;
use super::kinds::{Contents, OnBits};
use super::parse::{Line, Lines, check_version, fields, identity};
use super::{Condition, Fault, MAGIC, NOTICE, PlanError, PlanFolder, PlanPath, VERSION};
use crate::diagnostic::Diagnostic;

/// The contents of the plan file of a filter on bits, which may be wrong;
/// [`PlanFolder::check_bits`](super::PlanFolder::check_bits) verifies them.
#[derive(Clone, Debug, PartialEq)]
pub struct BitsPlan {
    identity: Vec<Condition>,
    /// What follows the identity, or what is wrong with it.
    rest: Result<Rest, Diagnostic>,
}

#[derive(Clone, Debug, PartialEq)]
struct Rest {
    words: usize,
    budget: u64,
    statistics: Statistics,
    /// The keys of the lists of registers, and the names of the parts of the program.
    names: [&'static [&'static str]; 2],
    contents: Contents,
}

/// The most steps of a program: far more than the search writes, and few enough to be followed in no time.
const MOST_STEPS: usize = 8192;
/// The keys of the registers of numbers.
#[cfg(feature = "networks")]
pub(super) const REGISTERS: [&str; 2] = ["inputs", "outputs"];
/// How the line before a part of a program begins.
const PART: &str = "// ";
/// A list without registers.
const NONE: &str = "none";

/// What a plan of this declaration depends on, except for the search effort.
pub(super) fn conditions<D: OnBits>(declaration: &D) -> Vec<Condition> {
    let condition = |key: &str, value: String| Condition { key: key.to_owned(), value };
    vec![condition("declaration", declaration.text()), condition("isa", D::ISA.to_owned())]
}

impl BitsPlan {
    /// The plan file of a program.
    #[must_use]
    pub fn new<D: OnBits>(solution: &D::Solution) -> Self {
        let declaration = D::of(solution);
        let rest = Rest {
            words: D::words(solution),
            budget: declaration.nodes(),
            statistics: D::statistics(solution),
            names: [D::REGISTERS, D::PARTS],
            contents: D::contents(solution),
        };
        Self { identity: conditions(declaration), rest: Ok(rest) }
    }

    /// The node budget of the search that found the program; 0 if the file is wrong.
    #[must_use]
    pub fn budget(&self) -> u64 {
        self.rest.as_ref().map_or(0, |rest| rest.budget)
    }

    /// Reads the contents of a plan file without verifying its program.
    pub(super) fn parse<D: OnBits>(text: &str) -> Result<Self, Fault> {
        let mut lines = Lines::of(text);
        check_version(&mut lines)?;
        let (identity, line) = identity(&mut lines).map_err(Fault::Corrupt)?;
        Ok(Self { identity, rest: rest::<D>(&mut lines, line) })
    }

    /// The verified program, if the file is the plan of that declaration.
    pub(super) fn solution<D: OnBits>(&self, declaration: &D) -> Result<D::Solution, Fault> {
        if let Some(difference) = difference(&self.identity, &conditions(declaration)) {
            return Err(Fault::Stale(difference));
        }
        let Rest { words, statistics, contents, .. } =
            self.rest.as_ref().map_err(|problem| Fault::Corrupt(problem.clone()))?;
        let cost = 2 + self.identity.len();
        // After the cost: the search, registers, an empty line, and the name of the first part.
        let first = cost + 3 + D::REGISTERS.len() + usize::from(!D::PARTS.is_empty());
        if contents.parts.iter().map(Vec::len).sum::<usize>() > MOST_STEPS {
            let message = format!("the program has more than {MOST_STEPS} words");
            return Err(Fault::Corrupt(problem(first + MOST_STEPS, message)));
        }
        let solution = declaration
            .verify(contents, *statistics)
            .map_err(|(index, message)| Fault::Corrupt(problem(first + index, message)))?;
        if D::words(&solution) != *words {
            let message = format!("this is not the cost of the program, which has words={}", D::words(&solution));
            return Err(Fault::Corrupt(problem(cost, message)));
        }
        Ok(solution)
    }
}

/// Reads what follows the identity, from the line with the cost on.
fn rest<D: OnBits>(lines: &mut Lines<'_>, line: Line<'_>) -> Result<Rest, Diagnostic> {
    let [words] = fields(line, "cost", ["words"])?;
    let words = words.number()?;
    let line = lines.next("`search: ..`")?;
    let [budget, nodes, best, stop] = fields(line, "search", ["budget", "nodes", "best", "stop"])?;
    let statistics = Statistics { nodes: nodes.number()?, nodes_to_best: best.number()?, stop: stop.stop()? };
    let budget = budget.number()?;
    let registers = D::REGISTERS.iter().map(|key| numbers(lines, key)).collect::<Result<_, _>>()?;
    let line = lines.next("an empty line and the program")?;
    if !line.text.is_empty() {
        return Err(line.problem(0, "expected an empty line before the program"));
    }
    let contents = Contents { registers, parts: parts(lines, D::PARTS)? };
    Ok(Rest { words, budget, statistics, names: [D::REGISTERS, D::PARTS], contents })
}

/// The steps of the parts of these names, or all of them if there are no names.
fn parts(lines: &mut Lines<'_>, names: &[&str]) -> Result<Vec<Vec<Step>>, Diagnostic> {
    let (mut parts, mut names) = (Vec::new(), names.iter());
    if names.len() == 0 {
        parts.push(Vec::new());
    }
    while let Some(line) = lines.next_if_any() {
        if let Some(name) = line.text.strip_prefix(PART)
            && names.clone().next() == Some(&name)
        {
            names.next();
            parts.push(Vec::new());
            continue;
        }
        match parts.last_mut() {
            Some(part) => part.push(step(line)?),
            None => return Err(line.problem(0, format_args!("expected `{PART}{}`", names.as_slice().join("")))),
        }
    }
    match names.next() {
        None => Ok(parts),
        Some(missing) => lines.next(&format!("`{PART}{missing}`")).map(|_| parts),
    }
}

/// A step of a program as it is printed.
fn step(line: Line<'_>) -> Result<Step, Diagnostic> {
    let arguments = |function: &str| line.text.strip_prefix(function)?.strip_prefix('(')?.strip_suffix(");");
    if let Some(arguments) = arguments("scamp5_select_pattern") {
        let wrong = || line.problem(0, "expected a pattern such as `scamp5_select_pattern(0,1,252,254);`");
        let numbers = arguments.split(',').map(str::parse::<u8>).collect::<Result<Vec<_>, _>>().map_err(|_| wrong())?;
        let [row, column, free_row_bits, free_column_bits] = numbers.try_into().map_err(|_| wrong())?;
        // Columns count from the right there, and blocks repeat on larger arrays.
        let beyond = !u16::from(u8::MAX);
        let [row, column, free_row_bits, free_column_bits] =
            [row, !column, free_row_bits, free_column_bits].map(u16::from);
        return Ok(Step::Select(Selection {
            row,
            column,
            free_row_bits: beyond | free_row_bits,
            free_column_bits: beyond | free_column_bits,
        }));
    }
    if let Some(level) = arguments("scamp5_load_in") {
        let level = level.parse().map_err(|_| line.problem(0, "expected a level such as `scamp5_load_in(-64);`"))?;
        return Ok(Step::Level(level));
    }
    let instruction = line.text.parse();
    instruction
        .map(|instruction: Instruction| Step::from(instruction))
        .map_err(|error: cain_isa::ParseInstructionError| line.problem(error.column, error.kind))
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
    if rest == NONE {
        return Ok(Vec::new());
    }
    rest.split(' ').map(|number| number.split(',').map(register).collect()).collect()
}

/// The registers of numbers as text.
pub(super) fn shown(numbers: &[Vec<Dreg>]) -> String {
    if numbers.is_empty() {
        return NONE.to_owned();
    }
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
        let Ok(Rest { words, budget, statistics, names: [registers, parts], contents }) = &self.rest else {
            return Ok(());
        };
        let Statistics { nodes, nodes_to_best, stop } = statistics;
        writeln!(f, "cost: words={words}")?;
        writeln!(f, "search: budget={budget} nodes={nodes} best={nodes_to_best} stop={stop}")?;
        for (key, numbers) in registers.iter().zip(&contents.registers) {
            writeln!(f, "{key}: {}", shown(numbers))?;
        }
        writeln!(f)?;
        for (i, steps) in contents.parts.iter().enumerate() {
            if let Some(name) = parts.get(i) {
                writeln!(f, "{PART}{name}")?;
            }
            steps.iter().flat_map(|step| lines(step, 256)).try_for_each(|line| writeln!(f, "{line}"))?;
        }
        Ok(())
    }
}

/// The name, without extension, of the plan file of a filter on bits that shares its name with another one in the package.
#[must_use]
pub fn own_name_of_bits<D: OnBits>(declaration: &D) -> String {
    with_digits(declaration.name(), conditions(declaration))
}

impl PlanFolder {
    /// Like [`read`](Self::read), for a filter on bits.
    pub fn read_bits<D: OnBits>(&self, name: &str) -> Result<Option<BitsPlan>, PlanError> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        BitsPlan::parse::<D>(&text).map(Some).map_err(|fault| self.error(name, fault))
    }

    /// Like [`check`](Self::check), for a filter on bits.
    pub fn check_bits<D: OnBits>(
        &self,
        name: &str,
        file: &BitsPlan,
        declaration: &D,
    ) -> Result<D::Solution, PlanError> {
        file.solution(declaration).map_err(|fault| self.error(name, fault))
    }

    /// Like [`load_from`](Self::load_from), for a filter on bits.
    pub fn load_bits_from<D: OnBits>(&self, name: &str, declaration: &D) -> Result<Option<D::Solution>, PlanError> {
        self.read_bits::<D>(name)?.map(|file| self.check_bits(name, &file, declaration)).transpose()
    }

    /// Like [`load`](Self::load), for a filter on bits.
    pub fn load_bits<D: OnBits>(&self, declaration: &D) -> Result<Option<(D::Solution, PlanPath)>, PlanError> {
        for name in [own_name_of_bits(declaration), declaration.name().to_owned()] {
            if let Some(solution) = self.load_bits_from(&name, declaration)? {
                return Ok(Some((solution, self.plan(&name))));
            }
        }
        Ok(None)
    }
}
