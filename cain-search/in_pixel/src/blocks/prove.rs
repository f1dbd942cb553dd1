//! Proves that the programs compute the network, for all pictures and all weights.
//!
//! Bits are followed as symbols in every PE of the array. This shows that each weight reaches every PE of its own block
//! and no other, however many blocks there are. Sums are followed as combinations of ink and of products of a weight
//! and ink; the error of transfers is a symbol of its own, which has to cancel.

#[cfg(test)]
mod tests;

use cain_analysis::owned::Step;
use cain_analysis::prove::{self, Condition, Specification, Value};
use cain_isa::{Bit, Cell, Displacement, Dreg, Fraction, Reg, Store, Sum, Word};

use super::layout::{self, Home};
use super::program::{MAXIMUM, PRODUCT};
use super::programs::Programs;
use crate::follower::{Follower, keeps};
use crate::registers::{DENSE, PICTURE, SCRATCH, SUM};
use crate::replay::Replay;
use crate::steps::words;
use crate::sums::{Combination, Flags, Term};
use crate::truth::{Symbol, Unknown};
use crate::{Declaration, InPixelProofError};

/// Proves the programs of a network.
pub(super) fn network(network: &Declaration, parts: &Programs) -> Result<(), InPixelProofError> {
    parts.parts.iter().try_for_each(|part| keeps(&part.steps, &parts.planes))?;
    let [first, second, third, fourth, fifth] = [0, 1, 2, 3, 4].map(|part| &parts.parts[part].steps[..]);
    duplication(network, first, &parts.ink)?;
    let mut replay = convolution(network, parts, second)?;
    relu(third)?;
    prove::operation(&super::program::pool(network))?;
    windows(network, fourth)?;
    third.iter().chain(fourth).for_each(|step| replay.step(step));
    fully_connected(network, fifth, replay)
}

/// Proves that every block gets all bits of the picture and nothing else; the pixel at PE `pe` of the picture is
/// `Unknown::Pe(pe)`.
fn duplication(network: &Declaration, program: &[Step], ink: &[Dreg]) -> Result<(), InPixelProofError> {
    let side = network.side;
    let mut follower = Follower::new(side);
    let picture = Combination::sum([(Term::One, Fraction::ONE)]);
    follower.sums.load(PICTURE, picture.clone().unwrap_or_default());
    let compare = |follower: &mut Follower<Symbol>, sum| {
        let flag = positive(network, sum, follower.level);
        follower.replay.load(Bit::Flag, flag);
        // The picture must still be the one that was taken.
        (follower.sums.value(PICTURE) == picture.as_ref()).then_some(())
    };
    follower.follow(program, compare, |_| None)?;
    let taken = network.taken();
    let (margin, extent) = (network.margin(), network.extent());
    for (bit, register) in ink.iter().enumerate() {
        for (pe, found) in follower.replay.plane((*register).into()).iter().enumerate() {
            let (row, column) = (pe / side, pe % side);
            let within = |at: usize| (at % network.block).checked_sub(margin).filter(|at| *at < extent);
            let wanted = match (within(row), within(column)) {
                (Some(y), Some(x)) => {
                    seen(network, (taken.top + y) * side + taken.left + x, network.is_eastern(column), bit)
                }
                _ => Symbol::Known(false),
            };
            if *found != wanted {
                return Err(InPixelProofError::Duplication { row, column });
            }
        }
    }
    Ok(())
}

/// A bit that filters on one side of the array see of the pixel at PE `pe`.
fn seen(network: &Declaration, pe: usize, is_eastern: bool, bit: usize) -> Symbol {
    Symbol::values(Unknown::Pe(pe), |pixel| network.pixels.seen(pixel, is_eastern) >> bit & 1 == 1)
}

