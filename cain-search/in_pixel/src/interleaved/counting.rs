//! The dense layer with exact scores, which are added up as bits.
//!
//! Each PE has the weight of its group's result for one class, so that all classes are added up at once. A number lies
//! in the PEs of a class in adjacent groups, one bit in each, the lowest in the west: so it takes one register, and one
//! word moves it by one PE. To add two numbers, their bits are added and carries move to the next group, until there
//! are none.
//!
//! For weights of −1 all bits of the result are inverted, which makes it larger by the same number everywhere. The
//! total of these follows from the weights, and the controller subtracts it.

use cain_analysis::owned::Step;
use cain_isa::program::{Count, Selection};
use cain_isa::{Bit, Cell, Dreg, WordError};

use super::geometry::Geometry;
use super::maps::{self, RESULT};
use super::moves::{Axis, Moves, SCRATCH};
use crate::registers::DENSE;
use crate::steps::Copies;
use crate::words::Draft;
use crate::{Declaration, InPixelError, Second};

/// A number, and its addend: first another number, and then carries.
pub(super) const NUMBER: Dreg = SCRATCH[0];
pub(super) const ADDEND: Dreg = SCRATCH[1];
pub(super) const FREE: Dreg = SCRATCH[2];
/// The inverted bits of weighted results, lowest first.
pub(super) const ZEROS: [Dreg; 2] = [SCRATCH[3], SCRATCH[4]];

/// The number of groups along the columns whose results are added up one by one.
pub(super) const FIRST: usize = 4;

/// A step of adding numbers in pairs: each is added to the one `distance` PEs before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Join {
    pub(super) axis: Axis,
    pub(super) distance: usize,
}

/// The plan for adding up results.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) side: usize,
    pub(super) group: usize,
    pub(super) classes: usize,
    /// The levels of `IN` for comparisons of a result with 1, 2 and 3, as far as it can be that large.
    pub(super) levels: Vec<i8>,
    /// The number of bits of a result.
    pub(super) result_bits: usize,
    /// The number of groups that a number takes at the end.
    pub(super) places: usize,
    pub(super) joins: Vec<Join>,
    numbers: usize,
    excess: [u32; Count::MOST_CLASSES],
}

impl Plan {
    pub(super) fn of(network: &Declaration, second: &Second, geometry: &Geometry) -> Result<Self, InPixelError> {
        let largest = second.thresholds[1].len();
        let result_bits = bits(largest);
        let groups = geometry.side / geometry.group;
        let most = (1 << result_bits) - 1;
        let fits = |places: &usize| bits(most * places * groups) <= *places;
        let places =
            std::iter::successors(Some(FIRST), |places| Some(2 * places)).take_while(|places| *places <= groups);
        let places = { places }.find(fits).ok_or(InPixelError::Count { groups })?;
        let level = i16::from(maps::result_level(network, second));
        let levels = (1..).take(largest).map(|number: i16| i8::try_from(level / 2 - number * level).unwrap_or(i8::MIN));
        let distances = |axis, first: usize, end: usize| {
            let distances = std::iter::successors(Some(first), |distance| Some(2 * distance));
            distances.take_while(move |distance| *distance < end).map(move |distance| Join { axis, distance })
        };
        let columns = distances(Axis::Columns, FIRST * geometry.group, places * geometry.group);
        let rows = distances(Axis::Rows, geometry.group, geometry.side);
        let excess = std::array::from_fn(|class| {
            let negative = network.dense.iter().filter(|weights| weights.get(class) == Some(&-1)).count();
            u32::try_from(negative * most).unwrap_or(u32::MAX)
        });
        Ok(Self {
            side: geometry.side,
            group: geometry.group,
            classes: network.classes(),
            levels: levels.collect(),
            result_bits,
            places,
            joins: columns.chain(rows).collect(),
            numbers: groups / places,
            excess,
        })
    }

    /// The number of bits of the sum of this many results.
    pub(super) const fn bits_of(&self, results: usize) -> usize {
        bits(results * ((1 << self.result_bits) - 1))
    }

