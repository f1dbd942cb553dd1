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

mod bodies;
mod error;
mod flow;
mod levels;
mod limits;
mod piece;
mod point;
mod points;
mod steps;
mod table;
mod tables;
#[cfg(test)]
mod tests;
mod values;
mod wait;
mod ways_back;

use cain_isa::{Cells, Instruction, Reg, Registers};

use crate::{Declaration, Interruption};
use flow::Flow;

pub use error::SwitchError;
pub use limits::SwitchLimits;
pub use piece::Piece;
pub use point::Point;
pub use steps::Steps;
pub use table::SwitchTable;

impl SwitchTable {
    /// The tables for each of the programs that [may interrupt](Interruption) the listing of a declaration. While one of
    /// them runs, those of a higher priority may interrupt it, so a table is valid for all that follow, which only have
    /// additional points.
    pub(crate) fn all_of(declaration: &Declaration, listing: &[Instruction]) -> Result<Vec<Self>, SwitchError> {
        let Some(interruption) = &declaration.options.interruption else { return Ok(Vec::new()) };
        let flow = flow_of(listing, used(declaration).1);
        let limits = SwitchLimits::of_program(flow.all_words());
        let table = |others| Self::bounded(declaration, listing, others, limits, interruption.latency());
        let tables = interruption.overwritten().map(table).collect::<Result<_, _>>()?;
        Ok(tables::beside_each_other(&flow, tables))
    }

    /// The points of the listing of a declaration for others that overwrite `others` and wait no longer than `allowed` control
    /// words.
    pub(crate) fn bounded(
        declaration: &Declaration,
        listing: &[Instruction],
        others: Cells,
        limits: SwitchLimits,
        allowed: Option<u32>,
    ) -> Result<Self, SwitchError> {
        let (own, promised) = used(declaration);
        let foreign = others.analogue().without(own.union(promised.analogue()));
        if let Some(register) = foreign.iter().next() {
            return Err(SwitchError::Foreign { register });
        }
        let flow = flow_of(listing, promised);
        // Only the program's own words are known to preserve bits.
        let own = Cells::registers(own);
        let points = points::thinned(&flow, &points::of(&flow, own, others, limits), limits.latency);
        let latency = points::latency(&flow, &points).ok_or_else(|| points::shortage(&flow, own, others))?;
        if let Some(allowed) = allowed.filter(|&allowed| latency > allowed) {
            return Err(SwitchError::Latency { latency, allowed });
        }
        values::check(&pieces_of(listing), &flow, others, &points)?;
        Ok(Self { others, points, latency, words: flow.all_words() })
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
        let mut points = Vec::new();
        let wait = bodies::points(steps, others, limits, 0, &mut points)?;
        points.sort_unstable_by_key(|point: &Point| point.at);
        let end = bodies::boundaries(steps) - 1;
        if points.last().is_none_or(|point| point.at != end) {
            return Err(points::shortage(&steps.flow(), steps.own, others));
        }
        Ok(Self { others, points, latency: wait.longest(), words: steps.words() })
    }

    /// The tables for each of the programs that [may interrupt](Interruption) a program of a controller's steps. While
    /// one of them runs, those of a higher priority may interrupt it, so a table is valid for all that follow, which
    /// only have additional points. A program with loops or decisions has one table, for all of them.
    pub fn all_of_steps(steps: &Steps, interruption: &Interruption) -> Result<Vec<Self>, SwitchError> {
        let usual = SwitchLimits::of_program(steps.words());
        let allowed = interruption.latency().unwrap_or(u32::MAX);
        let table = |others, limits| {
            let table = Self::of_steps_within(steps, others, limits)?;
            let latency = table.latency();
            if latency > allowed { Err(SwitchError::Latency { latency, allowed }) } else { Ok(table) }
        };
        let limits = SwitchLimits { latency: usual.latency.min(allowed), ..usual };
        if steps.nested.is_empty() {
            let tables = interruption.overwritten().map(|others| table(others, limits)).collect::<Result<_, _>>()?;
            return Ok(tables::beside_each_other(&steps.flow(), tables));
        }
        // Points that each body for itself does not need may be needed where one follows another.
        let mut all_points = usual;
        all_points.latency = 0;
        let one = |others| match table(others, limits) {
            Err(SwitchError::Latency { .. }) => table(others, all_points),
            other => other,
        };
        interruption.overwritten().take(1).map(one).collect()
    }

    /// The [latency](Self::latency) that the listing of a declaration would have with `more` further registers.
    pub(crate) fn latency_of_listing_with(
        declaration: &Declaration,
        listing: &[Instruction],
        others: Cells,
        more: usize,
    ) -> Option<u32> {
        let (own, promised) = used(declaration);
        let unused = (0..=u8::MAX).rev().map(Reg::from_index);
        let unused = unused.filter(|&reg| !own.contains(reg) && !others.contains(Cells::register(reg))).take(more);
        let flow = flow_of(listing, promised);
        let own = Cells::registers(unused.fold(own, Registers::with));
        let limits = SwitchLimits::of_program(flow.all_words());
        points::latency(&flow, &points::thinned(&flow, &points::of(&flow, own, others, limits), limits.latency))
    }
}

fn flow_of(listing: &[Instruction], promised: Cells) -> Flow {
    Flow::of(pieces_of(listing), promised)
}

fn pieces_of(listing: &[Instruction]) -> Vec<Piece> {
    listing.iter().copied().map(Piece::Instruction).collect()
}

/// The registers that a program may overwrite, and those whose contents it promises at its end.
fn used(declaration: &Declaration) -> (Registers, Cells) {
    let kept = declaration.inputs.iter().filter(|input| input.keep).map(|input| input.reg);
    let outputs = declaration.outputs.iter().map(|output| output.reg);
    let room = declaration.options.interruption.as_ref().map_or(Registers::NONE, Interruption::room);
    let own: Registers = declaration.writable().into_iter().collect();
    (own.union(room), Cells::registers(kept.chain(outputs).collect()))
}