/// The bits of a comparison of the picture, to which a level may be added, with 0: a pixel is the number of cuts that
/// it exceeds.
fn positive(network: &Declaration, sum: Sum, level: Option<i8>) -> Vec<Symbol> {
    const TAKEN: Cell = Cell::Reg(PICTURE);
    let cuts = network.pixels.cuts();
    let cut = match (sum.cells(), level) {
        ([TAKEN], _) => Some(0),
        ([TAKEN, Cell::In], Some(level)) => level.checked_neg(),
        _ => None,
    };
    let exceeded = cut.and_then(|cut| cuts.iter().position(|found| *found == cut));
    let symbol = |pixel: Unknown| match exceeded {
        Some(number) => Symbol::values(pixel, |value| usize::from(value) > number),
        None => Symbol::Other,
    };
    (0..network.side * network.side).map(Unknown::Pe).map(symbol).collect()
}

/// The PE's own pixel, which is the same unknown for all of them.
const INK: Unknown = Unknown::Pe(0);

fn filter_of(network: &Declaration, pe: usize) -> usize {
    let (row, column) = (pe / network.side, pe % network.side);
    row / network.block * network.blocks() + column / network.block
}

/// Follows the convolution; returns the bits after it.
fn convolution(network: &Declaration, parts: &Programs, program: &[Step]) -> Result<Replay, InPixelProofError> {
    let mut follower = Follower::new(network.side);
    load_filters(&mut follower.replay, network, &parts.homes.bits);
    for (bit, register) in parts.ink.iter().enumerate() {
        follower.replay.load((*register).into(), vec![Symbol::bit(INK, bit); network.side * network.side]);
    }
    // The previous program has left arbitrary bits in FLAG.
    follower.replay.load(Bit::Flag, vec![Symbol::Other; network.side * network.side]);
    follower.follow(program, |_, _| None, |replay| flags(network, replay))?;
    let wanted = wanted(network, parts.level).ok_or(InPixelProofError::Border)?;
    follower.leaves(SUM, Some(wanted))?;
    if follower.sums.is_cleared_at_border(SUM) { Ok(follower.replay) } else { Err(InPixelProofError::Border) }
}

/// The result that the convolution must have: minus half the sum of the weighted pixels, where 1 counts as `level`,
/// plus the correction by which the fill of two cells compensates for transfer errors.
///
/// A bit of 1 stands for −1: a pixel times `level` where the bit is 1, minus half of it in any case. The first bit of a
/// ternary weight stands for −1, the second for 1.
fn wanted(network: &Declaration, level: i8) -> Option<Combination> {
    let taps = network.taps;
    let mut terms = vec![(Term::Error(1), Fraction::ONE), (Term::Error(2), Fraction::from(-1))];
    for (plane, place) in (0..network.pixels.bits()).flat_map(|plane| (0..taps * taps).map(move |place| (plane, place)))
    {
        let half = i32::from(level / 2) << plane;
        let coordinate = |number: usize| i16::try_from(number).unwrap_or(i16::MAX);
        let (x, y) = (coordinate(place % taps), -coordinate(place / taps));
        let weights = if network.is_ternary() {
            [(Some(2 * place), half), (Some(2 * place + 1), -half)]
        } else {
            [(Some(place), 2 * half), (None, -half)]
        };
        terms.extend(weights.map(|(bit, weight)| (Term::Ink { plane, bit, x, y }, Fraction::from(weight))));
    }
    Combination::sum(terms)
}

/// Loads every bit of a filter as a symbol, in the PEs where the layout has it.
fn load_filters(replay: &mut Replay, network: &Declaration, homes: &[Home]) {
    for register in layout::FILTERS {
        let symbols = (0..network.side * network.side).map(|pe| {
            let (row, column) = (pe / network.side, pe % network.side);
            let number = homes.iter().position(|home| home.register == register && home.is_at(row, column));
            number.map_or(Symbol::Other, |number| {
                let symbol = Symbol::weight(filter_of(network, pe), number);
                if homes[number].cell == layout::Cell::One { symbol } else { symbol.inverse() }
            })
        });
        replay.load(register.into(), symbols.collect());
    }
}

