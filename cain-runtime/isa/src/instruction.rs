//! Lines of a listing: macro instructions and words.

use core::fmt;
use core::str::FromStr;

use crate::{Cell, Direction, Macro, MacroError, Op, Operand, Reg, Word, WordError};

/// One line of a listing.
///
/// ```
/// use cain_isa::Instruction;
///
/// let line: Instruction = "sub2x(F, D, south, south, C);".parse().unwrap();
/// assert_eq!(line.to_string(), "sub2x(F,D,south,south,C);");
/// assert_eq!(line.words().count(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Instruction {
    /// A macro instruction.
    Macro(Macro),
    /// A native control word.
    Word(Word),
}

impl Instruction {
    /// The control words that the instruction stands for.
    pub fn words(&self) -> impl Iterator<Item = Word> + use<> {
        let (expansion, word) = match self {
            Self::Macro(instruction) => (Some(instruction.words()), None),
            Self::Word(word) => (None, Some(*word)),
        };
        expansion.into_iter().flatten().chain(word)
    }
}

impl From<Macro> for Instruction {
    fn from(instruction: Macro) -> Self {
        Self::Macro(instruction)
    }
}

impl From<Word> for Instruction {
    fn from(word: Word) -> Self {
        Self::Word(word)
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Macro(instruction) => instruction.fmt(f),
            Self::Word(word) => word.fmt(f),
        }
    }
}

/// Why a line is no instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseInstructionError {
    /// Where in the line, in bytes from 0.
    pub column: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a line of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// Not of the form `name(operand,operand);`.
    Form,
    /// No instruction has that name.
    UnknownName,
    /// The instruction does not take that many operands.
    OperandCount,
    /// No such register, cell or direction.
    UnknownOperand,
    /// The operands do not fit the macro instruction.
    Macro(MacroError),
    /// The cells break a rule of the bus.
    Word(WordError),
}

impl fmt::Display for ParseInstructionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column + 1, self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form => f.write_str("expected an instruction such as `movx(B,A,east);`"),
            Self::UnknownName => f.write_str("no such instruction"),
            Self::OperandCount => f.write_str("the instruction does not take that many operands"),
            Self::UnknownOperand => f.write_str(
                "expected an analogue register, a direction (`north`, `east`, `south`, `west`), or in a word a cell (`NEWS`, `XN`, `XE`, `XS`, `XW`)",
            ),
            Self::Macro(error) => error.fmt(f),
            Self::Word(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ParseInstructionError {}

impl FromStr for Instruction {
    type Err = ParseInstructionError;

    /// Reads SCAMP-5 C spelling; blanks between tokens and the final semicolon are optional.
    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let at = |part: &str, problem| ParseInstructionError {
            column: part.as_ptr() as usize - line.as_ptr() as usize,
            problem,
        };
        let form = at(line, Problem::Form);
        let (name, rest) = line.trim().split_once('(').ok_or(form)?;
        let name = name.trim_end();
        let inside = rest.trim_end_matches(';').trim_end().strip_suffix(')').ok_or(form)?;
        let mut operands = [""; MAX_LISTED];
        let mut count = 0;
        for part in inside.split(',') {
            *operands.get_mut(count).ok_or(at(name, Problem::OperandCount))? = part.trim();
            count += 1;
        }
        let operands = &operands[..if inside.trim().is_empty() { 0 } else { count }];
        if let Some(destinations) = match name {
            "bus" => Some(1),
            "bus2" => Some(2),
            "bus3" => Some(3),
            _ => None,
        } {
            return word(operands, destinations, |part, problem| {
                at(if part.is_empty() { name } else { part }, problem)
            });
        }
        if !Op::ALL.iter().any(|op| op.name() == name) {
            return Err(at(name, Problem::UnknownName));
        }
        let op = Op::find(name, operands.len()).ok_or(at(name, Problem::OperandCount))?;
        let mut parsed = [Operand::Reg(Reg::A); Macro::MAX_OPERANDS];
        for (slot, &part) in parsed.iter_mut().zip(operands) {
            *slot = operand(part).ok_or(at(part, Problem::UnknownOperand))?;
        }
        Macro::new(op, &parsed[..operands.len()]).map(Self::Macro).map_err(|error| at(name, Problem::Macro(error)))
    }
}

/// More operands than any instruction has.
const MAX_LISTED: usize = Word::MAX_DESTINATIONS + Word::MAX_SOURCES;

fn operand(text: &str) -> Option<Operand> {
    let direction = Direction::ALL.into_iter().find(|direction| direction.name() == text);
    direction.map(Operand::Direction).or_else(|| text.parse().ok().map(Operand::Reg))
}

fn word(
    operands: &[&str],
    destinations: usize,
    at: impl Fn(&str, Problem) -> ParseInstructionError,
) -> Result<Instruction, ParseInstructionError> {
    let mut cells = [Cell::News; MAX_LISTED];
    for (cell, &part) in cells.iter_mut().zip(operands) {
        *cell = part.parse().map_err(|_| at(part, Problem::UnknownOperand))?;
    }
    let cells = &cells[..operands.len()];
    let (destinations, sources) = cells.split_at_checked(destinations).ok_or(at("", Problem::OperandCount))?;
    Word::new(destinations, sources).map(Instruction::Word).map_err(|error| at("", Problem::Word(error)))
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::{Instruction, Problem};
    use crate::WordError;
    use std::string::ToString;

    #[test]
    fn listings_read_as_they_print() {
        for line in [
            "diva(A,D,E);",
            "div(D,E,C,A);",
            "div(D,E,C);",
            "add(A,B,C,D);",
            "add2x(D,F,D,north,north);",
            "subx(B,F,east,A);",
            "res(A);",
            "bus(NEWS,A,B);",
            "bus(XW,A);",
            "bus2(B,NEWS,A);",
            "bus3(A,B,C,D);",
            "bus(A);",
        ] {
            assert_eq!(line.parse::<Instruction>().unwrap().to_string(), line);
        }
        assert_eq!(" movx ( B , A , east ) ".parse::<Instruction>().unwrap().to_string(), "movx(B,A,east);");
    }

    #[test]
    fn mistakes_are_found_where_they_are() {
        for (line, column, problem) in [
            ("movx(B,A,up);", 9, Problem::UnknownOperand),
            ("movx(B,A,east,east);", 0, Problem::OperandCount),
            ("mul(B,A);", 0, Problem::UnknownName),
            ("  movx B", 0, Problem::Form),
            ("bus(A, XX);", 7, Problem::UnknownOperand),
            ("bus2(A);", 0, Problem::OperandCount),
            ("bus();", 0, Problem::OperandCount),
            ("bus(A,A);", 0, Problem::Word(WordError::Repeated(crate::Reg::A))),
        ] {
            let error = line.parse::<Instruction>().unwrap_err();
            assert_eq!((error.column, error.problem), (column, problem), "{line}");
        }
    }
}
