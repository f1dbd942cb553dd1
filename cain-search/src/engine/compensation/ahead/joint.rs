//! Tables that tell what the remaining places of a program can cancel in all outputs together.
//!
//! Most changes add to several outputs at once, so what is left in them has to cancel jointly. The vectors that later
//! places can add up to form a lattice, smaller and smaller towards the end: a sum outside of it leads nowhere. Within
//! it, sums are told apart by the class that they have in the lattice of a place farther ahead: as far as there are no
//! more classes than a table can hold.

use super::super::choice::Place;
use super::classes::{Class, Classes};
use super::costs::{NEVER, known};
use super::lattice::Lattice;

/// The logarithm of the most classes that are told apart.
const LOG_CLASSES: u32 = 8;
/// The most outputs that are looked at together; the others are not looked at here.
const MAX_OUTPUTS: usize = 12;
/// The number of table entries that take about as long as one sum.
const ENTRIES: usize = 256;

/// For each place and each class of sums, how many instructions cancel what may be left there.
pub(crate) struct Joint {
    stages: Vec<Stage>,
    /// For each place, the number of its stage.
    of_place: Vec<usize>,
    /// For each place, the tables behind it.
    behind: Vec<Table>,
}

/// Successive places with the same lattice and the same classes.
struct Stage {
    lattice: Lattice,
    classes: Classes,
}

/// The least number of instructions that cancel each class, if no cell holds the error, and if some do.
struct Table([Vec<u8>; 2]);

impl Joint {
    /// The tables for these places. Adds to `tried`.
    pub(super) fn of(places: &[Place<'_>], outputs: usize, tried: &mut usize) -> Self {
        let outputs = outputs.min(MAX_OUTPUTS);
        let zero = Lattice::zero(outputs);
        let mut stages = vec![Stage::new(&zero, &zero)];
        let mut lattices = Lattices(vec![zero]);
        let (mut of_place, mut behind) = (Vec::new(), Vec::new());
        let (mut at, mut table, mut entries) = ((0, 0), Table([vec![0], vec![0]]), 0);
        for place in places.iter().rev() {
            lattices.extend(place);
            let next = lattices.last_and_within();
            if next != at {
                at = next;
                let stage = Stage::new(&lattices.0[at.0], &lattices.0[at.1]);
                table = table.of_larger(&stage, &stages[stages.len() - 1]);
                entries += stage.classes.len() + outputs.pow(3);
                stages.push(stage);
            }
            let before = table.before(place, &stages[stages.len() - 1], &mut entries);
            behind.push(std::mem::replace(&mut table, before));
            of_place.push(stages.len() - 1);
        }
        of_place.reverse();
        behind.reverse();
        *tried += entries / ENTRIES;
        Self { stages, of_place, behind }
    }

    /// The class of a vector before a place; `None` if later places cannot cancel it.
    pub(crate) fn class(&self, place: usize, vector: impl Iterator<Item = i64>) -> Option<Class> {
        self.stages[self.of_place[place]].class(vector)
    }

    /// Whether classes are the same as at the place before.
    pub(crate) fn continues(&self, place: usize) -> bool {
        place > 0 && self.of_place[place] == self.of_place[place - 1]
    }

    /// The class of the sum of two vectors.
    pub(crate) fn sum(&self, place: usize, a: Class, b: Class) -> Class {
        self.stages[self.of_place[place]].classes.sum(a, b)
    }

    /// The least number of instructions that cancel a class behind a place, depending on whether a cell holds the error
    /// there; `None` if it cannot be cancelled.
    pub(crate) fn cost(&self, place: usize, class: Class, holds: bool) -> Option<u8> {
        known(self.behind[place].0[usize::from(holds)][class])
    }
}

impl Stage {
    fn new(lattice: &Lattice, within: &Lattice) -> Self {
        Self { lattice: lattice.clone(), classes: Classes::of(lattice, within) }
    }

    fn class(&self, vector: impl Iterator<Item = i64>) -> Option<Class> {
        Some(self.classes.class(&self.lattice.coordinates(self.lattice.residues(vector))?))
    }
}

/// Lattices from the smallest to the largest.
struct Lattices(Vec<Lattice>);

impl Lattices {
    /// Adds the vectors of a place, in as many steps as possible.
    fn extend(&mut self, place: &Place<'_>) {
        let Some(last) = self.0.last() else { return };
        let mut with = last.clone();
        for choice in &place.choices {
            with.insert(last.residues(choice.multiples()));
        }
        let mut between = Vec::new();
        let mut next = with;
        while next.log_index() < last.log_index() {
            let doubled = last.with_doubles(&next);
            between.push(std::mem::replace(&mut next, doubled));
        }
        self.0.extend(between.into_iter().rev());
    }

    /// The numbers of the last lattice, and of the smallest one whose classes in it a table can hold.
    fn last_and_within(&self) -> (usize, usize) {
        let last = self.0.len() - 1;
        let most = self.0[last].log_index() + LOG_CLASSES;
        (last, self.0.partition_point(|lattice| lattice.log_index() > most))
    }
}

impl Table {
    /// The table for the classes of an earlier stage.
    fn of_larger(&self, stage: &Stage, later: &Stage) -> Self {
        let image = |coordinates: &[u8]| {
            let vector = stage.lattice.coordinates(later.lattice.vector(coordinates));
            vector.map_or(0, |coordinates| stage.classes.class(&coordinates))
        };
        let images = later.classes.images(image, |a, b| stage.classes.sum(a, b));
        Self(self.0.each_ref().map(|costs| {
            let mut larger = vec![NEVER; stage.classes.len()];
            for (&image, &cost) in images.iter().zip(costs) {
                larger[image] = larger[image].min(cost);
            }
            larger
        }))
    }

