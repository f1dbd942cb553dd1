//! The table of shared sums, and outputs as sums of its entries.

use std::collections::BinaryHeap;

use cain_analysis::prove::Atom;
use cain_isa::Displacement;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::map::{Map, digits};
use crate::sort;

/// The number of a table entry; the inputs come first.
pub(super) type EntryId = u16;

/// One summand of an output: ±2^`plane` times an entry, read at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Term {
    pub(super) place: Displacement,
    pub(super) plane: u8,
    pub(super) entry: EntryId,
    pub(super) negative: bool,
}

/// A value in a register that outputs are sums of.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) origin: Origin,
    /// Its weights, in units of 2^-scale.
    pub(super) weights: Vec<(Atom, i64)>,
    /// The lowest plane in which its weights are integers.
    pub(super) lowest: u8,
}

/// The way in which an entry is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// An input, which exists from the start.
    Input,
    /// Another entry, halved so many times.
    Halved(EntryId, u8),
    /// Another entry, doubled.
    Doubled(EntryId),
    /// The sum of two parts.
    Sum([Part; 2]),
}

/// A part of an entry: another entry, halved so many times and read at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) entry: EntryId,
    pub(super) halvings: u8,
    pub(super) place: Displacement,
    pub(super) negative: bool,
}

/// The entries of a table, and the terms of each output in the order of the map.
#[derive(Clone)]
pub(super) struct Coding {
    pub(super) entries: Vec<Entry>,
    pub(super) outputs: Vec<Vec<Term>>,
    pub(super) scale: u8,
    negative_sums: bool,
}

/// The initial contents of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// How often inputs are halved before they are summed up, so that their sums have to be halved less often.
    pub(super) halvings: u8,
    /// The number of copies of each input, each half of the one before. The digits of that many planes are then taken
    /// up in one pass.
    pub(super) copies: u8,
    /// Whether a sum of two entries with equal signs is made as its negative.
    pub(super) negative_sums: bool,
}

/// Two terms that occur together, whatever their common place and plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Pair {
    first: EntryId,
    second: EntryId,
    /// The number of planes by which the second is above the first.
    planes: i8,
    /// The place of the second relative to the first.
    place: Displacement,
    /// Whether their signs differ.
    opposite: bool,
}

impl Pair {
    /// The parts that the sum subtracts.
    fn negative_parts(self, negative_sums: bool) -> [bool; 2] {
        match self.opposite {
            false => [negative_sums; 2],
            // A difference between places takes fewer instructions if the part that moves is not the one subtracted.
            true if self.place != Displacement::ZERO => [true, false],
            true => [false, true],
        }
    }

    /// The number of uses that pay for its instructions: a term of an output takes about half an instruction.
    fn price(self) -> u32 {
        let moves = u32::from(self.place != Displacement::ZERO && !self.opposite);
        2 * (1 + u32::from(self.planes.unsigned_abs()) + moves)
    }

    /// The pair of two terms, relative to the place of the first one.
    fn of(a: Term, b: Term) -> Option<Self> {
        let (a, b) = if (a.entry, a.plane, a.place) <= (b.entry, b.plane, b.place) { (a, b) } else { (b, a) };
        Some(Self {
            first: a.entry,
            second: b.entry,
            planes: i8::try_from(i16::from(b.plane) - i16::from(a.plane)).ok()?,
            place: b.place.checked_add(-a.place)?,
            opposite: a.negative != b.negative,
        })
    }
}

/// The most channels for which pairs at different places are considered: with more channels there are too many pairs.
const FEW_CHANNELS: usize = 4;
/// The farthest distance between the terms of a pair, that of a move.
const REACH: u32 = 2;

