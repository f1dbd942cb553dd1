//! Programs of a controller's steps, and long listings.

use cain_isa::program::{LOADING, StepOf, Storage};
use cain_isa::{Cells, Dreg, Instruction, Machine};

use super::flow::Flow;
use super::piece::Piece;

/// A program of a controller's steps, which might be left between any two steps and between any two instructions of a
/// step.
///
/// The state of the controller itself, such as the level of `IN`, is no problem: it is set again when the program
/// resumes.
#[derive(Clone, Debug)]
pub struct Steps {
    pub(super) pieces: Vec<Piece>,
    /// The registers that the program may overwrite, and to which values in the way may be moved.
    pub(super) own: Cells,
    /// The cells whose contents it promises at its end.
    pub(super) promised: Cells,
}

impl Steps {
    /// The steps of a program for one picture. They may use all registers of their machine but those that were prepared
    /// for them, and promise nothing else: their results are read out.
    pub fn of<'s, S: Storage>(
        steps: impl IntoIterator<Item = &'s StepOf<S>>,
        machine: &Machine,
        prepared: Cells,
    ) -> Self {
        let mut pieces = Vec::new();
        for step in steps {
            // Macro instructions for bits may use R0 for intermediate results.
            let writes = |bits: &[Dreg]| Piece::Writes(bits.iter().copied().collect());
            match step {
                StepOf::Execute(listing) => pieces.extend(listing.as_ref().iter().copied().map(Piece::Instruction)),
                StepOf::Level(level) => pieces.push(Piece::Level(Some(*level))),
                StepOf::Compensation { .. } | StepOf::LevelOf(_) => pieces.push(Piece::Level(None)),
                StepOf::Select(_) | StepOf::Region(_) | StepOf::Compute { .. } => {
                    pieces.push(Piece::Controller);
                }
                StepOf::Append { .. } => pieces.push(Piece::Reads(Cells::NONE)),
                StepOf::Capture { into, half } => {
                    pieces
                        .push(Piece::Writes(Cells::registers([*into, *half].into_iter().collect()).union(Cells::NEWS)));
                }
                // Nothing is left on the way through them.
                StepOf::Loop { .. } | StepOf::Decide { .. } => pieces.push(Piece::Reads(machine.cells())),
                StepOf::Outside(bit, _) | StepOf::RegionOf { register: bit, .. } => {
                    pieces.push(writes(&[*bit, Dreg::ALL[0]]));
                }
                StepOf::Load(plane) => pieces.push(writes(&[&LOADING[..], &[plane.register]].concat())),
                // Values go through it as they are, but for rounding: no other register is read.
                StepOf::Store(reg, _) => pieces.push(Piece::Reads(Cells::register(*reg))),
                StepOf::Read(_) | StepOf::Events(_) | StepOf::Sum { .. } | StepOf::Count(_) | StepOf::Find { .. } => {
                    pieces.push(Piece::Reads(step.reads().unwrap_or(Cells::NONE)));
                }
            }
        }
        Self { pieces, own: machine.cells().without(prepared), promised: prepared }
    }

    /// A listing that may overwrite `own` and promises `promised` at its end; FLAG is 1 in every PE at both ends.
    #[must_use]
    pub fn of_listing(listing: &[Instruction], own: Cells, promised: Cells) -> Self {
        Self { pieces: listing.iter().copied().map(Piece::Instruction).collect(), own, promised }
    }

    /// Control words.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.pieces.iter().map(Piece::words).sum()
    }

    /// The cells that the program needs at each boundary, because it reads them before writing them or because its
    /// caller does; the last boundary is its end.
    #[must_use]
    pub fn needed(&self) -> Vec<Cells> {
        Flow::of(self.pieces.iter().copied(), self.promised).live
    }

    /// The number of control words before each boundary, the last of which is the end.
    #[must_use]
    pub fn words_before(&self) -> Vec<u32> {
        let mut words = 0;
        let after = self.pieces.iter().map(|piece| {
            words += piece.words();
            words
        });
        std::iter::once(0).chain(after).collect()
    }
}
