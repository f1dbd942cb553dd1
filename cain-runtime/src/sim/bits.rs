//! Planes of bits, packed many to a word.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the wider vectors")]

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

#[cfg(feature = "simd")]
use fearless_simd::{Level, dispatch};

use crate::isa::Direction;

/// The number of PEs in a word.
const LANES: usize = u64::BITS as usize;
/// The number of PEs that are computed at once.
const BYTE: usize = 8;

/// A bit for each PE. Every row begins with a new word, its western PEs in the lowest bits; bits that belong to no PE are 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bits {
    words: Vec<u64>,
    width: usize,
    height: usize,
}

impl Bits {
    /// The same bit in every PE.
    pub(super) fn same(width: usize, height: usize, bit: bool) -> Self {
        let row = vec![if bit { u64::MAX } else { 0 }; width.div_ceil(LANES)];
        let mut bits = Self { words: row.repeat(height), width, height };
        bits.trim();
        bits
    }

    /// A bit for each PE, row by row.
    pub(super) fn new(width: usize, height: usize, bits: &[bool]) -> Self {
        let mut packed = Self::same(width, height, false);
        if width > 0 {
            for (row, bits) in packed.rows_mut().zip(bits.chunks_exact(width)) {
                pack(row, bits, |bit| *bit);
            }
        }
        packed
    }

    /// Bits that are 1 in the PEs of the selected rows and columns.
    pub(super) fn crossing(
        (width, height): (usize, usize),
        row: impl Fn(usize) -> bool,
        column: impl Fn(usize) -> bool,
    ) -> Self {
        let columns: Vec<bool> = (0..width).map(column).collect();
        let mut line = vec![0; width.div_ceil(LANES)];
        pack(&mut line, &columns, |bit| *bit);
        let mut bits = Self::same(width, height, false);
        bits.rows_mut()
            .enumerate()
            .filter(|(number, _)| row(*number))
            .for_each(|(_, place)| place.copy_from_slice(&line));
        bits
    }

    /// The number of words in a row.
    const fn stride(&self) -> usize {
        self.width.div_ceil(LANES)
    }

    /// Clears the bits that belong to no PE.
    fn trim(&mut self) {
        let used = self.width % LANES;
        if used > 0 {
            self.rows_mut().filter_map(<[u64]>::last_mut).for_each(|last| *last &= (1 << used) - 1);
        }
    }

    pub(super) fn rows_mut(&mut self) -> impl Iterator<Item = &mut [u64]> {
        let stride = self.stride().max(1);
        self.words.chunks_exact_mut(stride)
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[u64]> {
        self.words.chunks_exact(self.stride().max(1))
    }

    pub(super) fn row(&self, row: usize) -> &[u64] {
        let stride = self.stride();
        &self.words[row * stride..(row + 1) * stride]
    }

    /// The bits of all PEs, row by row.
    pub(super) fn iter(&self) -> impl Iterator<Item = bool> + '_ {
        (0..self.height).flat_map(move |row| (0..self.width).map(move |column| self.is_one(row, column)))
    }

    pub(super) fn is_one(&self, row: usize, column: usize) -> bool {
        self.row(row)[column / LANES] >> (column % LANES) & 1 == 1
    }

