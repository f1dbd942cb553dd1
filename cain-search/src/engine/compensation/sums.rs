//! Chooses the changes of a program that cancel what is left of the transfer error: a subset-sum problem.

use std::hash::{Hash as _, Hasher as _};

use cain_analysis::sorted::Map;
use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::ahead::{Ahead, Class};
use super::choice::{Held, Places};
use super::{Effect, farthest};
use crate::sort;

/// The most sums followed over all places together.
const MAX_SUMS_IN_ALL: usize = 1 << 14;
/// The resolution of biases, in DN: sums whose biases differ by less are taken to be equal.
const RESOLUTION: f64 = 0.25;

/// A search for choices that cancel the multiples in `left`, with the least loss.
pub(in crate::engine) struct Search<'a> {
    pub(in crate::engine) left: &'a Effect,
    /// The most instructions that may be added.
    pub(in crate::engine) most: u32,
    /// The most sums that are followed at the same time.
    pub(in crate::engine) most_sums: usize,
    /// Whether the multiples determine the bias, so that sums that differ only in their bias need not be told apart.
    pub(in crate::engine) follows: bool,
    /// The loss of so many further instructions together with the remaining bias.
    pub(in crate::engine) loss: &'a dyn Fn(u32, f64) -> f64,
    /// The loss that solutions must stay below.
    pub(in crate::engine) limit: f64,
}

/// A solution.
pub(in crate::engine) struct Chosen {
    pub(in crate::engine) loss: f64,
    /// For each place, what the cells hold before it, and the number of the choice made there, if any.
    pub(in crate::engine) at: Vec<(Held, Option<usize>)>,
}

/// A partial solution: what the cells hold, the instructions added so far and the least that are to come, the class of
/// what is left, the last choice, and the number of the sum before it.
#[derive(Clone, Copy)]
struct Sum {
    held: Held,
    cost: u32,
    to_come: u32,
    class: Class,
    choice: Option<usize>,
    before: usize,
}

/// The sums behind a place, and what they leave in the outputs, one sum after the other.
#[derive(Default)]
struct Layer {
    sums: Vec<Sum>,
    multiples: Vec<i64>,
    biases: Vec<f64>,
}

/// What may be done at a place if cells hold these: nothing first, and then the choices. What each adds to the outputs
/// stands one after the other.
struct Next {
    all: Vec<Step>,
    multiples: Vec<i64>,
    biases: Vec<f64>,
}

/// Nothing, or a choice: the instructions that it adds, what cells hold behind it, whether any of them holds the error,
/// and the class of what it adds.
struct Step {
    cost: u32,
    held: Held,
    holds: bool,
    class: Class,
}

impl Layer {
    fn multiples(&self, number: usize) -> &[i64] {
        of(&self.multiples, self.sums.len(), number)
    }

    fn biases(&self, number: usize) -> &[f64] {
        of(&self.biases, self.sums.len(), number)
    }

    /// The magnitude of the bias that is farthest from 0.
    fn worst_bias(&self, number: usize) -> f64 {
        farthest(self.biases(number))
    }

    /// The numbers of the sums to follow.
    fn best(&self, most: usize) -> Vec<usize> {
        if self.sums.len() <= most {
            return (0..self.sums.len()).collect();
        }
        let rank =
            |(number, sum): (usize, &Sum)| (sum.cost.saturating_add(sum.to_come), self.worst_bias(number), number);
        let mut ranked: Vec<(u32, f64, usize)> = self.sums.iter().enumerate().map(rank).collect();
        sort::by(&mut ranked, |a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let by_cost: Vec<&[(u32, f64, usize)]> = ranked.chunk_by(|a, b| a.0 == b.0).collect();
        let each = (most / by_cost.len()).max(1);
        by_cost.into_iter().flat_map(|same| same.iter().take(each).map(|sum| sum.2)).collect()
    }
}

impl Next {
    fn multiples(&self, number: usize) -> &[i64] {
        of(&self.multiples, self.all.len(), number)
    }

