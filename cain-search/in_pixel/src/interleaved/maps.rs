//! The maps of the second convolution: sums over all PEs of a group, which become integers in all of them.

use cain_analysis::owned::Step;
use cain_isa::{Bit, Cell, Dreg, Reg, WordError};

use super::geometry::Geometry;
use super::moves::{Axis, Moves, SCRATCH, first_of};
use crate::registers::{PICTURE, SUM};
use crate::{Declaration, InPixelError, Second};

const NEWS: Cell = Cell::News;
/// Minus the error of a transfer.
const MINUS_ERROR: Cell = Cell::Reg(Reg::E);
/// Minus twice the difference between the error of a transfer to two cells and that of a transfer to one.
const DIFFERENCE: Cell = Cell::Reg(Reg::A);
/// Minus the approximate rest of the transfer errors after halvings.
const REST: Cell = Cell::Reg(Reg::F);
/// The registers of sums; a sum alternates between them.
const SUMS: [Reg; 3] = [SUM, Reg::C, Reg::D];

/// The register of the results, in the format of pixels: each result of 1 counts as [`Sums::result`] DN.
pub(super) const RESULT: Reg = PICTURE;
/// Minus the results, with the error of a transfer.
const MINUS: Cell = Cell::Reg(Reg::E);

/// The largest power of two, in DN, for a pixel of 1 such that no sum over a filter leaves the range.
pub(super) fn level(network: &Declaration, taps: usize, largest: usize) -> Result<i8, InPixelError> {
    let (taps, most) = (taps * taps, network.most_compared());
    let fits = |level: &i8| i16::try_from(taps * largest).is_ok_and(|sum| sum.saturating_mul((*level).into()) <= most);
    [64, 32, 16, 8, 4, 2].into_iter().find(fits).ok_or(InPixelError::Range { taps, most })
}

/// The value in DN of a result of 1 in the input of the dense layer: the largest one for which all results fit.
pub(super) fn result_level(network: &Declaration, second: &Second) -> i8 {
    let largest = i16::try_from(second.thresholds[1].len()).unwrap_or(i16::MAX);
    i8::try_from(network.most_compared() / largest).unwrap_or(i8::MAX)
}

/// The level that a sum exceeds if and only if it reaches the threshold, where 1 counts as `level`, at least 2 DN.
pub(super) fn reaches(threshold: u8, level: i8) -> i8 {
    let level = i16::from(level);
    i8::try_from(i16::from(threshold) * level - level / 2).unwrap_or(i8::MAX)
}

/// The way in which the sums of a group are computed.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    /// The additions: along which axis, over which distance, and whether the sums are halved.
    pub(super) stages: Vec<(Axis, usize, bool)>,
    /// The levels to compare with, one for each threshold, in DN.
    pub(super) levels: Vec<i8>,
    /// The value of a result of 1, in DN.
    pub(super) result: i8,
}

impl Sums {
    /// Plans the sums, halving them where they could leave the range, for the declared weights and all pictures.
    pub(super) fn of(
        network: &Declaration,
        second: &Second,
        geometry: &Geometry,
        level: i8,
    ) -> Result<Self, InPixelError> {
        let most = i64::from(network.most_compared());
        let (mut stages, mut halvings) = (Vec::new(), 0);
        let mut sums = Totals::of(network, second);
        for axis in [Axis::Columns, Axis::Rows] {
            let distances = std::iter::successors(Some(1), |distance| Some(2 * distance));
            for distance in distances.take_while(|distance| *distance < geometry.group) {
                sums.add(axis, distance, geometry.group);
                let is_halved = sums.largest() * i64::from(level) > most << halvings;
                halvings += u32::from(is_halved);
                stages.push((axis, distance, is_halved));
            }
        }
        // Both registers that receive a halved sum are compared.
        let copies = if stages.last().is_some_and(|(.., is_halved)| *is_halved) { 2 } else { 1 };
        let unit = [copies * i64::from(level), 1 << halvings];
        let levels = second.thresholds[1].iter().map(|threshold| exceeded(*threshold, unit));
        Ok(Self { stages, levels: levels.collect::<Result<_, _>>()?, result: result_level(network, second) })
    }
}

/// A level that sums exceed if and only if they reach the threshold, in the middle of the gap if possible; 1 counts as
/// the fraction `count`/`of` in DN.
fn exceeded(threshold: u8, [count, of]: [i64; 2]) -> Result<i8, InPixelError> {
    let threshold = i64::from(threshold);
    let (below, from) = ((threshold - 1) * count, threshold * count);
    let middle = (below + from).div_euclid(2 * of);
    let fits = |level: i64| level * of >= below && level * of < from && level <= i8::MAX.into();
    let level = [middle, middle + 1].into_iter().find(|level| fits(*level));
    level.and_then(|level| i8::try_from(level).ok()).ok_or_else(|| {
        let others = (1..=i64::from(u8::MAX)).filter(|other| exceeded_by(*other, [count, of]));
        let near = others.min_by_key(|other| (other - threshold).abs()).and_then(|near| u8::try_from(near).ok());
        InPixelError::Threshold { convolution: 1, found: u8::try_from(threshold).unwrap_or(u8::MAX), near }
    })
}

/// Whether there is a level for a threshold.
fn exceeded_by(threshold: i64, [count, of]: [i64; 2]) -> bool {
    let level = ((threshold - 1) * count + of - 1).div_euclid(of);
    level * of < threshold * count && level <= i8::MAX.into()
}

