//! All sums of two terms, looked up by their value.

use super::table::{Entry, EntryId};
use crate::random::Random;

/// An entry in a plane: a term without its sign and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Multiple {
    pub(super) entry: EntryId,
    pub(super) plane: u8,
}

/// A multiple with a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Signed {
    pub(super) multiple: Multiple,
    pub(super) negative: bool,
}

/// Sums of one or two multiples, looked up by the hash of their weights.
///
/// The hash is linear: the hash of a sum is the sum of the hashes of its parts, and moving or doubling a value
/// multiplies its hash. So sums are found by their hashes without looking at their weights.
pub(super) struct Sums {
    /// The hash of each entry in plane 0.
    hashes: Vec<u64>,
    /// The lowest plane of each entry.
    lowest: Vec<u8>,
    planes: u8,
    /// The index at which the sums of each bucket begin.
    starts: Vec<u32>,
    all: Vec<Sum>,
    shift: u32,
    /// A bit set of the hashes that occur, by their lowest bits.
    filter: Vec<u64>,
}

#[derive(Clone, Copy, Default)]
struct Sum {
    /// The lower half of the hash; the bucket tells the upper half, as far as it goes.
    hash: u64,
    /// The entries, the higher one second, and their planes.
    entries: [EntryId; 2],
    planes: [u8; 2],
    signs: [bool; 2],
}

/// The plane of a second multiple that does not exist.
const NONE: u8 = u8::MAX;
const FILTER_BITS: u32 = 22;

impl Sums {
    /// The sums of multiples of the first entries, as many as there is room for, in bytes, in planes up to `top`.
    pub(super) fn new(entries: &[Entry], top: u8, room: usize) -> Self {
        let mut hashing = Hashing::new();
        let hashes: Vec<u64> = entries.iter().map(|entry| hashing.hash(entry)).collect();
        let mut multiples = Vec::new();
        let most = (room / (2 * size_of::<Sum>())).isqrt();
        for (number, (id, entry)) in (0..EntryId::MAX).zip(entries).enumerate() {
            let planes = entry.lowest..=top.max(entry.lowest);
            if multiples.len() + planes.clone().count() > most {
                break;
            }
            multiples.extend(planes.map(|plane| (Multiple { entry: id, plane }, hashes[number] << plane)));
        }
        let mut all = Vec::new();
        for (i, &(a, of_a)) in multiples.iter().enumerate() {
            all.push(Sum::of([(a, of_a, false)].into_iter()));
            for &(b, of_b) in &multiples[..i] {
                if a == b {
                    continue;
                }
                for negative in [false, true] {
                    if a.entry != b.entry || !is_trivial(a, b, negative) {
                        all.push(Sum::of([(b, of_b, negative), (a, of_a, false)].into_iter()));
                    }
                }
            }
        }
        let bits = all.len().max(2).ilog2();
        let shift = 64 - bits;
        let mut starts = vec![0_u32; (1 << bits) + 1];
        let mut filter = vec![0_u64; 1 << (FILTER_BITS - 6)];
        for sum in &all {
            starts[bucket(sum.hash, shift) + 1] += 1;
            let (word, bit) = filter_bit(sum.hash);
            filter[word] |= bit;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut sums = vec![Sum::default(); all.len()];
        for sum in all {
            let place = &mut next[bucket(sum.hash, shift)];
            sums[usize::try_from(*place).unwrap_or(0)] = sum;
            *place += 1;
        }
        let lowest = entries.iter().map(|entry| entry.lowest).collect();
        Self { hashes, lowest, planes: top, starts, all: sums, shift, filter }
    }

    /// The work that it took to make them.
    pub(super) fn work(&self) -> u64 {
        8 * u64::try_from(self.all.len()).unwrap_or(u64::MAX)
    }

    pub(super) fn top(&self) -> u8 {
        self.planes
    }

    /// The multiple of an entry in a plane, if its weights are integers there.
    pub(super) fn multiple(&self, entry: usize, plane: u8) -> Option<Multiple> {
        let is_whole = self.lowest.get(entry).is_some_and(|lowest| *lowest <= plane);
        is_whole.then(|| Multiple { entry: EntryId::try_from(entry).unwrap_or(EntryId::MAX), plane })
    }

    pub(super) fn hash(&self, signed: Signed) -> u64 {
        let hash = self.hashes[usize::from(signed.multiple.entry)] << signed.multiple.plane;
        if signed.negative { hash.wrapping_neg() } else { hash }
    }

    /// All sums with this hash of one or two multiples of the first `entries` entries.
    pub(super) fn find(&self, hash: u64, entries: usize) -> impl Iterator<Item = (Signed, Option<Signed>)> + '_ {
        let (canonical, negated) = canonical(hash);
        let (word, bit) = filter_bit(canonical);
        let range = if self.filter[word] & bit == 0 {
            0..0
        } else {
            let bucket = bucket(canonical, self.shift);
            let at = |i: usize| usize::try_from(self.starts[i]).unwrap_or(0);
            at(bucket)..at(bucket + 1)
        };
        let found = self.all[range].iter().filter(move |sum| sum.hash == canonical);
        let found = found.filter(move |sum| sum.entries.iter().all(|entry| usize::from(*entry) < entries));
        found.map(move |sum| {
            let signed = |i: usize| Signed {
                multiple: Multiple { entry: sum.entries[i], plane: sum.planes[i] },
                negative: sum.signs[i] != negated,
            };
            (signed(0), (sum.planes[1] != NONE).then(|| signed(1)))
        })
    }
}