    fn biases(&self, number: usize) -> &[f64] {
        of(&self.biases, self.all.len(), number)
    }
}

/// The values of one of `count` equal parts.
fn of<T>(all: &[T], count: usize, number: usize) -> &[T] {
    let each = all.len() / count.max(1);
    &all[number * each..][..each]
}

impl Search<'_> {
    /// Finds at most `ways` solutions, each with at most one choice per place, the best first.
    ///
    /// A sum is followed only if the remaining places can cancel what it leaves, as far as [`Ahead`] tells. If there are
    /// too many sums, those with the smallest bias are followed, an equal number for each number of instructions that
    /// they take at least; most of the bias comes from the multiples. Adds the number of sums tried to `tried`.
    pub(in crate::engine) fn run(&self, places: &impl Places, ways: usize, tried: &mut usize) -> Vec<Chosen> {
        let possible = places.possible();
        let is_allowed = |cost: &u32| (self.loss)(*cost, 0.0) < self.limit;
        let Some(most) = (0..=self.most).take_while(is_allowed).last() else { return Vec::new() };
        let Some(ahead) = Ahead::of(self.left, most, &possible, tried) else { return Vec::new() };
        let most_sums = (MAX_SUMS_IN_ALL / possible.len().max(1)).clamp(1, self.most_sums);
        let first = Sum { held: Held::default(), cost: 0, to_come: 0, class: 0, choice: None, before: 0 };
        let first = Layer { sums: vec![first], multiples: self.left.multiples.clone(), biases: self.left.bias.clone() };
        let (mut layers, mut followed) = (vec![first], vec![0]);
        for place in 0..possible.len() {
            let layer = self.layer((&layers[place], &followed), (places, place), (&ahead, most), tried);
            followed = layer.best(most_sums);
            layers.push(layer);
        }
        let last = &layers[possible.len()];
        let loss = |i: usize| (self.loss)(last.sums[i].cost, last.worst_bias(i));
        let mut ends: Vec<(f64, usize)> = followed.into_iter().map(|i| (loss(i), i)).collect();
        ends.retain(|end| end.0 < self.limit);
        sort::by(&mut ends, |a, b| a.0.total_cmp(&b.0));
        ends.truncate(ways);
        ends.into_iter().map(|(loss, end)| Chosen { loss, at: way(&layers, end) }).collect()
    }

    /// The sums after one more place, with at most `most` instructions.
    fn layer(
        &self,
        (before, followed): (&Layer, &[usize]),
        (places, place): (&impl Places, usize),
        (ahead, most): (&Ahead, u32),
        tried: &mut usize,
    ) -> Layer {
        let mut layer = Layer::default();
        // The numbers of the sums, by the hashes of what tells them apart.
        let mut known: HashTable<(u64, usize)> = HashTable::new();
        let mut next: Map<Held, Next> = Map::new();
        // Most sums are known or lead nowhere, so memory is taken for the others only.
        let (mut multiples, mut biases) = (Vec::new(), Vec::new());
        for &number in followed {
            let sum = before.sums[number];
            let class = if ahead.joint.continues(place) {
                Some(sum.class)
            } else {
                ahead.joint.class(place, before.multiples(number).iter().copied())
            };
            let Some(class) = class else { continue };
            let next = next.get_or_insert_with(sum.held, || self.next(places, place, sum.held, ahead));
            *tried += next.all.len();
            for (i, step) in next.all.iter().enumerate() {
                let cost = sum.cost.saturating_add(step.cost);
                let class = ahead.joint.sum(place, class, step.class);
                let Some(together) = ahead.joint.cost(place, class, step.holds) else { continue };
                if cost.saturating_add(together.into()) > most
                    || !add_up(before.multiples(number), next.multiples(i), &mut multiples)
                {
                    continue;
                }
                let Some(alone) = ahead.alone.least(place + 1, &multiples) else { continue };
                let to_come = u32::from(together.max(alone));
                if cost.saturating_add(to_come) > most {
                    continue;
                }
                biases.clear();
                biases.extend(before.biases(number).iter().zip(next.biases(i)).map(|(a, b)| a + b));
                // The multiples determine the bias if it follows from them.
                let told_apart = if self.follows { &[][..] } else { &biases };
                let mut hasher = FxHasher::default();
                (cost, step.held, &multiples).hash(&mut hasher);
                rounded(told_apart).for_each(|bias| bias.hash(&mut hasher));
                let hash = hasher.finish();
                let is_same = |&(_, other): &(u64, usize)| {
                    let same = &layer.sums[other];
                    (same.cost, same.held) == (cost, step.held)
                        && layer.multiples(other) == multiples
                        && (self.follows || rounded(layer.biases(other)).eq(rounded(told_apart)))
                };
                if known.find(hash, is_same).is_none() {
                    known.insert_unique(hash, (hash, layer.sums.len()), |entry| entry.0);
                    layer.sums.push(Sum {
                        held: step.held,
                        cost,
                        to_come,
                        class,
                        choice: i.checked_sub(1),
                        before: number,
                    });
                    layer.multiples.extend(&multiples);
                    layer.biases.extend(&biases);
                }
            }
        }
        layer
    }

