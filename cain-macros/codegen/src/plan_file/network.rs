//! Plan files of networks: what the searches for their sums found, in their order.
//!
//! ```text
//! # cain network plan v1, written by `cain pin`: change the declaration, not this file
//! network: digits
//!
//! declaration: edge(A) -> (A) using (B, C, D, E, F) { A = 1/2 [-1 0 1] * A; }
//! isa: native
//! objective: icws
//! input: -60..60
//! program: 4 instructions
//! bus(XW,A);
//! ..
//! ```
//!
//! The lines before `program` are the identity of a search, as in other plan files; `program: none` stands for a search that
//! found nothing. Programs of layers in digital registers have the registers of their numbers before that, as in the plan files of
//! digital filters. All else about a network follows from its declaration. That the programs compute the sums, and everything
//! else, is proved whenever the plan is used.

use std::collections::VecDeque;
use std::fmt;

use cain_digital::Program;
use cain_isa::Instruction;
use cain_network::{Answer, CompiledNetwork, Network, Pins, Wanted, compile_pinned};

use super::bits::{self, REGISTERS};
use super::parse::{Line, Lines};
use super::{Condition, Fault, PlanError, PlanFolder, PlanPath, check, identity};
use crate::diagnostic::{Diagnostic, Position};

/// How the first line begins.
const MAGIC: &str = "# cain network plan v1";
/// The rest of the first line, for people.
const NOTICE: &str = ", written by `cain pin`: change the declaration, not this file";
/// The key that ends the identity of a search.
const PROGRAM: &str = "program";

/// What the searches of a network found.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkPlanFile {
    network: String,
    answers: VecDeque<(String, Option<Answer>)>,
}

impl NetworkPlanFile {
    /// The plan file of a network.
    #[must_use]
    pub fn new(compiled: &CompiledNetwork) -> Self {
        let answers = compiled.searched().iter();
        let answers = answers.map(|search| (identity_of(&search.wanted), search.program.clone())).collect();
        Self { network: compiled.network().name.clone(), answers }
    }

    /// Reads the contents of a plan file without verifying its programs.
    fn parse(text: &str) -> Result<Self, Diagnostic> {
        let mut lines = Lines::of(text);
        let first = lines.next("the first line")?;
        if !first.text.starts_with(MAGIC) {
            return Err(first.problem(0, format_args!("this is no plan of a network: expected `{MAGIC}`")));
        }
        let line = lines.next("`network: ..`")?;
        let network = line.text.strip_prefix("network: ").ok_or_else(|| line.problem(0, "expected `network: ..`"))?;
        let mut answers = VecDeque::new();
        while let Some(line) = lines.next_if_any() {
            if !line.text.is_empty() {
                return Err(line.problem(0, "expected an empty line before the next search"));
            }
            answers.push_back(answer(&mut lines)?);
        }
        Ok(Self { network: network.to_owned(), answers })
    }

    /// The network with these programs, which are proved.
    fn compile(self, network: &Network) -> Result<CompiledNetwork, Diagnostic> {
        let stale = |message: String| Diagnostic { place: Position { line: 2, column: 1 }, message };
        let pins = Pins { answers: self.answers, identity: identity_of, verify: check::verify };
        compile_pinned(network, pins).map_err(|error| stale(error.to_string()))
    }
}

/// The identity of a search, and its program if it has one.
fn answer(lines: &mut Lines<'_>) -> Result<(String, Option<Answer>), Diagnostic> {
    let mut conditions = Vec::new();
    let mut registers = Vec::new();
    let line = loop {
        let line = lines.next("`program: ..`")?;
        match line.text.split_once(": ") {
            Some((PROGRAM, _)) => break line,
            Some((key, _)) if REGISTERS.contains(&key) => registers.push(bits::registers(line, key)?),
            Some((key, value)) => conditions.push(Condition { key: key.to_owned(), value: value.to_owned() }),
            None => return Err(line.problem(0, "expected `declaration: ..`, options of the search, or `program: ..`")),
        }
    };
    let count = count(line)?;
    let listing = count.map(|count| (0..count).map(|_| instruction(lines)).collect::<Result<_, _>>()).transpose()?;
    let answer = listing.map(|listing| match <[_; 2]>::try_from(registers) {
        Ok([inputs, outputs]) => Answer::Exact(Program { listing, inputs, outputs }),
        Err(_) => Answer::Sum(listing),
    });
    Ok((text(&conditions), answer))
}

/// The number of instructions, if there is a program.
fn count(line: Line<'_>) -> Result<Option<usize>, Diagnostic> {
    let value = line.text.split_once(": ").map_or("", |(_, value)| value);
    let wrong = || line.problem(line.text.len() - value.len(), "expected `none`, or a number of instructions");
    match value.strip_suffix(" instructions") {
        Some(count) => count.parse().map(Some).map_err(|_| wrong()),
        None if value == "none" => Ok(None),
        None => Err(wrong()),
    }
}

fn instruction(lines: &mut Lines<'_>) -> Result<Instruction, Diagnostic> {
    let line = lines.next("an instruction")?;
    line.text.parse::<Instruction>().map_err(|error| line.problem(error.column, error.kind))
}

/// The identity of a search, in lines.
fn identity_of(wanted: &Wanted) -> String {
    text(&match wanted {
        Wanted::Sum(declaration) => identity(declaration),
        Wanted::Exact(declaration) => bits::conditions(declaration),
    })
}

/// Conditions as lines.
fn text(conditions: &[Condition]) -> String {
    let line = |Condition { key, value }: &Condition| [key, ": ", value, "\n"].concat();
    conditions.iter().map(line).collect()
}

impl fmt::Display for NetworkPlanFile {
    /// The text of the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{MAGIC}{NOTICE}")?;
        writeln!(f, "network: {}", self.network)?;
        for (identity, answer) in &self.answers {
            write!(f, "\n{identity}")?;
            let listing = match answer {
                None => {
                    writeln!(f, "{PROGRAM}: none")?;
                    continue;
                }
                Some(Answer::Sum(listing)) => listing,
                Some(Answer::Exact(Program { listing, inputs, outputs })) => {
                    for (key, numbers) in REGISTERS.into_iter().zip([inputs, outputs]) {
                        writeln!(f, "{key}: {}", bits::shown(numbers))?;
                    }
                    listing
                }
            };
            writeln!(f, "{PROGRAM}: {} instructions", listing.len())?;
            listing.iter().try_for_each(|instruction| writeln!(f, "{instruction}"))?;
        }
        Ok(())
    }
}

impl PlanFolder {
    /// The name, without extension, of the plan file of a network.
    #[must_use]
    pub fn network_name(network: &Network) -> String {
        format!("{}.network", network.name)
    }

    /// The network with the programs of its plan file; `None` if there is no such file.
    pub fn load_network(&self, network: &Network) -> Result<Option<(CompiledNetwork, PlanPath)>, PlanError> {
        let name = Self::network_name(network);
        let Some(text) = self.text(&name)? else { return Ok(None) };
        let file = NetworkPlanFile::parse(&text).map_err(|problem| self.error(&name, Fault::Corrupt(problem)))?;
        let compiled = file.compile(network).map_err(|problem| self.error(&name, Fault::Stale(problem)))?;
        Ok(Some((compiled, self.plan(&name))))
    }
}
