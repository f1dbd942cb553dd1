//! Extracts repeated partial sums from sums.

use std::collections::BTreeSet;

use cain_isa::Displacement;

use super::form::{Form, Part, Pixels, Sum, Term};

/// All forms in which one further partial sum is made once and used several times, without duplicates. `step` receives
/// the number of terms that will be compared; there are fewer forms where it returns `false`.
pub(crate) fn extractions(form: &Form, step: &mut dyn FnMut(u64) -> bool) -> BTreeSet<Form> {
    let pixels = form.pixels();
    let mut forms = BTreeSet::new();
    for partial in candidates(form, step) {
        let mut compared = form.sums.iter().map(|sum| product(sum, &partial)).sum::<u64>();
        forms.extend(extract(form, &pixels, &partial, &mut compared));
        if !step(compared) {
            break;
        }
    }
    forms
}

/// The partial sums that two sums, or two places of one sum, have in common.
fn candidates(form: &Form, step: &mut dyn FnMut(u64) -> bool) -> BTreeSet<Sum> {
    let mut found = BTreeSet::new();
    for (i, first) in form.sums.iter().enumerate() {
        for (j, second) in form.sums.iter().enumerate() {
            if !step(product(first, second)) {
                return found;
            }
            for (move_by, factor) in placements(first, second) {
                if i == j && move_by == Displacement::ZERO {
                    continue;
                }
                if !step(first.len() as u64) {
                    return found;
                }
                let is_common =
                    |term: &Term, weight: i64| second.get(&moved(*term, move_by)) == Some(&(weight * factor));
                let common = first.iter().filter(|(term, weight)| is_common(term, **weight));
                let common: Sum = common.map(|(&term, &weight)| (term, weight)).collect();
                if common.len() > 1 {
                    found.insert(normal(&common));
                }
            }
        }
    }
    found
}

/// The number of pairs of terms of two sums.
fn product(first: &Sum, second: &Sum) -> u64 {
    (first.len() * second.len()) as u64
}

/// The displacements and factors that carry a term of one sum to a term of another; factors are plus or minus a power
/// of two.
fn placements(first: &Sum, second: &Sum) -> BTreeSet<(Displacement, i64)> {
    let mut placements = BTreeSet::new();
    for (from, weight) in first {
        for (to, larger) in second.iter().filter(|(to, _)| to.part == from.part) {
            let factor = larger / weight;
            if larger % weight == 0 && factor.unsigned_abs().is_power_of_two() {
                placements.insert((Displacement::new(to.at.x - from.at.x, to.at.y - from.at.y), factor));
            }
        }
    }
    placements
}

fn moved(term: Term, by: Displacement) -> Term {
    Term { part: term.part, at: Displacement::new(term.at.x + by.x, term.at.y + by.y) }
}

/// The sum without common powers of two, starting with a positive weight at the origin of both axes.
fn normal(sum: &Sum) -> Sum {
    let twos = sum.values().map(|weight| weight.trailing_zeros()).min().unwrap_or_default();
    let sign = sum.values().next().map_or(1, |weight| weight.signum());
    let least = |axis: fn(&Term) -> i16| sum.keys().map(axis).min().unwrap_or_default();
    let back = Displacement::new(-least(|term| term.at.x), -least(|term| term.at.y));
    sum.iter().map(|(&term, &weight)| (moved(term, back), sign * (weight >> twos))).collect()
}

/// The form with a partial sum made once, if it is then used more than once and can be moved to all places.
///
/// Counts the terms that are compared.
fn extract(form: &Form, pixels: &[Pixels], partial: &Sum, compared: &mut u64) -> Option<Form> {
    let mut uses = Vec::new();
    let mut rests = form.sums.clone();
    for (sum, rest) in rests.iter_mut().enumerate() {
        for (at, factor) in placements(partial, &form.sums[sum]) {
            let holds = |(term, weight): (&Term, &i64)| {
                *compared += 1;
                rest.get(&moved(*term, at)) == Some(&(weight * factor))
            };
            if partial.iter().all(holds) {
                for term in partial.keys() {
                    rest.remove(&moved(*term, at));
                }
                uses.push((sum, at, factor));
            }
        }
    }
    if uses.len() < 2 {
        return None;
    }
    let places: Vec<Displacement> = uses.iter().map(|&(_, at, _)| at).collect();
    let origin = Displacement::new(
        reference(pixels, partial, &places, |at| at.x)?,
        reference(pixels, partial, &places, |at| at.y)?,
    );
    let part = Part::Sum(rests.len());
    for (sum, at, factor) in uses {
        rests[sum].insert(moved(Term { part, at }, origin), factor);
    }
    let back = Displacement::new(-origin.x, -origin.y);
    rests.push(partial.iter().map(|(&term, &weight)| (moved(term, back), weight)).collect());
    Some(Form { sums: rests })
}

/// The coordinate of the partial sum at which the PE that makes it lies.
///
/// A plane that is moved along an axis brings in zeros at the border. That is right only if none of its pixels lies on
/// the other side of the PE. So either all uses are at the same place of the axis and nothing is moved, or the partial
/// sum lies to one side and is moved only to that side.
fn reference(sums: &[Pixels], partial: &Sum, places: &[Displacement], axis: fn(Displacement) -> i16) -> Option<i16> {
    let mut pixels: Vec<i16> = Vec::new();
    for term in partial.keys() {
        match term.part {
            Part::Input(_) => pixels.push(axis(term.at)),
            Part::Sum(sum) => pixels.extend(sums[sum].keys().map(|&(_, at)| axis(at) + axis(term.at))),
        }
    }
    let (least, most) = (*pixels.iter().min()?, *pixels.iter().max()?);
    let (first, last) = (places.iter().map(|&at| axis(at)).min()?, places.iter().map(|&at| axis(at)).max()?);
    if first == last {
        return Some(-first);
    }
    if least == most {
        return Some(least);
    }
    let one_side = |origin: i16| (first + origin >= 0 && least >= origin) || (last + origin <= 0 && most <= origin);
    [least, most, -first, -last].into_iter().find(|&origin| one_side(origin))
}
