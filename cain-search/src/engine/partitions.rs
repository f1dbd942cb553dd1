//! Promising ways to write a goal as a sum of two or three parts.

use cain_isa::Displacement;

use super::area::Area;
use super::factors;
use super::terms::{self, Term};
use crate::sort;

/// The number of repetitions kept per goal, the largest first.
const MAX_REPETITIONS: usize = 24;
/// The number of common parts kept per pair of goals, the largest first.
const MAX_OVERLAPS: usize = 8;
/// The largest number of terms that are shared out between two operands besides known ones.
const MAX_SHARED: usize = 4;
/// The largest number of terms for which every split in two is tried.
const MAX_ALL_SPLITS: usize = 6;

/// A goal as a sum.
#[derive(Clone, Copy)]
pub(super) enum Partition<'a> {
    /// p + sign·q
    Two(&'a [Term], &'a [Term], i32),
    /// p + sign·q + r
    Three(&'a [Term], (&'a [Term], i32), &'a [Term]),
}

/// Calls `visit` with sums that equal a goal: repetitions with what remains, and splits of its terms.
pub(super) fn partitions(terms: &[Term], visit: &mut dyn FnMut(Partition<'_>)) {
    repetitions(terms, visit);
    splits(terms, visit);
}

/// Visits sums g = a ± T·a + rest, for displacements T between two terms.
fn repetitions(terms: &[Term], visit: &mut dyn FnMut(Partition<'_>)) {
    for (step, sign) in displacements(terms) {
        let (mut a, mut rest) = (Vec::new(), Vec::new());
        factors::repeated(&mut a, &mut rest, terms, step, sign);
        let (mut copy, mut core) = (Vec::new(), Vec::new());
        let fits = terms::scaled(&mut copy, &a, 1, step) && terms::combine(&mut core, &a, (1, 0), &copy, (sign, 0));
        if !fits {
            continue;
        }
        if rest.is_empty() {
            visit(Partition::Two(&a, &copy, sign));
            continue;
        }
        visit(Partition::Two(&core, &rest, 1));
        if terms::combine(&mut core, &a, (1, 0), &rest, (1, 0)) {
            visit(Partition::Two(&core, &copy, sign));
        }
        if terms::combine(&mut core, &copy, (1, 0), &rest, (sign, 0)) {
            visit(Partition::Two(&a, &core, sign));
        }
        visit(Partition::Three(&a, (&copy, sign), &rest));
    }
}

/// Visits sums g = p + q, for promising ways to share out the terms.
fn splits(terms: &[Term], visit: &mut dyn FnMut(Partition<'_>)) {
    let mut tried = Vec::new();
    let mut part = |part: Vec<Term>, visit: &mut dyn FnMut(Partition<'_>)| {
        let mut rest = Vec::new();
        if part.is_empty() || !terms::combine(&mut rest, terms, (1, 0), &part, (-1, 0)) || rest.is_empty() {
            return;
        }
        if !tried.contains(&part) {
            visit(Partition::Two(&part, &rest, 1));
            tried.push(part);
        }
    };
    if terms.len() <= MAX_ALL_SPLITS {
        // The last term stays in the rest, so that each split is tried once.
        for mask in 1_u32..1 << terms.len().saturating_sub(1) {
            let chosen = (0..).zip(terms).filter(|(i, _)| mask >> i & 1 == 1).map(|(_, &term)| term).collect();
            part(chosen, visit);
        }
    }
    part(terms.iter().copied().filter(|term| term.1 > 0).collect(), visit);
    let channel = terms.first().map_or(0, |term| terms::channel(term.0));
    part(terms.iter().copied().filter(|term| terms::channel(term.0) == channel).collect(), visit);
    for level in levels(terms) {
        // Clips weights to this magnitude, then takes multiples of it, then weights of exactly this magnitude.
        part(terms.iter().map(|&(key, weight)| (key, weight.clamp(-level, level))).collect(), visit);
        let multiples = terms.iter().map(|&(key, weight)| (key, weight / level * level));
        part(multiples.filter(|term| term.1 != 0).collect(), visit);
        let rounded =
            terms.iter().map(|&(key, weight)| (key, (weight + weight.signum() * (level / 2)) / level * level));
        part(rounded.filter(|term| term.1 != 0).collect(), visit);
        part(terms.iter().copied().filter(|term| term.1.abs() == level).collect(), visit);
    }
    outliers(terms, visit);
    for step in line_steps() {
        for sign in [1, -1] {
            let rest = line_remainders(terms, step, sign);
            part(rest, visit);
        }
    }
}

/// Visits sums g = h + c·x^i·y^j in which the coefficient of h at (i, j) also occurs elsewhere in g; terms may cancel.
fn outliers(terms: &[Term], visit: &mut dyn FnMut(Partition<'_>)) {
    let mut weights: Vec<i32> = terms.iter().map(|term| term.1).collect();
    weights.sort_unstable();
    let mut values: Vec<(usize, i32)> = weights.chunk_by(|a, b| a == b).map(|run| (run.len(), run[0])).collect();
    sort::by_key(&mut values, |&(count, value)| (std::cmp::Reverse(count), value));
    for &(count, value) in values.iter().take(2) {
        if count < 2 {
            continue;
        }
        for &(key, weight) in terms.iter().filter(|term| term.1 != value) {
            let Some(excess) = weight.checked_sub(value) else { continue };
            let mut smooth = Vec::new();
            if terms::combine(&mut smooth, terms, (1, 0), &[(key, excess)], (-1, 0)) {
                visit(Partition::Two(&smooth, &[(key, excess)], 1));
            }
        }
    }
}

/// The directions of lines: one step for each slope, up to length 2.
fn line_steps() -> impl Iterator<Item = u32> {
    [(1, 0), (0, 1), (1, 1), (-1, 1), (2, 0), (0, 2)].into_iter().map(|(x, y)| terms::step(Displacement::new(x, y)))
}

/// The terms to subtract so that S·a + sign·a remains: at most one for each line along S, where the line's coefficient
/// is largest. They may cancel terms of g.
fn line_remainders(terms: &[Term], step: u32, sign: i32) -> Vec<Term> {
    let mut open: Vec<Term> = terms.to_vec();
    let area = Area::of(terms);
    let mut remainders = Vec::new();
    // The first term of a line has its smallest key, because `step` is positive.
    while let Some(&(first, _)) = open.first() {
        let (mut largest, mut sum, mut at) = ((first, 0_i32, 1), 0_i64, 0_usize);
        let (mut key, mut phase) = (first, 1);
        while area.contains(key) {
            if let Ok(found) = open[at..].binary_search_by_key(&key, |term| term.0) {
                at += found;
                let (_, weight) = open.remove(at);
                sum += i64::from(phase * weight);
                if weight.abs() > largest.1.abs() {
                    largest = (key, weight, phase);
                }
            }
            key = key.wrapping_add(step);
            phase *= -sign;
        }
        if let (Some(remainder), true) = (terms::coefficient(sum * i64::from(largest.2)), sum != 0) {
            remainders.push((largest.0, remainder));
        }
    }
    remainders.sort_unstable();
    remainders
}

/// Displacements between terms, each with a sign, those with the largest repetitions first.
fn displacements(terms: &[Term]) -> Vec<(u32, i32)> {
    let mut steps = Vec::new();
    for (i, low) in terms.iter().enumerate() {
        for high in &terms[i + 1..] {
            if terms::channel(low.0) == terms::channel(high.0) {
                steps.push(high.0 - low.0);
            }
        }
    }
    let mut rest = Vec::new();
    ranked(steps, (MAX_REPETITIONS, 1), |part, step, sign| factors::repeated(part, &mut rest, terms, step, sign))
}

/// The magnitudes of the weights, and for each the largest power of two that divides it and the largest that does not
/// exceed it.
fn levels(terms: &[Term]) -> Vec<i32> {
    let mut levels: Vec<i32> = terms
        .iter()
        .flat_map(|&(_, weight)| [weight.abs(), 1 << weight.trailing_zeros(), 1 << weight.unsigned_abs().ilog2()])
        .collect();
    levels.sort_unstable();
    levels.dedup();
    levels.truncate(12);
    levels
}

/// Displacements and signs under which two goals have most in common.
pub(super) fn overlaps(g: &[Term], h: &[Term]) -> Vec<(u32, i32)> {
    if g.len() < 2 || h.len() < 2 {
        return Vec::new();
    }
    let same_channel = |a: &Term, b: &Term| terms::channel(a.0) == terms::channel(b.0);
    let steps = g.iter().flat_map(|a| h.iter().filter(|b| same_channel(a, b)).map(|b| a.0.wrapping_sub(b.0)));
    ranked(steps.collect(), (MAX_OVERLAPS, 2), |part, step, sign| factors::common(part, g, h, step, sign))
}

/// Calls `visit` with every way to share out the terms of a rest between two parts, unless it has too many of them.
pub(super) fn shares(rest: &[Term], mut visit: impl FnMut(&[Term], &[Term])) {
    if rest.len() > MAX_SHARED {
        return;
    }
    // The last term stays in q, so that each way is tried once.
    for mask in 1_u32..1 << rest.len().saturating_sub(1) {
        let (mut p, mut q) = (Vec::new(), Vec::new());
        for (i, &term) in rest.iter().enumerate() {
            if mask >> i & 1 == 1 { p.push(term) } else { q.push(term) }
        }
        visit(&p, &q);
    }
}

/// The `most` displacements and signs under which the most digits are shared, in descending order.
///
/// `share` writes the shared terms to its buffer; fewer than `least` of them do not count.
fn ranked(
    mut steps: Vec<u32>,
    (most, least): (usize, usize),
    mut share: impl FnMut(&mut Vec<Term>, u32, i32),
) -> Vec<(u32, i32)> {
    steps.sort_unstable();
    steps.dedup();
    let mut part = Vec::new();
    let mut ranked = Vec::new();
    for step in steps {
        for sign in [1, -1] {
            share(&mut part, step, sign);
            if part.len() >= least {
                ranked.push((terms::digits(&part), step, sign));
            }
        }
    }
    sort::by_key(&mut ranked, |&(digits, ..)| std::cmp::Reverse(digits));
    ranked.into_iter().take(most).map(|(_, step, sign)| (step, sign)).collect()
}
