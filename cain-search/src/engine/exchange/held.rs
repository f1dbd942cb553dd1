//! Values where they are held, and which of them are known.

use hashbrown::HashTable;

use super::Set;
use crate::engine::image::Image;

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Register,
    /// Where neighbours can read it, and the next value takes its place.
    News,
    /// In a second register, so that it can be taken twice.
    Copy,
}

/// A value by its image, and where it is.
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

    /// A number that differs from those of all others, places included, unless by chance.
    #[inline]
    pub(super) fn key(self) -> Image {
        match self.place {
            Place::Register => self.image,
            Place::News => self.image + Image::NEWS,
            Place::Copy => self.image + Image::COPY,
        }
    }
}

/// Values that are known.
pub(crate) struct Table {
    held: Vec<Held>,
    /// The nodes that they belong to.
    owners: Vec<Set>,
    numbers: HashTable<(Image, usize)>,
    /// How many values are in the table.
    listed: usize,
    /// Which hashes are in the table, in bits: most images that are looked up are not.
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

    /// How many are known.
    pub(crate) fn len(&self) -> usize {
        self.held.len()
    }

    pub(crate) fn held(&self) -> &[Held] {
        &self.held
    }

    pub(crate) fn image(&self, number: usize) -> Image {
        self.held[number].image
    }

    /// The node that a value belongs to.
    pub(crate) fn owner(&self, number: usize) -> Set {
        self.owners[number]
    }

    /// The number of a value.
    #[inline]
    pub(crate) fn find(&self, held: Held) -> Option<usize> {
        let key = held.key();
        let (word, bit) = slot(key);
        if self.used[word] & bit == 0 {
            return None;
        }
        self.numbers.find(key.hash(), |entry| entry.0 == key).map(|entry| entry.1)
    }

    /// The number of a value in a register.
    #[inline]
    pub(crate) fn find_register(&self, image: Image) -> Option<usize> {
        self.find(Held::in_register(image))
    }

    /// Adds a value, in the place of the one that was last tried, that nothing finds. Returns its number.
    pub(crate) fn try_out(&mut self, held: Held, owner: Set) -> usize {
        self.held.truncate(self.listed);
        self.owners.truncate(self.listed);
        self.held.push(held);
        self.owners.push(owner);
        self.listed
    }
}

/// The bit of a key among those of [`Table::used`].
#[inline]
fn slot(key: Image) -> (usize, u64) {
    let slot = key.low_bits(SLOTS as u64 - 1);
    (slot / 64, 1 << (slot % 64))
}
