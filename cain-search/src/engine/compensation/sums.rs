//! Which changes of a program cancel what is left: a subset-sum problem.

use std::collections::BTreeMap;

use super::{Effect, Multiples};

/// The most sums that are followed in all.
const MAX_SUMS_IN_ALL: usize = 1 << 14;
/// Biases that differ by less, in DN, are taken to be the same while sums are followed.
const RESOLUTION: f64 = 0.25;

/// Something that may be done at one place of a program.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Choice {
    /// What it adds to the outputs.
    pub(in crate::engine) effect: Effect,
    /// The instructions that it adds to the program.
    pub(in crate::engine) cost: u32,
}

/// What is looked for: choices that cancel the multiples of what is `left`, and of these the ones with the least loss.
pub(in crate::engine) struct Search<'a> {
    pub(in crate::engine) left: &'a Effect,
    /// The most instructions that may be added.
    pub(in crate::engine) most: u32,
    /// The most sums that are followed at a time.
    pub(in crate::engine) most_sums: usize,
    /// Whether the bias follows from the multiples, so that sums which differ in it alone need not be told apart.
    pub(in crate::engine) follows: bool,
    /// How bad that many further instructions and the bias that remains are together.
    pub(in crate::engine) loss: &'a dyn Fn(u32, f64) -> f64,
}

/// What was found.
pub(in crate::engine) struct Chosen {
    pub(in crate::engine) loss: f64,
    /// At each place, the number of the choice, if there is one.
    pub(in crate::engine) at: Vec<Option<usize>>,
}

/// A sum: what is left in the outputs, the instructions added so far, what was chosen last, and the sum before that.
struct Sum {
    left: Effect,
    cost: u32,
    choice: Option<usize>,
    before: usize,
}

/// What the places from one on can add to an output.
#[derive(Clone, Copy)]
struct Reach {
    least: i64,
    most: i64,
    /// Every sum is a multiple of it; 0 if they add nothing.
    divisor: u64,
}

impl Search<'_> {
    /// What to choose at each place, one or nothing; `None` if no way was found.
    ///
    /// Of too many sums those with the smallest bias are followed, which is that of the multiples for the most part; of each
    /// number of instructions as many. Adds the number of all that were tried to `tried`.
    pub(in crate::engine) fn run(&self, places: &[Vec<Choice>], tried: &mut usize) -> Option<Chosen> {
        let open: Vec<usize> = (0..places.len()).filter(|&place| !places[place].is_empty()).collect();
        let reaches = self.reaches(open.iter().map(|&place| places[place].as_slice()))?;
        let (now, later) = reaches.split_first()?;
        let can_cancel = self.left.multiples.iter().zip(now).all(|(left, reach)| reach.cancels(*left));
        if !can_cancel {
            return None;
        }
        let most_sums = (MAX_SUMS_IN_ALL / open.len().max(1)).clamp(1, self.most_sums);
        let mut layers = vec![vec![Sum { left: self.left.clone(), cost: 0, choice: None, before: 0 }]];
        let mut followed = vec![0];
        for (&place, reach) in open.iter().zip(later) {
            let layer = self.layer((layers.last()?, &followed), &places[place], reach, tried);
            followed = best(&layer, most_sums);
            layers.push(layer);
        }
        let last = layers.last()?;
        let loss = |&i: &usize| (self.loss)(last[i].cost, last[i].left.worst_bias());
        let ends = followed.into_iter().filter(|&i| last[i].left.cancels());
        let mut at = ends.min_by(|a, b| loss(a).total_cmp(&loss(b)))?;
        let loss = loss(&at);
        let mut chosen = vec![None; places.len()];
        for (&place, layer) in open.iter().zip(&layers[1..]).rev() {
            chosen[place] = layer[at].choice;
            at = layer[at].before;
        }
        Some(Chosen { loss, at: chosen })
    }

    /// The sums after one more place.
    fn layer(
        &self,
        (before, followed): (&[Sum], &[usize]),
        choices: &[Choice],
        reach: &[Reach],
        tried: &mut usize,
    ) -> Vec<Sum> {
        *tried += followed.len() * (choices.len() + 1);
        let mut sums: Vec<Sum> = Vec::new();
        let mut known: BTreeMap<(u32, Multiples, Vec<i64>), usize> = BTreeMap::new();
        for &number in followed {
            let Sum { left, cost, .. } = &before[number];
            let nothing = std::iter::once((None, Some(left.clone()), *cost));
            let chosen = (0..)
                .zip(choices)
                .map(|(i, choice)| (Some(i), left.plus(&choice.effect), cost.saturating_add(choice.cost)));
            for (choice, left, cost) in nothing.chain(chosen) {
                let Some(left) = left.filter(|_| cost <= self.most) else { continue };
                if !left.multiples.iter().zip(reach).all(|(left, reach)| reach.cancels(*left)) {
                    continue;
                }
                let bias = if self.follows { &[] } else { left.bias.as_slice() };
                let key = (cost, left.multiples.clone(), bias.iter().map(|bias| rounded(*bias)).collect());
                known.entry(key).or_insert_with(|| {
                    sums.push(Sum { left, cost, choice, before: number });
                    sums.len() - 1
                });
            }
        }
        sums
    }

    /// What the places from each one on can add.
    fn reaches<'p>(
        &self,
        places: impl DoubleEndedIterator<Item = &'p [Choice]> + ExactSizeIterator,
    ) -> Option<Vec<Vec<Reach>>> {
        let outputs = self.left.multiples.len();
        let mut reaches = vec![vec![Reach { least: 0, most: 0, divisor: 0 }; outputs]];
        for choices in places.rev() {
            let after = reaches.last()?;
            let with = |(output, &reach): (usize, &Reach)| {
                reach.with(choices.iter().map(|choice| choice.effect.multiples[output]))
            };
            reaches.push(after.iter().enumerate().map(with).collect::<Option<_>>()?);
        }
        reaches.reverse();
        Some(reaches)
    }
}