/// The amounts by which the largest pixels can raise and lower the sums of each PE of a group, for all maps.
struct Totals {
    /// The amounts for each map and each PE of a group, row by row.
    sums: Vec<Vec<[i64; 2]>>,
}

impl Totals {
    fn of(network: &Declaration, second: &Second) -> Self {
        let largest = i64::try_from(second.thresholds[0].len()).unwrap_or(i64::MAX);
        let total = |filter: &Vec<i8>| {
            [1, -1].map(|sign| filter.iter().map(|weight| i64::from(*weight == sign)).sum::<i64>() * largest)
        };
        let maps = second.filters.chunks(network.filters.len());
        Self { sums: maps.map(|filters| filters.iter().map(total).collect()).collect() }
    }

    /// Adds the sums of the PEs at a distance. Sums that come from another group do not count for any map.
    fn add(&mut self, axis: Axis, distance: usize, group: usize) {
        let step = if axis == Axis::Rows { group } else { 1 };
        for sums in &mut self.sums {
            for pe in 0..sums.len() {
                let at = if axis == Axis::Rows { pe / group } else { pe % group };
                if at.is_multiple_of(2 * distance) {
                    let other = sums[pe + step * distance];
                    sums[pe].iter_mut().zip(other).for_each(|(sum, other)| *sum += other);
                }
            }
        }
    }

    fn largest(&self) -> i64 {
        self.sums.iter().flatten().flatten().copied().max().unwrap_or(0)
    }
}

/// Makes the program that adds up the sums of all groups and compares them with the thresholds; the results reach all
/// PEs of their group.
pub(super) fn program(geometry: &Geometry, sums: &Sums) -> Result<Vec<Step>, WordError> {
    let mut moves = Moves::default();
    // Whatever the transfer errors are, the sum of two inverted values lacks one error, and half of it lacks the
    // difference between a word with two destinations and one with a single one.
    let [two, twice] = [SUMS[1], SUMS[2]].map(Cell::from);
    moves.words().all().fill(&[two, twice]).bus(DIFFERENCE, &[two, twice]);
    moves.words().fill(&[two]).fill(&[NEWS]).bus(MINUS_ERROR, &[two, NEWS]).bus(twice, &[DIFFERENCE]);
    // This adds, twice, what two transfers leave of an error on a chip: halvings leave more than the difference.
    moves.words().bus(REST, &[two]).bus(NEWS, &[two]).bus(DIFFERENCE, &[twice, MINUS_ERROR, REST, NEWS]);
    // Two or more halvings leave about as much as the difference between the errors of words with two destinations and
    // with one.
    let leaves = sums.stages.iter().filter(|(.., is_halved)| *is_halved).count() > 1;
    if leaves {
        moves.words().fill(&[NEWS, REST]).bus(REST, &[NEWS]);
    }
    let (mut sum, mut twin) = (SUM, None);
    for (number, &(axis, distance, is_halved)) in sums.stages.iter().enumerate() {
        let [to, own] = others(sum);
        let from = Cell::Port(axis.after());
        // The PE reads NEWS of the neighbour before it if that is twice as far away, otherwise its own.
        let shown = if distance == 1 { NEWS } else { Cell::Port(axis.before()) };
        if is_halved {
            let is_last = number + 1 == sums.stages.len();
            let sources: &[Cell] =
                if leaves && is_last { &[sum.into(), DIFFERENCE, REST] } else { &[sum.into(), DIFFERENCE] };
            moves.words().bus(own.into(), sources).bus(shown, &[sum.into()]);
            moves.words().halve([to.into(), sum.into()], &[own.into(), from]);
        } else {
            moves.words().bus(own.into(), &[sum.into()]).bus(shown, &[sum.into()]);
            moves.words().bus(to.into(), &[own.into(), from, MINUS_ERROR]);
        }
        (sum, twin) = (to, is_halved.then_some(sum));
    }
    let cells: Vec<Cell> = [Some(sum.into()), twin.map(Cell::from), Some(Cell::In)].into_iter().flatten().collect();
    moves.words().fill(&[MINUS]);
    for level in &sums.levels {
        let found = compare(&mut moves, geometry, &cells, *level)?;
        moves.level(sums.result)?;
        moves.words().all().bus(NEWS, &[MINUS]).where_bits(&[found.into()]).bus(MINUS, &[NEWS, Cell::In]);
    }
    moves.words().all().bus(RESULT.into(), &[MINUS]);
    moves.finish()
}

/// Compares the sum of the cells of a group's first PE with a level. The result reaches all PEs of the group, as a bit
/// in the register returned.
fn compare(moves: &mut Moves, geometry: &Geometry, cells: &[Cell], level: i8) -> Result<Dreg, WordError> {
    let [found, inverse, free, other, _] = SCRATCH;
    moves.level(-level)?;
    moves.words().where_positive(cells).nor(inverse, &[Bit::Flag]);
    let mut copies = moves.select(first_of(geometry.group, 1), inverse, [found, free, other])?;
    moves.part()?;
    for axis in [Axis::Columns, Axis::Rows] {
        moves.spread(&mut copies, axis, 0, geometry.group, 1);
    }
    Ok(copies.copied)
}

/// The other two registers of sums.
fn others(sum: Reg) -> [Reg; 2] {
    let at = SUMS.iter().position(|other| *other == sum).unwrap_or_default();
    [SUMS[(at + 1) % 3], SUMS[(at + 2) % 3]]
}
