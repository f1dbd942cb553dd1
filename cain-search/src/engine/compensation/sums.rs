//! Which changes of a program cancel what is left: a subset-sum problem.

use std::collections::BTreeMap;

use super::Multiples;

/// The most sums that are followed in all.
const MAX_SUMS_IN_ALL: usize = 1 << 14;

/// Something that may be done at one place of a program.
#[derive(Clone)]
pub(in crate::engine) struct Choice {
    /// What it adds to the outputs.
    pub(in crate::engine) effect: Multiples,
    /// The instructions that it adds to the program.
    pub(in crate::engine) cost: u32,
}

/// How a sum was reached: the instructions added so far, what was chosen last, and the sum before that.
struct Way {
    cost: u32,
    choice: Option<usize>,
    before: Multiples,
}

/// What to choose at each place, one or nothing, so that what is `left` cancels, with as few instructions more as
/// possible and at most `most`; `None` if no way was found.
///
/// At most so many sums are followed at a time; the largest ones beyond that are dropped. Adds the number of all that were
/// tried to `tried`.
pub(in crate::engine) fn cheapest(
    left: &Multiples,
    places: &[Vec<Choice>],
    (most, most_sums): (u32, usize),
    tried: &mut usize,
) -> Option<(u32, Vec<Option<usize>>)> {
    let spans = spans(left.len(), places)?;
    let most_sums = (MAX_SUMS_IN_ALL / places.len().max(1)).clamp(1, most_sums);
    let mut layers: Vec<BTreeMap<Multiples, Way>> = Vec::new();
    let mut sums = vec![(left.clone(), 0)];
    for (choices, span) in places.iter().zip(&spans[1..]) {
        *tried += sums.len() * (choices.len() + 1);
        let mut layer: BTreeMap<Multiples, Way> = BTreeMap::new();
        for (before, cost_before) in sums {
            let nothing = (None, before.clone(), cost_before);
            let chosen = (0..)
                .zip(choices)
                .filter_map(|(i, choice)| Some((Some(i), plus(&before, &choice.effect)?, cost_before + choice.cost)));
            for (choice, sum, cost) in std::iter::once(nothing).chain(chosen) {
                let is_open = sum.iter().zip(span).all(|(sum, (low, high))| (-high..=-low).contains(sum));
                if cost <= most && is_open && layer.get(&sum).is_none_or(|way| cost < way.cost) {
                    layer.insert(sum, Way { cost, choice, before: before.clone() });
                }
            }
        }
        sums = layer.iter().map(|(sum, way)| (sum.clone(), way.cost)).collect();
        if sums.len() > most_sums {
            let size = |sum: &Multiples| sum.iter().map(|multiple| multiple.unsigned_abs()).sum::<u64>();
            sums.sort_by_key(|(sum, cost)| (*cost, size(sum)));
            sums.truncate(most_sums);
        }
        layers.push(layer);
    }
    let mut sum = vec![0; left.len()];
    let cost = layers.last()?.get(&sum)?.cost;
    let mut chosen = Vec::new();
    for layer in layers.iter().rev() {
        let way = layer.get(&sum)?;
        chosen.push(way.choice);
        sum.clone_from(&way.before);
    }
    chosen.reverse();
    Some((cost, chosen))
}

/// The least and the most that the places from each one on can add.
fn spans(outputs: usize, places: &[Vec<Choice>]) -> Option<Vec<Vec<(i64, i64)>>> {
    let mut spans = vec![vec![(0, 0); outputs]];
    for choices in places.iter().rev() {
        let after = spans.last()?;
        let add = |(i, &(low, high)): (usize, &(i64, i64))| {
            let effects = || choices.iter().map(|choice| choice.effect[i]);
            let (least, most) = (effects().min().unwrap_or(0).min(0), effects().max().unwrap_or(0).max(0));
            Some((i64::checked_add(low, least)?, i64::checked_add(high, most)?))
        };
        spans.push(after.iter().enumerate().map(add).collect::<Option<_>>()?);
    }
    spans.reverse();
    Some(spans)
}

fn plus(a: &Multiples, b: &Multiples) -> Option<Multiples> {
    a.iter().zip(b).map(|(a, b)| a.checked_add(*b)).collect()
}
