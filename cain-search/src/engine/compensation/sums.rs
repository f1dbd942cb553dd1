//! Chooses the changes of a program that cancel what is left of the transfer error: a subset-sum problem.

use std::hash::BuildHasher as _;

use cain_isa::sorted::Map;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::ahead::{Ahead, ToCome};
use super::choice::{Choice, Held};
use super::{Effect, Multiples};
use crate::sort;

/// The most sums followed over all places together.
const MAX_SUMS_IN_ALL: usize = 1 << 14;
/// The resolution of biases, in DN: sums whose biases differ by less are taken to be equal.
const RESOLUTION: f64 = 0.25;

/// The places of a program, in order, and the choices at each.
pub(in crate::engine) trait Places {
    /// All choices at each place, whatever was chosen before. What their cells hold and their bias do not matter.
    fn possible(&self) -> Vec<Vec<Choice>>;

    /// The choices at a place, given what cells hold.
    fn choices(&self, place: usize, held: Held) -> Vec<Choice>;

    /// What cells hold after a place at which nothing is done.
    fn behind(&self, place: usize, held: Held) -> Held;
}

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

/// A partial solution: what is left in the outputs, what the cells hold, the instructions added so far and those likely
/// to come, the last choice, and the number of the sum before it.
struct Sum {
    left: Effect,
    held: Held,
    cost: u32,
    to_come: u32,
    choice: Option<usize>,
    before: usize,
}

/// What tells sums apart.
#[derive(Hash)]
struct Key {
    cost: u32,
    held: Held,
    multiples: Multiples,
    /// The biases as far as they are told apart; none if the multiples determine them.
    biases: Vec<i64>,
}

impl Key {
    fn is_of(&self, sum: &Sum) -> bool {
        let biases = || sum.left.bias.iter().copied().map(rounded);
        (self.cost, self.held) == (sum.cost, sum.held)
            && self.multiples == sum.left.multiples
            && (self.biases.is_empty() || biases().eq(self.biases.iter().copied()))
    }
}

impl Search<'_> {
    /// Finds at most `ways` solutions, each with at most one choice per place, the best first.
    ///
    /// A sum is followed only if the remaining places can cancel each of its outputs on its own. If there are too many
    /// sums, those with the smallest bias are followed, an equal number for each number of instructions that they are
    /// likely to take; most of the bias comes from the multiples. Adds the number of sums tried to `tried`.
    pub(in crate::engine) fn run(&self, places: &impl Places, ways: usize, tried: &mut usize) -> Vec<Chosen> {
        let possible = places.possible();
        let Some(ahead) = Ahead::of(self.left, self.most, &possible, tried) else { return Vec::new() };
        let most_sums = (MAX_SUMS_IN_ALL / possible.len().max(1)).clamp(1, self.most_sums);
        let first =
            Sum { left: self.left.clone(), held: Held::default(), cost: 0, to_come: 0, choice: None, before: 0 };
        let (mut layers, mut followed) = (vec![vec![first]], vec![0]);
        for place in 0..possible.len() {
            let ahead = |left: &[i64]| ahead.of_sum(place + 1, left);
            let layer = self.layer((&layers[place], &followed), (places, place), ahead, tried);
            followed = best(&layer, most_sums);
            layers.push(layer);
        }
        let last = &layers[possible.len()];
        let loss = |i: usize| (self.loss)(last[i].cost, last[i].left.worst_bias());
        let mut ends: Vec<(f64, usize)> = followed.into_iter().map(|i| (loss(i), i)).collect();
        ends.retain(|end| end.0 < self.limit);
        sort::by(&mut ends, |a, b| a.0.total_cmp(&b.0));
        ends.truncate(ways);
        ends.into_iter().map(|(loss, end)| Chosen { loss, at: way(&layers, end) }).collect()
    }

    /// The sums after one more place. `ahead` tells what multiples still need.
    fn layer(
        &self,
        (before, followed): (&[Sum], &[usize]),
        (places, place): (&impl Places, usize),
        ahead: impl Fn(&[i64]) -> Option<ToCome>,
        tried: &mut usize,
    ) -> Vec<Sum> {
        let mut sums: Vec<Sum> = Vec::new();
        // The numbers of the sums, by the hashes of their keys.
        let mut known: HashTable<(u64, usize)> = HashTable::new();
        let nothing = Effect { multiples: vec![0; self.left.multiples.len()], bias: vec![0.0; self.left.bias.len()] };
        // What cells hold if nothing is done, and the choices.
        let mut choices: Map<Held, (Held, Vec<Choice>)> = Map::new();
        // Most sums are known or lead nowhere, so memory is taken for the others only.
        let mut key = Key { cost: 0, held: Held::default(), multiples: Multiples::new(), biases: Vec::new() };
        for &number in followed {
            let Sum { left, held, cost, .. } = &before[number];
            let (behind, choices) =
                choices.get_or_insert_with(*held, || (places.behind(place, *held), places.choices(place, *held)));
            *tried += choices.len() + 1;
            let chosen =
                choices.iter().enumerate().map(|(i, choice)| (Some(i), &choice.effect, choice.cost, choice.held));
            for (choice, effect, further, held) in std::iter::once((None, &nothing, 0, *behind)).chain(chosen) {
                let cost = cost.saturating_add(further);
                if !left.plus_multiples(effect, &mut key.multiples) {
                    continue;
                }
                let Some(to_come) = ahead(&key.multiples) else { continue };
                let least = cost.saturating_add(to_come.least);
                if least > self.most || (self.loss)(least, 0.0) >= self.limit {
                    continue;
                }
                (key.cost, key.held) = (cost, held);
                key.biases.clear();
                if !self.follows {
                    key.biases.extend(left.plus_bias(effect).map(rounded));
                }
                let hash = FxBuildHasher.hash_one(&key);
                if known.find(hash, |&(_, number)| key.is_of(&sums[number])).is_none() {
                    let left = Effect { multiples: key.multiples.clone(), bias: left.plus_bias(effect).collect() };
                    known.insert_unique(hash, (hash, sums.len()), |entry| entry.0);
                    sums.push(Sum { left, held, cost, to_come: to_come.likely, choice, before: number });
                }
            }
        }
        sums
    }
}

