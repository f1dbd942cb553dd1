//! Goals, each stored once.

use hashbrown::HashTable;

use super::terms::{self, Term};

/// A goal's number in [`Goals`].
pub(crate) type GoalId = u32;

/// What the search wants to know of a goal without looking at its terms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Features {
    /// Where the terms are in the common store.
    start: u32,
    len: u32,
    /// Depends on the content only, never on the order of discovery.
    pub(crate) hash: u64,
    /// The same for goals that are equal up to translation, sign and a power of two.
    pub(crate) class: u64,
    /// The same for goals that are equal up to sign and a power of two.
    pub(crate) ray: u64,
    /// The most pixels of one channel that the goal depends on.
    pub(crate) support: u32,
    /// How many times every coefficient can be halved.
    pub(crate) valuation: u32,
    /// Signed binary digits of all coefficients together.
    pub(crate) digits: u32,
    /// Estimated number of instructions from one input, in units of [`UNIT`].
    pub(crate) estimate: u32,
    /// Sum of absolute coefficients.
    pub(crate) norm: u64,
    /// The binary logarithm of the largest coefficient, rounded down.
    pub(crate) magnitude: u32,
    /// Steps from the origin to the box around the terms.
    pub(crate) distance: u32,
}

/// One instruction, in the units of estimates.
pub(crate) const UNIT: u32 = 1000;

/// How far from the origin a goal may reach beyond the kernels, in PEs.
const MARGIN: i16 = 3;

/// All goals seen in a search.
pub(crate) struct Goals {
    terms: Vec<Term>,
    features: Vec<Features>,
    table: HashTable<GoalId>,
    reach: i16,
}

impl Goals {
    /// A store for goals around kernels that reach up to `radius` PEs.
    pub(crate) fn new(radius: i16) -> Self {
        Self { terms: Vec::new(), features: Vec::new(), table: HashTable::new(), reach: radius.saturating_add(MARGIN) }
    }

    /// The number of a goal; `None` if it lies too far from the origin to be of use.
    pub(crate) fn intern(&mut self, terms: &[Term]) -> Option<GoalId> {
        let hash = hash(terms);
        let found = self.table.find(hash, |&id| self.terms(id) == terms);
        if let Some(&id) = found {
            return Some(id);
        }
        if terms.iter().any(|&(key, _)| {
            let offset = terms::offset(key);
            offset.x.abs().max(offset.y.abs()) > self.reach
        }) {
            return None;
        }
        let id = GoalId::try_from(self.features.len()).ok()?;
        let start = u32::try_from(self.terms.len()).ok()?;
        self.terms.extend_from_slice(terms);
        self.features.push(Features::of(terms, start, hash));
        let features = &self.features;
        self.table.insert_unique(hash, id, |&id| features[id as usize].hash);
        Some(id)
    }

    /// The number of a goal if it is known.
    pub(crate) fn find(&self, terms: &[Term]) -> Option<GoalId> {
        self.table.find(hash(terms), |&id| self.terms(id) == terms).copied()
    }

    /// The terms of a goal.
    pub(crate) fn terms(&self, id: GoalId) -> &[Term] {
        let Features { start, len, .. } = self.features[id as usize];
        &self.terms[start as usize..(start + len) as usize]
    }

    /// The features of a goal.
    pub(crate) fn features(&self, id: GoalId) -> &Features {
        &self.features[id as usize]
    }
}

impl Features {
    fn of(terms: &[Term], start: u32, hash: u64) -> Self {
        let valuation = terms.iter().map(|term| term.1.trailing_zeros()).min().unwrap_or(0);
        let digits = terms::digits(terms);
        Self {
            start,
            len: u32::try_from(terms.len()).unwrap_or(u32::MAX),
            hash,
            class: normal_hash(terms, valuation, true),
            ray: normal_hash(terms, valuation, false),
            support: support(terms),
            valuation,
            digits,
            estimate: estimate(terms, digits),
            norm: terms.iter().map(|term| u64::from(term.1.unsigned_abs())).sum(),
            magnitude: terms.iter().filter_map(|term| term.1.unsigned_abs().checked_ilog2()).max().unwrap_or(0),
            distance: distance(terms),
        }
    }
}

fn distance(terms: &[Term]) -> u32 {
    let area = terms::Area::of(terms);
    let gap = |low: i16, high: i16| u32::from(low.max(-high).max(0).unsigned_abs());
    gap(area.min.x, area.max.x) + gap(area.min.y, area.max.y)
}

fn hash(terms: &[Term]) -> u64 {
    mix(terms.iter().fold(0, |hash, &(key, weight)| absorb(hash, key, weight)))
}

/// One step of a multiplicative hash in 64 bits. It is written out because the order of equally good bags depends on
/// it, and hashers of libraries differ between word sizes and releases.
fn absorb(hash: u64, key: u32, weight: i32) -> u64 {
    let word = (u64::from(key) << 32) | u64::from(weight.cast_unsigned());
    (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Spreads a hash over all bits (the finaliser of `SplitMix64`), so that sums of hashes are good hashes of sets.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn support(terms: &[Term]) -> u32 {
    let channels = terms.chunk_by(|a, b| terms::channel(a.0) == terms::channel(b.0));
    channels.map(|run| u32::try_from(run.len()).unwrap_or(u32::MAX)).max().unwrap_or(0)
}

/// A hash of the goal with a fixed sign, divided by the largest power of two, and moved to a fixed place if asked for.
fn normal_hash(terms: &[Term], valuation: u32, move_it: bool) -> u64 {
    let Some(&(first, weight)) = terms.first() else { return 0 };
    let sign = weight.signum();
    // Keys are sorted, so the first term is the same one after any move; its channel stays.
    let origin = terms::origin(first);
    mix(terms.iter().fold(0, |hash, &(key, weight)| {
        let place = if move_it { key.wrapping_sub(first).wrapping_add(origin) } else { key };
        absorb(hash, place, (sign * weight) >> valuation)
    }))
}

/// A guess, never a bound: instructions needed for a goal on its own, halvings not counted.
///
/// The weights of this and of [`Bags::estimate`](super::bag::Bags::estimate) are rounded from a least-squares fit of
/// the instructions that remained, over the bags on the way to the best programs for some hundred sets of random
/// kernels: a digit costs most of an addition, a term some of one, and every further magnitude a little.
fn estimate(terms: &[Term], digits: u32) -> u32 {
    let mut magnitudes: Vec<u32> = terms.iter().map(|term| term.1.unsigned_abs()).collect();
    magnitudes.sort_unstable();
    magnitudes.dedup();
    let [support, distinct] = [terms.len(), magnitudes.len()].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    digits * UNIT * 3 / 5 + support * UNIT * 2 / 5 + distinct.saturating_sub(1) * UNIT * 3 / 20
}
