//! Programs of a controller's steps, and long listings.

use cain_isa::program::{CAPTURING, LOADING, StepOf, Storage};
use cain_isa::{Cells, Dreg, Effect, Instruction, Machine};

use super::flow::Flow;
use super::piece::Piece;

/// A program of a controller's steps, which might be left between any two steps and between any two instructions of a
/// step, also within loops and decisions.
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
    /// The loops and decisions among its pieces, in their order.
    pub(super) nested: Vec<Nested>,
}

impl Steps {
    /// The steps of a program for one picture. They may use all registers of their machine but those that were prepared
    /// for them, and promise nothing else: their results are read out.
    pub fn of<'s, S: Storage>(
        steps: impl IntoIterator<Item = &'s StepOf<S>>,
        machine: &Machine,
        prepared: Cells,
    ) -> Self {
        Self::promising(steps, machine.cells().without(prepared), prepared)
    }

    /// The steps of a frame of a program, whose registers are those of the machine. At the end it promises its states and the
    /// planes that are its results.
    pub fn of_frame<'s, S: Storage>(
        steps: impl IntoIterator<Item = &'s StepOf<S>>,
        machine: &Machine,
        promised: Cells,
    ) -> Self {
        Self::promising(steps, machine.cells(), promised)
    }

    fn promising<'s, S: Storage>(steps: impl IntoIterator<Item = &'s StepOf<S>>, own: Cells, promised: Cells) -> Self {
        let mut all = Self::body(steps, own);
        all.promise(promised);
        all
    }

    /// The steps of a body, which promise nothing yet.
    fn body<'s, S: Storage>(steps: impl IntoIterator<Item = &'s StepOf<S>>, own: Cells) -> Self {
        let mut all = Self { pieces: Vec::new(), own, promised: Cells::NONE, nested: Vec::new() };
        let pieces = &mut all.pieces;
        for step in steps {
            let writes = |bits: &[Dreg]| Piece::Writes(bits.iter().copied().collect());
            match step {
                StepOf::Execute(listing) => pieces.extend(listing.as_ref().iter().copied().map(Piece::Instruction)),
                StepOf::Level(level) => pieces.push(Piece::Level(Some(*level))),
                StepOf::Compensation { .. } | StepOf::LevelOf { .. } => pieces.push(Piece::Level(None)),
                StepOf::Select(_) | StepOf::Region(_) => pieces.push(Piece::Controller),
                StepOf::Capture { into, half } => {
                    let writes = Cells::registers([*into, *half].into_iter().collect()).union(Cells::NEWS);
                    pieces.push(Piece::Once(Effect { writes, ..Effect::default() }, CAPTURING));
                }
                StepOf::Loop { most, check, body, .. } => {
                    let bodies = [check, body].map(|body| Self::body(body.steps(), own));
                    all.nested.push(Nested { at: pieces.len(), passes: Some(*most), bodies });
                    pieces.push(all.nested[all.nested.len() - 1].piece(own));
                }
                StepOf::Decide { then, otherwise, .. } => {
                    let bodies = [then, otherwise].map(|body| Self::body(body.steps(), own));
                    all.nested.push(Nested { at: pieces.len(), passes: None, bodies });
                    pieces.push(all.nested[all.nested.len() - 1].piece(own));
                }
                // Nothing but the register itself: R0 may hold what is needed afterwards.
                StepOf::Outside(bit, _) | StepOf::RegionOf { register: bit, .. } => pieces.push(writes(&[*bit])),
                StepOf::Load(plane) => pieces.push(writes(&[&LOADING[..], &[plane.register]].concat())),
                // Values go through it as they are, but for rounding: no other register is read.
                StepOf::Store(reg, _) => pieces.push(Piece::Reads(Cells::register(*reg))),
                // What a number was before may have been needed for it.
                StepOf::Compute { .. } | StepOf::Correct { .. } | StepOf::Append { .. } => {
                    pieces.push(Piece::Reads(Cells::NONE));
                }
                StepOf::Read(_) | StepOf::Events(_) | StepOf::Sum { .. } | StepOf::Count(_) | StepOf::Find { .. } => {
                    pieces.push(Piece::Reads(step.reads().unwrap_or(Cells::NONE)));
                }
            }
        }
        all
    }

    /// Sets what it promises at its end; what is within loops and decisions promises what is needed after it.
    fn promise(&mut self, promised: Cells) {
        self.promised = promised;
        let live = self.flow().live;
        for nested in &mut self.nested {
            let [one, other] = nested.promised(live[nested.at + 1]);
            nested.bodies[0].promise(one);
            nested.bodies[1].promise(other);
        }
    }

    pub(super) fn flow(&self) -> Flow {
        Flow::of(self.pieces.iter().copied(), self.promised)
    }

    /// The cells that are needed at its beginning if these are needed at its end.
    pub(super) fn needed_for(&self, end: Cells) -> Cells {
        Flow::of(self.pieces.iter().copied(), end).live[0]
    }

    /// A listing that may overwrite `own` and promises `promised` at its end; FLAG is 1 in every PE at both ends.
    #[must_use]
    pub fn of_listing(listing: &[Instruction], own: Cells, promised: Cells) -> Self {
        Self { pieces: listing.iter().copied().map(Piece::Instruction).collect(), own, promised, nested: Vec::new() }
    }

    /// Control words. Those within loops and decisions count once.
    #[must_use]
    pub fn words(&self) -> u32 {
        let within = self.nested.iter().flat_map(|nested| &nested.bodies).map(Self::words);
        let is_nested = |at: &usize| self.nested.iter().any(|nested| nested.at == *at);
        let own = self.pieces.iter().enumerate().filter(|(at, _)| !is_nested(at)).map(|(_, piece)| piece.words());
        own.chain(within).sum()
    }

    /// The cells that the program needs at each boundary, because it reads them before writing them or because its
    /// caller does; the last boundary is its end.
    #[must_use]
    pub fn needed(&self) -> Vec<Cells> {
        self.flow().live
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

/// A loop or a decision.
#[derive(Clone, Debug)]
pub(super) struct Nested {
    /// The number of its piece.
    pub(super) at: usize,
    /// The most passes of a loop; `None` for a decision.
    pub(super) passes: Option<u32>,
    /// What is done before each pass of a loop and after the last one, and in each pass; or both ways of a decision.
    pub(super) bodies: [Steps; 2],
}

impl Nested {
    /// What it is among the pieces around it, in a program that may overwrite `own`: it depends on what one of its ways reads,
    /// and what all of them write is not needed before it.
    pub(super) fn piece(&self, own: Cells) -> Piece {
        let everything = own.union(Cells::NEWS);
        let reads = self.needed_for(Cells::NONE).0;
        let writes = everything.without(self.needed_for(everything).0);
        let written = self.bodies.iter().flat_map(|body| body.flow().written).fold(Cells::NONE, Cells::union);
        // FLAG is 1 in every PE at its beginning and at its end.
        let [reads, writes, changes] = [reads, writes, written.without(writes)].map(|cells| cells.without(Cells::FLAG));
        Piece::Once(Effect { reads, writes, changes, is_first_half: false }, self.words())
    }

    /// Its control words at most, so that points before it and after it are told apart. A loop may have any number of passes.
    fn words(&self) -> u32 {
        const MOST: u64 = 1 << 16;
        let [one, other] =
            self.bodies.each_ref().map(|body| body.pieces.iter().map(|piece| u64::from(piece.words())).sum::<u64>());
        let words = match self.passes {
            Some(passes) => u64::from(passes).saturating_mul(one + other).saturating_add(one),
            None => one.max(other),
        };
        u32::try_from(words.clamp(1, MOST)).unwrap_or(u32::MAX)
    }

    /// What its bodies have to promise if these cells are needed after it.
    pub(super) fn promised(&self, after: Cells) -> [Cells; 2] {
        self.needed_for(after).1
    }

    /// What is needed before it, and at the ends of its bodies, if these cells are needed after it.
    fn needed_for(&self, after: Cells) -> (Cells, [Cells; 2]) {
        let [one, other] = &self.bodies;
        if self.passes.is_none() {
            return (one.needed_for(after).union(other.needed_for(after)), [after; 2]);
        }
        // A pass ends where the next check begins, and a check where the next pass or what comes after the loop does.
        let mut before = Cells::NONE;
        loop {
            let checked = after.union(other.needed_for(before));
            let needed = one.needed_for(checked);
            if before.contains(needed) {
                return (before, [checked, before]);
            }
            before = before.union(needed);
        }
    }
}
