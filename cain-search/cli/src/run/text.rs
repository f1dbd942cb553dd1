//! Parses program texts in the vendor's format: calls, comments, and kernel blocks from `scamp5_kernel_begin();` to
//! `scamp5_kernel_end();`.

use cain_codegen::diagnostic::{Diagnostic, Position, Positions};
use cain_codegen::text_file;
use cain_isa::{Instruction, Machine, MachineError, Reg, Registers};

/// An instruction in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    pub(crate) instruction: Instruction,
    pub(crate) at: Position,
    /// The number of its kernel block, from 1; 0 in a text without blocks.
    pub(crate) block: usize,
}

/// A program given as a text.
///
/// Without a declaration there is nothing to prove about it, and it may use instructions that the prover does not
/// model. Only its instructions and registers are checked against the machine; the simulator checks the rest.
#[derive(Debug)]
pub(crate) struct Unproved {
    pub(crate) statements: Vec<Statement>,
}

impl Unproved {
    /// The instructions of each kernel block; all of them if there are no blocks.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = &[Statement]> {
        self.statements.chunk_by(|one, next| one.block == next.block)
    }

    /// The number of macro instructions.
    pub(crate) fn macros(&self) -> usize {
        self.statements.iter().filter(|statement| matches!(statement.instruction, Instruction::Macro(_))).count()
    }

    /// The number of control words that the program expands to.
    pub(crate) fn icws(&self) -> usize {
        self.statements.iter().map(|statement| statement.instruction.icws()).sum()
    }
}

/// Parses a text for a machine; the error lists all its mistakes.
pub(crate) fn parse(text: &str, machine: Machine) -> Result<Unproved, Vec<Diagnostic>> {
    let text = text_file::without_mark(text);
    let (statements, mistakes) = (Vec::new(), Vec::new());
    let mut reader =
        Reader { text, positions: Positions::new(text), machine, statements, mistakes, block: Block::None, blocks: 0 };
    match without_comments(text) {
        Ok(code) => reader.read(&code),
        Err(start) => reader.mistake(start, "this comment is never closed; add `*/`"),
    }
    let Reader { statements, mistakes, .. } = reader;
    if mistakes.is_empty() { Ok(Unproved { statements }) } else { Err(mistakes) }
}

/// The text with spaces in place of comments, so that positions do not change; or the place where an unclosed comment
/// begins.
fn without_comments(text: &str) -> Result<String, usize> {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        let (before, comment) = rest.split_at(start);
        let length = if comment.starts_with("//") {
            comment.find('\n').unwrap_or(comment.len())
        } else {
            let opening = 2;
            let inside = comment.get(opening..).unwrap_or_default();
            inside.find("*/").ok_or(text.len() - comment.len())? + opening + 2
        };
        let (comment, after) = comment.split_at(length);
        code.push_str(before);
        code.extend(comment.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        rest = after;
    }
    code.push_str(rest);
    Ok(code)
}

const SEMICOLON: &str = "expected `;` after an instruction";
const CONTROLLER: &str = "this is a function of the controller, and only kernels can be run; leave it out";

/// Whether the call is a function of the vendor's library that does not belong in kernels.
fn is_of_controller(call: &str) -> bool {
    ["scamp5_", "vs_"].iter().any(|prefix| call.starts_with(prefix))
}

/// The message for a register that the machine does not have.
pub(crate) fn refusal(machine: &Machine, reg: Reg) -> String {
    let registers = machine.registers;
    let last = registers.iter().next_back().unwrap_or(Reg::A);
    let is_first = u16::try_from(registers.len()).is_ok_and(|count| Registers::first(count) == registers);
    let known = if is_first {
        format!("`A` to `{last}`")
    } else {
        registers.iter().map(|reg| format!("`{reg}`")).collect::<Vec<_>>().join(", ")
    };
    format!(
        "`{reg}` is not an analogue register of this machine, which has {known}; use one of these, or describe another \
         machine with --registers or --machine"
    )
}

/// The position of an operand in a call, in bytes.
fn place_of_operand(call: &str, operand: &str) -> usize {
    let mut start = call.find('(').map_or(0, |open| open + 1);
    for part in call.get(start..).unwrap_or_default().split([',', ')']) {
        if part.trim() == operand {
            return start + (part.len() - part.trim_start().len());
        }
        start += part.len() + 1;
    }
    0
}