    /// The table before a place.
    fn before(&self, place: &Place<'_>, stage: &Stage, entries: &mut usize) -> Self {
        let [without, with] = &self.0;
        let behind = if place.lasts { with } else { without };
        let mut holding = behind.clone();
        let mut seen: Vec<(Class, u32)> = vec![(0, 0)];
        for choice in &place.choices {
            let class = stage.class(choice.multiples()).unwrap_or(0);
            if seen.iter().any(|&(other, cost)| other == class && cost <= choice.cost) {
                continue;
            }
            seen.push((class, choice.cost));
            *entries += holding.len();
            let further = u8::try_from(choice.cost).unwrap_or(NEVER);
            for (of, cost) in holding.iter_mut().enumerate() {
                *cost = (*cost).min(behind[stage.classes.sum(of, class)].saturating_add(further));
            }
        }
        let filled = |(&cost, &holding): (&u8, &u8)| match place.filling {
            Some(filling) => cost.min(holding.saturating_add(filling)),
            None => cost,
        };
        let without = without.iter().zip(&holding).map(filled).collect();
        Self([without, holding])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::Effect;
    use super::super::super::choice::{Choice, Held, Place};
    use super::Joint;

    /// Places at each of which these multiples may be added, with as many further instructions.
    fn with_places<T>(places: &[Vec<([i64; 2], u32)>], run: impl FnOnce(&[Place<'_>]) -> T) -> T {
        let weight = |multiples: &[i64; 2]| Effect { multiples: multiples.to_vec(), bias: vec![0.0; 2] };
        let weights: Vec<Vec<(Effect, u32)>> =
            places.iter().map(|place| place.iter().map(|(own, cost)| (weight(own), *cost)).collect()).collect();
        let choices = weights.iter().map(|weights| choices(weights));
        run(&choices.map(|choices| Place { choices, filling: Some(0), lasts: true }).collect::<Vec<_>>())
    }

    fn choices(weights: &[(Effect, u32)]) -> Vec<Choice<'_>> {
        weights.iter().filter_map(|(weight, cost)| Choice::new(weight, (1, 0.0), *cost, Held::default())).collect()
    }

    /// The least number of instructions, by trying everything.
    fn least(places: &[Vec<([i64; 2], u32)>], left: [i64; 2]) -> Option<u32> {
        let Some((place, later)) = places.split_first() else { return (left == [0, 0]).then_some(0) };
        let chosen = |(own, cost): &([i64; 2], u32)| Some(cost + least(later, [left[0] + own[0], left[1] + own[1]])?);
        place.iter().filter_map(chosen).chain(least(later, left)).min()
    }

    /// Each output alone could be cancelled, but not both.
    #[test]
    fn together_and_alone() {
        let places = [vec![([0, 0], 0)], vec![([1, 1], 0)], vec![([1, -1], 1)], vec![([2, 4], 3)]];
        with_places(&places, |places| {
            let joint = Joint::of(places, 2, &mut 0);
            assert_eq!(joint.class(0, [-1, 0].into_iter()), None);
            let cost = |left: [i64; 2]| joint.cost(0, joint.class(0, left.into_iter())?, true);
            assert_eq!([cost([0, 0]), cost([-1, -1]), cost([-2, 0])], [Some(0), Some(0), Some(1)]);
        });
    }

    /// A cell has to be filled first, and again after it was overwritten.
    #[test]
    fn filling() {
        let weight = Effect { multiples: vec![1], bias: vec![0.0] };
        let choice = Choice::new(&weight, (1, 0.0), 0, Held::default()).unwrap();
        let place = |lasts| Place { choices: vec![choice], filling: Some(1), lasts };
        let empty = || Place { choices: Vec::new(), filling: None, lasts: true };
        let joint = Joint::of(&[empty(), place(true), place(false), place(true)], 1, &mut 0);
        let cost = |left: i64, holds| joint.cost(0, joint.class(0, [left].into_iter())?, holds);
        assert_eq!([0, -1, -2, -3].map(|left| cost(left, false)), [Some(0), Some(1), Some(1), Some(2)]);
        assert_eq!([0, -1, -2, -3].map(|left| cost(left, true)), [Some(0), Some(0), Some(0), Some(1)]);
    }

    proptest! {
        /// The tables never ask for more than is needed, and are exact as far as classes tell sums apart.
        #[test]
        fn bounds(
            places in prop::collection::vec(prop::collection::vec((prop::array::uniform2(-6_i64..6), 0_u32..3), 1..3), 2..6),
            left in prop::array::uniform2(-9_i64..9),
        ) {
            let least = least(&places, left);
            let places: Vec<_> = std::iter::once(Vec::new()).chain(places).collect();
            let cost = with_places(&places, |places| {
                let joint = Joint::of(places, 2, &mut 0);
                joint.class(0, left.into_iter()).and_then(|class| joint.cost(0, class, true))
            });
            if let Some(least) = least {
                prop_assert!(cost.is_some_and(|cost| u32::from(cost) <= least), "{cost:?} {least}");
            }
        }
    }
}