impl Coding {
    /// Outputs as signed digits of the inputs, with nothing shared.
    pub(super) fn plain(map: &Map, channels: u16, style: Style) -> Self {
        let Style { halvings, copies, .. } = style;
        let input = |channel| Entry {
            origin: Origin::Input,
            weights: vec![(Atom { channel, displacement: Displacement::ZERO }, 1 << map.scale)],
            lowest: 0,
        };
        let mut entries: Vec<Entry> = (0..channels).map(input).collect();
        let first = if halvings > 0 { channels } else { 0 };
        for halved in halvings.max(1)..halvings + copies {
            let before = entries.len() - usize::from(channels);
            let times = if halved == halvings { halvings } else { 1 };
            let copy = |channel: u16| Entry {
                origin: Origin::Halved(EntryId::try_from(before).unwrap_or(0) + channel, times),
                weights: vec![(Atom { channel, displacement: Displacement::ZERO }, 1 << (map.scale - halved))],
                lowest: halved,
            };
            entries.extend((0..channels).map(copy));
        }
        let doublings = map.doublings();
        for doubling in 1..=doublings {
            let before = entries.len() - usize::from(channels);
            let doubled = |i: u16| Entry {
                origin: Origin::Doubled(EntryId::try_from(before).unwrap_or(0) + i),
                weights: vec![(Atom { channel: i, displacement: Displacement::ZERO }, 1 << (map.scale + doubling))],
                lowest: 0,
            };
            entries.extend((0..channels).map(doubled));
        }
        // Counts planes from the highest one down, modulo `copies`.
        let lower = |plane: u8| map.top.saturating_sub(plane) % copies;
        let terms = |&(atom, weight): &(Atom, i64)| {
            digits(weight, map.scale).into_iter().map(move |digit| {
                let lower = lower(digit.plane);
                let doubled = digit.plane.saturating_sub(map.scale);
                Term {
                    plane: (digit.plane + halvings + lower).min(map.scale),
                    place: atom.displacement,
                    entry: first + atom.channel + channels * u16::from(lower + doubled),
                    negative: digit.negative,
                }
            })
        };
        let sorted = |mut terms: Vec<Term>| {
            terms.sort_unstable();
            terms
        };
        Self {
            entries,
            outputs: map.outputs.iter().map(|wanted| sorted(wanted.weights.iter().flat_map(terms).collect())).collect(),
            scale: map.scale,
            negative_sums: style.negative_sums,
        }
    }

    /// Takes the most frequent pair out of all outputs, again and again. The resulting entry, numbered without the
    /// inputs, serves `reach(number)` outputs, and `is_allowed` has to accept it. Adds to `work`.
    pub(super) fn share(
        &mut self,
        inputs: usize,
        reach: impl Fn(usize) -> usize,
        is_allowed: impl Fn(&Entry) -> bool,
        work: &mut u64,
    ) {
        let mut counts = Counts::new(inputs <= FEW_CHANNELS);
        let mut counted = reach(self.entries.len() - inputs).min(self.outputs.len());
        for terms in &self.outputs[..counted] {
            counts.change(terms, |_| true, 1, work);
        }
        loop {
            let served = reach(self.entries.len() - inputs).min(counted);
            for terms in &self.outputs[served..counted] {
                counts.change(terms, |_| true, -1, work);
            }
            counted = served;
            let Some(pair) = counts.most_frequent(work) else { return };
            let Some(entry) = self.entry_of(pair).filter(&is_allowed) else { continue };
            let Ok(id) = EntryId::try_from(self.entries.len()) else { return };
            self.entries.push(entry);
            let is_negative = pair.negative_parts(self.negative_sums)[0];
            for terms in &mut self.outputs[..counted] {
                *work += u64::try_from(terms.len()).unwrap_or(u64::MAX) / 4;
                if let Some((is_used, replaced)) = replaced(terms, pair, is_negative, id) {
                    counts.change(terms, |i| is_used[i], -1, work);
                    *terms = replaced;
                    counts.change(terms, |i| terms[i].entry == id, 1, work);
                }
            }
        }
    }

    /// The sum of a pair, as an entry.
    fn entry_of(&self, pair: Pair) -> Option<Entry> {
        // If one part is halved and another one is moved, two more registers would be needed.
        if pair.planes > 0 && pair.place != Displacement::ZERO {
            return None;
        }
        let negative = pair.negative_parts(self.negative_sums);
        let part = |entry, halvings: i8, place, negative| Part {
            entry,
            halvings: u8::try_from(halvings).unwrap_or(0),
            place,
            negative,
        };
        let parts = [
            part(pair.first, pair.planes.max(0), Displacement::ZERO, negative[0]),
            part(pair.second, (-pair.planes).max(0), pair.place, negative[1]),
        ];
        self.sum(parts)
    }

    /// The highest plane with a term.
    pub(super) fn highest_plane(&self) -> u8 {
        self.outputs.iter().flatten().map(|term| term.plane).max().unwrap_or(0)
    }

    /// The sum of some terms of an output, at the scale of the results, as an entry.
    pub(super) fn total(&self, terms: &[Term]) -> Entry {
        let mut weights = Vec::new();
        for term in terms {
            for &(atom, weight) in &self.entries[usize::from(term.entry)].weights {
                let Some(displacement) = atom.displacement.checked_add(term.place) else { continue };
                let weight = if term.negative { -weight } else { weight };
                weights.push((Atom { displacement, ..atom }, weight << term.plane));
            }
        }
        collect(&mut weights);
        for weight in &mut weights {
            weight.1 >>= self.scale;
        }
        Entry { origin: Origin::Input, weights, lowest: self.scale }
    }

