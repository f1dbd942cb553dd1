//! Goals, each stored once.

use cain_isa::Displacement;
use hashbrown::HashTable;

use super::area::Area;
use super::estimate::features::GoalFeatures;
use super::estimate::{Parts, Weighing};
use super::hash::{absorb, mix};
use super::step::Step;
use super::symmetry::Symmetries;
use super::terms::{self, Term};
use crate::threads;

pub(crate) use super::goal_id::GoalId;

/// Properties of a goal, computed once from its terms.
///
/// What is looked at for every bag comes first and shares a line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Features {
    /// A hash that depends on the content only, never on the order of discovery.
    pub(crate) hash: u64,
    /// A hash shared by all goals that are equal up to translation, sign and a power of two.
    pub(crate) class: u64,
    /// A hash shared by all goals that are equal up to sign and a power of two.
    pub(crate) ray: u64,
    /// The number of pixels that the goal depends on, in the channel where that is largest.
    pub(crate) support: u32,
    /// How many times every coefficient can be halved.
    pub(crate) valuation: u32,
    /// The binary logarithm of the largest coefficient, rounded down.
    pub(crate) magnitude: u32,
    /// What the goal adds to the linear estimate of a bag.
    pub(crate) parts: Parts,
    /// The pixels that the goal depends on, each as one bit; in goals that reach far, several pixels share a bit.
    pub(crate) pixels: u128,
    /// What the goal adds to the learned estimate of a bag.
    pub(crate) learned: Parts,
    /// The box around the terms.
    pub(crate) area: Area,
    /// The number of non-zero signed binary digits in all coefficients together.
    pub(crate) digits: u32,
}

/// A goal that has been looked up and may be new.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Prepared {
    Known(GoalId),
    /// A goal with this hash.
    New(u64),
}

/// How far from the origin a goal may reach beyond the kernels, in PEs.
const MARGIN: i16 = 3;

/// The memory that a goal takes besides its terms: its features, where its terms end, and its entry in the table.
const BYTES_BESIDE_TERMS: usize = size_of::<Features>() + 2 * size_of::<GoalId>();

/// The number of goals whose features are worked out one after the other.
const AT_A_TIME: usize = 64;

/// All goals seen in a search.
pub(crate) struct Goals {
    /// The terms of all goals, one after the other.
    terms: Vec<Term>,
    /// Where the terms of each goal end.
    ends: Vec<u32>,
    features: Vec<Features>,
    table: HashTable<GoalId>,
    reach: i16,
    /// How goals are weighed, and the binary logarithm of the weight of an input.
    weighing: (Weighing, u32),
    symmetries: Symmetries,
    /// For each goal, the hashes of its images under the symmetries.
    images: Vec<u64>,
}

impl Goals {
    /// An empty store for goals around kernels that reach up to `radius` PEs. `weighing` is how the estimate weighs
    /// goals, and the binary logarithm of the weight of an input.
    pub(crate) fn new(radius: i16, weighing: (Weighing, u32)) -> Self {
        let reach = radius.saturating_add(MARGIN);
        Self {
            terms: Vec::new(),
            ends: Vec::new(),
            features: Vec::new(),
            table: HashTable::new(),
            reach,
            weighing,
            symmetries: Symmetries::default(),
            images: Vec::new(),
        }
    }

    /// Forgets all goals but the `kept` ones, which are given in ascending order and renumbered from 0.
    pub(crate) fn retain(&mut self, kept: &[GoalId]) {
        let symmetries = std::mem::take(&mut self.symmetries);
        let mut new = Self { symmetries, ..Self::new(self.reach - MARGIN, self.weighing) };
        for &goal in kept {
            new.insert(self.terms(goal), Prepared::New(self.features(goal).hash));
            new.features.push(*self.features(goal));
        }
        *self = new;
    }

    /// Looks a goal up; `None` if it lies too far from the origin to be of use or has too large a coefficient.
    pub(crate) fn prepare(&self, terms: &[Term]) -> Option<Prepared> {
        let hash = hash_of_terms(terms);
        if let Some(id) = self.find_hashed(terms, hash) {
            return Some(Prepared::Known(id));
        }
        terms::is_within(terms, self.reach).then_some(Prepared::New(hash))
    }

