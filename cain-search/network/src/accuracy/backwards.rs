//! Follows random errors from what they reach back to where they arise.

use std::collections::BTreeMap;

use cain_isa::Store;
use cain_isa::random::SplitMix64;

use super::tape::{Id, Made, Tape};

/// How much the error of a cell's gain and of its offset count in each PE.
struct Pattern {
    gain: Vec<f32>,
    offset: Vec<f32>,
}

impl Tape<'_> {
    /// The variance of a weighted sum of contents that random errors cause, as far as these are small.
    ///
    /// The effect of every cell's fixed error is the sum of its effects through all writes to that cell, and noise is
    /// independent in each write. Bits that may be wrong are independent of each other.
    pub(super) fn variance(&self, weights: &[(Id, Vec<f32>)]) -> f64 {
        let mut back = Back { tape: self, left: BTreeMap::new(), patterns: BTreeMap::new(), variance: 0.0 };
        for (id, weights) in weights {
            back.add(*id, weights.clone());
        }
        // Contents are made of earlier ones only.
        while let Some((id, effect)) = back.left.pop_last() {
            back.step(id, &effect);
        }
        back.total()
    }

    /// Weights of 1 and −1 in these PEs, and of 0 elsewhere. The errors of PEs that are not the same add up squared, so
    /// that the variance of the sum is that of all PEs together, whatever errors they share.
    pub(super) fn signs(&self, places: &[usize]) -> Vec<f32> {
        let mut random = SplitMix64::new(1);
        let mut weights = vec![0.0; self.size.pes()];
        for &place in places {
            let sign = if random.next_bit() { 1.0 } else { -1.0 };
            weights.get_mut(place).into_iter().for_each(|weight| *weight = sign);
        }
        weights
    }
}

struct Back<'t> {
    tape: &'t Tape<'t>,
    /// How much the contents count that are still to be followed.
    left: BTreeMap<Id, Vec<f32>>,
    patterns: BTreeMap<Store, Pattern>,
    variance: f64,
}

impl Back<'_> {
    fn add(&mut self, id: Id, more: Vec<f32>) {
        if matches!(self.tape.nodes[id].made, Made::Given) {
            return;
        }
        match self.left.get_mut(&id) {
            Some(effect) => effect.iter_mut().zip(more).for_each(|(effect, more)| *effect += more),
            None => {
                self.left.insert(id, more);
            }
        }
    }

    /// Passes the effect of a content on to what it is made of.
    fn step(&mut self, id: Id, effect: &[f32]) {
        let tape = self.tape;
        let node = &tape.nodes[id];
        let expected = |id: Id| tape.nodes[id].expected.as_slice();
        match &node.made {
            Made::Given => {}
            Made::Write { store, factor, offset, sources } => {
                let mut values = tape.expected_sum(sources);
                for value in &mut values {
                    *value *= factor;
                }
                let effect = self.written(*store, *offset, &values, effect);
                self.sources(sources, factor * tape.model.gain, &effect);
            }
            Made::Sum(sources) => self.sources(sources, 1.0, effect),
            Made::Chosen { flag, written, before, slope } => {
                let bits = expected(*flag);
                let product = |of: &dyn Fn(usize) -> f32| effect.iter().enumerate().map(|(i, e)| e * of(i)).collect();
                let (new, old) = (expected(*written), expected(*before));
                self.add(*written, product(&|i| bits[i]));
                self.add(*before, product(&|i| 1.0 - bits[i]));
                // As far as the difference is what was compared, where the bit changes nothing else does.
                let compared = tape.compared_for(*flag).map(|(compared, _)| expected(compared.sum));
                let along = |i: usize| slope * compared.map_or(0.0, |compared| compared[i]);
                self.add(*flag, product(&|i| new[i] - old[i] - along(i)));
            }
            Made::Positive(_) => {
                let pairs =
                    effect.iter().zip(&node.expected).map(|(effect, bit)| (f64::from(*effect), f64::from(*bit)));
                self.variance += pairs.map(|(effect, bit)| effect * effect * bit * (1.0 - bit)).sum::<f64>();
            }
            Made::Not(of) => self.add(*of, effect.iter().map(|effect| -effect).collect()),
            Made::Any(of) => {
                for &one in of {
                    let mut effect = effect.to_vec();
                    for &other in of.iter().filter(|other| **other != one) {
                        effect.iter_mut().zip(expected(other)).for_each(|(effect, bit)| *effect *= 1.0 - bit);
                    }
                    self.add(one, effect);
                }
            }
            Made::Neighbour(of, at) => self.sources(&[(*of, *at)], 1.0, effect),
        }
    }

    fn sources(&mut self, sources: &[(Id, cain_isa::Displacement)], factor: f32, effect: &[f32]) {
        for &(source, at) in sources {
            if matches!(self.tape.nodes[source].made, Made::Given) {
                continue;
            }
            let back = self.left.entry(source).or_insert_with(|| vec![0.0; effect.len()]);
            self.tape.size.add(back, factor, effect, -at);
        }
    }

    /// Adds the errors of a write to a cell, and returns the effect of what is written on a value that no bound limits.
    fn written(&mut self, store: Store, offset: f32, values: &[f32], effect: &[f32]) -> Vec<f32> {
        let model = self.tape.model;
        let pairs = effect.iter().zip(values).map(|(effect, value)| (effect, value * model.gain + offset));
        let effect: Vec<f32> = match self.tape.hard_range() {
            Some((min, max)) => {
                pairs.map(|(effect, value)| effect * if value > max || value < min { 0.0 } else { 1.0 }).collect()
            }
            None => pairs.map(|(effect, value)| effect * self.tape.held(value).1).collect(),
        };
        if model.has_fixed_pattern() {
            let none = || vec![0.0; values.len()];
            let pattern = self.patterns.entry(store).or_insert_with(|| Pattern { gain: none(), offset: none() });
            let sums = pattern.gain.iter_mut().zip(&mut pattern.offset);
            for ((gain, offset), (effect, value)) in sums.zip(effect.iter().zip(values)) {
                *gain += effect * value;
                *offset += effect;
            }
        }
        if model.has_noise() {
            let of_value = f64::from(model.relative_noise) * f64::from(model.gain);
            let noise = |value: f64| of_value * of_value * value * value + f64::from(model.noise).powi(2);
            let pairs = effect.iter().zip(values).map(|(effect, value)| (f64::from(*effect), f64::from(*value)));
            self.variance += pairs.map(|(effect, value)| effect * effect * noise(value)).sum::<f64>();
        }
        effect
    }

    /// The variance of everything together.
    fn total(self) -> f64 {
        let model = self.tape.model;
        let squares = |values: &[f32]| values.iter().map(|value| f64::from(*value) * f64::from(*value)).sum::<f64>();
        let of = |Pattern { gain, offset }: &Pattern| {
            f64::from(model.fixed_gain).powi(2) * squares(gain)
                + f64::from(model.fixed_offset).powi(2) * squares(offset)
        };
        self.variance + self.patterns.values().map(of).sum::<f64>()
    }
}