/// The meaning of FLAG, if it is the same in every PE.
fn flags(network: &Declaration, replay: &Replay) -> Option<Flags> {
    let plane = replay.plane(Bit::Flag);
    let (side, bits) = (network.side, network.bits());
    let weight = |pe: usize, number: usize| Symbol::weight(filter_of(network, pe), number);
    let says = |flags: Flags| {
        plane.iter().enumerate().all(|(pe, found)| match flags {
            Flags::Unknown => false,
            Flags::All => *found == Symbol::Known(true),
            Flags::Ink(bit, _) => *found == Symbol::bit(INK, bit),
            Flags::Weight(number) => *found == weight(pe, number),
            Flags::NoWeight(number) => *found == weight(pe, number).inverse(),
            Flags::Border => {
                let leaves = |at: usize| at + network.taps > side;
                *found == Symbol::Known(leaves(pe / side) || leaves(pe % side))
            }
        })
    };
    let ink = (0..network.pixels.bits()).map(|bit| Flags::Ink(bit, [0, 0]));
    let weights = (0..bits).flat_map(|bit| [Flags::Weight(bit), Flags::NoWeight(bit)]);
    [Flags::All, Flags::Border].into_iter().chain(ink).chain(weights).find(|flags| says(*flags))
}

fn relu(program: &[Step]) -> Result<(), InPixelProofError> {
    let minus = Value::zero().plus(Fraction::from(-1), &Value::of(SUM));
    let rectified = minus.and_then(|minus| minus.max(Value::zero()));
    let Some(rectified) = rectified else { return Err(InPixelProofError::Windows) };
    let specification = Specification { planes: vec![(MAXIMUM, rectified)], ..Specification::default() };
    Ok(specification.check(&executed(program))?)
}

fn executed(program: &[Step]) -> Vec<Word> {
    program.iter().filter_map(words).flatten().collect()
}

/// Proves the copies after the maxima are taken: each is proved for all values, and together they bring the value of a
/// window's north-western PE to all its PEs.
fn windows(network: &Declaration, program: &[Step]) -> Result<(), InPixelProofError> {
    let Some((maxima, copies)) = program.split_first() else { return Err(InPixelProofError::Windows) };
    let pool = super::program::pool(network);
    if !pool.words().is_ok_and(|wanted| words(maxima).is_some_and(|words| words.eq(wanted.iter().copied()))) {
        return Err(InPixelProofError::Windows);
    }
    let from = copied(network, MAXIMUM, copies)?;
    let side = network.side;
    let corner = |at: usize| at / network.pool * network.pool;
    let right = |(pe, from): (usize, &usize)| *from == corner(pe / side) * side + corner(pe % side);
    if from.iter().enumerate().all(right) { Ok(()) } else { Err(InPixelProofError::Windows) }
}

/// For each PE, the PE whose value it has after some copies.
fn copied(network: &Declaration, register: Reg, steps: &[Step]) -> Result<Vec<usize>, InPixelProofError> {
    let side = network.side;
    let mut replay = Replay::<Symbol>::new(side);
    let mut from: Vec<usize> = (0..side * side).collect();
    for step in steps {
        let Some(words) = words(step) else {
            replay.step(step);
            continue;
        };
        let (east, north) = displacement(register, &words.collect::<Vec<_>>())?;
        let (before, selected) = (from.clone(), replay.plane(Bit::Select));
        for (pe, place) in from.iter_mut().enumerate() {
            if selected[pe] == Symbol::Known(true) {
                let row = (pe / side).checked_add_signed(-north).filter(|row| *row < side);
                let column = (pe % side).checked_add_signed(east).filter(|column| *column < side);
                let (Some(row), Some(column)) = (row, column) else { return Err(InPixelProofError::Windows) };
                *place = before[row * side + column];
            }
        }
    }
    Ok(from)
}

/// The displacement from which a program copies a register where `SELECT` is 1; it is proved to do that.
fn displacement(register: Reg, words: &[Word]) -> Result<(isize, isize), InPixelProofError> {
    for (x, y) in [(-2, 0), (-1, 0), (1, 0), (2, 0), (0, -2), (0, -1), (0, 1), (0, 2)] {
        let there = Value::start(Store::Reg(register), Displacement::new(x, y));
        let copied = Value::choice(Condition::of(Bit::Select), there, Value::of(register));
        let specification = Specification { planes: vec![(register, copied)], ..Specification::default() };
        if specification.check(words).is_ok() {
            return Ok((x.into(), y.into()));
        }
    }
    Err(InPixelProofError::Windows)
}

