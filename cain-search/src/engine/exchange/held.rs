//! Values together with the places that hold them, and tables of known values.

use hashbrown::HashTable;

use super::Set;
use crate::engine::image::Image;

/// The place of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Register,
    /// In NEWS, where neighbours can read it until the next value replaces it.
    News,
    /// In a second register, so that one instruction can use it twice.
    Copy,
}

/// A value, given by its image, and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Held {
    pub(crate) image: Image,
    pub(crate) place: Place,
}

impl Held {
    pub(crate) fn in_register(image: Image) -> Self {
        Self { image, place: Place::Register }
    }

    pub(crate) fn in_news(image: Image) -> Self {
        Self { image, place: Place::News }
    }

    /// A number that identifies the value and its place, up to chance collisions.
    #[inline]
    pub(super) fn key(self) -> Image {
        match self.place {
            Place::Register => self.image,
            Place::News => self.image + Image::NEWS,
            Place::Copy => self.image + Image::COPY,
        }
    }
}

/// A table of known values.
pub(crate) struct Table {
    held: Vec<Held>,
    /// For each value, the node that it belongs to.
    owners: Vec<Set>,
    numbers: HashTable<(Image, usize)>,
    /// The number of values that lookups find.
    listed: usize,
    /// A bit set of the hashes in the table: most images that are looked up are not in it.
    used: [u64; SLOTS / 64],
}

const SLOTS: usize = 1 << 12;

impl Table {
    pub(super) fn new(values: impl Iterator<Item = (Held, Set)>) -> Self {
        let (held, owners): (Vec<_>, Vec<_>) = values.unzip();
        let (mut numbers, mut used) = (HashTable::new(), [0; SLOTS / 64]);
        for (number, key) in held.iter().map(|held| held.key()).enumerate() {
            numbers.insert_unique(key.hash(), (key, number), |entry| entry.0.hash());
            let (word, bit) = slot(key);
            used[word] |= bit;
        }
        Self { listed: held.len(), held, owners, numbers, used }
    }

    /// The number of known values, including one that is being tried.
    pub(crate) fn len(&self) -> usize {
        self.held.len()
    }

    pub(crate) fn held(&self) -> &[Held] {
        &self.held
    }

    pub(crate) fn image(&self, number: usize) -> Image {
        self.held[number].image
    }

    /// The node that the value with this number belongs to.
    pub(crate) fn owner(&self, number: usize) -> Set {
        self.owners[number]
    }

    /// The number of a value, if it is known.
    #[inline]
    pub(crate) fn find(&self, held: Held) -> Option<usize> {
        let key = held.key();
        let (word, bit) = slot(key);
        if self.used[word] & bit == 0 {
            return None;
        }
        self.numbers.find(key.hash(), |entry| entry.0 == key).map(|entry| entry.1)
    }

    /// The number of a value in a register, if it is known.
    #[inline]
    pub(crate) fn find_register(&self, image: Image) -> Option<usize> {
        self.find(Held::in_register(image))
    }

    /// Adds a value that lookups do not find, in place of the last one that was tried. Returns its number.
    pub(crate) fn try_out(&mut self, held: Held, owner: Set) -> usize {
        self.held.truncate(self.listed);
        self.owners.truncate(self.listed);
        self.held.push(held);
        self.owners.push(owner);
        self.listed
    }
}

/// The word and the bit of a key in [`Table::used`].
#[inline]
fn slot(key: Image) -> (usize, u64) {
    let slot = key.low_bits(SLOTS as u64 - 1);
    (slot / 64, 1 << (slot % 64))
}
