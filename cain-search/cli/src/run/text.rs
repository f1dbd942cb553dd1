//! Program texts as the vendor's compiler takes them: calls, comments, and where a kernel begins and ends.

use cain_codegen::diagnostic::{Diagnostic, Position, Positions};
use cain_isa::{Instruction, Machine, MachineError, Reg, Registers};

/// An instruction of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) instruction: Instruction,
    pub(crate) at: Position,
    /// Which kernel it belongs to, from 1; 0 in a text that does not say where kernels begin.
    pub(crate) kernel: usize,
}

/// A program as it stands in a text.
///
/// No declaration comes with it, so that it cannot be proved to compute one, and it may do what no prover follows. All that
/// is known is that the machine has its instructions and registers; the simulator finds out the rest.
#[derive(Debug)]
pub(crate) struct Unproved {
    pub(crate) steps: Vec<Step>,
}

impl Unproved {
    /// The instructions of each kernel; in a text that does not say where kernels begin, all of them.
    pub(crate) fn kernels(&self) -> impl Iterator<Item = &[Step]> {
        self.steps.chunk_by(|one, next| one.kernel == next.kernel)
    }

    /// How many macro instructions it has.
    pub(crate) fn macros(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step.instruction, Instruction::Macro(_))).count()
    }

    /// How many control words it stands for.
    pub(crate) fn icws(&self) -> usize {
        self.steps.iter().map(|step| step.instruction.words().count()).sum()
    }
}

/// The program of a text for a machine, or everything that is wrong with it.
pub(crate) fn parse(text: &str, machine: Machine) -> Result<Unproved, Vec<Diagnostic>> {
    // Some editors begin files with this mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (steps, mistakes) = (Vec::new(), Vec::new());
    let mut reader =
        Reader { text, positions: Positions::new(text), machine, steps, mistakes, kernel: Kernel::None, kernels: 0 };
    match without_comments(text) {
        Ok(code) => reader.read(&code),
        Err(start) => reader.mistake(start, "this comment is never closed; add `*/`"),
    }
    let Reader { steps, mistakes, .. } = reader;
    if mistakes.is_empty() { Ok(Unproved { steps }) } else { Err(mistakes) }
}

/// The text with blanks in place of comments, so that everything stays where it is; or where a comment begins that
/// does not end.
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

/// Whether the call is one of the vendor's library that no kernel takes.
fn is_of_controller(call: &str) -> bool {
    ["scamp5_", "vs_"].iter().any(|prefix| call.starts_with(prefix))
}

/// Why an instruction with that register is not taken.
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
        "`{reg}` is no analogue register of this machine, which has {known}; use one of these, or describe another \
         machine with --registers or --machine"
    )
}

/// Where an operand stands in a call, in bytes.
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

/// Where the reader is.
#[derive(Clone, Copy)]
enum Kernel {
    /// No kernel has begun yet.
    None,
    /// Within the one that begins at that byte.
    Open(usize),
    Closed,
}

struct Reader<'t> {
    text: &'t str,
    positions: Positions<'t>,
    machine: Machine,
    steps: Vec<Step>,
    mistakes: Vec<Diagnostic>,
    kernel: Kernel,
    /// How many kernels have begun.
    kernels: usize,
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
        if let Kernel::Open(begin) = self.kernel {
            self.mistake(begin, "this kernel never ends; add `scamp5_kernel_end();`");
        }
    }

    fn statement(&mut self, call: &str, at: usize) {
        // No call has another one inside, so that whatever follows the first `)` begins the next one.
        if let Some(end) = call.find(')').map(|end| end + 1).filter(|end| *end < call.len()) {
            return self.mistake(at + end, SEMICOLON);
        }
        let compact: String = call.split_whitespace().collect();
        match (compact.as_str(), self.kernel) {
            ("scamp5_kernel_begin()" | "scamp5_dynamic_kernel_begin()", Kernel::Open(_)) => {
                self.mistake(at, "a kernel begins within another; end that one first with `scamp5_kernel_end();`");
            }
            ("scamp5_kernel_begin()" | "scamp5_dynamic_kernel_begin()", kernel) => {
                if matches!(kernel, Kernel::None) && !self.steps.is_empty() {
                    self.mistake(at, "there are instructions before the kernel; move them behind this line");
                }
                self.kernel = Kernel::Open(at);
                self.kernels += 1;
            }
            ("scamp5_kernel_end()" | "scamp5_dynamic_kernel_end()", Kernel::Open(_)) => self.kernel = Kernel::Closed,
            ("scamp5_kernel_end()" | "scamp5_dynamic_kernel_end()", _) => {
                self.mistake(at, "no kernel has begun here; put `scamp5_kernel_begin();` before its instructions");
            }
            _ => self.instruction(call, at),
        }
    }

    fn instruction(&mut self, call: &str, at: usize) {
        if matches!(self.kernel, Kernel::Closed) {
            self.mistake(at, "this stands outside of a kernel; put it before `scamp5_kernel_end();`");
        }
        match call.parse() {
            Ok(instruction) => match self.machine.allows(&instruction) {
                Err(MachineError::Register(foreign)) => {
                    let place = at + place_of_operand(call, &foreign.to_string());
                    self.mistake(place, refusal(&self.machine, foreign));
                }
                Err(error) => self.mistake(at, error.to_string()),
                Ok(()) => self.steps.push(Step { instruction, at: self.positions.of(at), kernel: self.kernels }),
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

    /// The name or number at that byte.
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
    use super::{Machine, Step};

    fn parse(text: &str) -> Result<Vec<Step>, Vec<super::Diagnostic>> {
        super::parse(text, Machine::SCAMP5).map(|program| program.steps)
    }

    /// The instructions of a good text.
    fn good(text: &str) -> Vec<String> {
        parse(text).unwrap().iter().map(|step| step.instruction.to_string()).collect()
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
        let places: Vec<_> = parse(text).unwrap().iter().map(|step| step.at.to_string()).collect();
        assert_eq!(places, ["4:5", "4:43", "6:21", "9:5"]);
        let kernels: Vec<_> = parse(text).unwrap().iter().map(|step| step.kernel).collect();
        assert_eq!(kernels, [1, 1, 1, 2]);
        assert_eq!(good("bus(A,XE, XW); newsblur(B,A,2);"), ["bus(A,XE,XW);", "newsblur(B,A,2);"]);
    }

    #[test]
    fn mistakes_have_places() {
        for (text, expected) in [
            ("mov(B,A);\n  /* ü */ movx(B,G7,east);", "2:18: `G7`: expected an analogue register"),
            ("mov(B,A)\nmul(B,A);", "1:9: expected `;` after an instruction"),
            ("mul(B,A);", "1:1: `mul`: no such instruction"),
            ("mov( G , A);", "1:6: `G` is no analogue register of this machine, which has `A` to `F`"),
            ("bus(A,\n  NEWS, R5);", "2:9: `R5` is no analogue register of this machine"),
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
            ("scamp5_kernel_begin(); scamp5_kernel_end(); mov(B,A);", "1:45: this stands outside of a kernel"),
        ] {
            let found = bad(text);
            assert!(found.len() == 1 && found[0].starts_with(expected), "{text}: {found:?}");
        }
        assert_eq!(bad("mul(A);\nadd(A);").len(), 2);
    }
}
