//! Macro instructions with their operands.

use core::fmt;

use crate::definition::OperandKind;
use crate::{Direction, Op, Reg, Word, WordError};

impl Op {
    /// The name in listings. `add` and `div` are overloaded by their number of operands.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.definition().name
    }

    /// What each operand is, in the order of the listing.
    #[must_use]
    pub const fn operands(self) -> &'static [OperandKind] {
        self.definition().operands
    }

    /// The number of control words that the instruction stands for.
    #[must_use]
    pub const fn icws(self) -> usize {
        self.definition().words.len()
    }

    /// The instruction of that name with that number of operands.
    #[must_use]
    pub fn find(name: &str, operand_count: usize) -> Option<Self> {
        Self::ALL.iter().copied().find(|op| op.name() == name && op.operands().len() == operand_count)
    }
}

/// One operand of a macro instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A register.
    Reg(Reg),
    /// A direction.
    Direction(Direction),
}

impl From<Reg> for Operand {
    fn from(reg: Reg) -> Self {
        Self::Reg(reg)
    }
}

impl From<Direction> for Operand {
    fn from(direction: Direction) -> Self {
        Self::Direction(direction)
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reg(reg) => reg.fmt(f),
            Self::Direction(direction) => direction.fmt(f),
        }
    }
}

/// A macro instruction that the chip can run: the right operands, and every word of its expansion legal.
///
/// Which operands may name the same register follows from the expansion alone. `divq(B,B)` for example would
/// connect B twice to one bus.
///
/// ```
/// use cain_isa::{Macro, Op, Reg};
///
/// let halve = Macro::new(Op::Divq, &[Reg::B.into(), Reg::A.into()]).unwrap();
/// assert_eq!(halve.to_string(), "divq(B,A);");
/// assert_eq!(halve.words().len(), 2);
///
/// let error = Macro::new(Op::Divq, &[Reg::B.into(), Reg::B.into()]).unwrap_err();
/// assert_eq!(error.to_string(), "register `B` is connected twice to one bus; use another register for one of them");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Macro {
    op: Op,
    /// Only the first `op.operands().len()` count; the rest is `A`.
    operands: [Operand; Self::MAX_OPERANDS],
}

impl Macro {
    /// The most operands of any macro instruction.
    pub const MAX_OPERANDS: usize = 5;

    /// The instruction with these operands, in the order of the listing.
    pub const fn new(op: Op, operands: &[Operand]) -> Result<Self, MacroError> {
        let kinds = op.operands();
        if operands.len() != kinds.len() {
            return Err(MacroError::Count { op });
        }
        let mut instruction = Self { op, operands: [Operand::Reg(Reg::A); Self::MAX_OPERANDS] };
        let mut i = 0;
        while i < kinds.len() {
            let wants_direction = matches!(kinds[i], OperandKind::Direction);
            if wants_direction != matches!(operands[i], Operand::Direction(_)) {
                return Err(MacroError::Kind { op, position: i });
            }
            instruction.operands[i] = operands[i];
            i += 1;
        }
        let mut i = 0;
        while i < op.icws() {
            if let Some(rule) = instruction.word(i).broken_rule() {
                return Err(MacroError::Word(rule));
            }
            i += 1;
        }
        Ok(instruction)
    }

    const fn word(&self, i: usize) -> Word {
        self.op.definition().words[i].fill(&self.operands)
    }

    /// Which instruction this is.
    #[must_use]
    pub const fn op(&self) -> Op {
        self.op
    }

    /// The operands, in the order of the listing.
    #[must_use]
    pub fn operands(&self) -> &[Operand] {
        &self.operands[..self.op.operands().len()]
    }

    /// The control words that the instruction stands for.
    #[must_use]
    pub fn words(&self) -> impl ExactSizeIterator<Item = Word> + use<> {
        let instruction = *self;
        (0..instruction.op.icws()).map(move |i| instruction.word(i))
    }
}