    /// How far from the origin goals may reach, in PEs.
    pub(crate) fn reach(&self) -> i16 {
        self.reach
    }

    /// From now on, treats bags as equal that are images of each other under symmetries of the wanted kernels.
    pub(super) fn identify_images(&mut self, symmetries: Symmetries) {
        let terms = (0..).zip(&self.features).map(|(goal, _): (GoalId, _)| self.terms(goal));
        self.images = terms.flat_map(|terms| symmetries.hashes(terms, hash_of_term)).collect();
        self.symmetries = symmetries;
    }

    /// A hash of a bag that does not depend on the order in which goals were found and is the same for all images of
    /// the bag under the symmetries of the wanted kernels. `of_goal` turns the place of a goal and its hash into its
    /// contribution.
    pub(crate) fn hash_of_bag(&self, bag: &[GoalId], of_goal: impl Fn(usize, u64) -> u64) -> u64 {
        let sum = |hash: &dyn Fn(GoalId) -> u64| {
            let mut sum: u64 = 0;
            for (i, &goal) in bag.iter().enumerate() {
                if goal != Step::NONE {
                    sum = sum.wrapping_add(of_goal(i, hash(goal)));
                }
            }
            sum
        };
        let images = self.symmetries.count();
        let of_image = |image| sum(&|goal| self.images[goal as usize * images + image]);
        (0..images).map(of_image).min().unwrap_or_else(|| sum(&|goal| self.features(goal).hash))
    }

    /// Stores a prepared goal and returns its number; `None` if the store is full. Its features have to be
    /// [worked out](Self::work_out) before they are looked at.
    pub(crate) fn insert(&mut self, terms: &[Term], prepared: Prepared) -> Option<GoalId> {
        let hash = match prepared {
            Prepared::Known(id) => return Some(id),
            Prepared::New(hash) => hash,
        };
        // The same goal may have been stored since it was prepared.
        if let Some(id) = self.find_hashed(terms, hash) {
            return Some(id);
        }
        let id = GoalId::try_from(self.ends.len()).ok()?;
        let end = u32::try_from(self.terms.len() + terms.len()).ok()?;
        self.terms.extend_from_slice(terms);
        self.ends.push(end);
        self.images.extend(self.symmetries.hashes(terms, hash_of_term));
        let (all, ends) = (&self.terms, &self.ends);
        self.table.insert_unique(hash, id, |&id| hash_of_terms(terms_of((all, ends), id)));
        Some(id)
    }

    /// Works out the features of all goals stored since the last time.
    pub(crate) fn work_out(&mut self) {
        let new: Vec<GoalId> = (0..).take(self.ends.len()).skip(self.features.len()).collect();
        let few: Vec<&[GoalId]> = new.chunks(AT_A_TIME).collect();
        let of_few =
            |few: &&[GoalId]| few.iter().map(|&id| Features::of(self.terms(id), self.weighing)).collect::<Vec<_>>();
        for features in threads::map(&few, of_few) {
            self.features.extend_from_slice(&features);
        }
    }

    /// The number of a goal, which is stored if it is new; `None` if it is out of bounds, see
    /// [`prepare`](Self::prepare).
    pub(crate) fn intern(&mut self, terms: &[Term]) -> Option<GoalId> {
        let prepared = self.prepare(terms)?;
        let id = self.insert(terms, prepared);
        self.work_out();
        id
    }

    /// Whether a goal is stored.
    pub(crate) fn contains(&self, terms: &[Term]) -> bool {
        self.find_hashed(terms, hash_of_terms(terms)).is_some()
    }

    fn find_hashed(&self, terms: &[Term], hash: u64) -> Option<GoalId> {
        self.table.find(hash, |&id| self.terms(id) == terms).copied()
    }

    pub(crate) fn terms(&self, id: GoalId) -> &[Term] {
        terms_of((&self.terms, &self.ends), id)
    }

