//! Pictures: planes in colours, alone and side by side.

use std::prelude::v1::*;
// Not part of the prelude in the minimum Rust version.
use std::vec;

use super::{Colour, Palette};

/// A picture: colours in rows from the top. Places in it are given as a column from the left and a row from the top.
///
/// It can be drawn on, for headings and frames around planes:
///
/// ```
/// use cain_runtime::pictures::{Palette, Picture};
///
/// let values = [-8.0, -4.0, 0.0, 4.0];
/// let plane = Picture::of_values(&values, 2, Palette::signed(&values)).enlarged(16);
/// let mut card = Picture::filled(40, 40, [29, 32, 40]);
/// card.paste(&plane, 4, 4);
/// assert_eq!(card.colours()[4 * card.width() + 4], Palette::signed(&values).colour(-8.0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: usize,
    height: usize,
    colours: Vec<Colour>,
}

impl Picture {
    /// The picture of a plane, given as `values` in DN in rows of `width`. An incomplete last row is left out.
    #[must_use]
    pub fn of_values(values: &[f32], width: usize, palette: Palette) -> Self {
        Self::new(values.iter().map(|value| palette.colour(*value)).collect(), width)
    }

    /// The picture of a digital plane: 1 is white.
    #[must_use]
    pub fn of_bits(bits: &[bool], width: usize) -> Self {
        Self::new(bits.iter().map(|bit| [if *bit { 255 } else { 0 }; 3]).collect(), width)
    }

    /// A picture whose every pixel is given by a function of its column and row.
    #[must_use]
    pub fn from_fn(width: usize, height: usize, mut colour: impl FnMut(usize, usize) -> Colour) -> Self {
        let mut picture = Self::filled(width, height, [0; 3]);
        for (row, line) in picture.colours.chunks_exact_mut(width.max(1)).enumerate() {
            for (column, place) in line.iter_mut().enumerate() {
                *place = colour(column, row);
            }
        }
        picture
    }

    /// A picture filled with one colour, to draw on.
    #[must_use]
    pub fn filled(width: usize, height: usize, colour: Colour) -> Self {
        Self { width, height, colours: vec![colour; width * height] }
    }

    fn new(mut colours: Vec<Colour>, width: usize) -> Self {
        let height = colours.len().checked_div(width).unwrap_or(0);
        colours.truncate(width * height);
        Self { width, height, colours }
    }

    /// A contact sheet: pictures in rows of `columns`, with a border around each.
    ///
    /// All places are as large as the largest picture.
    #[must_use]
    pub fn sheet(pictures: &[Self], columns: usize) -> Self {
        let columns = columns.clamp(1, pictures.len().max(1));
        let rows = pictures.len().div_ceil(columns);
        let place = |side: fn(&Self) -> usize| pictures.iter().map(side).max().unwrap_or(0) + BORDER;
        let (place_width, place_height) = (place(|picture| picture.width), place(|picture| picture.height));
        let mut sheet = Self::filled(columns * place_width + BORDER, rows * place_height + BORDER, PAPER);
        for (number, picture) in pictures.iter().enumerate() {
            let (row, column) = (number / columns, number % columns);
            sheet.paste(picture, column * place_width + BORDER, row * place_height + BORDER);
        }
        sheet
    }

    /// Draws another picture over this one, with its top left corner at this place. What does not fit is cut off.
    pub fn paste(&mut self, picture: &Self, left: usize, top: usize) {
        let lines = self.colours.chunks_exact_mut(self.width.max(1)).skip(top);
        for (line, part) in lines.zip(picture.colours.chunks_exact(picture.width.max(1))) {
            for (place, colour) in line.iter_mut().skip(left).zip(part) {
                *place = *colour;
            }
        }
    }

    /// The part of this size whose top left corner is at this place; smaller if the picture ends before.
    #[must_use]
    pub fn part(&self, left: usize, top: usize, width: usize, height: usize) -> Self {
        let width = width.min(self.width.saturating_sub(left));
        let lines = self.colours.chunks_exact(self.width.max(1)).skip(top).take(height);
        Self::new(lines.flat_map(|line| line.iter().skip(left).take(width)).copied().collect(), width)
    }

    /// The picture with every pixel enlarged to a square of `factor` pixels along each side.
    #[must_use]
    pub fn enlarged(&self, factor: usize) -> Self {
        let repeat = |colour| std::iter::repeat_n(colour, factor);
        let line = |line: &[Colour]| line.iter().copied().flat_map(repeat).collect::<Vec<_>>();
        let lines = self.colours.chunks_exact(self.width.max(1)).map(|colours| line(colours).repeat(factor));
        Self::new(lines.flatten().collect(), self.width * factor)
    }