    /// What may be done at a place.
    fn next(&self, places: &impl Places, place: usize, held: Held, ahead: &Ahead) -> Next {
        let outputs = self.left.multiples.len();
        let step = |cost, held: Held, class| Step { cost, held, holds: held.iter().any(|&count| count > 0), class };
        let nothing = step(0, places.behind(place, held), 0);
        let mut next = Next { all: vec![nothing], multiples: vec![0; outputs], biases: vec![0.0; outputs] };
        for choice in places.choices(place, held) {
            let class = ahead.joint.class(place, choice.multiples()).unwrap_or(0);
            next.all.push(step(choice.cost, choice.held, class));
            next.multiples.extend(choice.multiples());
            next.biases.extend(choice.biases());
        }
        next
    }
}

/// Puts the sums of the multiples into `sums`; `false` if one does not fit in the integers.
fn add_up(a: &[i64], b: &[i64], sums: &mut Vec<i64>) -> bool {
    sums.clear();
    sums.extend(a.iter().zip(b).map_while(|(a, b)| a.checked_add(*b)));
    sums.len() == a.len()
}

/// The choices by which a sum of the last layer was reached.
fn way(layers: &[Layer], end: usize) -> Vec<(Held, Option<usize>)> {
    let mut at = end;
    let mut way = Vec::new();
    for pair in layers.windows(2).rev() {
        let sum = &pair[1].sums[at];
        at = sum.before;
        way.push((pair[0].sums[at].held, sum.choice));
    }
    way.reverse();
    way
}

/// The biases, as far as they are told apart.
#[expect(clippy::cast_possible_truncation, reason = "saturates, and only tells sums apart")]
fn rounded(biases: &[f64]) -> impl Iterator<Item = i64> {
    biases.iter().map(|bias| (bias / RESOLUTION).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::super::choice::Choice;
    use super::{Effect, Held, Search};

    fn effect(multiples: &[i64], bias: f64) -> Effect {
        Effect { multiples: multiples.to_vec(), bias: vec![bias; multiples.len()] }
    }

    fn choices(weights: &[(Effect, u32)]) -> Vec<Choice<'_>> {
        weights.iter().filter_map(|(weight, cost)| Choice::new(weight, (1, 1.0), *cost, Held::default())).collect()
    }

    fn find(left: &Effect, places: &[&[(&[i64], f64, u32)]], most: u32) -> Option<(f64, Vec<Option<usize>>)> {
        let own = |&(multiples, bias, cost): &(&[i64], f64, u32)| (effect(multiples, bias), cost);
        let weights: Vec<Vec<(Effect, u32)>> = places.iter().map(|place| place.iter().map(own).collect()).collect();
        let places: Vec<Vec<Choice<'_>>> = weights.iter().map(|weights| choices(weights)).collect();
        let loss = |cost: u32, bias: f64| f64::from(cost) + bias;
        let search = Search { left, most, most_sums: 64, follows: false, loss: &loss, limit: f64::INFINITY };
        let found = search.run(&places, 1, &mut 0).pop()?;
        Some((found.loss, found.at.into_iter().map(|(_, choice)| choice).collect()))
    }

    /// Of two ways to cancel the multiples, the one that also cancels the bias is chosen.
    #[test]
    fn two_constants() {
        let places: &[&[(&[i64], f64, u32)]] =
            &[&[(&[2], 40.0, 0), (&[2], 44.0, 0)], &[(&[1], 20.0, 0)], &[(&[1], 22.0, 0)]];
        assert_eq!(find(&effect(&[-3], -66.0), places, 0), Some((0.0, vec![Some(1), None, Some(0)])));
        assert_eq!(find(&effect(&[-3], -60.0), places, 0), Some((0.0, vec![Some(0), Some(0), None])));
    }

    /// A further instruction is worth the bias that it removes; there are no solutions beyond the number allowed.
    #[test]
    fn instructions_against_bias() {
        let places: &[&[(&[i64], f64, u32)]] = &[&[(&[1], 15.0, 0), (&[1], 20.0, 2)]];
        assert_eq!(find(&effect(&[-1], -20.0), places, 2), Some((2.0, vec![Some(1)])));
        assert_eq!(find(&effect(&[-1], -20.0), places, 1), Some((5.0, vec![Some(0)])));
    }

    #[test]
    fn all_outputs_at_once() {
        let places: &[&[(&[i64], f64, u32)]] = &[&[(&[1, 1], 0.0, 0)], &[(&[1, 0], 0.0, 0)], &[(&[0, -1], 0.0, 0)]];
        assert_eq!(find(&effect(&[-2, 0], 0.0), places, 0), Some((0.0, vec![Some(0), Some(0), Some(0)])));
        assert_eq!(find(&effect(&[-3, 0], 0.0), places, 0), None);
        assert_eq!(find(&effect(&[0, 0], 0.0), places, 0), Some((0.0, vec![None; 3])));
    }
}
