//! Finds the places where a program may be interrupted by others, and the cost of that.
//!
//! The array has no memory for a program's state except its own registers. The values that a program still needs are
//! known at every point between two of its instructions, so the cheapest way to leave it there and to come back is
//! found at compile time: nothing needs to be done where the others use other registers; otherwise values move into
//! registers that are free at that point, bits represent planes of two levels, or the rest is computed again from an
//! earlier point whose inputs are all still there ([`SwitchTable::of`]).
//!
//! The idea of points where a running program may be left, with what must be saved there, is that of INCA's virtual
//! instructions (Yu et al., "INCA: Interruptible CNN Accelerator for Multi-tasking in Embedded Robots", DAC 2020).
//! There, external memory takes the state; here, the compiler must find room.

mod error;
mod flow;
mod levels;
mod points;
mod steps;
mod tables;
#[cfg(test)]
mod tests;
mod values;
mod ways_back;

use cain_isa::{Cells, Fraction, Kept, KeptBit, KeptLevels, Reg, Registers, SwitchPoint, SwitchStep};

use crate::{Interruption, Proved};
pub use error::SwitchError;
use flow::Flow;
pub use steps::{Piece, Steps};

/// The places where a program may be left for others that overwrite certain cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchTable {
    others: Cells,
    points: Vec<Point>,
    latency: u32,
    words: u32,
}

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
    fn leaving(&self) -> u32 {
        words(self.as_switch_point().leaving())
    }

    /// The control words that bring values back.
    fn returning(&self) -> u32 {
        words(self.as_switch_point().returning())
    }

    /// The registers that keep values while the others run.
    fn keepers(&self) -> Cells {
        let kept = Cells::registers(self.kept.iter().map(|kept| kept.register).collect());
        let bits = self.bits.iter().map(|kept| kept.register);
        kept.union(bits.chain(self.levels.iter().map(|kept| kept.register)).collect())
    }

    fn as_switch_point(&self) -> SwitchPoint<'_> {
        let Self { at, resume, ref kept, ref bits, ref levels, sets_flag, extra } = *self;
        SwitchPoint { at, resume, kept, bits, levels, sets_flag, extra }
    }
}

fn words(steps: impl Iterator<Item = SwitchStep>) -> u32 {
    u32::try_from(steps.filter_map(SwitchStep::word).count()).unwrap_or(u32::MAX)
}

/// Limits on the price of an interruption and on the number of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchLimits {
    /// The most control words for one interruption; points that cost more are left out.
    pub extra: u32,
    /// Points are left out as long as others need not wait longer than this many control words; with 0, none is.
    pub latency: u32,
}

impl SwitchLimits {
    /// Programs of at least this many control words need not be left everywhere.
    const LONG: u32 = 1_000;

    /// For a program of up to a thousand words, every point whose price is at most 16 words: a few moves, or the way
    /// back over a few instructions. For a longer one, points whose price is at most a hundredth of its words, and as
    /// many of them as let others begin within another hundredth.
    #[must_use]
    pub const fn of_program(words: u32) -> Self {
        if words < Self::LONG {
            return Self { extra: 16, latency: 0 };
        }
        Self { extra: words / 100, latency: words / 100 }
    }
}

impl SwitchTable {
    /// The points of a proved program for others that overwrite `others`. Leaving and coming back at each of
    /// them is proved: whatever the others write, the program finds what it needs.
    ///
    /// Registers that the declaration does not name belong to somebody else, who may keep images there.
    pub fn of(program: &Proved, others: Cells) -> Result<Self, SwitchError> {
        let words = program.report().icws;
        Self::within(program, others, SwitchLimits::of_program(words))
    }

    /// Like [`of`](Self::of), with limits from the caller.
    pub fn within(program: &Proved, others: Cells, limits: SwitchLimits) -> Result<Self, SwitchError> {
        Self::bounded(program, others, limits, None)
    }

    /// The tables for each of the programs that [may interrupt](crate::Interruption) this one. While one of them runs,
    /// those of a higher priority may interrupt it, so a table is valid for all that follow, which only have additional
    /// points.
    pub(crate) fn all_of(program: &Proved) -> Result<Vec<Self>, SwitchError> {
        let Some(interruption) = &program.declaration().options.interruption else { return Ok(Vec::new()) };
        let limits = SwitchLimits::of_program(program.report().icws);
        let table = |others| Self::bounded(program, others, limits, interruption.latency());
        let tables = interruption.overwritten().map(table).collect::<Result<_, _>>()?;
        Ok(tables::beside_each_other(&flow_of(program, used(program).1), tables))
    }

    fn bounded(
        program: &Proved,
        others: Cells,
        limits: SwitchLimits,
        allowed: Option<u32>,
    ) -> Result<Self, SwitchError> {
        let (own, promised) = used(program);
        let foreign = others.analogue().without(own.union(promised.analogue()));
        if let Some(register) = foreign.iter().next() {
            return Err(SwitchError::Foreign { register });
        }
        let flow = flow_of(program, promised);
        // Only the program's own words are known to preserve bits.
        let own = Cells::registers(own);
        let points = points::thinned(&flow, &points::of(&flow, own, others, limits), limits.latency);
        let latency = points::latency(&flow, &points).ok_or_else(|| points::shortage(&flow, own, others))?;
        if let Some(allowed) = allowed.filter(|&allowed| latency > allowed) {
            return Err(SwitchError::Latency { latency, allowed });
        }
        values::check(&pieces_of(program), &flow, others, &points)?;
        Ok(Self { others, points, latency, words: program.report().icws })
    }