    /// Whether the result of a step has the sign of its first operand.
    pub(crate) fn is_positive(&self, step: &Step) -> bool {
        let sign = |goal| self.terms(goal).first().map(|term| term.1 > 0);
        step.operands().first().is_some_and(|&operand| sign(operand) == sign(step.result))
    }

    pub(crate) fn features(&self, id: GoalId) -> &Features {
        &self.features[id as usize]
    }

    /// The features of a goal that estimates use.
    #[cfg(feature = "sample")]
    pub(crate) fn looked_at(&self, id: GoalId) -> GoalFeatures<'_> {
        GoalFeatures::of(self.terms(id), self.weighing.1)
    }

    /// The memory that all goals take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.terms.as_slice()) + self.ends.len() * self.bytes_beside_terms()
    }

    /// The memory that some of the goals take, in bytes.
    pub(crate) fn bytes_of(&self, goals: &[GoalId]) -> usize {
        goals.iter().map(|&goal| size_of_val(self.terms(goal)) + self.bytes_beside_terms()).sum()
    }

    fn bytes_beside_terms(&self) -> usize {
        BYTES_BESIDE_TERMS + self.symmetries.count() * size_of::<u64>()
    }
}

impl Features {
    fn of(terms: &[Term], (weighing, scale): (Weighing, u32)) -> Self {
        let looked_at = GoalFeatures::of(terms, scale);
        let (parts, learned) = weighing.parts(&looked_at);
        let GoalFeatures { area, digits, valuation, magnitude, .. } = looked_at;
        Self {
            hash: hash_of_terms(terms),
            class: normal_hash(terms, valuation, true),
            ray: normal_hash(terms, valuation, false),
            support: support(terms),
            pixels: pixels(terms),
            valuation,
            digits,
            parts,
            learned,
            magnitude,
            area,
        }
    }
}

/// The terms of a goal, given those of all goals and where they end.
fn terms_of<'g>((terms, ends): (&'g [Term], &[u32]), id: GoalId) -> &'g [Term] {
    let start = if id == 0 { 0 } else { ends[id as usize - 1] };
    &terms[start as usize..ends[id as usize] as usize]
}

fn hash_of_terms(terms: &[Term]) -> u64 {
    mix(terms.iter().fold(0, |hash, &(key, weight)| absorb(hash, key, weight)))
}

/// The hash of one term; the hashes of several terms can be added.
fn hash_of_term(key: u32, weight: i32) -> u64 {
    mix(absorb(0, key, weight))
}

fn support(terms: &[Term]) -> u32 {
    let channels = terms.chunk_by(|a, b| terms::channel(a.0) == terms::channel(b.0));
    channels.map(|run| u32::try_from(run.len()).unwrap_or(u32::MAX)).max().unwrap_or(0)
}

/// The pixels that a goal depends on, as bits. Positions up to five PEs from the origin have bits of their own in each
/// channel.
fn pixels(terms: &[Term]) -> u128 {
    let bit = |key: u32| {
        let Displacement { x, y } = terms::displacement(key);
        let channel = terms::channel(key) * 37;
        (i32::from(x) + 11 * i32::from(y)).cast_unsigned().wrapping_add(channel) % u128::BITS
    };
    terms.iter().fold(0, |pixels, term| pixels | 1 << bit(term.0))
}

/// A hash of the goal with a fixed sign, divided by the largest possible power of two and, if `move_it`, moved to a
/// fixed place.
fn normal_hash(terms: &[Term], valuation: u32, move_it: bool) -> u64 {
    let Some(&(first, weight)) = terms.first() else { return 0 };
    let sign = weight.signum();
    // Keys are sorted, so the first term stays first under any move; its channel stays too.
    let origin = terms::origin(first);
    mix(terms.iter().fold(0, |hash, &(key, weight)| {
        let place = if move_it { key.wrapping_sub(first).wrapping_add(origin) } else { key };
        absorb(hash, place, (sign * weight) >> valuation)
    }))
}
