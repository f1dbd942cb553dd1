//! The bits of a sum.

use crate::Format;
use crate::format::Range;

/// The number of columns of a sum, and the meaning of its bits.
pub(super) struct Shape {
    pub(super) width: u32,
    /// A constant that is added.
    pub(super) added: i64,
    /// Whether the top bit is complemented.
    pub(super) flips: bool,
    /// The resulting offset of the number.
    pub(super) offset: i64,
}

impl Shape {
    /// The shape of an output: it has the width and the offset of its format.
    pub(super) fn of_output(format: Format, offset: i64) -> Self {
        let width = format.bits();
        let (all, half) = (1_i64 << width, 1_i64 << (width - 1));
        let wanted = if format.is_signed() { half } else { 0 };
        let straight = (wanted - offset).rem_euclid(all);
        let flipped = (wanted + half - offset).rem_euclid(all);
        let flips = flipped.count_ones() < straight.count_ones();
        Self { width, added: if flips { flipped } else { straight }, flips, offset: wanted }
    }

    /// The shape of a partial sum: as narrow as its range allows, with the nearest offset that is possible.
    pub(super) fn of_partial_sum(range: Range, offset: i64) -> Option<Self> {
        (1..=i64::BITS - 2).find_map(|width| {
            let all = 1_i64 << width;
            let nearest = -range.min + (offset + range.min).rem_euclid(all);
            (nearest + range.max < all).then_some(Self { width, added: 0, flips: false, offset: nearest })
        })
    }

    /// The shape with the offset for which the added constant has the fewest ones.
    pub(super) fn with_few_ones(self, range: Range, constant: i64) -> Self {
        let all = 1_i64 << self.width;
        let ones = |offset: &i64| (constant + offset - self.offset).rem_euclid(all).count_ones();
        let offset = (-range.min..all - range.max).min_by_key(ones).unwrap_or(self.offset);
        Self { added: offset - self.offset, offset, ..self }
    }
}
