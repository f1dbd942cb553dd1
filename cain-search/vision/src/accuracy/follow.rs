//! Carries out pieces of a plan for typical values of a plane.

use std::collections::{BTreeMap, BTreeSet};

use cain_analysis::evaluate::Evaluator;
use cain_analysis::owned::{Step, written};
use cain_isa::program::{Area, Held, SUM_STEP, Term};
use cain_isa::{Bit, Dreg, ErrorModel, Instruction, Range, Store, compensated_level};
use cain_network::expected::{Id, Tape, Unsupported};

use super::tiles::Tiles;
use super::typical::Typical;
use crate::compile::needed::Needed;
use crate::declaration::{Declaration, Value};
use crate::plan::{Piece, steps};

/// What the array holds while a plan is carried out. What does not follow from the typical values of the plane is not a number.
pub(super) struct Follower<'d> {
    pub(super) model: &'d ErrorModel,
    /// What registers hold.
    range: Range,
    pub(super) tape: Tape<'d>,
    pub(super) array: Evaluator<Id, Id>,
    pub(super) tiles: Tiles,
    /// The sum of a plane of 1 DN over the array, in steps of the converter.
    pub(super) sum_of_ones: f64,
    pub(super) needed: Needed,
    /// What is in the middle between the possible sums around 0 that are compared for bits, if few are possible.
    pub(super) between: BTreeMap<Value, f64>,
    unknown: Id,
    /// What planes typically are that are not given before the frame.
    seen: BTreeMap<Value, Id>,
    /// The numbers of the controller that are constants.
    numbers: BTreeMap<usize, f64>,
    /// The level of `IN`, if it is one that may be moved: without errors, and what is added with them.
    pub(super) level: Option<(i8, i16)>,
    /// The place of the number that `IN` is set to, if it is one, and how it is corrected.
    pub(super) level_of: Option<(usize, Option<(f64, f64)>)>,
    /// The contents that are not forgotten.
    pub(super) alive: Vec<Id>,
    /// Those that are needed after what is being followed.
    pub(super) later: Vec<Id>,
}

/// What the array holds at some time.
pub(super) struct Moment {
    array: Evaluator<Id, Id>,
    numbers: BTreeMap<usize, f64>,
    level: Option<(i8, i16)>,
    level_of: Option<(usize, Option<(f64, f64)>)>,
    contents: usize,
}

impl<'d> Follower<'d> {
    /// An array of which nothing is known, before a frame.
    pub(super) fn new(
        declaration: &'d Declaration,
        typical: &Typical,
        tiles: Tiles,
        between: BTreeMap<Value, f64>,
    ) -> Self {
        let model = &declaration.options.error_model;
        let mut tape = Tape::new(tiles.size(), model, declaration.machine.range);
        let needed = Needed::of(declaration);
        #[expect(clippy::cast_precision_loss, reason = "arrays are small")]
        let sum_of_ones = declaration.side.pow(2) as f64 / f64::from(SUM_STEP);
        let unknown = tape.given(vec![f32::NAN; tiles.size().pes()]);
        let planes = typical.planes.iter();
        let seen = planes.map(|(of, pictures)| (*of, tape.given(tiles.pictures(pictures, typical.around))));
        let mut seen: BTreeMap<Value, Id> = seen.collect();
        seen.extend(typical.others.iter().map(|of| (*of, unknown)));
        let mut array = Evaluator::default();
        for store in declaration.machine.registers.iter().map(Store::Reg).chain([Store::News, Store::In]) {
            array.cells.give(store, unknown);
        }
        for bit in Dreg::ALL.into_iter().map(Bit::Reg).chain([Bit::Select, Bit::Rect]) {
            array.bits.give(bit, unknown);
        }
        let (numbers, alive, later) = (BTreeMap::new(), Vec::new(), Vec::new());
        let (level, level_of) = (None, None);
        let range = declaration.machine.range;
        Self {
            model,
            range,
            tape,
            array,
            tiles,
            sum_of_ones,
            needed,
            between,
            unknown,
            seen,
            numbers,
            level,
            level_of,
            alive,
            later,
        }
    }

    /// A register holds a value before the frame: what is typical for it, as it is expected to be if it is a picture that was taken.
    pub(super) fn is_given(&mut self, held: Held, value: Value, is_captured: bool) {
        let Some(mut content) = self.seen.remove(&value).filter(|content| *content != self.unknown) else { return };
        if is_captured {
            let exact = self.tape.content(content)[0].to_vec();
            let expected = exact.iter().map(|level| self.model.captured(*level)).collect();
            content = self.tape.given_with(exact, expected);
        }
        self.alive.push(content);
        self.give(held, content);
    }

    /// A register holds a value: what is typical for it, whatever it was made of.
    pub(super) fn holds(&mut self, held: Held, value: Value) {
        if let Some(content) = self.seen.get(&value) {
            self.give(held, *content);
        }
    }

    fn give(&mut self, held: Held, content: Id) {
        match held {
            Held::Reg(reg) => self.array.cells.give(Store::Reg(reg), content),
            Held::Bit(bit) => self.array.bits.give(bit, content),
        }
    }

    /// What a register holds.
    pub(super) fn content(&self, held: Held) -> Option<Id> {
        match held {
            Held::Reg(reg) => self.array.cells.get(Store::Reg(reg)).copied(),
            Held::Bit(bit) => self.array.bits.get(bit).copied(),
        }
    }

    /// What there is now.
    pub(super) fn moment(&self) -> Moment {
        let (array, numbers) = (self.array.clone(), self.numbers.clone());
        Moment { array, numbers, level: self.level, level_of: self.level_of, contents: self.tape.count() }
    }