/// The choices by which a sum of the last layer was reached.
fn way(layers: &[Vec<Sum>], end: usize) -> Vec<(Held, Option<usize>)> {
    let mut at = end;
    let mut way = Vec::new();
    for pair in layers.windows(2).rev() {
        let sum = &pair[1][at];
        at = sum.before;
        way.push((pair[0][at].held, sum.choice));
    }
    way.reverse();
    way
}

/// Places whose choices do not depend on what was done before.
impl Places for Vec<Vec<Choice>> {
    fn possible(&self) -> Vec<Vec<Choice>> {
        self.clone()
    }

    fn choices(&self, place: usize, _held: Held) -> Vec<Choice> {
        self[place].clone()
    }

    fn behind(&self, _place: usize, held: Held) -> Held {
        held
    }
}

/// The numbers of the sums to follow.
fn best(sums: &[Sum], most: usize) -> Vec<usize> {
    if sums.len() <= most {
        return (0..sums.len()).collect();
    }
    let rank = |(number, sum): (usize, &Sum)| (sum.cost.saturating_add(sum.to_come), sum.left.worst_bias(), number);
    let mut ranked: Vec<(u32, f64, usize)> = sums.iter().enumerate().map(rank).collect();
    sort::by(&mut ranked, |a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let by_cost: Vec<&[(u32, f64, usize)]> = ranked.chunk_by(|a, b| a.0 == b.0).collect();
    let each = (most / by_cost.len()).max(1);
    by_cost.into_iter().flat_map(|same| same.iter().take(each).map(|sum| sum.2)).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "saturates, and only tells sums apart")]
fn rounded(bias: f64) -> i64 {
    (bias / RESOLUTION).round() as i64
}

#[cfg(test)]
mod tests {
    use super::{Choice, Effect, Held, Search};

    fn effect(multiples: &[i64], bias: f64) -> Effect {
        Effect { multiples: multiples.to_vec(), bias: vec![bias; multiples.len()] }
    }

    fn find(left: &Effect, places: &[&[(&[i64], f64, u32)]], most: u32) -> Option<(f64, Vec<Option<usize>>)> {
        let choice = |&(multiples, bias, cost): &(&[i64], f64, u32)| Choice {
            effect: effect(multiples, bias),
            cost,
            held: Held::default(),
        };
        let places: Vec<Vec<Choice>> = places.iter().map(|place| place.iter().map(choice).collect()).collect();
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