    /// The number of pixels from left to right.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The number of pixels from top to bottom.
    #[must_use]
    pub const fn height(&self) -> usize {
        self.height
    }

    /// The colours, in rows from the top.
    #[must_use]
    pub fn colours(&self) -> &[Colour] {
        &self.colours
    }

    /// A mutable reference to the colour at a place; `None` outside the picture.
    pub fn colour_mut(&mut self, column: usize, row: usize) -> Option<&mut Colour> {
        self.colours.chunks_exact_mut(self.width.max(1)).nth(row)?.get_mut(column)
    }
}

/// The number of pixels between the pictures of a sheet.
const BORDER: usize = 4;
/// The colour between them.
const PAPER: Colour = [64, 96, 80];

#[cfg(test)]
mod tests {
    use super::{BORDER, Colour, PAPER, Picture};
    use std::prelude::v1::*;

    /// A picture that encodes the column in red and the row in green.
    fn places(width: u8, height: u8) -> Picture {
        let byte = |place: usize| u8::try_from(place).unwrap();
        Picture::from_fn(width.into(), height.into(), |column, row| [byte(column), byte(row), 7])
    }

    fn at(picture: &Picture, column: usize, row: usize) -> Colour {
        picture.colours()[row * picture.width() + column]
    }

    #[test]
    fn sheets_have_pictures_in_rows() {
        let white = Picture::of_bits(&[true; 6], 3);
        let sheet = Picture::sheet(&[white.clone(), white.clone(), white], 2);
        assert_eq!((sheet.width(), sheet.height()), (2 * 3 + 3 * BORDER, 2 * 2 + 3 * BORDER));
        let at = |column, row| at(&sheet, column, row);
        assert_eq!((at(BORDER, BORDER), at(0, 0)), ([255; 3], PAPER));
        assert_eq!((at(2 * BORDER + 3, BORDER + 1), at(BORDER + 2, 2 * BORDER + 3)), ([255; 3], [255; 3]));
        assert_eq!(at(2 * BORDER + 3, 2 * BORDER + 2), PAPER);
    }

    #[test]
    fn rows_and_columns_are_where_they_belong() {
        let mut picture = places(4, 3);
        assert_eq!((at(&picture, 3, 0), at(&picture, 0, 2)), ([3, 0, 7], [0, 2, 7]));
        *picture.colour_mut(3, 1).unwrap() = [9; 3];
        assert_eq!((at(&picture, 3, 1), at(&picture, 2, 1)), ([9; 3], [2, 1, 7]));
        assert!([(4, 0), (0, 3)].iter().all(|(column, row)| picture.colour_mut(*column, *row).is_none()));
    }

    #[test]
    fn parts_are_cut_at_the_edges() {
        let picture = places(5, 4);
        let part = picture.part(1, 2, 3, 1);
        assert_eq!((part.width(), part.height(), part.colours()), (3, 1, &[[1, 2, 7], [2, 2, 7], [3, 2, 7]][..]));
        let corner = picture.part(4, 3, 10, 10);
        assert_eq!((corner.width(), corner.height(), at(&corner, 0, 0)), (1, 1, [4, 3, 7]));
        assert!(picture.part(5, 4, 2, 2).colours().is_empty());
    }

    #[test]
    fn pasting_is_cut_at_the_edges() {
        let mut sheet = Picture::filled(6, 5, PAPER);
        sheet.paste(&places(3, 3), 4, 3);
        assert_eq!([at(&sheet, 3, 3), at(&sheet, 4, 2)], [PAPER; 2]);
        assert_eq!([at(&sheet, 4, 3), at(&sheet, 5, 4)], [[0, 0, 7], [1, 1, 7]]);
        assert_eq!(sheet.part(0, 0, 4, 3), Picture::filled(4, 3, PAPER));
        sheet.paste(&places(3, 3), 6, 0);
        assert_eq!(sheet.part(0, 0, 6, 3), Picture::filled(6, 3, PAPER));
    }

    #[test]
    fn pixels_become_squares() {
        let large = places(2, 3).enlarged(4);
        assert_eq!((large.width(), large.height()), (8, 12));
        assert_eq!(large, Picture::from_fn(8, 12, |column, row| at(&places(2, 3), column / 4, row / 4)));
        assert_eq!(places(2, 3).enlarged(0).width(), 0);
    }
}
