//! Points where a program may be left for others, and how to leave it there.

use crate::word::Sum;
use crate::{Bit, Bits, Bus, Cell, Cells, Dreg, Logic, Operation, Reg, Word};

/// The points where a program may be left for others that overwrite certain cells, as constant data.
///
/// The array has no memory but its registers. A program can be left where everything that it still needs lies outside
/// the cells that the others overwrite, or can be moved out of their way, or can be computed again from what remains.
/// FLAG is 1 in every PE when the others begin, and must be 1 when they end.
///
/// A program with several others has several tables, in the order of how much the others overwrite, largest first. At
/// each place, the first table that has a point there is used, so later tables contain only additional points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Switches<'a> {
    /// The cells that the others may overwrite.
    pub others: Cells,
    /// The points, in the order of the program.
    pub points: &'a [SwitchPoint<'a>],
    /// The most control words from a request until the others begin, wherever the program is: the rest of the way to
    /// the next point, and moving values there. This counts the points of earlier tables too. It does not include the
    /// time of other tasks that come first.
    pub latency: u32,
}

/// A point between two instructions where a program may be left.
///
/// When the program [leaves](Self::leaving), values that the others would overwrite are moved and FLAG is set in every
/// PE; when it [comes back](Self::returning), they are moved back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SwitchPoint<'a> {
    /// The number of instructions of the program carried out so far. In a program of a controller's steps, each step
    /// that is not a program of words counts as one instruction. The boundaries within a loop or a decision count too, in the
    /// order in which they are written: first those before it, then those of its two bodies, each with one at its end.
    pub at: u32,
    /// The instruction from which the program continues: the next one, or an earlier one whose inputs are all still
    /// available.
    pub resume: u32,
    /// The values that are moved out of the way of the others, and back when they have ended.
    pub kept: &'a [Kept],
    /// The bits that are moved out of the way of the others, and back.
    pub bits: &'a [KeptBit],
    /// The planes of two levels that are turned into bits, and back into planes.
    pub levels: &'a [KeptLevels],
    /// Whether FLAG may be 0 in some PEs, so that it has to be set for the others.
    pub sets_flag: bool,
    /// The control words that an interruption here costs, for moving values away and back and for computing some again.
    pub extra: u32,
}

impl<'a> SwitchPoint<'a> {
    /// The same point with these bits kept, and with FLAG set for the others or not.
    #[must_use]
    pub const fn with_bits(self, bits: &'a [KeptBit], sets_flag: bool) -> Self {
        Self { bits, sets_flag, ..self }
    }

    /// The same point with these planes kept as bits.
    #[must_use]
    pub const fn with_levels(self, levels: &'a [KeptLevels]) -> Self {
        Self { levels, ..self }
    }

    /// The steps that make room for the others. Bits come first: FLAG is one of them, and affects what is written.
    pub fn leaving(&self) -> impl Iterator<Item = SwitchStep> + use<'a> {
        let bits = self.bits.iter().map(KeptBit::save);
        let flag = self.sets_flag.then_some(Word::All);
        let words = bits.chain(flag).chain(self.kept.iter().map(Kept::save)).map(SwitchStep::Word);
        words.chain(self.levels.iter().copied().flat_map(KeptLevels::save))
    }

    /// The steps that restore everything when the others have ended, FLAG last.
    pub fn returning(&self) -> impl Iterator<Item = SwitchStep> + use<'a> {
        let words = self.kept.iter().map(Kept::restore).chain(self.bits.iter().map(KeptBit::restore));
        self.levels.iter().copied().flat_map(KeptLevels::restore).chain(words.map(SwitchStep::Word))
    }
}

/// A step by which a controller leaves a program or comes back to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchStep {
    /// Has a word carried out.
    Word(Word),
    /// Sets the level of `IN`, in DN. The previous level is lost.
    Level(i8),
}

impl SwitchStep {
    /// The word, if the step is one.
    #[must_use]
    pub const fn word(self) -> Option<Word> {
        match self {
            Self::Word(word) => Some(word),
            Self::Level(_) => None,
        }
    }
}

