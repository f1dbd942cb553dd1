//! Lines of a listing: macro instructions and words.

use core::fmt;
use core::str::FromStr;

use crate::word::native;
use crate::{
    Bit, Direction, Directions, Macro, MacroError, Op, Operand, OperandKind, ParseBitError, ParseCellError, Reg, Word,
    WordError,
};

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
    pub fn words(&self) -> impl Iterator<Item = Word> + Clone + use<> {
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
    /// Not what belongs in that place of a macro instruction.
    UnknownOperand(OperandKind),
    /// No analogue cell.
    UnknownCell,
    /// No digital register.
    UnknownDreg,
    /// No bit of a PE.
    UnknownBit,
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
            Self::UnknownOperand(kind) => write!(f, "expected {}", kind.wanted()),
            Self::UnknownCell => ParseCellError.fmt(f),
            Self::UnknownDreg => write!(f, "expected {}", OperandKind::BitResult.wanted()),
            Self::UnknownBit => ParseBitError.fmt(f),
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
        let Some(op) = Op::find(name, operands.len()) else {
            let known = Op::ALL.iter().any(|op| op.name() == name);
            let unknown = if known { Problem::OperandCount } else { Problem::UnknownName };
            return native::parse(name, operands)
                .unwrap_or(Err((None, unknown)))
                .map(Self::Word)
                .map_err(|(operand, problem)| at(operand.filter(|part| !part.is_empty()).unwrap_or(name), problem));
        };
        let mut parsed = [Operand::Reg(Reg::A); Macro::MAX_OPERANDS];
        for ((slot, &part), &kind) in parsed.iter_mut().zip(operands).zip(op.operands()) {
            *slot = operand(part, kind).ok_or(at(part, Problem::UnknownOperand(kind)))?;
        }
        Macro::new(op, &parsed[..operands.len()]).map(Self::Macro).map_err(|error| at(name, Problem::Macro(error)))
    }
}

/// More operands than any instruction has.
const MAX_LISTED: usize = Word::MAX_DESTINATIONS + Word::MAX_SOURCES;

fn operand(text: &str, kind: OperandKind) -> Option<Operand> {
    Some(match kind {
        OperandKind::Result | OperandKind::Source | OperandKind::Both => Operand::Reg(text.parse().ok()?),
        OperandKind::Direction => {
            Operand::Direction(Direction::ALL.into_iter().find(|direction| direction.name() == text)?)
        }
        OperandKind::BitResult | OperandKind::BitBoth => Operand::Bit(Bit::Reg(text.parse().ok()?)),
        OperandKind::BitSource => Operand::Bit(text.parse().ok()?),
        OperandKind::Directions => Operand::Directions(Directions::parse(text)?),
        OperandKind::Boundary => Operand::Boundary(match text {
            "0" => false,
            "1" => true,
            _ => return None,
        }),
        OperandKind::Times => Operand::Times(text.parse().ok().filter(|times| *times > 0)?),
    })
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::{Instruction, Problem};
    use crate::asm::{NEWS, XE, XW};
    use crate::{OperandKind, WordError};
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
            "bus(A,PIX,IN);",
            "where(A,NEWS);",
            "WHERE(R5,SELECT);",
            "all();",
            "rpix();",
            "nop();",
            "SET(R5,R6);",
            "MOV(R5,FLAG);",
            "NOR(R5,R6,R7,R8,R9);",
            "DNEWS1(R5,R6);",
            "blurset();",
            "blurh(NEWS,A);",
            "res(A,B);",
            "respix();",
            "get_image(A,B);",
            "newsblur(B,A);",
            "newsblurv(B,A,12);",
            "gauss(A,A,5);",
            "bus(A,XE,XW);",
            "bus(A,XN,XE,XS,XW);",
            "sq(A,B);",
            "NOT(R5);",
            "NOT(R5,R6);",
            "OR(R5,R6);",
            "OR(R5,R6,R7);",
            "MUX(R5,R6,R7,R8);",
            "DNEWS(R5,R6,north|west);",
            "DNEWS(R5,R6,east,1);",
            "PROP1();",
        ] {
            assert_eq!(line.parse::<Instruction>().unwrap().to_string(), line);
        }
        assert_eq!("MOV(S0,RP)".parse::<Instruction>().unwrap().to_string(), "MOV(R5,R12);");
        assert_eq!(" movx ( B , A , east ) ".parse::<Instruction>().unwrap().to_string(), "movx(B,A,east);");
    }

    #[test]
    fn mistakes_are_found_where_they_are() {
        for (line, column, problem) in [
            ("movx(B,A,up);", 9, Problem::UnknownOperand(OperandKind::Direction)),
            ("movx(B,A,east,east);", 0, Problem::OperandCount),
            ("mul(B,A);", 0, Problem::UnknownName),
            ("  movx B", 0, Problem::Form),
            ("bus(A, XX);", 7, Problem::UnknownCell),
            ("bus2(A);", 0, Problem::OperandCount),
            ("bus();", 0, Problem::OperandCount),
            ("AND(R5,FLAG,R13);", 12, Problem::UnknownOperand(OperandKind::BitSource)),
            ("AND(FLAG,R6,R7);", 4, Problem::UnknownOperand(OperandKind::BitResult)),
            ("SET(R5, A);", 8, Problem::UnknownDreg),
            ("OR(R5,R6,R7,A);", 12, Problem::UnknownBit),
            ("DNEWS(R5,R6,up);", 12, Problem::UnknownOperand(OperandKind::Directions)),
            ("PROP0(R5);", 0, Problem::OperandCount),
            ("newsblur(B,A,0);", 13, Problem::UnknownOperand(OperandKind::Times)),
            ("gauss(B,A,256);", 10, Problem::UnknownOperand(OperandKind::Times)),
            ("bus2(A,B,XE,XW);", 0, Problem::Word(WordError::NewsTwice(XE, XW))),
            ("bus(A,XE,B,XW);", 0, Problem::Word(WordError::NewsTwice(XE, XW))),
            ("bus(NEWS,XE,XW);", 0, Problem::Word(WordError::NewsTwice(NEWS, XE))),
            ("bus(A,XE,XE);", 0, Problem::Word(WordError::SourceTwice(XE))),
            ("sq();", 0, Problem::Word(WordError::TooFewRegisters)),
            ("sq(A,B,C);", 0, Problem::Word(WordError::TooManySources { max: 2 })),
            ("sq(A,XE);", 0, Problem::Word(WordError::NewsTwice(NEWS, XE))),
            ("NOT(R5,R6,R7);", 0, Problem::OperandCount),
            ("SET();", 0, Problem::Word(WordError::TooFewRegisters)),
            ("where(A,A);", 0, Problem::Word(WordError::Repeated(crate::Reg::A))),
            ("bus(PIX,A);", 0, Problem::Word(WordError::ReadOnly(crate::Cell::Pix))),
            ("MOV(R5,R5);", 0, Problem::Word(WordError::InPlace(crate::Dreg::ALL[5]))),
            ("bus(A,A);", 0, Problem::Word(WordError::Repeated(crate::Reg::A))),
        ] {
            let error = line.parse::<Instruction>().unwrap_err();
            assert_eq!((error.column, error.problem), (column, problem), "{line}");
        }
    }
}
