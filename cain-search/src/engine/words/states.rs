//! Bags over control words: what NEWS holds, and the values in registers.

use cain_isa::Word;

use super::bound::lower_bound;
use super::estimate::{BagFeatures, Known, linear};
use super::forms::WordForm;
use super::successors::{READING, READING_HELD, REGISTERS, Successors, WRITING_NEWS};
use crate::engine::draft::Draft;
use crate::engine::estimate::Estimates;
use crate::engine::estimate::integers::int;
use crate::engine::goals::{GoalId, Goals};
use crate::engine::memo::{ExpansionKey, Mode};
use crate::engine::occupancy::{Occupancy, copies};
use crate::engine::problem::Problem;
use crate::engine::states::StateSpace;
use crate::engine::step::Step;
use crate::engine::terms;

/// What each third that is still needed adds to an estimate, about as much as two halvings.
const THIRD: i64 = 4000;

/// What each value that seems to have no room to be made in adds to an estimate. It is far more than any detour,
/// because such bags are dead ends.
const NO_ROOM: i64 = 20_000;

/// The bags of one problem.
///
/// The first goal of a bag is what NEWS holds, or [`Step::NONE`]; the values in registers follow in order. A value that
/// is in two registers is listed twice.
pub(crate) struct WordStates<'a> {
    problem: &'a Problem,
    successors: &'a Successors,
    occupancy: Occupancy<'a>,
    /// Whether the learned estimate is of use.
    is_familiar: bool,
}

/// A place where a word leaves its result in addition to its first destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// NEWS, where the result is wanted.
    News,
    /// A further register, where the result is wanted.
    Register,
    /// NEWS, where nothing is wanted.
    SpareNews,
    /// A register in which nothing is wanted.
    SpareRegister,
}

/// The places of the destinations of a word after the first.
pub(super) type Further = [Option<Place>; Word::MAX_DESTINATIONS - 1];

/// Removes the result of a word from the bag after it, and returns the places of its further destinations; `None` if
/// the bag does not hold the result where the word leaves it.
pub(super) fn take_results(form: &WordForm, result: GoalId, bag: &mut Vec<GoalId>) -> Option<Further> {
    let take_register = |bag: &mut Vec<GoalId>| {
        let position = bag[1..].iter().position(|&goal| goal == result)?;
        Some(bag.remove(position + 1))
    };
    let mut news_is_open = form.reading.is_none();
    if form.makes_news() {
        if bag[0] != result {
            return None;
        }
        bag[0] = Step::NONE;
        news_is_open = false;
    } else {
        take_register(bag)?;
    }
    let mut places = Further::default();
    for place in places.iter_mut().take(usize::from(form.divisor) - 1) {
        *place = Some(if news_is_open && bag[0] == result {
            bag[0] = Step::NONE;
            news_is_open = false;
            Place::News
        } else if take_register(bag).is_some() {
            Place::Register
        } else if news_is_open && bag[0] == Step::NONE {
            news_is_open = false;
            Place::SpareNews
        } else {
            Place::SpareRegister
        });
    }
    Some(places)
}

impl<'a> WordStates<'a> {
    pub(crate) fn new(successors: &'a Successors, occupancy: Occupancy<'a>, is_familiar: bool) -> Self {
        Self { problem: occupancy.problem, successors, occupancy, is_familiar }
    }

    /// Whether the i-th goal of a bag has to be made.
    fn is_open(&self, bag: &[GoalId], i: usize) -> bool {
        match i {
            0 => bag[0] != Step::NONE,
            // A second copy of an input has to be made, and so has any copy of an input that is kept in another
            // register.
            _ => self.problem.input(bag[i]).is_none_or(|input| input.keep) || (i > 1 && bag[i - 1] == bag[i]),
        }
    }

    /// How many values need a second register to be made in but find none free.
    ///
    /// A word that halves writes two cells and reads a third, so sums that are halved, and single terms that are halved
    /// twice, take a register in addition to their own. If each of these values is made while those made before it stay
    /// where they are, and there are as many of them as registers, the last one finds none. This is a guess, since
    /// values may be made from each other.
    fn without_room(&self, goals: &Goals, values: &[GoalId]) -> usize {
        let mut count = 0;
        for &goal in values {
            let features = goals.features(goal);
            let halvings = self.problem.scale.saturating_sub(features.valuation);
            let takes_two = halvings >= if features.support > 1 { 1 } else { 2 };
            count += usize::from(takes_two && !self.occupancy.is_input(goal));
        }
        (count + 1).saturating_sub(self.problem.writable.len())
    }

    /// What values without room, and thirds that are still needed, add to every estimate of a bag.
    pub(crate) fn detours(&self, goals: &Goals, bag: &[GoalId]) -> i64 {
        let values = if bag[0] == Step::NONE { &bag[1..] } else { bag };
        let thirds = match self.problem.thirds {
            0 => 0,
            all => values.iter().map(|&goal| all.saturating_sub(terms::thirds(goals.terms(goal)))).max().unwrap_or(0),
        };
        NO_ROOM * int(self.without_room(goals, values)) + THIRD * i64::from(thirds)
    }

