//! Several pictures, one below the other, in one array.

use cain_isa::program::{Area, Grid};
use cain_network::expected::Size;

/// The PEs around a picture that are followed as well.
const AROUND: usize = 8;

/// Copies of the part of the array in which a picture is, one for each picture.
pub(super) struct Tiles {
    /// The row and the column of the part.
    corner: (usize, usize),
    /// The size of the part.
    part: Size,
    count: usize,
    /// The PEs of the pictures.
    seen: Vec<usize>,
}

impl Tiles {
    pub(super) fn new(area: Area, side: usize, count: usize) -> Self {
        let along = |first: usize, length: usize| {
            let (start, end) = (first.saturating_sub(AROUND), (first + length + AROUND).min(side));
            (start, end.saturating_sub(start))
        };
        let ((top, height), (left, width)) = (along(area.top, area.height), along(area.left, area.width));
        let mut tiles = Self { corner: (top, left), part: Size { height, width }, count, seen: Vec::new() };
        let pixels = Grid::new((area.top.cast_signed(), area.left.cast_signed()), (1, 1), (area.height, area.width));
        tiles.seen = tiles.places(&pixels).unwrap_or_default();
        tiles
    }

    /// The size of all of them together.
    pub(super) const fn size(&self) -> Size {
        Size { height: self.part.height * self.count, width: self.part.width }
    }

    /// The PEs of a grid, picture after picture; `None` if it is not within.
    pub(super) fn places(&self, grid: &Grid) -> Option<Vec<usize>> {
        let ((top, left), Size { height, width }) = (self.corner, self.part);
        let first = |first: isize, before: usize| first.checked_sub_unsigned(before);
        let (row, column) = (first(grid.top, top)?, first(grid.left, left)?);
        let within = |first: isize, step: usize, count: usize, length: usize| {
            let end = first.checked_add_unsigned(count.saturating_sub(1).checked_mul(step)?)?;
            (first >= 0 && usize::try_from(end).is_ok_and(|end| end < length)).then_some(())
        };
        within(row, grid.row_step, grid.height, height)?;
        within(column, grid.column_step, grid.width, width)?;
        let moved = Grid { top: row, left: column, ..*grid };
        let size = self.size();
        Some((0..self.count).flat_map(|tile| size.places(&moved, (tile * height, 0))).collect())
    }

    /// The PEs of the pictures that are chosen by row and column.
    pub(super) fn seen(&self, is_chosen: impl Fn(usize, usize) -> bool) -> Vec<usize> {
        let chosen = |place: &usize| {
            let (row, column) = self.place(*place);
            is_chosen(row, column)
        };
        self.seen.iter().copied().filter(chosen).collect()
    }

    /// The row and the column in the array.
    const fn place(&self, place: usize) -> (usize, usize) {
        let Size { height, width } = self.part;
        (self.corner.0 + place / width % height, self.corner.1 + place % width)
    }

    /// What is 1 in the PEs of the array of which it is told by row and column.
    pub(super) fn bits(&self, is_one: impl Fn(usize, usize) -> bool) -> Vec<f32> {
        let bit = |place: usize| {
            let (row, column) = self.place(place);
            if is_one(row, column) { 1.0 } else { 0.0 }
        };
        (0..self.size().pes()).map(bit).collect()
    }

    /// The pictures, in their surroundings.
    pub(super) fn pictures(&self, pictures: &[Vec<f32>], around: f32) -> Vec<f32> {
        let mut plane = vec![around; self.size().pes()];
        for (place, level) in self.seen.iter().zip(pictures.iter().flatten()) {
            plane[*place] = *level;
        }
        plane
    }
}

#[cfg(test)]
mod tests {
    use cain_isa::program::{Area, Grid};

    use super::Tiles;

    const fn area(top: usize, left: usize) -> Area {
        Area { top, left, height: 2, width: 3 }
    }

    #[test]
    fn pictures_are_below_each_other() {
        let pictures = [0, 10].map(|first| (0..6_u8).map(|pixel| f32::from(first + pixel)).collect::<Vec<f32>>());
        let tiles = Tiles::new(area(100, 50), 256, 2);
        let size = tiles.size();
        assert_eq!((size.height, size.width), (2 * (2 + 16), 3 + 16));
        let plane = tiles.pictures(&pictures, -5.0);
        let at = |grid: &Grid| tiles.places(grid).map(|places| places.iter().map(|&place| plane[place]).collect());
        assert_eq!(at(&Grid::new((101, 50), (1, 2), (1, 2))), Some(vec![3.0, 5.0, 13.0, 15.0]));
        assert_eq!(at(&Grid::new((92, 42), (1, 1), (1, 1))), Some(vec![-5.0, -5.0]));
        assert_eq!(at(&Grid::new((91, 42), (1, 1), (1, 1))), None);
        assert_eq!(at(&Grid::new((100, 50), (1, 1), (11, 1))), None);
        let bits = tiles.bits(|row, column| (row, column) == (101, 52));
        assert_eq!(bits.iter().filter(|bit| **bit > 0.0).count(), 2);
        assert!(tiles.places(&Grid::new((101, 52), (1, 1), (1, 1))).unwrap().iter().all(|&place| bits[place] > 0.0));
    }

    #[test]
    fn parts_end_with_the_array() {
        let size = Tiles::new(area(0, 253), 256, 1).size();
        assert_eq!((size.height, size.width), (2 + 8, 3 + 8));
    }
}
