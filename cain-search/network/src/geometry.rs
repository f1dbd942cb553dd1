//! Kernels and windows that slide over maps.

use cain_isa::{Displacement, Fraction};

/// The padding around maps, in rows and columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Padding {
    /// Rows in the north.
    pub top: usize,
    /// Columns in the west.
    pub left: usize,
    /// Rows in the south.
    pub bottom: usize,
    /// Columns in the east.
    pub right: usize,
}

impl Padding {
    /// No padding on any side.
    pub const NONE: Self = Self { top: 0, left: 0, bottom: 0, right: 0 };

    /// Whether there is no padding on any side.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }
}

/// The pixels that an output of a convolution or pooling reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The number of rows and columns in a kernel or window.
    pub size: (usize, usize),
    /// The distances between outputs.
    pub stride: (usize, usize),
    /// The distances between the pixels of a kernel.
    pub dilation: (usize, usize),
    /// The padding around the maps.
    pub padding: Padding,
}

impl Reach {
    /// The reach of kernels, all of which have the size of the first.
    pub(super) fn of_kernels(
        kernels: &[Vec<Vec<Vec<Fraction>>>],
        stride: (usize, usize),
        dilation: (usize, usize),
        padding: Padding,
    ) -> Self {
        let first = kernels.first().and_then(|kernel| kernel.first());
        let size = (first.map_or(0, Vec::len), first.and_then(|rows| rows.first()).map_or(0, Vec::len));
        Self { size, stride, dilation, padding }
    }

    /// The displacements of a kernel's pixels from its middle; sizes and dilations are at most those of the array.
    pub(super) fn around_the_middle(&self) -> Vec<Displacement> {
        let along = |tap: usize, size: usize, dilation: usize| {
            let place = (tap.cast_signed() - ((size - 1) / 2).cast_signed()) * dilation.cast_signed();
            i16::try_from(place).unwrap_or(i16::MAX)
        };
        let place =
            |y, x| Displacement::new(along(x, self.size.1, self.dilation.1), -along(y, self.size.0, self.dilation.0));
        (0..self.size.0).flat_map(|y| (0..self.size.1).map(move |x| place(y, x))).collect()
    }

    /// The number of outputs along both axes; `None` if not even one fits.
    #[must_use]
    pub fn outputs(&self, (height, width): (usize, usize)) -> Option<(usize, usize)> {
        let Padding { top, left, bottom, right } = self.padding;
        let rows = along(height, (top, bottom), self.size.0, self.stride.0, self.dilation.0)?;
        let columns = along(width, (left, right), self.size.1, self.stride.1, self.dilation.1)?;
        Some((rows, columns))
    }

    /// The part of the padding that outputs read; a stride may leave out rows and columns at the end.
    #[must_use]
    pub fn padding_in_effect(&self, (height, width): (usize, usize)) -> Padding {
        let Some((rows, columns)) = self.outputs((height, width)) else { return self.padding };
        let end = |count: usize, size: usize, stride: usize, dilation: usize| {
            count
                .saturating_sub(1)
                .saturating_mul(stride)
                .saturating_add(size.saturating_sub(1).saturating_mul(dilation))
                + 1
        };
        let Padding { top, left, .. } = self.padding;
        Padding {
            top,
            left,
            bottom: end(rows, self.size.0, self.stride.0, self.dilation.0).saturating_sub(top.saturating_add(height)),
            right: end(columns, self.size.1, self.stride.1, self.dilation.1).saturating_sub(left.saturating_add(width)),
        }
    }

    /// The number of pixels of the maps that each output reads, if it is the same for all.
    #[must_use]
    pub fn pixels_of_each(&self, (height, width): (usize, usize)) -> Option<usize> {
        let [rows, columns] = self.pixels_within((height, width))?;
        let of_each = |counts: &[usize]| {
            let first = *counts.first()?;
            counts.iter().all(|count| *count == first).then_some(first)
        };
        Some(of_each(&rows)? * of_each(&columns)?)
    }

    /// For each row of outputs, the number of rows that it reads within the maps; and likewise for columns.
    #[must_use]
    pub fn pixels_within(&self, (height, width): (usize, usize)) -> Option<[Vec<usize>; 2]> {
        let (rows, columns) = self.outputs((height, width))?;
        let along = |count: usize, size: usize, stride: usize, dilation: usize, before: usize, length: usize| {
            let within = |output: usize| {
                let pixels = (0..size).map(|tap| output * stride + tap * dilation);
                pixels.filter(|place| (before..before + length).contains(place)).count()
            };
            (0..count).map(within).collect()
        };
        let Padding { top, left, .. } = self.padding;
        Some([
            along(rows, self.size.0, self.stride.0, self.dilation.0, top, height),
            along(columns, self.size.1, self.stride.1, self.dilation.1, left, width),
        ])
    }

    /// The rows and columns that an output reads; in the padding, they are negative or beyond the maps.
    pub fn pixels(&self, row: usize, column: usize) -> impl Iterator<Item = (isize, isize)> + use<> {
        let Self { size, stride, dilation, padding } = *self;
        let place = |output: usize, stride: usize, tap: usize, dilation: usize, before: usize| {
            (output * stride + tap * dilation).cast_signed() - before.cast_signed()
        };
        (0..size.0).flat_map(move |y| {
            (0..size.1).map(move |x| {
                (place(row, stride.0, y, dilation.0, padding.top), place(column, stride.1, x, dilation.1, padding.left))
            })
        })
    }
}

fn along(length: usize, padding: (usize, usize), size: usize, stride: usize, dilation: usize) -> Option<usize> {
    let covered = size.checked_sub(1)?.checked_mul(dilation)?.checked_add(1)?;
    let padded = length.checked_add(padding.0)?.checked_add(padding.1)?;
    padded.checked_sub(covered)?.checked_div(stride)?.checked_add(1)
}
