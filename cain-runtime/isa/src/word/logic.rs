//! Words of the digital part.

use core::fmt;

use super::WordError;
use crate::{Bit, Dreg};

/// A control word that writes digital registers from bits of the same PE.
///
/// FLAG does not affect it. `R12` is written only where `R0` is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Logic {
    operation: Operation,
    targets: [Dreg; Self::MAX_OPERANDS],
    target_count: u8,
    sources: [Bit; Self::MAX_OPERANDS],
    source_count: u8,
}

/// The operation of a [`Logic`] word.
///
/// One word cannot both read and write a register. In-place instructions therefore use two: the first leaves its result
/// on the PE's digital bus (`Hold..`), the second writes it from there (`Store..`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `SET`: sets the targets to 1.
    Set,
    /// `CLR`: sets the targets to 0.
    Clr,
    /// `MOV` and `OR`: sets the target to the OR of the sources.
    Or,
    /// `NOT` and `NOR`: sets the target to 1 where all sources are 0, and to 0 elsewhere.
    Nor,
    /// The first word of an in-place `OR`.
    HoldOr,
    /// The second word of an in-place `OR`.
    StoreOr,
    /// The first word of an in-place `NOT` or `NOR`.
    HoldNor,
    /// The second word of an in-place `NOT` or `NOR`.
    StoreNor,
    /// The first word of `REFRESH`.
    HoldRefresh,
    /// The second word of `REFRESH`.
    StoreRefresh,
}

/// The path of the bits in a [`Logic`] word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// From the sources into the targets.
    Direct,
    /// From the sources onto the digital bus of the PE, which holds them until the next word.
    ToBus,
    /// From the bus into the targets.
    FromBus,
}

impl Operation {
    /// The name in listings; the words of in-place instructions have no names in the vendor's library.
    const fn name(self, sources: u8) -> &'static str {
        match self {
            Self::Set => "SET",
            Self::Clr => "CLR",
            Self::Or if sources == 1 => "MOV",
            Self::Or => "OR",
            Self::Nor if sources == 1 => "NOT",
            Self::Nor => "NOR",
            Self::HoldOr => "hold_or",
            Self::StoreOr => "store_or",
            Self::HoldNor => "hold_nor",
            Self::StoreNor => "store_nor",
            Self::HoldRefresh => "hold_refresh",
            Self::StoreRefresh => "store_refresh",
        }
    }

    /// The most targets, and whether the word has sources.
    const fn form(self) -> (usize, bool) {
        match self {
            Self::Set | Self::Clr => (Logic::MAX_OPERANDS, false),
            Self::Or | Self::Nor => (1, true),
            Self::HoldOr | Self::HoldNor | Self::HoldRefresh => (0, true),
            Self::StoreOr | Self::StoreNor | Self::StoreRefresh => (1, false),
        }
    }
}

impl Logic {
    /// The most targets (`SET`, `CLR`) and the most sources (`OR`, `NOR`) that a word has.
    pub const MAX_OPERANDS: usize = 4;

    /// The word with this operation and these operands, if there is one.
    pub const fn new(operation: Operation, targets: &[Dreg], sources: &[Bit]) -> Result<Self, WordError> {
        let (most, reads) = operation.form();
        if targets.len() > most || sources.len() > Self::MAX_OPERANDS {
            return Err(WordError::TooManyRegisters);
        }
        if !reads && !sources.is_empty() {
            return Err(WordError::TooManyRegisters);
        }
        let word = Self::assemble(operation, targets, sources);
        match word.broken_rule() {
            Some(error) => Err(error),
            None => Ok(word),
        }
    }

    /// Assembles a word without checking the rules; lists beyond the limits are truncated.
    pub(crate) const fn assemble(operation: Operation, targets: &[Dreg], sources: &[Bit]) -> Self {
        let mut word = Self {
            operation,
            targets: [Dreg::ALL[0]; Self::MAX_OPERANDS],
            target_count: 0,
            sources: [Bit::Flag; Self::MAX_OPERANDS],
            source_count: 0,
        };
        let mut i = 0;
        while i < targets.len() && i < Self::MAX_OPERANDS {
            word.targets[i] = targets[i];
            word.target_count += 1;
            i += 1;
        }
        let mut i = 0;
        while i < sources.len() && i < Self::MAX_OPERANDS {
            word.sources[i] = sources[i];
            word.source_count += 1;
            i += 1;
        }
        word
    }

    /// The first rule that the word breaks: it must not read a register that it writes, and it needs all its operands.
    pub(crate) const fn broken_rule(&self) -> Option<WordError> {
        let (targets, reads) = self.operation.form();
        if (targets > 0 && self.target_count == 0) || (reads && self.source_count == 0) {
            return Some(WordError::TooFewRegisters);
        }
        let mut t = 0;
        while t < self.target_count as usize {
            let mut s = 0;
            while s < self.source_count as usize {
                if self.sources[s].is(self.targets[t]) {
                    return Some(WordError::InPlace(self.targets[t]));
                }
                s += 1;
            }
            t += 1;
        }
        None
    }

    /// The operation of the word.
    #[must_use]
    pub const fn operation(&self) -> Operation {
        self.operation
    }

    /// Whether the word delivers the complement of the OR of its sources; without sources that OR is 0.
    #[must_use]
    pub const fn inverts(&self) -> bool {
        matches!(self.operation, Operation::Set | Operation::Nor | Operation::HoldNor)
    }

    /// The path of the bits that the word delivers.
    #[must_use]
    pub const fn path(&self) -> Path {
        match self.operation {
            Operation::Set | Operation::Clr | Operation::Or | Operation::Nor => Path::Direct,
            Operation::HoldOr | Operation::HoldNor | Operation::HoldRefresh => Path::ToBus,
            Operation::StoreOr | Operation::StoreNor | Operation::StoreRefresh => Path::FromBus,
        }
    }

    /// The registers that are written.
    #[must_use]
    pub fn targets(&self) -> &[Dreg] {
        &self.targets[..usize::from(self.target_count)]
    }

    /// The bits that are read.
    #[must_use]
    pub fn sources(&self) -> &[Bit] {
        &self.sources[..usize::from(self.source_count)]
    }
}

impl fmt::Display for Logic {
    /// Writes the vendor's spelling, targets first: `NOR(R5,R6,R7);`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.operation.name(self.source_count))?;
        let mut separator = "";
        for bit in self.targets().iter().map(|&target| Bit::Reg(target)).chain(self.sources().iter().copied()) {
            write!(f, "{separator}{bit}")?;
            separator = ",";
        }
        f.write_str(");")
    }
}
