//! What happens in a frame, in its order, for those who want to see it.

use cain_analysis::owned::{Step, written};
use cain_isa::program::Held;
use cain_isa::{Bit, Cells, Instruction};

use crate::declaration::{Declaration, State, Value};
use crate::plan::{Piece, Plan};

/// Something that happens in a frame, and what registers hold after it.
#[derive(Clone, Debug)]
pub struct Moment {
    /// How many loops and decisions it is within.
    pub depth: usize,
    /// What happens.
    pub what: Happening,
    /// The registers whose earlier content it needs.
    pub reads: Cells,
    /// The registers that it writes, if only in some PEs.
    pub writes: Cells,
    /// The values that registers hold from now on.
    pub holds: Vec<(Held, Value)>,
}

/// What happens.
#[derive(Clone, Debug)]
pub enum Happening {
    /// A frame begins.
    Begin,
    /// The controller does something.
    Steps(Vec<Step>),
    /// What follows is done in the first frame only.
    First,
    /// What follows is done again and again.
    Loop {
        /// The most passes.
        most: u32,
    },
    /// What follows is done in each pass; what came before since the loop began decides whether there is one.
    Pass,
    /// What follows is done if a number is not 0.
    If,
    /// What follows is done if it is 0.
    Else,
    /// The loop or decision ends.
    End,
    /// The frame ends.
    Results,
}

/// What happens in a frame.
pub(crate) fn moments(declaration: &Declaration, plan: &Plan<'_>) -> Vec<Moment> {
    let mut moments = Moments { all: Vec::new(), depth: 0, overwritten: Cells::NONE, is_everywhere: true };
    let given = declaration.inputs.iter().zip(&plan.inputs).map(|(input, held)| (*held, input.value));
    let kept = |value: fn(&State) -> Value| {
        let states = declaration.states.iter().zip(&plan.states);
        states.filter_map(move |(state, place)| Some((place.plane()?, value(state))))
    };
    moments.add(Happening::Begin, Cells::NONE).holds = given.chain(kept(|state| state.before)).collect();
    moments.pieces(&plan.frame);
    let results = plan.results.iter().map(|(value, held)| (*held, *value));
    let kept = kept(|state| state.next).filter(|kept| !results.clone().any(|result| result == *kept));
    let holds: Vec<_> = results.clone().chain(kept).collect();
    let read = cells(holds.iter().map(|(held, _)| *held));
    moments.add(Happening::Results, read).holds = holds;
    moments.all
}

fn cells(held: impl IntoIterator<Item = Held>) -> Cells {
    held.into_iter().map(Held::cells).fold(Cells::NONE, Cells::union)
}

/// Puts moments together.
struct Moments {
    all: Vec<Moment>,
    depth: usize,
    /// The registers that the last moment overwrites in all PEs.
    overwritten: Cells,
    /// Whether FLAG is 1 everywhere after it.
    is_everywhere: bool,
}

impl Moments {
    fn add(&mut self, what: Happening, reads: Cells) -> &mut Moment {
        let writes = Cells::NONE;
        self.all.push(Moment { depth: self.depth, what, reads, writes, holds: Vec::new() });
        let last = self.all.len() - 1;
        &mut self.all[last]
    }

    fn within(&mut self, pieces: &[Piece<'_>]) {
        self.depth += 1;
        self.pieces(pieces);
        self.depth -= 1;
    }

    fn pieces(&mut self, pieces: &[Piece<'_>]) {
        for piece in pieces {
            match piece {
                Piece::Do(step) | Piece::List { step, .. } => self.step(step),
                // The beginning of the frame stands in front of all.
                Piece::Holds(held, value) => {
                    self.all.last_mut().into_iter().for_each(|moment| moment.holds.push((*held, *value)));
                }
                Piece::First { body, .. } => {
                    self.add(Happening::First, Cells::NONE);
                    self.within(body);
                    self.add(Happening::End, Cells::NONE);
                }
                Piece::Loop { of, places, check, body, .. } => {
                    let carried = || places.iter().zip(&of.carried).filter_map(|(held, of)| Some(((*held)?, of)));
                    self.add(Happening::Loop { most: of.most }, Cells::NONE).holds =
                        carried().map(|(held, of)| (held, of.inside)).collect();
                    self.within(check);
                    self.add(Happening::Pass, Cells::NONE);
                    self.within(body);
                    // The next pass begins with what is carried.
                    self.add(Happening::End, cells(carried().map(|(held, _)| held))).holds =
                        carried().map(|(held, of)| (held, of.after)).collect();
                }
                Piece::Decide { then, otherwise, .. } => {
                    self.add(Happening::If, Cells::NONE);
                    self.within(then);
                    if !otherwise.is_empty() {
                        self.add(Happening::Else, Cells::NONE);
                        self.within(otherwise);
                    }
                    self.add(Happening::End, Cells::NONE);
                }
            }
        }
    }

    /// Steps belong together until a register holds a value.
    fn step(&mut self, step: &Step) {
        let depth = self.depth;
        let goes_on = |moment: &Moment| {
            matches!(moment.what, Happening::Steps(_)) && moment.holds.is_empty() && moment.depth == depth
        };
        if !self.all.last().is_some_and(goes_on) {
            self.add(Happening::Steps(Vec::new()), Cells::NONE);
            (self.overwritten, self.is_everywhere) = (Cells::NONE, true);
        }
        let mut reads = step.reads().unwrap_or(Cells::NONE).without(self.overwritten);
        for word in step.listing().unwrap_or_default().iter().flat_map(Instruction::words) {
            let effect = word.effect(self.is_everywhere);
            // Where it does not write, the earlier content stays.
            reads = reads.union(effect.reads.union(effect.changes).without(self.overwritten));
            self.overwritten = self.overwritten.union(effect.writes);
            self.is_everywhere = word.sets_flag_everywhere().unwrap_or(self.is_everywhere);
        }
        let (regs, bits) = written([step]);
        let writes =
            cells(regs.iter().map(|reg| Held::Reg(*reg)).chain(bits.iter().map(|bit| Held::Bit(Bit::Reg(*bit)))));
        if let Some(moment) = self.all.last_mut() {
            moment.reads = moment.reads.union(reads);
            moment.writes = moment.writes.union(writes);
            if let Happening::Steps(steps) = &mut moment.what {
                steps.push(step.clone());
            }
        }
    }
}
