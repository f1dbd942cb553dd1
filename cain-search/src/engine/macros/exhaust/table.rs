//! A hash table keyed by images, which is emptied in the reverse order of filling.

use crate::engine::image::Image;

pub(super) struct Table<T> {
    /// For each slot, the number of its latest entry. There are more slots the more entries there are.
    heads: Vec<u32>,
    /// A bit set of the lowest bits of the images: most images are not in the table, and the set stays in the cache.
    used: Box<[u64; BITS / 64]>,
    entries: Vec<Entry<T>>,
}

struct Entry<T> {
    image: Image,
    item: T,
    /// The previous entry in the same slot.
    next: u32,
}

const BITS: usize = 1 << 16;
const MASK: u64 = BITS as u64 - 1;
/// The fewest slots: most tables stay small, and many slots would take longer to make than to use.
const FEWEST_SLOTS: usize = 1 << 10;
const MOST_SLOTS: usize = 1 << 16;
const END: u32 = u32::MAX;

impl<T> Table<T> {
    pub(super) fn new() -> Self {
        Self { heads: vec![END; FEWEST_SLOTS], used: Box::new([0; BITS / 64]), entries: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The memory that its entries take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.entries.as_slice())
    }

    pub(super) fn push(&mut self, image: Image, item: T) {
        if self.entries.len() >= self.heads.len() && self.heads.len() < MOST_SLOTS {
            self.heads = vec![END; self.heads.len() * 8];
            for number in 0..self.entries.len() {
                self.entries[number].next = self.head(self.entries[number].image, number);
            }
        }
        let next = self.head(image, self.entries.len());
        let bit = image.low_bits(MASK);
        self.used[bit / 64] |= 1 << (bit % 64);
        self.entries.push(Entry { image, item, next });
    }

    /// Makes an entry the latest one of its slot; returns the one before it.
    fn head(&mut self, image: Image, number: usize) -> u32 {
        let slot = self.slot(image);
        std::mem::replace(&mut self.heads[slot], u32::try_from(number).unwrap_or(END))
    }

    fn slot(&self, image: Image) -> usize {
        image.low_bits(MASK) & (self.heads.len() - 1)
    }

    /// Removes all entries but the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        while self.entries.len() > len
            && let Some(entry) = self.entries.pop()
        {
            let (slot, bit) = (self.slot(entry.image), entry.image.low_bits(MASK));
            self.heads[slot] = entry.next;
            if self.chain(entry.next).all(|other| other.image.low_bits(MASK) != bit) {
                self.used[bit / 64] &= !(1 << (bit % 64));
            }
        }
    }

    /// All entries except the first `len`.
    pub(super) fn after(&self, len: usize) -> impl Iterator<Item = (Image, &T)> {
        self.entries.iter().skip(len).map(|entry| (entry.image, &entry.item))
    }

    /// Whether there may be an entry with this image; usually there is none.
    #[inline]
    pub(super) fn may_have(&self, image: Image) -> bool {
        let bit = image.low_bits(MASK);
        self.used[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Everything with this image, the latest first.
    #[inline]
    pub(super) fn get(&self, image: Image) -> impl Iterator<Item = &T> {
        let latest = if self.may_have(image) { self.heads[self.slot(image)] } else { END };
        self.chain(latest).filter(move |entry| entry.image == image).map(|entry| &entry.item)
    }

    /// An entry and those before it in its slot.
    #[inline]
    fn chain(&self, mut at: u32) -> impl Iterator<Item = &Entry<T>> {
        std::iter::from_fn(move || {
            let entry = self.entries.get(at as usize)?;
            at = entry.next;
            Some(entry)
        })
    }
}

#[cfg(test)]
mod tests {
    use cain_isa::Displacement;

    use super::{Image, Table};

    #[test]
    fn what_goes_in_comes_out_backwards() {
        let images: Vec<Image> = (0..20_000).map(|x| Image::of_shift(Displacement::new(x, 0))).collect();
        let mut table = Table::new();
        for (i, &image) in images.iter().enumerate() {
            table.push(image, i);
        }
        table.push(images[5], 7);
        assert_eq!(table.get(images[5]).copied().collect::<Vec<_>>(), [7, 5]);
        table.truncate(10_000);
        for (i, &image) in images.iter().enumerate() {
            assert_eq!(table.get(image).copied().next(), Some(i).filter(|i| *i < 10_000));
        }
        table.truncate(0);
        assert!(images.iter().all(|&image| table.get(image).next().is_none()));
    }
}
