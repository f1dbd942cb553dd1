//! Bags of native programs: what NEWS holds, and the values of registers.

use std::ops::RangeInclusive;

use super::super::draft::Draft;
use super::super::estimate::{estimate, in_news};
use super::super::goals::{GoalId, Goals};
use super::super::problem::Problem;
use super::super::space::Space;
use super::super::steps::{Question, Step, Way};
use super::super::terms;
use super::bound::lower_bound;
use super::forms::WordForm;
use super::moves::WordMoves;

/// What each value too many adds to the estimate of a wary search, about as much as two digits.
const CROWDED: i64 = 3000;

/// What each third that is still needed adds, about as much as two halvings.
const THIRD: i64 = 4000;

/// What the search asks about bags of one problem.
///
/// The first goal of a bag is what NEWS holds, or [`Step::NONE`]; the values of registers follow in order, and one that
/// stands in two registers twice.
pub(crate) struct WordBags<'a> {
    problem: &'a Problem,
    moves: &'a WordMoves,
    /// Targets that stand in the register of an input, which must be dead by then: (target, input).
    displacing: Vec<(GoalId, GoalId)>,
    wary: bool,
}

/// Where a word leaves its result beside its first destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In NEWS, where it is wanted.
    News,
    /// In a further register, where it is wanted.
    Register,
    /// In NEWS, where nothing is wanted.
    SpareNews,
    /// In a register in which nothing is wanted.
    SpareRegister,
}