/// The position of the reader relative to kernel blocks.
#[derive(Clone, Copy)]
enum Block {
    /// Before the first block.
    None,
    /// In the block that begins at this byte.
    Open(usize),
    Closed,
}

struct Reader<'t> {
    text: &'t str,
    positions: Positions<'t>,
    machine: Machine,
    statements: Vec<Statement>,
    mistakes: Vec<Diagnostic>,
    block: Block,
    /// The number of blocks that have begun.
    blocks: usize,
}

impl Reader<'_> {
    fn read(&mut self, code: &str) {
        let mut start = 0;
        for part in code.split_inclusive(';') {
            let statement = part.trim();
            let at = start + (part.len() - part.trim_start().len());
            start += part.len();
            match statement.strip_suffix(';') {
                Some(call) if call.trim().is_empty() => {}
                Some(call) => self.statement(call.trim_end(), at),
                None if statement.is_empty() => {}
                None => self.mistake(at + statement.len(), SEMICOLON),
            }
        }
        if let Block::Open(begin) = self.block {
            self.mistake(begin, "this kernel never ends; add `scamp5_kernel_end();`");
        }
    }

    fn statement(&mut self, call: &str, at: usize) {
        // Calls are not nested, so whatever follows the first `)` begins the next one.
        if let Some(end) = call.find(')').map(|end| end + 1).filter(|end| *end < call.len()) {
            return self.mistake(at + end, SEMICOLON);
        }
        let compact: String = call.split_whitespace().collect();
        match (compact.as_str(), self.block) {
            ("scamp5_kernel_begin()" | "scamp5_dynamic_kernel_begin()", Block::Open(_)) => {
                self.mistake(at, "a kernel begins within another; end that one first with `scamp5_kernel_end();`");
            }
            ("scamp5_kernel_begin()" | "scamp5_dynamic_kernel_begin()", block) => {
                if matches!(block, Block::None) && !self.statements.is_empty() {
                    self.mistake(at, "there are instructions before the kernel; move them below this line");
                }
                self.block = Block::Open(at);
                self.blocks += 1;
            }
            ("scamp5_kernel_end()" | "scamp5_dynamic_kernel_end()", Block::Open(_)) => self.block = Block::Closed,
            ("scamp5_kernel_end()" | "scamp5_dynamic_kernel_end()", _) => {
                self.mistake(at, "no kernel has begun here; put `scamp5_kernel_begin();` before its instructions");
            }
            _ => self.instruction(call, at),
        }
    }

    fn instruction(&mut self, call: &str, at: usize) {
        if matches!(self.block, Block::Closed) {
            self.mistake(at, "this is outside of a kernel; put it before `scamp5_kernel_end();`");
        }
        match call.parse() {
            Ok(instruction) => match self.machine.allows(&instruction) {
                Err(MachineError::Register(foreign)) => {
                    let place = at + place_of_operand(call, &foreign.to_string());
                    self.mistake(place, refusal(&self.machine, foreign));
                }
                Err(error) => self.mistake(at, error.to_string()),
                Ok(()) => {
                    self.statements.push(Statement { instruction, at: self.positions.of(at), block: self.blocks });
                }
            },
            Err(cain_isa::ParseInstructionError { kind: cain_isa::InstructionErrorKind::UnknownName, .. })
                if is_of_controller(call) =>
            {
                self.mistake(at, CONTROLLER);
            }
            Err(error) => {
                let cain_isa::ParseInstructionError { column, kind } = error;
                let message = match self.word(at + column) {
                    Some(word) => format!("`{word}`: {kind}"),
                    None => kind.to_string(),
                };
                self.mistake(at + column, message);
            }
        }
    }

    /// The name or number at this byte.
    fn word(&self, at: usize) -> Option<&str> {
        let rest = self.text.get(at..)?;
        let end = rest.find(|character: char| !(character.is_alphanumeric() || character == '_')).unwrap_or(rest.len());
        rest.get(..end).filter(|word| !word.is_empty())
    }

    fn mistake(&mut self, at: usize, message: impl Into<String>) {
        let problem = Diagnostic { place: self.positions.of(at), message: message.into() };
        self.mistakes.push(problem);
    }
}

