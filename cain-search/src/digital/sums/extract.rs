//! Taking repeated partial sums out of sums.

use std::collections::BTreeSet;

use cain_isa::Displacement;

use super::form::{Form, Part, Sum, Term};

/// All forms in which one more partial sum is made once and used several times, each once.
pub(in crate::digital) fn extractions(form: &Form) -> BTreeSet<Form> {
    candidates(form).into_iter().filter_map(|partial| extract(form, &partial)).collect()
}

/// Partial sums that two sums, or two places of one sum, have in common.
fn candidates(form: &Form) -> BTreeSet<Sum> {
    let mut found = BTreeSet::new();
    for (i, first) in form.sums.iter().enumerate() {
        for (j, second) in form.sums.iter().enumerate() {
            for (move_by, factor) in placements(first, second) {
                if i == j && move_by == Displacement::ZERO {
                    continue;
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

/// The displacements and factors, plus or minus a power of two, that carry a term of one sum to a term of another.
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

/// The form with a partial sum made once, if it is used more than once then and can be moved to all places.
fn extract(form: &Form, partial: &Sum) -> Option<Form> {
    let mut uses = Vec::new();
    let mut rests = form.sums.clone();
    for (sum, rest) in rests.iter_mut().enumerate() {
        for (at, factor) in placements(partial, &form.sums[sum]) {
            let holds = |(term, weight): (&Term, &i64)| rest.get(&moved(*term, at)) == Some(&(weight * factor));
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
    let origin =
        Displacement::new(reference(form, partial, &places, |at| at.x)?, reference(form, partial, &places, |at| at.y)?);
    let part = Part::Sum(rests.len());
    for (sum, at, factor) in uses {
        rests[sum].insert(moved(Term { part, at }, origin), factor);
    }
    let back = Displacement::new(-origin.x, -origin.y);
    rests.push(partial.iter().map(|(&term, &weight)| (moved(term, back), weight)).collect());
    Some(Form { sums: rests })
}

/// Which coordinate of the partial sum is that of the PE that makes it.
///
/// A plane that is moved along an axis brings zeros in at the border. That is right only if none of its pixels lies on
/// the other side of the PE. So either all uses are at the same place of the axis and nothing is moved, or the
/// partial sum lies to one side and is moved to that side only.
fn reference(form: &Form, partial: &Sum, places: &[Displacement], axis: fn(Displacement) -> i16) -> Option<i16> {
    let pixels = partial
        .keys()
        .flat_map(|term| form.pixels_of(term.part).into_keys().map(move |(_, at)| axis(at) + axis(term.at)));
    let pixels: Vec<i16> = pixels.collect();
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