impl fmt::Display for Macro {
    /// SCAMP-5 C spelling: `subx(B,F,east,A);`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.op.name())?;
        for (i, operand) in self.operands().iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            operand.fmt(f)?;
        }
        f.write_str(");")
    }
}

/// Why operands do not make a macro instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MacroError {
    /// Too many or too few operands.
    Count {
        /// The instruction.
        op: Op,
    },
    /// A register where a direction belongs, or the other way round.
    Kind {
        /// The instruction.
        op: Op,
        /// The operand, counted from 0.
        position: usize,
    },
    /// The expansion has a word that breaks a rule of the bus.
    Word(WordError),
}

impl fmt::Display for MacroError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { op } => write!(f, "`{}` takes {} operands", op.name(), op.operands().len()),
            Self::Kind { op, position } => {
                let wanted = match op.operands().get(*position) {
                    Some(OperandKind::Direction) => "a direction (`north`, `east`, `south` or `west`)",
                    _ => "an analogue register",
                };
                write!(f, "operand {} of `{}` must be {wanted}", position + 1, op.name())
            }
            Self::Word(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for MacroError {}

#[cfg(test)]
mod tests {
    use super::{Macro, Operand};
    use crate::{Direction, MacroError, Op, Reg, WordError};

    fn legal(op: Op, operands: &[Operand]) -> bool {
        Macro::new(op, operands).is_ok()
    }

    /// The aliasing column of the machine description, found again from the expansions.
    #[test]
    fn aliasing_rules_follow_from_the_expansions() {
        let [a, b, c] = [Reg::A, Reg::B, Reg::C].map(Operand::Reg);
        let east = Operand::Direction(Direction::East);
        assert!(legal(Op::Mov, &[a, a]));
        assert!(legal(Op::Add, &[a, a, b]) && legal(Op::Add, &[a, b, a]) && !legal(Op::Add, &[a, b, b]));
        assert!(legal(Op::Sub, &[a, a, b]) && legal(Op::Sub, &[a, b, b]) && !legal(Op::Sub, &[a, b, a]));
        assert!(!legal(Op::Neg, &[a, a]) && !legal(Op::Divq, &[a, a]));
        assert!(!legal(Op::Div, &[a, a, b]) && !legal(Op::Div, &[a, b, a]) && !legal(Op::Div, &[a, b, b]));
        assert!(legal(Op::DivCopy, &[a, b, c, c]));
        assert!(!legal(Op::DivCopy, &[a, b, c, a]) && !legal(Op::DivCopy, &[a, b, c, b]));
        assert!(!legal(Op::DivCopy, &[a, b, a, c]) && !legal(Op::DivCopy, &[a, b, b, c]));
        assert!(!legal(Op::Diva, &[a, b, b]) && !legal(Op::Diva, &[a, a, b]) && !legal(Op::Diva, &[a, b, a]));
        assert!(legal(Op::Movx, &[a, a, east]));
        assert!(legal(Op::Addx, &[a, a, b, east]) && !legal(Op::Addx, &[a, b, b, east]));
        assert!(legal(Op::Subx, &[a, a, east, b]) && legal(Op::Subx, &[a, b, east, b]));
        assert!(!legal(Op::Subx, &[a, b, east, a]) && !legal(Op::Subx, &[a, a, east, a]));
    }

    #[test]
    fn operands_are_checked() {
        let a = Operand::Reg(Reg::A);
        assert_eq!(Macro::new(Op::Mov, &[a]), Err(MacroError::Count { op: Op::Mov }));
        assert_eq!(Macro::new(Op::Movx, &[a, a, a]), Err(MacroError::Kind { op: Op::Movx, position: 2 }));
        assert_eq!(Macro::new(Op::Neg, &[a, a]), Err(MacroError::Word(WordError::Repeated(Reg::A))));
    }

    #[test]
    fn counts_of_words() {
        for &op in Op::ALL {
            let expected = if matches!(op, Op::Div | Op::DivCopy | Op::Diva) { 5 } else { 2 };
            assert_eq!(op.icws(), expected, "{}", op.name());
        }
    }
}