/// Whether the sum of two multiples of one entry is itself one of its multiples: 2 − 1.
fn is_trivial(a: Multiple, b: Multiple, opposite: bool) -> bool {
    opposite && a.plane.abs_diff(b.plane) == 1
}

impl Sum {
    fn of(parts: impl Iterator<Item = (Multiple, u64, bool)>) -> Self {
        let mut sum = Self { planes: [NONE; 2], ..Self::default() };
        let mut total = 0_u64;
        for (i, (multiple, hash, negative)) in parts.enumerate() {
            (sum.entries[i], sum.planes[i], sum.signs[i]) = (multiple.entry, multiple.plane, negative);
            total = total.wrapping_add(if negative { hash.wrapping_neg() } else { hash });
        }
        let (hash, negated) = canonical(total);
        sum.hash = hash;
        if negated {
            sum.signs = sum.signs.map(|negative| !negative);
        }
        sum
    }
}

/// The canonical one of a hash and its negative, and whether it is the negative.
fn canonical(hash: u64) -> (u64, bool) {
    let negative = hash.wrapping_neg();
    if negative < hash { (negative, true) } else { (hash, false) }
}

/// Spreads a hash over all bits, because hashes of small numbers are alike.
fn spread(hash: u64) -> u64 {
    hash.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn bucket(hash: u64, shift: u32) -> usize {
    usize::try_from(spread(hash) >> shift).unwrap_or(0)
}

fn filter_bit(hash: u64) -> (usize, u64) {
    let bit = (spread(hash) >> 8) & ((1 << FILTER_BITS) - 1);
    (usize::try_from(bit >> 6).unwrap_or(0), 1 << (bit & 63))
}

/// The random numbers for channels and shifts from which hashes are made.
struct Hashing {
    channels: Vec<u64>,
    random: Random,
    x: [u64; 2],
    y: [u64; 2],
}

impl Hashing {
    fn new() -> Self {
        let mut random = Random::new(0);
        let mut unit = || {
            let number = random.next() | 1;
            [number, inverse(number)]
        };
        let (x, y) = (unit(), unit());
        Self { channels: Vec::new(), random, x, y }
    }

    fn hash(&mut self, entry: &Entry) -> u64 {
        entry.weights.iter().fold(0, |sum, &(atom, weight)| {
            while self.channels.len() <= usize::from(atom.channel) {
                self.channels.push(self.random.next() | 1);
            }
            let along =
                |units: [u64; 2], by: i16| units[usize::from(by < 0)].wrapping_pow(u32::from(by.unsigned_abs()));
            let place = along(self.x, atom.displacement.x).wrapping_mul(along(self.y, atom.displacement.y));
            let pixel = self.channels[usize::from(atom.channel)].wrapping_mul(place);
            pixel.wrapping_mul(weight.cast_unsigned()).wrapping_add(sum)
        })
    }
}

/// The inverse of an odd number modulo 2^64.
fn inverse(number: u64) -> u64 {
    // Each round doubles the number of correct bits; the first three are correct at the start.
    (0..5).fold(number, |inverse, _| inverse.wrapping_mul(2_u64.wrapping_sub(number.wrapping_mul(inverse))))
}
