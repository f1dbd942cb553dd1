//! A point where a program may be left, and its price.

use cain_isa::{Cells, Kept, KeptBit, KeptLevels, SwitchPoint, SwitchStep};

/// An owned [`SwitchPoint`] with its price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The number of instructions of the program that have been executed.
    pub at: u32,
    /// The instruction from which the program resumes.
    pub resume: u32,
    /// The registers that are moved out of the way, and back.
    pub kept: Vec<Kept>,
    /// The bits that are moved, possibly FLAG among them.
    pub bits: Vec<KeptBit>,
    /// Planes of two levels that are kept as bits.
    pub levels: Vec<KeptLevels>,
    /// Whether FLAG has to be set in every PE for the others.
    pub sets_flag: bool,
    /// The price of an interruption here in control words: for moving values there and back, and for computing again.
    pub extra: u32,
}

impl Point {
    /// The control words from here until the others begin.
    pub(super) fn leaving(&self) -> u32 {
        words(self.as_switch_point().leaving())
    }

    /// The control words that bring values back.
    pub(super) fn returning(&self) -> u32 {
        words(self.as_switch_point().returning())
    }

    /// The registers that keep values while the others run.
    pub(super) fn keepers(&self) -> Cells {
        let kept = Cells::registers(self.kept.iter().map(|kept| kept.register).collect());
        let bits = self.bits.iter().map(|kept| kept.register);
        kept.union(bits.chain(self.levels.iter().map(|kept| kept.register)).collect())
    }

    pub(super) fn as_switch_point(&self) -> SwitchPoint<'_> {
        let Self { at, resume, ref kept, ref bits, ref levels, sets_flag, extra } = *self;
        SwitchPoint { at, resume, kept, bits, levels, sets_flag, extra }
    }
}

fn words(steps: impl Iterator<Item = SwitchStep>) -> u32 {
    u32::try_from(steps.filter_map(SwitchStep::word).count()).unwrap_or(u32::MAX)
}
