//! Where a program may be interrupted by others, and what that costs.
//!
//! The array has no memory to save a program's state to but its own registers. What a program still needs is known at
//! every point between two of its instructions, so the cheapest way to leave it there and to come back is found at compile
//! time: nothing, where the others use other registers; moves into registers that are free at that point; or an earlier
//! point whose inputs are all still there, from which the rest is computed again. ([`SwitchTable::of`])
//!
//! The idea of points where a running program may be left, with what must be saved there, is that of INCA's virtual
//! instructions (Yu et al., "INCA: Interruptible CNN Accelerator for Multi-tasking in Embedded Robots", DAC 2020). There
//! the memory outside takes the state; here the compiler must find room.

mod flow;
mod points;
mod prove;
#[cfg(test)]
mod tests;

use core::fmt;

use cain_isa::{Cells, Fraction, Instruction, Kept, Reg, Registers, SwitchPoint};

use crate::{Interruption, Proved};
use flow::Flow;

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
    /// Control words that an interruption here costs: what is moved there and back, and what is computed again.
    pub extra: u32,
}

/// What an interruption may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchLimits {
    /// The most control words for one interruption; points that cost more are left out.
    pub extra: u32,
}

impl SwitchLimits {
    /// A hundredth of the program's words, but at least 16 of them: a few moves, or the way back over a few
    /// instructions.
    #[must_use]
    pub fn of_program(words: u32) -> Self {
        Self { extra: (words / 100).max(16) }
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
    /// a higher priority may interrupt it.
    pub(crate) fn all_of(program: &Proved) -> Result<Vec<Self>, SwitchError> {
        let Some(interruption) = &program.declaration().options.interruption else { return Ok(Vec::new()) };
        let limits = SwitchLimits::of_program(program.report().icws);
        let table = |others| Self::bounded(program, others, limits, interruption.latency());
        interruption.overwritten().map(table).collect()
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
        let flow = Flow::of(program.listing(), promised);
        let points = points::of(&flow, own, others, limits);
        let latency = points::latency(&flow, &points).ok_or_else(|| points::shortage(&flow, own, others))?;
        if let Some(allowed) = allowed.filter(|&allowed| latency > allowed) {
            return Err(SwitchError::Latency { latency, allowed });
        }
        prove::check(program, &flow, others, &points)?;
        Ok(Self { others, points, latency, words: program.report().icws })
    }

    /// The [latency](Self::latency) that the program would have with so many more registers of its own that the others do
    /// not use; nothing if it could still not be left.
    #[must_use]
    pub fn latency_with(program: &Proved, others: Cells, more: usize) -> Option<u32> {
        let (own, promised) = used(program);
        let unused = (0..=u8::MAX).rev().map(Reg::from_index);
        let unused = unused.filter(|&reg| !own.contains(reg) && !others.contains(Cells::register(reg))).take(more);
        let flow = Flow::of(program.listing(), promised);
        let own = unused.fold(own, Registers::with);
        points::latency(&flow, &points::of(&flow, own, others, SwitchLimits::of_program(program.report().icws)))
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
        self.points.iter().map(|point| SwitchPoint { at: point.at, resume: point.resume, kept: &point.kept })
    }
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

/// Why a program cannot be interrupted by others.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SwitchError {
    /// The others overwrite a register that the declaration does not name, in which an image may be.
    Foreign {
        /// The register.
        register: Reg,
    },
    /// The program cannot be left at its end: what it has computed has no place beside the registers of the others.
    NoRoom {
        /// The registers that hold results which the others overwrite.
        results: Vec<Reg>,
        /// How many more registers would do.
        missing: usize,
    },
    /// It cannot be left as soon as wanted.
    Latency {
        /// The longest that others may have to wait for it, in control words.
        latency: u32,
        /// The longest that they may.
        allowed: u32,
    },
    /// A point failed its proof.
    Unproved {
        /// How many instructions of the program had been carried out.
        at: u32,
        /// The instruction that would have gone wrong next.
        next: Option<Instruction>,
    },
}

impl fmt::Display for SwitchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign { register } => write!(
                f,
                "the interrupting filters overwrite `{register}`, which this one does not name; list it in `using` if \
                 it holds nothing"
            ),
            Self::NoRoom { results, missing } => {
                f.write_str("at its end the program holds results in ")?;
                for (index, register) in results.iter().enumerate() {
                    write!(f, "{}`{register}`", if index > 0 { ", " } else { "" })?;
                }
                let registers = if *missing == 1 { "register" } else { "registers" };
                write!(
                    f,
                    ", which the interrupting filters overwrite, and has no room for them; {missing} more {registers} \
                     in `using` that those do not use would do"
                )
            }
            Self::Latency { latency, allowed } => {
                let plural = if *latency == 1 { "" } else { "s" };
                write!(f, "others may have to wait for the program for {latency} control word{plural}; at most ")?;
                write!(f, "{allowed} are allowed")
            }
            Self::Unproved { at, next } => {
                write!(f, "leaving the program after {at} instructions is not proved")?;
                match next {
                    Some(instruction) => write!(f, ": `{instruction}` would go wrong"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl core::error::Error for SwitchError {}