    /// The read-out by the controller at the end.
    pub(super) const fn count(&self) -> Count {
        let Self { classes, group, places, numbers, excess, .. } = *self;
        Count { register: NUMBER, first: 0, classes, group, bits: places, numbers, excess }
    }

    /// The PEs of the groups at a place, counted modulo `of`.
    pub(super) fn at(&self, place: usize, of: usize) -> Selection {
        Axis::Columns.selection(place, self.group, of)
    }
}

/// The number of bits of the largest number.
pub(super) const fn bits(largest: usize) -> usize {
    (usize::BITS - largest.leading_zeros()) as usize
}

/// A program, and the steps after which its parts end; each part is proved on its own.
#[derive(Clone, Debug)]
pub(super) struct Counting {
    pub(super) program: Vec<Step>,
    pub(super) ends: Vec<usize>,
}

/// Makes the program. Its parts are: the weighted results; for each of the first groups the addend and, after the first
/// one, each of the carries; for each join the addend and the carries; FLAG; and the read-out.
pub(super) fn program(plan: &Plan) -> Result<Counting, WordError> {
    let mut parts = Parts { plan, moves: Moves::default(), ends: Vec::new() };
    parts.weighted()?;
    for group in 0..FIRST {
        parts.first(group)?;
        if group > 0 {
            parts.carry(plan.bits_of(group + 1), HalfAdder::Flag)?;
        }
    }
    let mut results = FIRST;
    for join in &plan.joins {
        results *= 2;
        parts.join(*join)?;
        parts.carry(plan.bits_of(results), HalfAdder::Zeros)?;
    }
    parts.moves.words().all();
    parts.end()?;
    parts.moves.controller(Step::Count(plan.count()))?;
    parts.end()?;
    Ok(Counting { program: parts.moves.finish()?, ends: parts.ends })
}

struct Parts<'p> {
    plan: &'p Plan,
    moves: Moves,
    ends: Vec<usize>,
}

