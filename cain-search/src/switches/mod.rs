//! Where a program may be interrupted by others, and what that costs.
//!
//! The array has no memory to save a program's state to but its own registers. What a program still needs is known at
//! every point between two of its instructions, so the cheapest way to leave it there and to come back is found at compile
//! time: nothing, where the others use other registers; moves into registers that are free at that point; bits for planes
//! of two levels; or an earlier point whose inputs are all still there, from which the rest is computed again.
//! ([`SwitchTable::of`])
//!
//! The idea of points where a running program may be left, with what must be saved there, is that of INCA's virtual
//! instructions (Yu et al., "INCA: Interruptible CNN Accelerator for Multi-tasking in Embedded Robots", DAC 2020). There
//! the memory outside takes the state; here the compiler must find room.

mod error;
mod flow;
mod levels;
mod points;
mod prove;
mod steps;
mod tables;
#[cfg(test)]
mod tests;
mod values;

use cain_isa::{Cells, Fraction, Kept, KeptBit, KeptLevels, Reg, Registers, SwitchPoint, SwitchStep};

use crate::{Interruption, Proved};
pub use error::SwitchError;
use flow::Flow;
pub use steps::{Piece, Steps};

/// Where a program may be left for others that overwrite certain cells.
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
    /// How many instructions of the program have been carried out.
    pub at: u32,
    /// From which instruction the program goes on.
    pub resume: u32,
    /// What is moved out of the way, and back.
    pub kept: Vec<Kept>,
    /// Bits that are, FLAG among them.
    pub bits: Vec<KeptBit>,
    /// Planes of two levels that are kept as bits.
    pub levels: Vec<KeptLevels>,
    /// Whether FLAG has to be set in every PE for the others.
    pub sets_flag: bool,
    /// Control words that an interruption here costs: what is moved there and back, and what is computed again.
    pub extra: u32,
}

impl Point {
    /// Control words from here until the others begin.
    fn leaving(&self) -> u32 {
        words(self.as_switch_point().leaving())
    }

    /// Those that bring back what was moved.
    fn returning(&self) -> u32 {
        words(self.as_switch_point().returning())
    }

    /// What keeps values while the others run.
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

/// What an interruption may cost, and how many points there need be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchLimits {
    /// The most control words for one interruption; points that cost more are left out.
    pub extra: u32,
    /// Where others need not wait longer than so many control words, points are left out; with 0, none is.
    pub latency: u32,
}

impl SwitchLimits {
    /// Programs of so many control words and more need not be left everywhere.
    const LONG: u32 = 1_000;

    /// For a program of up to a thousand words, every point that costs at most 16 of them: a few moves, or the way back over
    /// a few instructions. For a longer one, those that cost at most a hundredth of its words, as many as let others begin
    /// within another hundredth.
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

    /// The same, with limits of the caller.
    pub fn within(program: &Proved, others: Cells, limits: SwitchLimits) -> Result<Self, SwitchError> {
        Self::bounded(program, others, limits, None)
    }

    /// The tables for [what may interrupt](crate::Interruption) a program, for each of those one: while it runs, those of
    /// a higher priority may interrupt it. So a table is good for all that follow, which have only further points.
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
        // Nobody but the program's own words is known to leave bits alone.
        let own = Cells::registers(own);
        let points = points::thinned(&flow, &points::of(&flow, own, others, limits), limits.latency);
        let latency = points::latency(&flow, &points).ok_or_else(|| points::shortage(&flow, own, others))?;
        if let Some(allowed) = allowed.filter(|&allowed| latency > allowed) {
            return Err(SwitchError::Latency { latency, allowed });
        }
        prove::check(program, &flow, others, &points)?;
        Ok(Self { others, points, latency, words: program.report().icws })
    }

    /// The points of a program of a controller's steps for others that overwrite `others`. Leaving and coming back at each of
    /// them is proved, for all values that registers can hold.
    ///
    /// What others overwrite must be registers of the program, or of nobody else.
    pub fn of_steps(steps: &Steps, others: Cells) -> Result<Self, SwitchError> {
        Self::of_steps_within(steps, others, SwitchLimits::of_program(steps.words()))
    }

    /// The same, with limits of the caller.
    pub fn of_steps_within(steps: &Steps, others: Cells, limits: SwitchLimits) -> Result<Self, SwitchError> {
        let others = others.union(Cells::NEWS).without(Cells::FLAG);
        let flow = Flow::of(steps.pieces.iter().copied(), steps.promised);
        let points = points::thinned(&flow, &points::of(&flow, steps.own, others, limits), limits.latency);
        let latency = points::latency(&flow, &points).ok_or_else(|| points::shortage(&flow, steps.own, others))?;
        values::check(&steps.pieces, &flow, others, &points)?;
        Ok(Self { others, points, latency, words: steps.words() })
    }

    /// The tables of a program of a controller's steps for [what may interrupt](Interruption) it, for each of those one: while
    /// it runs, those of a higher priority may interrupt it. So a table is good for all that follow, which have only further
    /// points.
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

    /// The [latency](Self::latency) that the program would have with so many more registers of its own that the others do
    /// not use; nothing if it could still not be left.
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

    /// What the others may overwrite.
    #[must_use]
    pub fn others(&self) -> Cells {
        self.others
    }

    /// The points, in the order of the program.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The most control words from a request until the others begin, wherever the program is.
    #[must_use]
    pub fn latency(&self) -> u32 {
        self.latency
    }

    /// The most control words that an interruption costs at any point.
    #[must_use]
    pub fn most_extra(&self) -> u32 {
        self.points.iter().map(|point| point.extra).max().unwrap_or(0)
    }

    /// The latency as a part of the program's length: what waiting for its end would cost at most is 1.
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
    Flow::of(program.listing().iter().copied().map(Piece::Instruction), promised)
}

/// The registers that a program may overwrite, and what it promises to hold at its end.
fn used(program: &Proved) -> (Registers, Cells) {
    let declaration = program.declaration();
    let kept = declaration.inputs.iter().filter(|input| input.keep).map(|input| input.reg);
    let outputs = declaration.outputs.iter().map(|output| output.reg);
    let room = declaration.options.interruption.as_ref().map_or(Registers::NONE, Interruption::room);
    let own: Registers = declaration.writable().into_iter().collect();
    (own.union(room), Cells::registers(kept.chain(outputs).collect()))
}