#[cfg(test)]
mod tests {
    use super::{Machine, Statement};

    fn parse(text: &str) -> Result<Vec<Statement>, Vec<super::Diagnostic>> {
        super::parse(text, Machine::SCAMP5).map(|program| program.statements)
    }

    /// The instructions of a good text.
    fn good(text: &str) -> Vec<String> {
        parse(text).unwrap().iter().map(|statement| statement.instruction.to_string()).collect()
    }

    /// The mistakes of a bad text.
    fn bad(text: &str) -> Vec<String> {
        parse(text).unwrap_err().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn calls_comments_and_kernels() {
        let text = "\
// The slope; not movx(A,A,up);
scamp5_kernel_begin();

    movx(B, A, /* the right one */ east); sub(B,
        B,A); /* über
    // two lines */ NOT(R5, FLAG);;
scamp5_kernel_end();
scamp5_kernel_begin();
    bus2(C,NEWS, A);
scamp5_kernel_end ( ) ; // done";
        assert_eq!(good(text), ["movx(B,A,east);", "sub(B,B,A);", "NOT(R5,FLAG);", "bus2(C,NEWS,A);"]);
        assert_eq!(good("mov(B,A);"), ["mov(B,A);"]);
        assert_eq!(good("\u{feff}mov(B,A);"), ["mov(B,A);"]);
        assert!(good(" // nothing\n/**/").is_empty());
        let places: Vec<_> = parse(text).unwrap().iter().map(|statement| statement.at.to_string()).collect();
        assert_eq!(places, ["4:5", "4:43", "6:21", "9:5"]);
        let blocks: Vec<_> = parse(text).unwrap().iter().map(|statement| statement.block).collect();
        assert_eq!(blocks, [1, 1, 1, 2]);
        assert_eq!(good("bus(A,XE, XW); newsblur(B,A,2);"), ["bus(A,XE,XW);", "newsblur(B,A,2);"]);
    }

    #[test]
    fn mistakes_have_places() {
        for (text, expected) in [
            ("mov(B,A);\n  /* ü */ movx(B,G7,east);", "2:18: `G7`: expected an analogue register"),
            ("mov(B,A)\nmul(B,A);", "1:9: expected `;` after an instruction"),
            ("mul(B,A);", "1:1: `mul`: no such instruction"),
            ("mov( G , A);", "1:6: `G` is not an analogue register of this machine, which has `A` to `F`"),
            ("bus(A,\n  NEWS, R5);", "2:9: `R5` is not an analogue register of this machine"),
            ("\u{feff}mul(B,A);", "1:1: `mul`: no such instruction"),
            ("mov(B,A);\u{feff}", "1:11: expected `;`"),
            ("scamp5_in(A, 30);", "1:1: this is a function of the controller"),
            ("bus(A,XE,B,XW);", "1:1: `bus`: `XE` and `XW` are both NEWS"),
            ("AND(R5,R0,R6);", "1:1: `AND`: operand 2 of `AND` is overwritten"),
            ("divq(B,B);", "1:1: `divq`: register `B` is connected twice to one bus"),
            ("neg(C,C);", "1:1: `neg`: register `C` is connected twice to one bus"),
            ("mov(B,A)", "1:9: expected `;` after an instruction"),
            ("mov(B,A); /* open", "1:11: this comment is never closed; add `*/`"),
            ("scamp5_kernel_begin();\nmov(B,A);", "1:1: this kernel never ends"),
            ("scamp5_kernel_end();", "1:1: no kernel has begun here"),
            ("scamp5_kernel_begin(); scamp5_kernel_begin(); scamp5_kernel_end();", "1:24: a kernel begins within"),
            ("mov(B,A); scamp5_kernel_begin(); scamp5_kernel_end();", "1:11: there are instructions before"),
            ("scamp5_kernel_begin(); scamp5_kernel_end(); mov(B,A);", "1:45: this is outside of a kernel"),
        ] {
            let found = bad(text);
            assert!(found.len() == 1 && found[0].starts_with(expected), "{text}: {found:?}");
        }
        assert_eq!(bad("mul(A);\nadd(A);").len(), 2);
    }
}
