//! Finds kernels that are close to the wanted ones and look as if they had shorter programs.
//!
//! All weights are multiples of one power of two. Starting from the nearest multiples, weights are changed as long as
//! that makes the kernels look simpler and the sum of all changes stays within the limit. Either one weight changes, or
//! all that are alike in the wanted kernels, so that symmetries are preserved.

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::Fraction;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::{Approximation, nearest, vanished};

/// The number of depths that are tried, from the smallest one at which the nearest multiples are near enough.
const DEPTHS: u32 = 3;

/// The kernels from which walks start, and those found on the way, each with its look: the smaller, the simpler.
pub(crate) struct Nearby<'a> {
    wanted: &'a [Polynomial],
    allowed: Approximation,
    /// The wanted weights of all kernels.
    weights: Vec<Weight>,
    /// Groups of weights with the same magnitude, by their places.
    groups: Vec<Vec<usize>>,
    found: HashMap<(u32, Vec<i64>), i64, FxBuildHasher>,
}

struct Weight {
    kernel: usize,
    atom: Atom,
    wanted: Fraction,
}

impl<'a> Nearby<'a> {
    pub(crate) fn of(wanted: &'a [Polynomial], allowed: Approximation) -> Self {
        let weights: Vec<Weight> = (0..)
            .zip(wanted)
            .flat_map(|(kernel, sum)| sum.terms().map(move |(atom, wanted)| Weight { kernel, atom, wanted }))
            .collect();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (i, weight) in weights.iter().enumerate() {
            let alike = |group: &&mut Vec<usize>| weights[group[0]].wanted.abs() == weight.wanted.abs();
            match groups.iter_mut().find(alike) {
                Some(group) => group.push(i),
                None => groups.push(vec![i]),
            }
        }
        Self { wanted, allowed, weights, groups, found: HashMap::default() }
    }

    /// Walks from the nearest multiples at each depth. `look` tells how simple kernels look, or ends the walk.
    pub(crate) fn walk(&mut self, look: &mut impl FnMut(&[Polynomial]) -> Option<i64>) {
        let most = self.allowed.depth.min(Approximation::MAX_DEPTH);
        let start = |depth: u32| self.nearest(depth).filter(|multiples| self.is_allowed(multiples, depth));
        let starts: Vec<_> =
            (0..=most).filter_map(|depth| Some((depth, start(depth)?))).take(DEPTHS as usize).collect();
        for (depth, start) in starts {
            if self.descend(depth, start, look).is_none() {
                return;
            }
        }
    }

    /// The kernels found, the simplest first.
    pub(crate) fn simplest(&self) -> Vec<Vec<Polynomial>> {
        let mut found: Vec<_> =
            self.found.iter().map(|((depth, multiples), look)| (*look, *depth, multiples)).collect();
        found.sort_unstable();
        found.into_iter().filter_map(|(_, depth, multiples)| self.kernels(multiples, depth)).collect()
    }

    /// Moves to the simplest kernels that are one move away, until none is simpler.
    fn descend(
        &mut self,
        depth: u32,
        mut at: Vec<i64>,
        look: &mut impl FnMut(&[Polynomial]) -> Option<i64>,
    ) -> Option<()> {
        let mut simplest = self.look(depth, &at, look)?;
        loop {
            let mut next = None;
            for moved in self.moves(depth, &at) {
                let looks = self.look(depth, &moved, look)?;
                if looks < simplest {
                    (simplest, next) = (looks, Some(moved));
                }
            }
            match next {
                Some(moved) => at = moved,
                None => return Some(()),
            }
        }
    }

    fn look(
        &mut self,
        depth: u32,
        multiples: &[i64],
        look: &mut impl FnMut(&[Polynomial]) -> Option<i64>,
    ) -> Option<i64> {
        let key = (depth, multiples.to_vec());
        if let Some(looks) = self.found.get(&key) {
            return Some(*looks);
        }
        let Some(kernels) = self.kernels(multiples, depth) else { return Some(i64::MAX) };
        let looks = look(&kernels)?;
        self.found.insert(key, looks);
        Some(looks)
    }

    /// The kernels that are one move away and near enough to the wanted ones.
    fn moves(&self, depth: u32, at: &[i64]) -> Vec<Vec<i64>> {
        let mut sizes: Vec<i64> = at.iter().map(|multiple| multiple.abs()).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let alone = (0..at.len()).map(|i| vec![i]);
        let mut moves = Vec::new();
        for places in self.groups.iter().filter(|group| group.len() > 1).cloned().chain(alone) {
            let size = places.iter().map(|&i| at[i].abs()).max().unwrap_or(0);
            let power = size.checked_ilog2().map_or(0, |whole| 1_i64 << whole);
            let mut others = vec![0, size - 1, size + 1, power, 2 * power];
            others.extend(&sizes);
            others.sort_unstable();
            others.dedup();
            for other in others.into_iter().filter(|other| *other >= 0) {
                let mut moved = at.to_vec();
                for &i in &places {
                    moved[i] = other * self.weights[i].wanted.numerator().signum();
                }
                if moved != at && self.is_allowed(&moved, depth) {
                    moves.push(moved);
                }
            }
        }
        moves
    }

    fn nearest(&self, depth: u32) -> Option<Vec<i64>> {
        let multiple = |weight: &Weight| {
            let near = nearest(weight.wanted, depth)?;
            near.checked_mul(Fraction::new(1_i64.checked_shl(depth)?, 1)?).map(Fraction::numerator)
        };
        self.weights.iter().map(multiple).collect()
    }

    /// Whether the changes of all weights are within the limit, and no kernel has lost an input.
    fn is_allowed(&self, multiples: &[i64], depth: u32) -> bool {
        self.error(multiples, depth).is_some_and(|error| error <= self.allowed.error)
            && self.kernels(multiples, depth).is_some_and(|kernels| vanished(self.wanted, &kernels).is_none())
    }

    /// The sum of the changes of all weights.
    fn error(&self, multiples: &[i64], depth: u32) -> Option<Fraction> {
        self.weights.iter().zip(multiples).try_fold(Fraction::ZERO, |sum, (weight, multiple)| {
            let value = Fraction::new(*multiple, 1_i64.checked_shl(depth)?)?;
            sum.checked_add(value.checked_sub(weight.wanted)?.abs())
        })
    }

    fn kernels(&self, multiples: &[i64], depth: u32) -> Option<Vec<Polynomial>> {
        let mut kernels = vec![Polynomial::new(); self.wanted.len()];
        for (weight, multiple) in self.weights.iter().zip(multiples) {
            let value = Fraction::new(*multiple, 1_i64.checked_shl(depth)?)?;
            kernels[weight.kernel].add_term(weight.atom, value)?;
        }
        Some(kernels)
    }
}