    /// Forgets the contents that nothing holds any more.
    pub(super) fn forget(&mut self) {
        let Self { tape, array, alive, later, .. } = self;
        let kept: BTreeSet<Id> = held(array).chain(later.iter().copied()).collect();
        alive.retain(|id| {
            let is_kept = kept.contains(id);
            if !is_kept {
                tape.forget(*id);
            }
            is_kept
        });
    }

    /// What pieces may write is not known any more.
    pub(super) fn lose(&mut self, pieces: &[Piece<'_>]) {
        let (regs, bits) = written(&steps(pieces));
        for store in regs.into_iter().map(Store::Reg).chain([Store::News, Store::In]) {
            self.array.cells.give(store, self.unknown);
        }
        for bit in bits.into_iter().map(Bit::Reg).chain([Bit::Select, Bit::Rect]) {
            self.array.bits.give(bit, self.unknown);
        }
        self.numbers.clear();
        (self.level, self.level_of) = (None, None);
    }

    /// Sets `IN` to a level that is changed by so many DN on a chip as declared.
    pub(super) fn give_level(&mut self, level: i8, more: i16) {
        let expected = f32::from(i16::from(level) + more).clamp(-128.0, 127.0);
        let content = self.tape.level(level.into(), expected);
        self.array.cells.give(Store::In, content);
        (self.level, self.level_of) = (Some((level, more)), None);
    }

    /// Sets `IN` by a step of the controller.
    pub(super) fn set_level(&mut self, step: &Step) {
        match step {
            Step::Level(level) => self.give_level(*level, 0),
            Step::Compensation { level, errors } => {
                let compensated = compensated_level(*level, errors, self.model.offset);
                self.give_level(*level, i16::from(compensated) - i16::from(*level));
            }
            Step::LevelOf { number, corrected } => {
                self.array.cells.give(Store::In, self.unknown);
                (self.level, self.level_of) = (None, Some((*number, *corrected)));
            }
            _ => {}
        }
    }

    /// Carries out a step without others within.
    pub(super) fn step(&mut self, step: &Step) -> Result<(), Unsupported> {
        match step {
            Step::Execute(listing) => {
                for word in listing.iter().flat_map(Instruction::words) {
                    self.array.word(&mut self.tape, word)?;
                }
            }
            step if sets_level(step) => {
                self.set_level(step);
                // What an earlier correction has moved stays there.
                let is_moved = matches!(step, Step::Compensation { .. } | Step::LevelOf { corrected: Some(_), .. });
                if is_moved {
                    (self.level, self.level_of) = (None, None);
                }
            }
            Step::Select(selection) => {
                let bits = self.tiles.bits(|row, column| selection.contains(row, column));
                let bits = self.tape.given(bits);
                self.array.bits.give(Bit::Select, bits);
            }
            Step::RegionOf { register, first } => {
                let bits = self.region(*first).map_or(self.unknown, |area| {
                    let bits = self.tiles.bits(|row, column| area.contains(row, column));
                    self.tape.given(bits)
                });
                self.array.bits.give(Bit::Reg(*register), bits);
                for set in [Bit::Rect, Bit::Select] {
                    self.array.bits.give(set, self.unknown);
                }
            }
            Step::Compute { number, formula } => {
                match formula.as_slice() {
                    [Term::Constant(constant)] => self.numbers.insert(*number, *constant),
                    _ => self.numbers.remove(number),
                };
            }
            Step::Find { .. } | Step::Sum { .. } | Step::Correct { .. } | Step::Read(_) => {}
            _ => return Err(Unsupported),
        }
        Ok(())
    }

    /// A rectangle that is given by four constants.
    fn region(&self, first: usize) -> Option<Area> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let number = |place: usize| self.numbers.get(&place).map(|number| *number as usize);
        Some(Area {
            top: number(first)?,
            left: number(first + 1)?,
            height: number(first + 2)?,
            width: number(first + 3)?,
        })
    }

    /// A content without errors and with them, where it is known and a value that depends on it is needed.
    pub(super) fn pairs(&self, content: Id, value: Value) -> Vec<(f64, f64)> {
        self.pairs_in(content, &self.tiles.seen(|row, column| self.needed.is_in(value, row, column)))
    }

    /// The same in these PEs, but for those where the value is beyond the range of registers: what saturates is not to be undone
    /// for all others.
    pub(super) fn pairs_in(&self, content: Id, places: &[usize]) -> Vec<(f64, f64)> {
        let [exact, expected] = self.tape.content(content);
        let (min, max) = (f64::from(self.range.min), f64::from(self.range.max));
        let pairs = places.iter().map(|place| (f64::from(exact[*place]), f64::from(expected[*place])));
        pairs.filter(|(exact, expected)| (min..=max).contains(exact) && !expected.is_nan()).collect()
    }
}

impl Moment {
    /// The array is as it was then.
    pub(super) fn again(self, follower: &mut Follower<'_>) {
        (follower.array, follower.numbers) = (self.array, self.numbers);
        (follower.level, follower.level_of) = (self.level, self.level_of);
    }

    /// The same, and everything is forgotten that was made since.
    pub(super) fn restore(self, follower: &mut Follower<'_>) {
        follower.tape.truncate(self.contents);
        self.again(follower);
    }
}

/// The contents of all registers.
pub(super) fn held(array: &Evaluator<Id, Id>) -> impl Iterator<Item = Id> {
    let cells = array.cells.written().filter_map(|store| array.cells.get(store));
    cells.chain(array.bits.written().filter_map(|bit| array.bits.get(bit))).copied()
}

/// Whether a step sets the level of `IN`.
pub(super) const fn sets_level(step: &Step) -> bool {
    matches!(step, Step::Level(_) | Step::Compensation { .. } | Step::LevelOf { .. })
}
