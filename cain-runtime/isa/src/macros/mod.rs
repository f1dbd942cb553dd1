//! Macro instructions with their operands.

mod error;
#[cfg(test)]
mod tests;

use core::fmt;

use crate::definition::Definition;
use crate::template::{Slot, Template};
use crate::{Op, Operand, OperandKind, Reg, Renaming, Word};

pub use error::MacroError;

impl Op {
    /// The name in listings. Some names are overloaded by their number of operands, such as `add` and `div`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.definition().name
    }

    /// The kind of each operand, in the order of the listing.
    #[must_use]
    pub const fn operands(self) -> &'static [OperandKind] {
        self.definition().operands
    }

    /// The number of control words of its expansion; if an operand repeats them, of a single round.
    #[must_use]
    pub const fn icws(self) -> usize {
        self.definition().words.len()
    }

    /// The instruction with this name and number of operands.
    #[must_use]
    pub fn find(name: &str, operand_count: usize) -> Option<Self> {
        Self::ALL.iter().copied().find(|op| op.name() == name && op.operands().len() == operand_count)
    }
}

/// A macro instruction that the chip can run: it has the right operands, every word of its expansion is legal, and
/// nothing is overwritten that is still to be read.
///
/// The expansion alone decides which operands may name the same register. For example, `divq(B,B)` would connect B
/// twice to one bus, and `AND(R5,R0,R6)` would set R0 before reading it.
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
    definition: &'static Definition,
    /// The operands, of which only as many count as the definition has; the others are `A`.
    operands: [Operand; Self::MAX_OPERANDS],
}

impl Macro {
    /// The most operands that a macro instruction has.
    pub const MAX_OPERANDS: usize = {
        let mut most = 0;
        let mut i = 0;
        while i < Op::ALL.len() {
            let count = Op::ALL[i].operands().len();
            if count > most {
                most = count;
            }
            i += 1;
        }
        most
    };

    /// The instruction with these operands, in the order of the listing.
    pub const fn new(op: Op, operands: &[Operand]) -> Result<Self, MacroError> {
        let definition = op.definition();
        let kinds = definition.operands;
        if operands.len() != kinds.len() {
            return Err(MacroError::Count { op });
        }
        let mut instruction = Self { definition, operands: [Operand::Reg(Reg::A); Self::MAX_OPERANDS] };
        let mut i = 0;
        while i < kinds.len() {
            if !operands[i].fits(kinds[i]) {
                return Err(MacroError::Kind { op, position: i });
            }
            instruction.operands[i] = operands[i];
            i += 1;
        }
        let count = definition.distinct_words();
        let mut i = 0;
        while i < count {
            if let Some(rule) = definition.distinct_word(i).fill(operands).broken_rule() {
                return Err(MacroError::Word(rule));
            }
            i += 1;
        }
        match instruction.overwritten() {
            Some(error) => Err(error),
            None => Ok(instruction),
        }
    }

    /// The same instruction on other registers.
    pub(crate) const fn renamed(mut self, renaming: Renaming<'_>) -> Self {
        let mut i = 0;
        while i < self.definition.operands.len() {
            if let Operand::Reg(reg) = self.operands[i] {
                self.operands[i] = Operand::Reg(renaming.reg(reg));
            }
            i += 1;
        }
        self
    }

    /// The first operand whose register the expansion itself uses at the same time.
    const fn overwritten(&self) -> Option<MacroError> {
        let definition = self.definition;
        let (count, gates) = (definition.distinct_words(), definition.uses_r0());
        let mut i = 0;
        while i < count {
            let word = definition.distinct_word(i);
            let mut s = 0;
            while s < word.sources.len() {
                if let Some(position) = self.foreign_writer(i, word.sources[s]) {
                    return Some(MacroError::Overwritten { op: definition.op, position });
                }
                s += 1;
            }
            let mut d = 0;
            while gates && d < word.destinations.len() {
                if let Slot::Operand(position) = word.destinations[d]
                    && self.operands[position].is_r12()
                {
                    return Some(MacroError::Gated { op: definition.op, position });
                }
                d += 1;
            }
            i += 1;
        }
        None
    }

    /// The operand concerned if the register that `read` names in a word was last written under another name.
    const fn foreign_writer(&self, word: usize, read: Slot) -> Option<usize> {
        let mut i = word;
        while i > 0 {
            i -= 1;
            let written = self.definition.distinct_word(i).destinations;
            let mut d = 0;
            while d < written.len() {
                if written[d].is_same_register(read, &self.operands) {
                    return match (read, written[d]) {
                        _ if read.is_same_place(written[d]) => None,
                        (Slot::Operand(position), _) | (_, Slot::Operand(position)) => Some(position),
                        _ => None,
                    };
                }
                d += 1;
            }
        }
        None
    }

    /// The i-th word of the expansion, counted across rounds.
    pub(crate) const fn word(&self, i: usize) -> Word {
        self.template(i).fill(&self.operands)
    }

    /// What that word is made of.
    const fn template(&self, i: usize) -> &'static Template {
        let Definition { words, again, .. } = self.definition;
        if i < words.len() { &words[i] } else { &again[(i - words.len()) % again.len()] }
    }

    /// The number of control words of the expansion.
    #[must_use]
    pub const fn icws(&self) -> usize {
        let mut rounds = 1;
        let mut i = 0;
        while i < self.operands.len() {
            if let Operand::Times(times) = self.operands[i] {
                rounds = times as usize;
            }
            i += 1;
        }
        self.definition.words.len() + (rounds - 1) * self.definition.again.len()
    }

    /// The instruction, without its operands.
    #[must_use]
    pub const fn op(&self) -> Op {
        self.definition.op
    }

    /// The operands, in the order of the listing.
    #[must_use]
    pub fn operands(&self) -> &[Operand] {
        &self.operands[..self.definition.operands.len()]
    }

    /// The control words of the expansion, in order.
    #[must_use]
    pub fn words(&self) -> impl ExactSizeIterator<Item = Word> + Clone + use<> {
        let instruction = *self;
        (0..instruction.icws()).map(move |i| instruction.word(i))
    }
}

impl fmt::Display for Macro {
    /// Writes SCAMP-5 C spelling: `subx(B,F,east,A);`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.definition.name)?;
        for (i, operand) in self.operands().iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            operand.fmt(f)?;
        }
        f.write_str(");")
    }
}
