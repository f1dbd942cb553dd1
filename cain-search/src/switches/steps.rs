//! Programs of a controller's steps: networks, networks in the pixels, and long listings.

use cain_isa::network::{Area, Held, Step};
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
    /// The steps of a network on the array, for one picture. It may use all registers of its machine, and promises
    /// nothing: its results are read out.
    #[must_use]
    pub fn of_network<'s, L, W>(steps: impl IntoIterator<Item = &'s Step<L, W>>, machine: &Machine) -> Self
    where
        L: AsRef<[Instruction]> + 's,
        W: AsRef<[Area]> + 's,
    {
        let mut pieces = Vec::new();
        for step in steps {
            match step {
                Step::Execute(listing) => pieces.extend(listing.as_ref().iter().copied().map(Piece::Instruction)),
                Step::Level(level) => pieces.push(Piece::Level(Some(*level))),
                Step::Compensation { .. } => pieces.push(Piece::Level(None)),
                // Macro instructions for bits may use R0 for intermediate results.
                Step::Outside(bit, _) => pieces.push(Piece::Writes([*bit, Dreg::ALL[0]].into_iter().collect())),
                Step::Events(read) => pieces.push(Piece::Reads(Cells::bit(read.from))),
                Step::Read(read) => pieces.push(Piece::Reads(match read.from {
                    Held::Reg(reg) => Cells::register(reg),
                    Held::Bit(bit) => Cells::bit(bit),
                })),
            }
        }
        Self::new(pieces, machine.cells(), Cells::NONE)
    }

    /// Pieces of a program that may overwrite `own` and promises `promised` at its end; FLAG is 1 in every PE at both
    /// ends.
    #[must_use]
    pub fn new(pieces: Vec<Piece>, own: Cells, promised: Cells) -> Self {
        Self { pieces, own, promised }
    }

    /// A listing that may overwrite `own` and promises `promised` at its end; FLAG is 1 in every PE at both ends.
    #[must_use]
    pub fn of_listing(listing: &[Instruction], own: Cells, promised: Cells) -> Self {
        Self::new(listing.iter().copied().map(Piece::Instruction).collect(), own, promised)
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