    /// The number of ones.
    pub(super) fn ones(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    pub(super) fn or(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    pub(super) fn fill(&mut self, bit: bool) {
        *self = Self::same(self.width, self.height, bit);
    }

    pub(super) fn invert(&mut self) {
        self.words.iter_mut().for_each(|word| *word = !*word);
        self.trim();
    }

    /// Takes the other bits, or 0, where the gate is 0.
    pub(super) fn keep_where(&mut self, gate: &Self, other: Option<&Self>) {
        for (i, (word, gate)) in self.words.iter_mut().zip(&gate.words).enumerate() {
            *word = *word & gate | other.map_or(0, |other| other.words[i]) & !gate;
        }
    }

    /// Whether no bit is 1. It looks at the words of a few rows at a time, which suits vector instructions.
    pub(super) fn is_zero(&self) -> bool {
        self.words.chunks(LANES).all(|words| words.iter().fold(0, |any, word| any | word) == 0)
    }

    /// Adds the bits that PEs whose switch is 1 see of a plane in this direction; beyond the array every bit is
    /// `outside`.
    pub(super) fn add_neighbours(&mut self, from: &Self, side: Direction, switch: &Self, outside: bool) {
        let stride = self.stride();
        if stride == 0 || self.height == 0 {
            return;
        }
        let beyond = if outside { u64::MAX } else { 0 };
        let add = |into: &mut [u64], switch: &[u64], seen: &[u64]| {
            for ((into, switch), seen) in into.iter_mut().zip(switch).zip(seen) {
                *into |= switch & seen;
            }
        };
        let border = vec![beyond; stride];
        let last = self.words.len() - stride;
        match side {
            Direction::North => {
                add(&mut self.words[..stride], &switch.words, &border);
                add(&mut self.words[stride..], &switch.words[stride..], &from.words);
            }
            Direction::South => {
                add(&mut self.words, &switch.words, &from.words[stride..]);
                add(&mut self.words[last..], &switch.words[last..], &border);
            }
            Direction::West | Direction::East => {
                let last = (self.width - 1) % LANES;
                let rows = self.words.chunks_exact_mut(stride).zip(switch.rows()).zip(from.rows());
                for ((into, switch), seen) in rows {
                    // Rows of the chip have a length that is known at compile time.
                    match (<&mut [u64; CHIP]>::try_from(&mut *into), side) {
                        (Ok(into), Direction::West) => add_from_west(into, switch, seen, outside),
                        (Ok(into), _) => add_from_east(into, switch, seen, outside, last),
                        (Err(_), Direction::West) => add_from_west(into, switch, seen, outside),
                        (Err(_), _) => add_from_east(into, switch, seen, outside, last),
                    }
                }
            }
        }
    }

    /// Replaces the values of the PEs of these rows whose bit is 1.
    pub(super) fn replace(&self, rows: Range<usize>, into: &mut [f32], values: &[f32]) {
        #[cfg(feature = "simd")]
        dispatch!(Level::new(), _ => self.replace_rows(rows, into, values));
        #[cfg(not(feature = "simd"))]
        self.replace_rows(rows, into, values);
    }

    #[inline(always)]
    fn replace_rows(&self, rows: Range<usize>, into: &mut [f32], values: &[f32]) {
        let width = self.width.max(1);
        for ((row, into), values) in rows.zip(into.chunks_exact_mut(width)).zip(values.chunks_exact(width)) {
            let words = into.chunks_mut(LANES).zip(values.chunks(LANES)).zip(self.row(row));
            for ((into, values), &word) in words {
                let (full, rest) = into.as_chunks_mut::<BYTE>();
                let (full_values, rest_values) = values.as_chunks::<BYTE>();
                let mut bytes = word.to_le_bytes().into_iter();
                for ((into, values), byte) in full.iter_mut().zip(full_values).zip(&mut bytes) {
                    // Everything is read before anything is written, so it does not matter whether they overlap.
                    let (masks, new, old) = (MASKS[usize::from(byte)], *values, *into);
                    *into = core::array::from_fn(|lane| {
                        f32::from_bits(new[lane].to_bits() & masks[lane] | old[lane].to_bits() & !masks[lane])
                    });
                }
                let byte = bytes.next().unwrap_or(0);
                for (lane, (into, value)) in rest.iter_mut().zip(rest_values).enumerate() {
                    *into = if is_one(byte, lane) { *value } else { *into };
                }
            }
        }
    }

    /// The sum of the values of the PEs whose bit is 1.
    pub(super) fn sum(&self, values: &[f32]) -> f64 {
        #[cfg(feature = "simd")]
        return dispatch!(Level::new(), _ => self.sum_rows(values));
        #[cfg(not(feature = "simd"))]
        self.sum_rows(values)
    }

    /// Adds up eight independent sums at once.
    #[inline(always)]
    fn sum_rows(&self, values: &[f32]) -> f64 {
        let mut sums = [0.0; BYTE];
        for (bits, values) in self.rows().zip(values.chunks_exact(self.width.max(1))) {
            for (values, &word) in values.chunks(LANES).zip(bits) {
                let (full, rest) = values.as_chunks::<BYTE>();
                let mut bytes = word.to_le_bytes().into_iter();
                for (values, byte) in full.iter().zip(&mut bytes) {
                    for lane in 0..BYTE {
                        sums[lane] += if is_one(byte, lane) { f64::from(values[lane]) } else { 0.0 };
                    }
                }
                let byte = bytes.next().unwrap_or(0);
                for (lane, (sum, value)) in sums.iter_mut().zip(rest).enumerate() {
                    *sum += if is_one(byte, lane) { f64::from(*value) } else { 0.0 };
                }
            }
        }
        sums.iter().sum()
    }

    /// Inverts the bits of the wanted PEs.
    pub(super) fn flip(&mut self, wanted: impl Fn(usize) -> bool) {
        let width = self.width;
        for (number, row) in self.rows_mut().enumerate() {
            for column in (0..width).filter(|column| wanted(number * width + column)) {
                row[column / LANES] ^= 1 << (column % LANES);
            }
        }
    }
}

/// The number of words in a row of 256 PEs.
const CHIP: usize = 256 / LANES;

/// Adds to a row the bits that its PEs see in the west.
#[inline]
fn add_from_west(into: &mut [u64], switch: &[u64], seen: &[u64], outside: bool) {
    let mut carried = u64::from(outside);
    for ((into, switch), seen) in into.iter_mut().zip(switch).zip(seen) {
        *into |= switch & (seen << 1 | carried);
        carried = seen >> (LANES - 1);
    }
}

/// Adds to a row the bits that its PEs see in the east; `last` is the bit of its last PE in the last word.
#[inline]
fn add_from_east(into: &mut [u64], switch: &[u64], seen: &[u64], outside: bool, last: usize) {
    let mut carried = u64::from(outside) << last;
    for ((into, switch), seen) in into.iter_mut().zip(switch).zip(seen).rev() {
        *into |= switch & (seen >> 1 | carried);
        carried = seen << (LANES - 1);
    }
}

/// For each byte, a mask for each of its lanes: all bits of a value, or none. A table is used because the compiler
/// would turn conditions into branches instead of vector instructions.
static MASKS: [[u32; BYTE]; 1 << BYTE] = {
    let mut masks = [[0; BYTE]; 1 << BYTE];
    let mut byte = 0;
    while byte < masks.len() {
        let mut lane = 0;
        while lane < BYTE {
            masks[byte][lane] = if byte >> lane & 1 == 1 { u32::MAX } else { 0 };
            lane += 1;
        }
        byte += 1;
    }
    masks
};

/// Whether the bit of this lane is 1.
#[inline(always)]
fn is_one(byte: u8, lane: usize) -> bool {
    u32::from(byte) >> lane & 1 == 1
}

/// Writes the bits of a row: whether a property holds for each of its PEs.
pub(super) fn pack<T>(row: &mut [u64], values: &[T], bit: impl Fn(&T) -> bool) {
    for (word, values) in row.iter_mut().zip(values.chunks(LANES)) {
        *word = values.iter().rev().fold(0, |word, value| word << 1 | u64::from(bit(value)));
    }
}