    /// The points of a program of a controller's steps for others that overwrite `others`. Leaving and coming back at
    /// each of them is proved, for all values that registers can hold.
    ///
    /// The others may only overwrite registers of the program, and registers that nobody else uses.
    pub fn of_steps(steps: &Steps, others: Cells) -> Result<Self, SwitchError> {
        Self::of_steps_within(steps, others, SwitchLimits::of_program(steps.words()))
    }

    /// Like [`of_steps`](Self::of_steps), with limits from the caller.
    pub fn of_steps_within(steps: &Steps, others: Cells, limits: SwitchLimits) -> Result<Self, SwitchError> {
        let others = others.union(Cells::NEWS).without(Cells::FLAG);
        let flow = Flow::of(steps.pieces.iter().copied(), steps.promised);
        let points = points::thinned(&flow, &points::of(&flow, steps.own, others, limits), limits.latency);
        let latency = points::latency(&flow, &points).ok_or_else(|| points::shortage(&flow, steps.own, others))?;
        values::check(&steps.pieces, &flow, others, &points)?;
        Ok(Self { others, points, latency, words: steps.words() })
    }

    /// The tables for each of the programs that [may interrupt](Interruption) a program of a controller's steps. While
    /// one of them runs, those of a higher priority may interrupt it, so a table is valid for all that follow, which
    /// only have additional points.
    pub fn all_of_steps(steps: &Steps, interruption: &Interruption) -> Result<Vec<Self>, SwitchError> {
        let mut limits = SwitchLimits::of_program(steps.words());
        let allowed = interruption.latency().unwrap_or(u32::MAX);
        limits.latency = limits.latency.min(allowed);
        let table = |others| {
            let table = Self::of_steps_within(steps, others, limits)?;
            let latency = table.latency();
            if latency > allowed { Err(SwitchError::Latency { latency, allowed }) } else { Ok(table) }
        };
        let tables = interruption.overwritten().map(table).collect::<Result<_, _>>()?;
        Ok(tables::beside_each_other(&Flow::of(steps.pieces.iter().copied(), steps.promised), tables))
    }

    /// The [latency](Self::latency) that the program would have with `more` further registers of its own that the
    /// others do not use; `None` if it could still not be left.
    #[must_use]
    pub fn latency_with(program: &Proved, others: Cells, more: usize) -> Option<u32> {
        let (own, promised) = used(program);
        let unused = (0..=u8::MAX).rev().map(Reg::from_index);
        let unused = unused.filter(|&reg| !own.contains(reg) && !others.contains(Cells::register(reg))).take(more);
        let flow = flow_of(program, promised);
        let own = Cells::registers(unused.fold(own, Registers::with));
        let limits = SwitchLimits::of_program(program.report().icws);
        points::latency(&flow, &points::thinned(&flow, &points::of(&flow, own, others, limits), limits.latency))
    }

    /// The cells that the others may overwrite.
    #[must_use]
    pub fn others(&self) -> Cells {
        self.others
    }

    /// The points, in the order of the program.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The longest time from a request until the others begin, in control words, wherever the program is.
    #[must_use]
    pub fn latency(&self) -> u32 {
        self.latency
    }

    /// The highest price of an interruption at any point, in control words.
    #[must_use]
    pub fn most_extra(&self) -> u32 {
        self.points.iter().map(|point| point.extra).max().unwrap_or(0)
    }

    /// The latency as a fraction of the program's length; waiting for its end would give at most 1.
    #[must_use]
    pub fn latency_ratio(&self) -> Fraction {
        Fraction::new(i64::from(self.latency), i64::from(self.words.max(1))).unwrap_or(Fraction::ONE)
    }

    /// The points as the constant data of [`Switches`](cain_isa::Switches).
    pub fn switch_points(&self) -> impl Iterator<Item = SwitchPoint<'_>> {
        self.points.iter().map(Point::as_switch_point)
    }
}

fn flow_of(program: &Proved, promised: Cells) -> Flow {
    Flow::of(pieces_of(program), promised)
}

fn pieces_of(program: &Proved) -> Vec<Piece> {
    program.listing().iter().copied().map(Piece::Instruction).collect()
}

/// The registers that a program may overwrite, and those whose contents it promises at its end.
fn used(program: &Proved) -> (Registers, Cells) {
    let declaration = program.declaration();
    let kept = declaration.inputs.iter().filter(|input| input.keep).map(|input| input.reg);
    let outputs = declaration.outputs.iter().map(|output| output.reg);
    let room = declaration.options.interruption.as_ref().map_or(Registers::NONE, Interruption::room);
    let own: Registers = declaration.writable().into_iter().collect();
    (own.union(room), Cells::registers(kept.chain(outputs).collect()))
}