/// Takes the result of a word out of the bag after it, and says where its further destinations are; `None` if the bag
/// does not hold the result where the word leaves it.
pub(super) fn take_results(form: &WordForm, result: GoalId, bag: &mut Vec<GoalId>) -> Option<Vec<Place>> {
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
    let mut places = Vec::new();
    for _ in 1..form.divisor {
        places.push(if news_is_open && bag[0] == result {
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

impl<'a> WordBags<'a> {
    /// `wary` prefers bags that leave registers free.
    pub(crate) fn new(problem: &'a Problem, moves: &'a WordMoves, wary: bool) -> Self {
        Self { problem, moves, displacing: problem.displacing(), wary }
    }

    fn is_kept(&self, goal: GoalId) -> bool {
        self.problem.input(goal).is_some_and(|input| input.keep)
    }

    /// Whether the i-th goal of a bag has to be made.
    fn is_open(&self, bag: &[GoalId], i: usize) -> bool {
        match i {
            0 => bag[0] != Step::NONE,
            // The second copy of an input, and any of one that stands elsewhere, has to be made.
            _ => self.problem.input(bag[i]).is_none_or(|input| input.keep) || (i > 1 && bag[i - 1] == bag[i]),
        }
    }

    /// The values that have to be made.
    fn open<'b>(&'b self, bag: &'b [GoalId]) -> impl Iterator<Item = GoalId> + Clone + 'b {
        (0..bag.len()).filter(|&i| self.is_open(bag, i)).map(|i| bag[i])
    }

    /// Values in registers that a step can use beside new ones: the bag's, and every input.
    fn pool(&self, bag: &[GoalId]) -> Vec<GoalId> {
        let mut pool = bag[1..].to_vec();
        pool.dedup();
        for input in &self.problem.inputs {
            if !pool.contains(&input.goal) {
                pool.push(input.goal);
            }
        }
        pool
    }

    /// By how many the values of a bag, with the inputs that have to come back, exceed what leaves one register free.
    fn crowding(&self, bag: &[GoalId]) -> i64 {
        let missing = self.problem.inputs.iter().filter(|input| !input.keep && !bag[1..].contains(&input.goal)).count();
        let crowding = (bag.len() + missing).saturating_sub(self.problem.writable.len());
        i64::try_from(crowding).unwrap_or(i64::MAX)
    }
}

impl Space for WordBags<'_> {
    fn last(&self) -> Vec<GoalId> {
        let mut bag: Vec<GoalId> = self.problem.targets.iter().map(|target| target.0).collect();
        bag.sort_unstable();
        bag.insert(0, Step::NONE);
        bag
    }

    fn first_goals(&self) -> RangeInclusive<GoalId> {
        self.problem.first_goals()
    }

    fn is_done(&self, bag: &[GoalId]) -> bool {
        self.open(bag).next().is_none()
    }

    /// How what NEWS holds is made, and how each register is, with what NEWS holds or with what it may have held.
    fn questions(&self, bag: &[GoalId], questions: &mut Vec<Question>) {
        let pool = self.pool(bag);
        let news = bag[0];
        let mut ask = |goal: GoalId, way: Way| {
            questions.push(Question::alone(goal, way));
            questions
                .extend(pool.iter().filter(|other| **other != goal).map(|&other| Question::with(goal, other, way)));
        };
        if news != Step::NONE {
            ask(news, Way::WritingNews);
        }
        let mut open: Vec<GoalId> = (1..bag.len()).filter(|&i| self.is_open(bag, i)).map(|i| bag[i]).collect();
        open.dedup();
        for &goal in &open {
            ask(goal, Way::Registers);
            if news == Step::NONE {
                ask(goal, Way::Reading);
            }
        }
        if news != Step::NONE {
            for goal in open {
                questions.push(Question::with(goal, news, Way::ReadingHeld));
                let others = pool.iter().filter(|other| **other != goal);
                questions.extend(others.map(|&other| Question { goal, others: [news, other], way: Way::ReadingHeld }));
            }
        }
    }

    fn draft(&self, goals: &Goals, question: Question) -> Draft {
        self.moves.draft(goals, question)
    }

    fn is_possible(&self, _: &Step) -> bool {
        true
    }

    /// There is none if NEWS would have to hold two values at once, or the registers do not suffice: a word cannot
    /// write a register that it reads, so that its destinations need registers beside all values before it.
    fn before(&self, after: &[GoalId], step: &Step, before: &mut Vec<GoalId>) -> bool {
        before.clear();
        before.extend_from_slice(after);
        let form = self.moves.forms().get(step.form);
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
            let wanted = operands[..=i].iter().filter(|other| **other == operand).count();
            let there = before[1..].iter().filter(|other| **other == operand).count();
            if there + usize::from(self.is_kept(operand)) < wanted {
                before.push(operand);
            }
        }
        let written = places.iter().filter(|place| matches!(place, Place::Register | Place::SpareRegister)).count();
        let written = written + usize::from(!form.makes_news());
        if before.len() - 1 + written > self.problem.writable.len() {
            return false;
        }
        before[1..].sort_unstable();
        self.displacing.iter().all(|(target, input)| !(before[1..].contains(target) && before[1..].contains(input)))
    }

    fn lower_bound(&self, goals: &Goals, bag: &[GoalId]) -> u32 {
        lower_bound(self.problem, goals, bag, |i| self.is_open(bag, i))
    }

    fn estimate(&self, goals: &Goals, bag: &[GoalId], lower_bound: u32) -> i64 {
        let values = if bag[0] == Step::NONE { &bag[1..] } else { bag };
        let is_input = |goal| self.problem.input(goal).is_some();
        let estimate = estimate(goals.weights(), goals, values, is_input, self.problem.scale, lower_bound);
        let in_news = if bag[0] == Step::NONE { 0 } else { in_news(goals.weights(), goals.terms(bag[0])) };
        let thirds = match self.problem.thirds {
            0 => 0,
            all => values.iter().map(|&goal| all.saturating_sub(terms::thirds(goals.terms(goal)))).max().unwrap_or(0),
        };
        estimate + in_news + THIRD * i64::from(thirds) + if self.wary { CROWDED * self.crowding(bag) } else { 0 }
    }

    fn hash(&self, goals: &Goals, bag: &[GoalId]) -> u64 {
        let news = if bag[0] == Step::NONE { 0 } else { goals.features(bag[0]).hash.rotate_left(32) };
        bag[1..].iter().fold(news, |sum: u64, &goal| sum.wrapping_add(goals.features(goal).hash))
    }
}