    /// The features of a bag that the learned estimate uses.
    pub(crate) fn features(&self, goals: &Goals, bag: &[GoalId], lower_bound: u32) -> BagFeatures {
        let known = Known { lower_bound, pressure: self.pressure(bag) };
        BagFeatures::of((goals, &self.occupancy), bag, known)
    }

    /// The values that have to be made.
    fn open<'b>(&'b self, bag: &'b [GoalId]) -> impl Iterator<Item = GoalId> + Clone + 'b {
        (0..bag.len()).filter(|&i| self.is_open(bag, i)).map(|i| bag[i])
    }
}

impl StateSpace for WordStates<'_> {
    fn last(&self) -> Vec<GoalId> {
        let mut bag: Vec<GoalId> = self.problem.wanted.iter().map(|wanted| wanted.0).collect();
        bag.sort_unstable();
        bag.insert(0, Step::NONE);
        bag
    }

    fn is_done(&self, bag: &[GoalId]) -> bool {
        self.open(bag).next().is_none()
    }

    /// Makes the value in NEWS, or one in a register: with what NEWS holds, or with what it may have held.
    fn expansions(&self, bag: &[GoalId], keys: &mut Vec<ExpansionKey>) {
        let pool = self.occupancy.pool(&bag[1..]);
        let news = bag[0];
        let mut expand = |goal: GoalId, mode: Mode| {
            keys.push(ExpansionKey::alone(goal, mode));
            let others = pool.iter().filter(|other| **other != goal);
            keys.extend(others.map(|&other| ExpansionKey::with(goal, other, mode)));
        };
        if news != Step::NONE {
            expand(news, WRITING_NEWS);
        }
        let mut open: Vec<GoalId> = (1..bag.len()).filter(|&i| self.is_open(bag, i)).map(|i| bag[i]).collect();
        open.dedup();
        for &goal in &open {
            expand(goal, REGISTERS);
            if news == Step::NONE {
                expand(goal, READING);
            }
        }
        if news != Step::NONE {
            for goal in open {
                keys.push(ExpansionKey::with(goal, news, READING_HELD));
                let others = pool.iter().filter(|other| **other != goal);
                keys.extend(others.map(|&other| ExpansionKey { goal, others: [news, other], mode: READING_HELD }));
            }
        }
    }

    fn draft(&self, goals: &Goals, key: ExpansionKey) -> Draft {
        self.successors.draft(goals, key)
    }

    fn is_possible(&self, _: &Step) -> bool {
        true
    }

    /// There is no such bag if NEWS would have to hold two values at once or if there are too few registers. A word
    /// cannot write a register that it reads, so its destinations take registers in addition to those of all values
    /// before it.
    fn before(&self, after: &[GoalId], step: &Step, before: &mut Vec<GoalId>) -> bool {
        before.clear();
        before.extend_from_slice(after);
        let form = self.successors.forms().get(step.form);
        let Some(places) = take_results(form, step.result, before) else { return false };
        let mut operands = step.operands();
        if let (Some(_), Some((&news, registers))) = (form.reading, operands.split_first()) {
            if before[0] != Step::NONE && before[0] != news {
                return false;
            }
            before[0] = news;
            operands = registers;
        }
        for (i, &operand) in operands.iter().enumerate() {
            let wanted = copies(&operands[..=i], operand);
            let there = copies(&before[1..], operand);
            if there + usize::from(self.occupancy.is_kept(operand)) < wanted {
                before.push(operand);
            }
        }
        let mut written = usize::from(!form.makes_news());
        for place in places {
            written += usize::from(matches!(place, Some(Place::Register | Place::SpareRegister)));
        }
        if before.len() - 1 + written > self.problem.writable.len() {
            return false;
        }
        before[1..].sort_unstable();
        self.occupancy.is_free_of_conflicts(&before[1..])
            && !self.occupancy.overwrites(step.result, operands, &before[1..])
    }

    fn lower_bound(&self, goals: &Goals, bag: &[GoalId]) -> u32 {
        lower_bound(self.problem, goals, bag, |i| self.is_open(bag, i))
    }

    fn estimates(&self, goals: &Goals, bag: &[GoalId], lower_bound: u32) -> Estimates {
        let more = self.detours(goals, bag);
        let linear = more + linear::estimate((goals, &self.occupancy), bag, lower_bound);
        if !self.is_familiar {
            return Estimates::linear(linear);
        }
        Estimates { linear, learned: more + self.features(goals, bag, lower_bound).estimate(goals) }
    }

    fn pressure(&self, bag: &[GoalId]) -> u32 {
        self.occupancy.pressure(&bag[1..])
    }

    fn hash(&self, goals: &Goals, bag: &[GoalId]) -> u64 {
        goals.hash_of_bag(bag, |i, hash| if i == 0 { hash.rotate_left(32) } else { hash })
    }
}