impl Parts<'_> {
    fn end(&mut self) -> Result<(), WordError> {
        self.moves.part()?;
        self.ends.push(self.moves.steps());
        Ok(())
    }

    /// Makes the bits of results times their weights.
    fn weighted(&mut self) -> Result<(), WordError> {
        let [plus, minus] = DENSE.map(Bit::from);
        let (moves, [low, high]) = (&mut self.moves, ZEROS);
        moves.level(self.plan.levels[0])?;
        moves.words().where_positive(&[RESULT.into(), Cell::In]).nor(low, &[Bit::Flag]);
        if let Some(&level) = self.plan.levels.get(1) {
            moves.level(level)?;
            moves.words().where_positive(&[RESULT.into(), Cell::In]).nor(high, &[Bit::Flag]);
            // Results of 1 are found first, then also those of 3.
            moves.words().nor(FREE, &[high.into()]).nor(NUMBER, &[low.into(), FREE.into()]);
        }
        if let Some(&level) = self.plan.levels.get(2) {
            moves.level(level)?;
            moves.words().where_positive(&[RESULT.into(), Cell::In]).nor(low, &[NUMBER.into(), Bit::Flag]);
        } else if self.plan.levels.len() == 2 {
            moves.words().nor(low, &[NUMBER.into()]);
        }
        moves.part()?;
        for zeros in ZEROS.into_iter().take(self.plan.result_bits) {
            moves.words().nor(NUMBER, &[zeros.into(), plus]);
            moves.words().nor(FREE, &[zeros.into()]).nor(ADDEND, &[FREE.into(), minus]);
            moves.words().nor(zeros, &[NUMBER.into(), ADDEND.into()]);
        }
        self.end()
    }

    /// Takes the weighted results of one of the first groups as a number.
    fn first(&mut self, group: usize) -> Result<(), WordError> {
        let (plan, moves, [low, mut high]) = (self.plan, &mut self.moves, ZEROS);
        if group > 0 {
            // The higher bit of the second group is already in its place.
            let moved = if group > 1 { plan.result_bits } else { 1 };
            moves.open(Axis::Columns.after());
            for zeros in ZEROS.into_iter().take(moved) {
                Copies { copied: zeros, free: [FREE; 2] }.shift(moves.words(), plan.group);
            }
        } else if plan.result_bits > 1 {
            moves.open(Axis::Columns.before());
            copy(moves.words(), high, ADDEND, plan.group);
            high = ADDEND;
        }
        let to = if group > 0 { ADDEND } else { NUMBER };
        moves.controller(Step::Select(plan.at(0, FIRST)))?;
        if plan.result_bits > 1 {
            moves.words().nor(to, &[Bit::Select]).nor(FREE, &[to.into(), low.into()]).where_bits(&[FREE.into()]);
            moves.controller(Step::Select(plan.at(1, FIRST)))?;
            moves.words().nor(to, &[Bit::Select]).nor(FREE, &[to.into(), high.into()]);
            moves.words().or(to, &[FREE.into(), Bit::Flag]);
        } else {
            moves.words().nor(FREE, &[Bit::Select]).nor(to, &[FREE.into(), low.into()]);
        }
        self.end()
    }

    /// Takes the numbers at a distance as addends. Along columns, all numbers but the first of each pair become 0, so
    /// that carries can move there.
    fn join(&mut self, join: Join) -> Result<(), WordError> {
        let moves = &mut self.moves;
        moves.open(join.axis.after());
        copy(moves.words(), NUMBER, ADDEND, join.distance);
        if join.axis == Axis::Columns {
            moves.controller(Step::Select(join.axis.selection(0, join.distance, 2)))?;
            let (words, [inverse, _]) = (moves.words().nor(FREE, &[Bit::Select]), ZEROS);
            // Zeros come in from outside of the array.
            let is_last = 2 * join.distance == self.plan.side;
            for register in [NUMBER, ADDEND].into_iter().take(if is_last { 1 } else { 2 }) {
                words.nor(inverse, &[register.into()]).nor(register, &[inverse.into(), FREE.into()]);
            }
        }
        self.end()
    }

    /// Adds the addend, in numbers of this many bits.
    ///
    /// The sum bits and the carries are again a number and an addend. After each step, one more bit of the addend is 0,
    /// so that in the end only its highest bit may be left, where that of the number is 0.
    fn carry(&mut self, bits: usize, half: HalfAdder) -> Result<(), WordError> {
        self.moves.open(Axis::Columns.before());
        for _ in 1..bits {
            let words = self.moves.words();
            half.add(words);
            Copies { copied: ADDEND, free: [FREE; 2] }.shift(words, self.plan.group);
            self.end()?;
        }
        self.moves.words().or(FREE, &[NUMBER.into(), ADDEND.into()]).or(NUMBER, &[FREE.into()]);
        self.end()
    }
}

/// Copies a register from an even number of PEs away, in the open direction.
fn copy(words: &mut Draft, from: Dreg, to: Dreg, distance: usize) {
    words.neighbours(FREE, from).neighbours(to, FREE);
    Copies { copied: to, free: [FREE; 2] }.shift(words, distance - 2);
}

/// The registers that are free while a number and an addend become their sums and carries.
#[derive(Clone, Copy)]
enum HalfAdder {
    /// FLAG.
    Flag,
    /// The registers of the weighted results.
    Zeros,
}

impl HalfAdder {
    fn add(self, words: &mut Draft) {
        let (number, addend, free) = (Bit::from(NUMBER), Bit::from(ADDEND), Bit::from(FREE));
        match self {
            Self::Flag => {
                words.where_bits(&[number, addend]);
                words.nor(FREE, &[number]).nor(NUMBER, &[addend]).nor(ADDEND, &[free, number]);
                words.nor(FREE, &[Bit::Flag]).nor(NUMBER, &[free, addend]);
            }
            Self::Zeros => {
                let [one, other] = ZEROS;
                words.nor(FREE, &[number, addend]).nor(one, &[number]).nor(other, &[addend]);
                words.nor(ADDEND, &[one.into(), other.into()]).nor(NUMBER, &[free, addend]);
            }
        }
    }
}