/// A bit that is kept in another digital register while others use its own. It costs one word each way and comes back as
/// it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct KeptBit {
    /// The place of the bit in the program: a digital register, or FLAG, which is the last bit of a point.
    pub home: Bit,
    /// The register that keeps it.
    pub register: Dreg,
}

impl KeptBit {
    /// The word that moves the bit out of the way.
    #[must_use]
    pub const fn save(&self) -> Word {
        Word::Logic(Logic::assemble(Operation::Or, &[self.register], &[self.home]))
    }

    /// The word that moves it back.
    #[must_use]
    pub const fn restore(&self) -> Word {
        match self.home {
            Bit::Reg(home) => Word::Logic(Logic::assemble(Operation::Or, &[home], &[Bit::Reg(self.register)])),
            Bit::Flag | Bit::Select | Bit::Rect => Word::WhereBits(Bits::assemble(&[Bit::Reg(self.register)])),
        }
    }
}

/// A value that is kept in another register while others use its own.
///
/// A control word inverts what it writes and adds an error to it; the second one, on the way back, inverts again and
/// removes the same error. So a value costs one word each way, and comes back as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Kept {
    /// The register that holds the value in the program; `None` stands for NEWS.
    pub home: Option<Reg>,
    /// The register that keeps it.
    pub register: Reg,
}

impl Kept {
    /// The word that moves the value out of the way.
    #[must_use]
    pub const fn save(&self) -> Word {
        Word::Bus(Bus::assemble(&[Cell::Reg(self.register)], &[self.home()]))
    }

    /// The word that moves it back.
    #[must_use]
    pub const fn restore(&self) -> Word {
        Word::Bus(Bus::assemble(&[self.home()], &[Cell::Reg(self.register)]))
    }

    const fn home(self) -> Cell {
        match self.home {
            Some(reg) => Cell::Reg(reg),
            None => Cell::News,
        }
    }
}

/// A plane that holds one of two levels in every PE, kept as a bit while others use its register.
///
/// A comparison with the mean of both levels writes the bit, and the plane is filled again from it: three words to save
/// it, four to restore it. Neither the errors of saving and restoring nor earlier errors remain in the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct KeptLevels {
    /// The register that holds the plane in the program.
    pub home: Reg,
    /// The register of the bit.
    pub register: Dreg,
    /// The lower level, in DN; above −128, since `IN` is inverted when it is used.
    pub low: i8,
    /// The higher level, in DN.
    pub high: i8,
}

impl KeptLevels {
    /// The number of control words for saving and restoring.
    pub const WORDS: u32 = 7;
    /// The least distance between the levels, in DN: several times the error that a chip adds to a value and to a
    /// comparison.
    pub const LEAST_DISTANCE: i16 = 16;

    /// The steps that write the bit and leave FLAG at 1 in every PE.
    fn save(self) -> [SwitchStep; 4] {
        let mean = self.low.midpoint(self.high);
        let is_high = Word::Where(Sum::assemble(&[Cell::Reg(self.home), Cell::In]));
        let keep = Word::Logic(Logic::assemble(Operation::Or, &[self.register], &[Bit::Flag]));
        [SwitchStep::Level(-mean), SwitchStep::Word(is_high), SwitchStep::Word(keep), SwitchStep::Word(Word::All)]
    }

    /// The steps that restore the plane from the bit and leave FLAG at 1 in every PE.
    fn restore(self) -> [SwitchStep; 6] {
        let fill = SwitchStep::Word(Word::Bus(Bus::assemble(&[Cell::Reg(self.home)], &[Cell::In])));
        let is_high = SwitchStep::Word(Word::WhereBits(Bits::assemble(&[Bit::Reg(self.register)])));
        let everywhere = SwitchStep::Word(Word::All);
        [SwitchStep::Level(-self.low), fill, is_high, SwitchStep::Level(-self.high), fill, everywhere]
    }
}

impl<'a> Switches<'a> {
    /// The point after `at` instructions, if the program may be left there.
    #[must_use]
    pub fn point(&self, at: u32) -> Option<&'a SwitchPoint<'a>> {
        let index = self.points.binary_search_by_key(&at, |point| point.at).ok()?;
        self.points.get(index)
    }
}