    /// The entry that is the sum of two parts.
    pub(super) fn sum(&self, parts: [Part; 2]) -> Option<Entry> {
        let mut weights: Vec<(Atom, i64)> = Vec::new();
        for part in parts {
            for &(atom, weight) in &self.entries[usize::from(part.entry)].weights {
                let displacement = atom.displacement.checked_add(part.place)?;
                let weight = weight >> part.halvings;
                weights.push((Atom { displacement, ..atom }, if part.negative { -weight } else { weight }));
            }
        }
        collect(&mut weights);
        let zeros = weights.iter().map(|weight| weight.1.trailing_zeros()).min()?;
        let lowest = self.scale.saturating_sub(u8::try_from(zeros).unwrap_or(u8::MAX));
        Some(Entry { origin: Origin::Sum(parts), weights, lowest })
    }
}

/// Adds up the weights of each pixel.
fn collect(weights: &mut Vec<(Atom, i64)>) {
    sort::by_key(weights, |weight| weight.0);
    weights.dedup_by(|next, sum| {
        let is_same = next.0 == sum.0;
        if is_same {
            sum.1 += next.1;
        }
        is_same
    });
    weights.retain(|weight| weight.1 != 0);
}

/// The terms with every occurrence of the pair replaced by the entry for it; `None` if the pair does not occur. The
/// first list tells which terms were replaced.
fn replaced(terms: &[Term], pair: Pair, is_negative: bool, id: EntryId) -> Option<(Vec<bool>, Vec<Term>)> {
    let mut is_used = vec![false; terms.len()];
    let mut made = Vec::new();
    for (i, &first) in terms.iter().enumerate().filter(|(_, term)| term.entry == pair.first) {
        let second = || {
            Some(Term {
                plane: first.plane.checked_add_signed(pair.planes)?,
                place: first.place.checked_add(pair.place)?,
                entry: pair.second,
                negative: first.negative != pair.opposite,
            })
        };
        if is_used[i] {
            continue;
        }
        let Some(j) = second().and_then(|second| terms.binary_search(&second).ok()).filter(|&j| !is_used[j]) else {
            continue;
        };
        (is_used[i], is_used[j]) = (true, true);
        let plane = first.plane.max(terms[j].plane);
        made.push(Term { plane, entry: id, negative: first.negative != is_negative, ..first });
    }
    if made.is_empty() {
        return None;
    }
    made.extend(terms.iter().zip(&is_used).filter(|(_, is_used)| !**is_used).map(|(term, _)| *term));
    made.sort_unstable();
    Some((is_used, made))
}

/// Counts the occurrences of pairs.
struct Counts {
    occurrences: HashMap<Pair, u32, FxBuildHasher>,
    /// A queue of counts, some of them out of date.
    queue: BinaryHeap<(u32, std::cmp::Reverse<Pair>)>,
    /// Whether pairs of terms at different places count.
    between_places: bool,
}

impl Counts {
    fn new(between_places: bool) -> Self {
        Self { occurrences: HashMap::default(), queue: BinaryHeap::new(), between_places }
    }

    /// Adds to the counts, or subtracts from them, those pairs of an output that contain a selected term.
    fn change(&mut self, terms: &[Term], is_meant: impl Fn(usize) -> bool, by: i32, work: &mut u64) {
        let mut start = 0;
        for row in terms.chunk_by(|a, b| self.between_places || a.place == b.place) {
            for (i, &a) in row.iter().enumerate().filter(|(i, _)| is_meant(start + i)) {
                for (_, &b) in row.iter().enumerate().filter(|&(j, _)| j > i || !is_meant(start + j)) {
                    *work += 1;
                    let is_near = a.place.distance(b.place) <= REACH;
                    let Some(pair) = is_near.then(|| Pair::of(a, b)).flatten() else { continue };
                    let count = self.occurrences.entry(pair).or_default();
                    *count = count.saturating_add_signed(by);
                    if by > 0 && *count > pair.price() {
                        self.queue.push((*count - pair.price(), std::cmp::Reverse(pair)));
                    }
                }
            }
            start += row.len();
        }
    }

    /// The pair that occurs most often, if it is worth an entry.
    fn most_frequent(&mut self, work: &mut u64) -> Option<Pair> {
        while let Some((count, std::cmp::Reverse(pair))) = self.queue.pop() {
            *work += 2;
            let now = self.occurrences.get(&pair).copied().unwrap_or(0);
            let now = now.saturating_sub(pair.price());
            if now == count {
                return Some(pair);
            }
            if now > 0 && now < count {
                self.queue.push((now, std::cmp::Reverse(pair)));
            }
        }
        None
    }
}
