//! How the terms of a function of many bits can be put together.

use std::collections::BTreeMap;

use crate::declaration::Value;

/// The most bits that one word reads.
pub(super) const SOURCES: usize = 4;
/// How many terms before its use several literals are joined.
const AHEAD: usize = 6;
/// Literals next to each other that are joined, where terms are those of a ring.
const BLOCKS: [usize; 3] = [2, 3, 4];
/// The shortest ring for which that is tried.
const SHORTEST_RING: usize = 4;

/// A bit, or its complement.
pub(super) type Literal = (Value, bool);
/// Bits all of which have to be 1.
pub(super) type Term = Vec<Literal>;
/// Complements of literals, which words join; one of them, or several.
pub(super) type Item = Vec<Literal>;

/// How terms are put together: each of items, and these of others.
pub(super) struct Scheme {
    pub(super) terms: Vec<Vec<Item>>,
    pub(super) parts: BTreeMap<Item, Vec<Item>>,
    /// How many terms before their use items are put together.
    pub(super) ahead: usize,
}

/// The ways to put terms together.
pub(super) fn schemes(wanted: &[Term]) -> Vec<Scheme> {
    let mut rings = Vec::new();
    let mut rest = wanted;
    while let Some(first) = rest.first() {
        let length = ring_of(rest).unwrap_or(1);
        rings.push((first, &rest[..length]));
        rest = &rest[length..];
    }
    let mut schemes = Vec::new();
    if wanted.iter().all(|term| term.len() <= SOURCES * SOURCES) {
        let mut plain = Scheme { terms: Vec::new(), parts: BTreeMap::new(), ahead: AHEAD };
        for term in wanted {
            let chunks = term.chunks(SOURCES).map(|chunk| plain.of_literals(chunk)).collect();
            plain.terms.push(chunks);
        }
        schemes.push(plain);
    }
    if rings.iter().all(|(_, terms)| terms.len() > 1) {
        schemes.extend(BLOCKS.iter().map(|block| {
            let mut scheme = Scheme { terms: Vec::new(), parts: BTreeMap::new(), ahead: 0 };
            for (first, terms) in &rings {
                let ring: Vec<Literal> = terms.iter().filter_map(|term| term.first().copied()).collect();
                scheme.add_ring(&ring, first.len(), *block);
            }
            scheme
        }));
    }
    schemes
}

/// The number of terms that are all those of neighbours in a ring, so many each, at the beginning of a list.
fn ring_of(terms: &[Term]) -> Option<usize> {
    let length = terms.first()?.len();
    let is_ring = |count: &usize| {
        let terms = &terms[..*count];
        let ring = || terms.iter().filter_map(|term| term.first());
        let is_window = |(start, term): (usize, &Term)| term.iter().eq(ring().cycle().skip(start).take(length));
        length < *count && terms.iter().enumerate().all(is_window)
    };
    (SHORTEST_RING..=terms.len()).find(is_ring)
}

impl Scheme {
    /// An item of literals, put together at once.
    fn of_literals(&mut self, literals: &[Literal]) -> Item {
        let item = literals.to_vec();
        if item.len() > 1 {
            self.parts.insert(item.clone(), item.iter().map(|literal| vec![*literal]).collect());
        }
        item
    }

    /// Terms of so many neighbours in a ring that is cut into blocks: the end of one, whole ones, which the next term may have
    /// too, and the beginning of one.
    fn add_ring(&mut self, ring: &[Literal], length: usize, block: usize) {
        let blocks: Vec<&[Literal]> = ring.chunks(block).collect();
        let starts = blocks.iter().enumerate().flat_map(|(number, block)| (0..block.len()).map(move |at| (number, at)));
        // A term that begins within a block comes before that of the next block, which has the same whole ones.
        for (number, at) in starts.collect::<Vec<_>>().into_iter().cycle().skip(1).take(ring.len()) {
            let mut term = Vec::new();
            let mut left = length;
            let mut following = blocks.iter().cycle().skip(number).copied();
            if at > 0
                && let Some(block) = following.next()
            {
                let end = &block[at..][..left.min(block.len() - at)];
                left -= end.len();
                term.push(self.of_literals(end));
            }
            let mut whole = Vec::new();
            for block in following {
                if block.len() > left {
                    if left > 0 {
                        term.push(self.of_literals(&block[..left]));
                    }
                    break;
                }
                left -= block.len();
                whole.push(self.of_literals(block));
            }
            term.extend(self.of_items(whole));
            self.terms.push(term);
        }
    }

    /// An item of others, as many as one word reads at a time; nothing of none.
    fn of_items(&mut self, mut items: Vec<Item>) -> Option<Item> {
        while items.len() > 1 {
            let rest = items.split_off(items.len().min(SOURCES));
            let item = items.concat();
            self.parts.insert(item.clone(), items);
            items = [vec![item], rest].concat();
        }
        items.pop()
    }
}
