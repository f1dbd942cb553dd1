//! Levels of the controller that are moved on a chip with errors.

use std::collections::VecDeque;

use cain_analysis::owned::Step;
use cain_isa::program::Held;
use cain_isa::{Cell, Fraction, Instruction, Store, Sum, Word};
use cain_network::expected::Pairs;

use super::follow::{Follower, sets_level};
use crate::declaration::Value;
use crate::plan::Piece;

/// How far a level is moved at most, in DN: first in steps of this, then around the best of them by one.
const MOST: i16 = 64;
const STEP: i16 = 8;

/// What is at most left of the error where a level is moved, and where another step of the controller moves it.
const WORTH: f64 = 0.97;
const WORTH_A_STEP: f64 = 0.9;

/// From which difference on another level is set for a comparison, in DN, and where that takes another step of the controller.
/// Factors differ by as much as for numbers of this size.
const WORTH_DN: f64 = 0.5;
const WORTH_A_STEP_DN: f64 = 4.0;
/// The same where nothing sets a level for a comparison with 0.
const WORTH_ADDED_DN: f64 = 1.0;
const FAR: f64 = 64.0;
/// The factor and the summand of what is not corrected.
pub(super) const NONE: (f64, f64) = (1.0, 0.0);

/// How much errors count that a line undoes where levels are read, beside those that no line undoes: planes also stay on the array,
/// and a summand brings levels nearer to the end of the range.
const UNDONE: f64 = 0.5;

/// How far from a level, in DN, sums count half as much as those that are at it.
const NEAR: f64 = 16.0;

impl<'d> Follower<'d> {
    /// What sets `IN` for a step that reads it, if it is something else than now. It is `fresh` if the last step has set it. A
    /// comparison that does not read it may do so then.
    pub(super) fn better_level(&mut self, step: &mut Step, rest: &VecDeque<Piece<'d>>, fresh: bool) -> Option<Step> {
        if level_reads(step).next().is_none() {
            return self.added_level(step, rest);
        }
        let compares = level_reads(step).all(|word| matches!(word, Word::Where(_)));
        match (self.level, self.level_of) {
            (Some((level, now)), _) => {
                let more = if compares {
                    let best = self.compared_level(level, step, rest);
                    best.map(|best| if f64::from(best.abs_diff(now)) >= worth_dn(fresh) { best } else { now })
                } else {
                    self.written_level((level, now), step, rest, fresh)
                };
                // Without anything to go by, it is not moved.
                Some(more.unwrap_or(0)).filter(|more| *more != now).map(|more| moved(level, more, self.model.offset))
            }
            (None, Some((number, now))) => {
                let corrected = if compares { self.corrected_level(step, rest, None) } else { None };
                let difference = apart(corrected.unwrap_or(NONE), now.unwrap_or(NONE));
                (difference >= worth_dn(fresh)).then_some(Step::LevelOf { number, corrected })
            }
            (None, None) => None,
        }
    }

    /// What sets `IN` for a comparison that does not read it, and reads it then as well: without errors it is 0. Only where
    /// nothing later needs what `IN` is now.
    fn added_level(&mut self, step: &mut Step, rest: &VecDeque<Piece<'d>>) -> Option<Step> {
        let Step::Execute(listing) = &*step else { return None };
        let [Instruction::Word(Word::Where(sum)), others @ ..] = listing.as_slice() else { return None };
        let copies = |of: &Instruction| matches!(of, Instruction::Word(Word::Logic(_) | Word::All));
        // What is only chosen by such bits is nearly the same on both sides.
        let is_kept = matches!(rest.front(), Some(Piece::Holds(Held::Bit(_), _)));
        if !is_kept || !others.iter().all(copies) || is_level_read(rest) {
            return None;
        }
        let cells: Vec<Cell> = sum.cells().iter().copied().chain([Cell::In]).collect();
        let mut with_level = listing.clone();
        with_level[0] = Instruction::Word(Word::Where(Sum::new(&cells).ok()?));
        let with_level = Step::Execute(with_level);
        let more = self.compared_level(0, &with_level, rest)?;
        (f64::from(more.abs()) >= WORTH_ADDED_DN).then(|| {
            *step = with_level;
            moved(0, more, self.model.offset)
        })
    }

    /// By how many DN a level is best moved that a step compares with.
    fn compared_level(&mut self, level: i8, step: &Step, rest: &VecDeque<Piece<'d>>) -> Option<i16> {
        let (factor, summand) = self.corrected_level(step, rest, Some(level.into()))?;
        let best = factor * f64::from(level) + summand - f64::from(level);
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        Some(best.round().clamp(f64::from(-MOST), f64::from(MOST)) as i16)
    }

    /// By how many DN a level is moved that a step writes.
    fn written_level(
        &mut self,
        (level, now): (i8, i16),
        step: &Step,
        rest: &VecDeque<Piece<'d>>,
        fresh: bool,
    ) -> Option<i16> {
        let errors = self.errors((level, now), step, rest)?;
        let least = errors.iter().min_by(|(a, _), (b, _)| a.total_cmp(b)).copied()?;
        let (unmoved, _) = errors.iter().find(|(_, more)| *more == now)?;
        let worth = if fresh { WORTH } else { WORTH_A_STEP };
        Some(if least.0 < worth * unmoved { least.1 } else { now })
    }