impl Reach {
    /// With one more place; `None` if it does not fit.
    fn with(self, multiples: impl Iterator<Item = i64> + Clone) -> Option<Self> {
        let (least, most) = (multiples.clone().min().unwrap_or(0).min(0), multiples.clone().max().unwrap_or(0).max(0));
        Some(Self {
            least: self.least.checked_add(least)?,
            most: self.most.checked_add(most)?,
            divisor: multiples.fold(self.divisor, |divisor, multiple| common_divisor(divisor, multiple.unsigned_abs())),
        })
    }

    /// Whether what is left may be cancelled.
    fn cancels(self, left: i64) -> bool {
        let is_within = (self.most.saturating_neg()..=self.least.saturating_neg()).contains(&left);
        is_within && (left == 0 || (self.divisor != 0 && left.unsigned_abs().is_multiple_of(self.divisor)))
    }
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// The numbers of the sums to follow.
fn best(sums: &[Sum], most: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..sums.len()).collect();
    if sums.len() <= most {
        return all;
    }
    all.sort_by(|&a, &b| {
        let (a, b) = (&sums[a], &sums[b]);
        a.cost.cmp(&b.cost).then(a.left.worst_bias().total_cmp(&b.left.worst_bias()))
    });
    let by_cost: Vec<&[usize]> = all.chunk_by(|&a, &b| sums[a].cost == sums[b].cost).collect();
    let each = (most / by_cost.len()).max(1);
    by_cost.into_iter().flat_map(|same| same.iter().take(each).copied()).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "saturates, and only tells sums apart")]
fn rounded(bias: f64) -> i64 {
    (bias / RESOLUTION).round() as i64
}

#[cfg(test)]
mod tests {
    use super::{Choice, Effect, Search};

    fn effect(multiples: &[i64], bias: f64) -> Effect {
        Effect { multiples: multiples.to_vec(), bias: vec![bias; multiples.len()] }
    }

    fn find(left: &Effect, places: &[&[(&[i64], f64, u32)]], most: u32) -> Option<(f64, Vec<Option<usize>>)> {
        let choice = |&(multiples, bias, cost): &(&[i64], f64, u32)| Choice { effect: effect(multiples, bias), cost };
        let places: Vec<Vec<Choice>> = places.iter().map(|place| place.iter().map(choice).collect()).collect();
        let loss = |cost: u32, bias: f64| f64::from(cost) + bias;
        let search = Search { left, most, most_sums: 64, follows: false, loss: &loss };
        search.run(&places, &mut 0).map(|found| (found.loss, found.at))
    }

    /// Of two ways to cancel the multiples, the one that cancels the bias as well.
    #[test]
    fn two_constants() {
        let places: &[&[(&[i64], f64, u32)]] =
            &[&[(&[2], 40.0, 0), (&[2], 44.0, 0)], &[(&[1], 20.0, 0)], &[(&[1], 22.0, 0)]];
        assert_eq!(find(&effect(&[-3], -66.0), places, 0), Some((0.0, vec![Some(1), None, Some(0)])));
        assert_eq!(find(&effect(&[-3], -60.0), places, 0), Some((0.0, vec![Some(0), Some(0), None])));
    }

    /// A further instruction is worth the bias that it takes away; beyond the number allowed there is none.
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
