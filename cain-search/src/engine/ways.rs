//! Enumerates the programs that lead from a bag to what is wanted.
//!
//! A bag is kept once, however many steps lead to it. But the programs through it differ in what they do to errors: one
//! may be right, or need few words to be put right, where another is not.

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use super::layers::{Layer, Node, steps_chosen};
use super::memo::StepMemo;
use super::step::Step;
use crate::random::Random;

/// The enumeration ends after this many known ways in a row.
const MOST_REPEATED: usize = 16;

/// The ways from a bag, as lists of steps, last instruction first. The first one is that by which the bag was found;
/// further ones are drawn at random, always the same ones in the same order.
pub(crate) struct Ways<'l> {
    layers: &'l [Layer],
    node: &'l Node,
    steps: &'l StepMemo,
    /// The numbers of the steps of each way already returned.
    past: HashSet<Vec<u32>, FxBuildHasher>,
    random: Random,
}

impl<'l> Ways<'l> {
    pub(super) fn new(layers: &'l [Layer], node: &'l Node, steps: &'l StepMemo) -> Self {
        Self { layers, node, steps, past: HashSet::default(), random: Random::new(0) }
    }

    /// The numbers of the steps of the next new way.
    fn next_numbers(&mut self) -> Option<Vec<u32>> {
        let Self { layers, node, past, random, .. } = self;
        for _ in 0..MOST_REPEATED {
            let is_first = past.is_empty();
            let numbers = steps_chosen(layers, node, |origins| if is_first { 0 } else { random.below(origins) });
            if past.insert(numbers.clone()) {
                return Some(numbers);
            }
        }
        None
    }
}

impl Iterator for Ways<'_> {
    type Item = Vec<Step>;

    fn next(&mut self) -> Option<Vec<Step>> {
        let numbers = self.next_numbers()?;
        Some(numbers.into_iter().map(|number| self.steps.get(number)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Ways;
    use crate::costs::Costs;
    use crate::engine::layers::{Layer, Node, Origin};
    use crate::engine::memo::StepMemo;

    fn layer(nodes: &[&[(u32, u32, u32)]]) -> Layer {
        let node = |origins: &&[(u32, u32, u32)]| {
            let mut origins = origins.iter().map(|&(layer, index, step)| Origin { layer, index, step });
            Node { bag: 0..0, costs: Costs::NONE, origin: origins.next(), further: origins.collect() }
        };
        Layer { nodes: nodes.iter().map(node).collect(), ..Layer::default() }
    }

    /// The way along first origins comes first, then all other combinations, each once.
    #[test]
    fn each_once() {
        let layers =
            [layer(&[&[]]), layer(&[&[(0, 0, 1), (0, 0, 2)], &[(0, 0, 3)]]), layer(&[&[(1, 1, 4), (1, 0, 5)]])];
        let (steps, node) = (StepMemo::default(), &layers[2].nodes[0]);
        let mut ways = Ways::new(&layers, node, &steps);
        let mut all: Vec<_> = std::iter::from_fn(|| ways.next_numbers()).collect();
        assert_eq!(all[0], [3, 4]);
        all.sort_unstable();
        assert_eq!(all, [[1, 5], [2, 5], [3, 4]]);
    }
}