    /// How wrong the next value is with levels that are moved by so many DN.
    fn errors(&mut self, (level, now): (i8, i16), step: &Step, rest: &VecDeque<Piece<'d>>) -> Option<Vec<(f64, i16)>> {
        let mut errors = Vec::new();
        let mut attempt = |follower: &mut Self, more: i16| {
            let before = follower.moment();
            follower.give_level(level, more);
            let next = follower.until_next(step, rest);
            let error = next.and_then(|(held, value)| follower.error_of(held, value));
            before.restore(follower);
            errors.extend(error.map(|error| (error, more)));
            error
        };
        attempt(self, now)?;
        let coarse = (-MOST..=MOST).step_by(STEP.unsigned_abs().into());
        let coarse = coarse.filter_map(|more| Some((attempt(self, more)?, more)));
        let (_, nearest) = coarse.min_by(|(a, _), (b, _)| a.total_cmp(b))?;
        for more in (nearest - STEP + 1..nearest + STEP).filter(|more| more % STEP != 0) {
            attempt(self, more);
        }
        Some(errors)
    }

    /// Carries out steps until a value is made, and tells where.
    fn until_next(&mut self, step: &Step, rest: &VecDeque<Piece<'d>>) -> Option<(Held, Value)> {
        self.step(step).ok()?;
        for piece in rest {
            match piece {
                Piece::Do(step) => self.step(step).ok()?,
                Piece::Holds(held, value) => return Some((*held, *value)),
                _ => return None,
            }
        }
        None
    }

    /// How wrong a value is: levels with what is left after the best correction by a line, since numbers that are read of them get
    /// that, and to a part without it, since planes also stay on the array; of bits how many are wrong.
    fn error_of(&self, held: Held, value: Value) -> Option<f64> {
        let pairs = self.pairs(self.content(held)?, value);
        Some(match held {
            Held::Reg(_) => {
                let line: Pairs = pairs.into_iter().collect();
                line.left(self.model.conversion_variance()).hypot(UNDONE * line.error())
            }
            Held::Bit(_) => pairs.into_iter().map(|(exact, expected)| (exact - expected).abs()).sum(),
        })
    }

    /// The factor and the summand with which the level is taken that a step compares a sum with, so that it decides as without
    /// errors: at a level, or in the whole range. If few sums are possible, it decides in the middle between two of them.
    fn corrected_level(&mut self, step: &Step, rest: &VecDeque<Piece<'d>>, at: Option<f64>) -> Option<(f64, f64)> {
        let next =
            rest.iter().find_map(|piece| if let Piece::Holds(_, value) = piece { Some(*value) } else { None })?;
        let before = self.moment();
        // The sum of all but the level.
        let none = self.tape.level(0.0, 0.0);
        self.array.cells.give(Store::In, none);
        self.tape.forget_compared();
        let is_done = self.step(step).is_ok();
        let compared = self.tape.last_compared().filter(|_| is_done);
        // The sum at which it decides best.
        let between = self.between.get(&next).copied().unwrap_or(0.0);
        let zero = at.map(|level| between - level);
        let mut line = Pairs::default();
        for (exact, expected) in compared.map_or_else(Vec::new, |compared| self.pairs(compared, next)) {
            let far = zero.map_or(0.0, |zero| (exact - zero) / NEAR);
            line.add_weighted(exact, expected, 1.0 / (1.0 + far * far));
        }
        before.restore(self);
        // The sum without errors is `factor` times the other one, plus `summand`.
        let (factor, summand) = line.line(0.0)?;
        Some((1.0 / factor, (summand - between) / factor))
    }
}

/// How far a factor and a summand are from others, for numbers of the size [`FAR`].
pub(super) fn apart((one, more): (f64, f64), (other, less): (f64, f64)) -> f64 {
    FAR * (one - other).abs() + (more - less).abs()
}

/// The words of a step that read the level of `IN`.
fn level_reads(step: &Step) -> impl Iterator<Item = Word> {
    let words = step.listing().into_iter().flatten().flat_map(Instruction::words);
    words.filter(|word| word.sources().contains(&Cell::In))
}

/// Whether the level that `IN` has now is read later. Loops, decisions and what follows them set it themselves.
fn is_level_read(rest: &VecDeque<Piece<'_>>) -> bool {
    for piece in rest {
        match piece {
            Piece::Do(step) if sets_level(step) => return false,
            Piece::Do(step) if level_reads(step).next().is_some() => return true,
            Piece::Do(_) | Piece::Holds(..) | Piece::List { .. } => {}
            Piece::Loop { .. } | Piece::Decide { .. } | Piece::First { .. } => return false,
        }
    }
    false
}

const fn worth_dn(fresh: bool) -> f64 {
    if fresh { WORTH_DN } else { WORTH_A_STEP_DN }
}

/// What sets a level that is changed by so many DN on the chip.
pub(super) fn moved(level: i8, more: i16, offset: [f32; 3]) -> Step {
    match shares(more, offset) {
        Some(errors) if more != 0 => Step::Compensation { level, errors },
        _ => Step::Level(level),
    }
}

/// How often the constant errors of transfers give so many DN.
fn shares(more: i16, offset: [f32; 3]) -> Option<[Fraction; 3]> {
    /// One over the resolution of shares.
    const PARTS: i32 = 1024;
    let kind = offset.iter().position(|error| *error != 0.0)?;
    let share = f64::from(more) / f64::from(offset[kind]) * f64::from(PARTS);
    let mut shares = [Fraction::ZERO; 3];
    #[expect(clippy::cast_possible_truncation, reason = "saturates")]
    let numerator = share.round() as i64;
    shares[kind] = Fraction::new(numerator, PARTS.into())?;
    Some(shares)
}