/// Proves the product of each class for all weights and maxima, and that the weights reach the PEs of their group.
fn fully_connected(network: &Declaration, program: &[Step], mut replay: Replay) -> Result<(), InPixelProofError> {
    let steps: Vec<_> = program.split_inclusive(|step| matches!(step, Step::Sum { .. })).collect();
    if steps.len() != network.classes() {
        return Err(InPixelProofError::Class(steps.len()));
    }
    load_dense(&mut replay, network);
    for (class, steps) in steps.into_iter().enumerate() {
        let Some((Step::Select(selection), rest)) = steps.split_first() else {
            return Err(InPixelProofError::Class(class));
        };
        let reads = steps.last() == Some(&Step::Sum { from: PRODUCT, first: class });
        let Some((words, copies)) =
            rest.split_first().filter(|_| reads).and_then(|(first, rest)| Some((words(first)?, rest)))
        else {
            return Err(InPixelProofError::Class(class));
        };
        replay.select(*selection);
        product(network, &mut replay, &words.collect::<Vec<_>>(), class)?;
        let from = copied(network, PRODUCT, copies)?;
        let side = network.side;
        let in_group = |at: usize, place: usize| at / network.pool * network.pool + place / 2 * 2;
        let (row, column) = layout::place_of(class, network.pool);
        let right = from.iter().enumerate().all(|(pe, from)| {
            let (top, left) = (in_group(pe / side, row), in_group(pe % side, column));
            from / side / 2 * 2 == top && from % side / 2 * 2 == left
        });
        if !right {
            return Err(InPixelProofError::Windows);
        }
    }
    Ok(())
}

/// Loads the bits of the dense layer as symbols, two for each PE.
fn load_dense(replay: &mut Replay, network: &Declaration) {
    for (sign, register) in DENSE.into_iter().enumerate() {
        let symbols = (0..network.side * network.side).map(|pe| Symbol::weight(pe, sign).inverse());
        replay.load(register.into(), symbols.collect());
    }
}

/// Follows the words of a class: one `WHERE` selects the weight 1 and another one −1, and the maximum is taken with
/// that sign.
fn product(network: &Declaration, replay: &mut Replay, words: &[Word], class: usize) -> Result<(), InPixelProofError> {
    let side = network.side;
    let (row, column) = layout::place_of(class, network.pool);
    let mut sign = 0;
    let mut analogue = Vec::new();
    for word in words {
        replay.word(word);
        match word {
            Word::WhereBits(_) => {
                let right = replay.plane(Bit::Flag).iter().enumerate().all(|(pe, symbol)| {
                    let (top, left) = (pe / side / 2 * 2, pe % side / 2 * 2);
                    let is_group = top % network.pool == row / 2 * 2 && left % network.pool == column / 2 * 2;
                    let holder = (top + row % 2) * side + left + column % 2;
                    *symbol == if is_group { Symbol::weight(holder, sign) } else { Symbol::Known(false) }
                });
                let bit = SIGNS.get(sign).copied();
                let (true, Some(bit)) = (right, bit) else { return Err(InPixelProofError::Class(class)) };
                analogue.extend(cain_isa::Bits::new(&[bit.into()]).map(Word::WhereBits));
                sign += 1;
            }
            Word::Logic(_) | Word::FromNeighbours(_) => {}
            _ => analogue.push(*word),
        }
    }
    let minus = Value::zero().plus(Fraction::from(-1), &Value::of(MAXIMUM)).ok_or(InPixelProofError::Windows)?;
    let [plus_bit, minus_bit] = SIGNS.map(|register| Condition::of(register.into()));
    let positive = Value::choice(plus_bit, Value::of(MAXIMUM), Value::zero());
    let wanted = Value::choice(minus_bit, minus, positive);
    let specification = Specification { planes: vec![(PRODUCT, wanted)], ..Specification::default() };
    Ok(specification.check(&analogue)?)
}

/// The registers that stand for the bits of FLAG while the analogue words of a product are proved.
const SIGNS: [Dreg; 2] = [SCRATCH[1], SCRATCH[2]];
