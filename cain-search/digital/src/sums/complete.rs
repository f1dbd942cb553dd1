//! Splits one weight, so that the rest can be made in passes along both axes.

use std::collections::{BTreeMap, BTreeSet};

use cain_isa::Displacement;

use super::form::{Form, Part, Sum, Term};

/// The fewest pairs of a row and a column that have to agree on a weight.
const FEWEST: usize = 3;

/// All forms in which one weight of a sum is replaced by another one, with the difference added at the end, such that
/// most rows and columns of the rest become multiples of each other.
///
/// A ring of ones around a weight of -8 becomes a box of ones and a weight of -9: the box takes two short passes.
///
/// `step` receives the number of terms that will be compared; sums for which it returns `false` are left as they are.
pub(crate) fn completions(form: &Form, step: &mut dyn FnMut(u64) -> bool) -> BTreeSet<Form> {
    let mut completed = BTreeSet::new();
    for (sum, terms) in form.sums.iter().enumerate() {
        // Each place compares all terms with each term of its row.
        let rows = terms.keys().map(|term| (term.part, term.at.y)).collect::<BTreeSet<_>>().len().max(1);
        if !step((terms.len().pow(3) / rows) as u64) {
            break;
        }
        for (term, weight) in wanted(terms) {
            completed.insert(complete(form, sum, term, weight));
        }
    }
    completed
}

/// The terms of a sum whose weight differs from the one that their rows and columns call for, and that weight.
fn wanted(sum: &Sum) -> Vec<(Term, i64)> {
    let parts: BTreeSet<Part> = sum.keys().map(|term| term.part).collect();
    let places = parts.into_iter().flat_map(|part| places(sum, part));
    places.filter_map(|term| Some((term, agreed(sum, term)?))).collect()
}

/// All places of a part within the rows and columns in which a sum reads it.
fn places(sum: &Sum, part: Part) -> Vec<Term> {
    let of_part = || sum.keys().filter(move |term| term.part == part);
    let rows: BTreeSet<i16> = of_part().map(|term| term.at.y).collect();
    let columns: BTreeSet<i16> = of_part().map(|term| term.at.x).collect();
    let row = |&y: &i16| columns.iter().map(move |&x| Term { part, at: Displacement::new(x, y) }).collect::<Vec<_>>();
    rows.iter().flat_map(row).collect()
}

/// The weight that most rows and columns call for at a term, if it differs: the one that makes the row a multiple of
/// another row, as far as a pair of columns shows.
fn agreed(sum: &Sum, term: Term) -> Option<i64> {
    let mut votes: BTreeMap<i64, usize> = BTreeMap::new();
    let mut pairs = 0;
    for (beside, first) in sum.iter().filter(|(other, _)| is_beside(**other, term)) {
        for (across, second) in sum.iter().filter(|(other, _)| is_across(**other, term)) {
            let corner = Term { part: term.part, at: Displacement::new(beside.at.x, across.at.y) };
            let Some(opposite) = sum.get(&corner) else { continue };
            pairs += 1;
            if let Some(product) = first.checked_mul(*second)
                && product % opposite == 0
            {
                *votes.entry(product / opposite).or_default() += 1;
            }
        }
    }
    let (weight, most) = votes.into_iter().max_by_key(|&(weight, votes)| (votes, std::cmp::Reverse(weight)))?;
    let is_new = sum.get(&term) != Some(&weight);
    (is_new && most >= FEWEST && 2 * most > pairs).then_some(weight)
}

/// Whether another term is in the same row.
fn is_beside(other: Term, term: Term) -> bool {
    other.part == term.part && other.at.y == term.at.y && other.at.x != term.at.x
}

/// Whether another term is in the same column.
fn is_across(other: Term, term: Term) -> bool {
    other.part == term.part && other.at.x == term.at.x && other.at.y != term.at.y
}

/// The form in which a term of a sum has another weight within a partial sum, to which the difference is added.
fn complete(form: &Form, sum: usize, term: Term, weight: i64) -> Form {
    let mut sums = form.sums.clone();
    let mut partial = std::mem::take(&mut sums[sum]);
    let difference = partial.insert(term, weight).unwrap_or_default() - weight;
    let sign = if partial.values().sum::<i64>() < 0 { -1 } else { 1 };
    let whole = Term { part: Part::Sum(sums.len()), at: Displacement::ZERO };
    sums[sum] = Sum::from([(whole, sign), (term, difference)]);
    sums.push(partial.into_iter().map(|(term, weight)| (term, sign * weight)).collect());
    Form { sums }
}
