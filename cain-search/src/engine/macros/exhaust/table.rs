//! A hash table keyed by images, which is emptied in the reverse order of filling.

use crate::engine::image::Image;

pub(super) struct Table<T> {
    /// For each slot, the number of its latest entry.
    heads: Vec<u32>,
    /// A bit set of the slots that have entries: most images are not in the table, and the bits stay in the cache.
    used: Box<[u64; SLOTS / 64]>,
    entries: Vec<Entry<T>>,
}

struct Entry<T> {
    image: Image,
    item: T,
    /// The previous entry in the same slot.
    next: u32,
}

const SLOTS: usize = 1 << 16;
const MASK: u64 = SLOTS as u64 - 1;
const END: u32 = u32::MAX;

impl<T> Table<T> {
    pub(super) fn new() -> Self {
        Self { heads: vec![END; SLOTS], used: Box::new([0; SLOTS / 64]), entries: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The memory that its entries take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.entries.as_slice())
    }

    pub(super) fn push(&mut self, image: Image, item: T) {
        let slot = image.low_bits(MASK);
        let next = std::mem::replace(&mut self.heads[slot], u32::try_from(self.entries.len()).unwrap_or(END));
        self.used[slot / 64] |= 1 << (slot % 64);
        self.entries.push(Entry { image, item, next });
    }

    /// Removes all entries but the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        for entry in self.entries.drain(len..).rev() {
            let slot = entry.image.low_bits(MASK);
            self.heads[slot] = entry.next;
            if entry.next == END {
                self.used[slot / 64] &= !(1 << (slot % 64));
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
        let slot = image.low_bits(MASK);
        self.used[slot / 64] >> (slot % 64) & 1 == 1
    }

    /// Everything with this image, the latest first.
    #[inline]
    pub(super) fn get(&self, image: Image) -> impl Iterator<Item = &T> {
        let mut at = if self.may_have(image) { self.heads[image.low_bits(MASK)] } else { END };
        std::iter::from_fn(move || {
            while let Some(entry) = self.entries.get(at as usize) {
                at = entry.next;
                if entry.image == image {
                    return Some(&entry.item);
                }
            }
            None
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
