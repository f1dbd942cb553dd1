//! Where a program may be left for others, and how.

use crate::word::Sum;
use crate::{Bit, Bits, Bus, Cell, Cells, Dreg, Logic, Operation, Reg, Word};

/// The points where a program may be left for others that overwrite certain cells, as constant data.
///
/// The array has no memory but its registers. A program can be left where what it still needs lies outside of what
/// the others overwrite, or can be moved out of their way, or can be computed again from what is there.
/// FLAG is 1 in every PE when the others begin, and must be when they end.
///
/// A program for several others has several tables, those whose others overwrite more first. It is left at the points of the
/// first table that has one there, so that those that follow have only further points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Switches<'a> {
    /// What the others may overwrite.
    pub others: Cells,
    /// The points, in the order of the program.
    pub points: &'a [SwitchPoint<'a>],
    /// The most control words from a request until the others begin, wherever the program is: the rest of the way to the
    /// next point, and what has to be moved there. Points of tables before this one are among them. If others come first,
    /// their ways there and back are not.
    pub latency: u32,
}

/// A point between two instructions where a program may be left.
///
/// On [leaving](Self::leaving), what is in the way of the others is moved and FLAG is set in every PE; on
/// [coming back](Self::returning) it is moved back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SwitchPoint<'a> {
    /// How many instructions of the program have been carried out. In a program of a controller's steps, each step that is
    /// no program of words counts as one instruction.
    pub at: u32,
    /// From which instruction the program goes on: the next one, or an earlier one whose inputs are all still there.
    pub resume: u32,
    /// What is moved out of the way of the others, and back when they have ended.
    pub kept: &'a [Kept],
    /// Bits that are moved out of the way of the others, and back.
    pub bits: &'a [KeptBit],
    /// Planes of two levels that become bits, and planes again.
    pub levels: &'a [KeptLevels],
    /// Whether FLAG may be 0 in some PEs, so that it has to be set for the others.
    pub sets_flag: bool,
    /// Control words that an interruption here costs: what is moved there and back, and what is computed again.
    pub extra: u32,
}

impl<'a> SwitchPoint<'a> {
    /// The same point with these bits to be kept, and FLAG to be set for the others or not.
    #[must_use]
    pub const fn with_bits(self, bits: &'a [KeptBit], sets_flag: bool) -> Self {
        Self { bits, sets_flag, ..self }
    }

    /// The same point with these planes to be kept as bits.
    #[must_use]
    pub const fn with_levels(self, levels: &'a [KeptLevels]) -> Self {
        Self { levels, ..self }
    }

    /// What makes room for the others. Bits come first: FLAG is one of them, and decides what is written.
    pub fn leaving(&self) -> impl Iterator<Item = SwitchStep> + use<'a> {
        let bits = self.bits.iter().map(KeptBit::save);
        let flag = self.sets_flag.then_some(Word::All);
        let words = bits.chain(flag).chain(self.kept.iter().map(Kept::save)).map(SwitchStep::Word);
        words.chain(self.levels.iter().copied().flat_map(KeptLevels::save))
    }

    /// What brings everything back when the others have ended, FLAG last.
    pub fn returning(&self) -> impl Iterator<Item = SwitchStep> + use<'a> {
        let words = self.kept.iter().map(Kept::restore).chain(self.bits.iter().map(KeptBit::restore));
        self.levels.iter().copied().flat_map(KeptLevels::restore).chain(words.map(SwitchStep::Word))
    }
}

/// What a controller does to leave a program or to come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchStep {
    /// Has a word carried out.
    Word(Word),
    /// Sets the level of `IN`, in DN. What it was before is not kept.
    Level(i8),
}

impl SwitchStep {
    /// The word, if it is one.
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
    /// Where the program has the bit: in a digital register or in FLAG, which comes last of a point's bits.
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
/// A control word inverts what it writes and adds an error to it; the second one, back, inverts again and takes the same
/// error away. So a value costs one word each way, and comes back as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Kept {
    /// Where the program has the value; `None` is NEWS.
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

/// A plane of which every PE holds one of two levels, kept as a bit while others use its register.
///
/// A comparison with the mean of both writes the bit, and the plane is filled again from it: three words there, four back.
/// No error of the way there and back is left in it, and none of what was there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct KeptLevels {
    /// Where the program has the plane.
    pub home: Reg,
    /// The register of the bit.
    pub register: Dreg,
    /// The lower level, in DN; above −128, since `IN` comes with its sign turned.
    pub low: i8,
    /// The higher one.
    pub high: i8,
}

impl KeptLevels {
    /// The control words there and back.
    pub const WORDS: u32 = 7;
    /// How far levels must be from each other, in DN: several times what a chip adds to a value and to a comparison.
    pub const LEAST_DISTANCE: i16 = 16;

    /// What writes the bit, and leaves FLAG at 1 in every PE.
    fn save(self) -> [SwitchStep; 4] {
        let mean = self.low.midpoint(self.high);
        let is_high = Word::Where(Sum::assemble(&[Cell::Reg(self.home), Cell::In]));
        let keep = Word::Logic(Logic::assemble(Operation::Or, &[self.register], &[Bit::Flag]));
        [SwitchStep::Level(-mean), SwitchStep::Word(is_high), SwitchStep::Word(keep), SwitchStep::Word(Word::All)]
    }

    /// What makes the plane of the bit, and leaves FLAG at 1 in every PE.
    fn restore(self) -> [SwitchStep; 6] {
        let fill = SwitchStep::Word(Word::Bus(Bus::assemble(&[Cell::Reg(self.home)], &[Cell::In])));
        let is_high = SwitchStep::Word(Word::WhereBits(Bits::assemble(&[Bit::Reg(self.register)])));
        let everywhere = SwitchStep::Word(Word::All);
        [SwitchStep::Level(-self.low), fill, is_high, SwitchStep::Level(-self.high), fill, everywhere]
    }
}

impl<'a> Switches<'a> {
    /// The point after so many instructions, if the program may be left there.
    #[must_use]
    pub fn point(&self, at: u32) -> Option<&'a SwitchPoint<'a>> {
        let index = self.points.binary_search_by_key(&at, |point| point.at).ok()?;
        self.points.get(index)
    }
}
