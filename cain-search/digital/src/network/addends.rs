//! The addends of a sum.

use std::cmp::Reverse;

use cain_isa::{Direction, Displacement};

use crate::sums::{Form, Part};

/// An addend: a moved number, or the sum of two.
#[derive(Clone, Copy)]
pub(super) struct Addend {
    pub(super) part: Part,
    pub(super) at: Displacement,
    /// For two numbers, the directions in which they are read from `at`.
    pub(super) pair: Option<[Direction; 2]>,
    pub(super) shift: u32,
    pub(super) negative: bool,
}

/// The terms of a sum, split into powers of two; terms of two neighbours are combined in pairs.
pub(super) fn addends(form: &Form, sum: usize) -> Vec<Addend> {
    let mut single: Vec<Addend> = Vec::new();
    for (term, weight) in form.terms(sum) {
        for (shift, negative) in digits(weight) {
            single.push(Addend { part: term.part, at: term.at, pair: None, shift, negative });
        }
    }
    let mut addends = Vec::new();
    while let Some(first) = single.pop() {
        let partner = single.iter().enumerate().find_map(|(i, other)| {
            let same = (other.part, other.shift, other.negative) == (first.part, first.shift, first.negative);
            let (base, pair) = neighbours(first.at, other.at).filter(|_| same)?;
            Some((i, base, pair))
        });
        addends.push(match partner {
            Some((i, base, pair)) => {
                single.remove(i);
                Addend { at: base, pair: Some(pair), ..first }
            }
            None => first,
        });
    }
    // Pairs come first, as they make complements that the others can use.
    addends.sort_by_key(|addend| (addend.pair.is_none(), addend.shift, addend.part, addend.at));
    addends
}

/// The addends with each pair split into two.
pub(super) fn one_by_one(addends: Vec<Addend>) -> Vec<Addend> {
    let mut single = Vec::new();
    for addend in addends {
        let Some(pair) = addend.pair else {
            single.push(addend);
            continue;
        };
        single.extend(pair.map(|from| {
            let step = from.displacement();
            let at = Displacement::new(addend.at.x + step.x, addend.at.y + step.y);
            Addend { at, pair: None, ..addend }
        }));
    }
    single
}

/// Single addends in the order in which they are added to a number, when at most `waiting` bits may wait.
pub(super) fn in_order_of_counting(addends: Vec<Addend>, waiting: usize) -> Vec<Addend> {
    let mut single = one_by_one(addends);
    // Two addends from one place are best added together. If no bits may wait, registers are scarce: a number from far
    // away takes a further register on its way, so the sum should still be small then.
    let distance = |at: Displacement| if waiting > 0 { 0 } else { at.x.unsigned_abs() + at.y.unsigned_abs() };
    single.sort_by_key(|addend| (Reverse(distance(addend.at)), addend.shift));
    single
}

/// Writes an integer as a sum of as few positive and negative powers of two as possible.
pub(crate) fn digits(weight: i64) -> Vec<(u32, bool)> {
    let negative = weight < 0;
    let magnitude = weight.unsigned_abs();
    // The non-adjacent form is 3w xor w; where it is not shorter, plain bits are cheaper.
    let (triple, plain) = (u128::from(magnitude) * 3, u128::from(magnitude));
    let (plus, minus) = ((triple & !plain) >> 1, (plain & !triple) >> 1);
    let places = |bits: u128| (0..u64::BITS + 2).filter(move |place| bits >> place & 1 == 1);
    if plus.count_ones() + minus.count_ones() < plain.count_ones() {
        let minus = places(minus).map(|place| (place, !negative));
        places(plus).map(|place| (place, negative)).chain(minus).collect()
    } else {
        places(plain).map(|place| (place, negative)).collect()
    }
}

/// The PE between two of its neighbours, and the directions to them.
///
/// Numbers must not move back: a plane that was moved along an axis has lost its border.
fn neighbours(first: Displacement, second: Displacement) -> Option<(Displacement, [Direction; 2])> {
    use Direction::{East, North, South, West};
    let sum = (first.x + second.x, first.y + second.y);
    let middle = Displacement::new(sum.0 / 2, sum.1 / 2);
    match ((first.x - second.x).abs(), (first.y - second.y).abs()) {
        (2, 0) if middle.x == 0 => Some((middle, [East, West])),
        (0, 2) if middle.y == 0 => Some((middle, [North, South])),
        (1, 1) => Some((Displacement::ZERO, [Direction::of(first)?, Direction::of(second)?])),
        _ => None,
    }
}
