//! The letters of the sign, as polygons in a box of 4 by 6 units.

use crate::paint::{Point, in_polygon};

const C: &[Point] = &[
    [4.0, 0.8],
    [3.2, 0.0],
    [0.8, 0.0],
    [0.0, 0.8],
    [0.0, 5.2],
    [0.8, 6.0],
    [3.2, 6.0],
    [4.0, 5.2],
    [4.0, 4.2],
    [2.9, 4.2],
    [2.9, 4.7],
    [2.6, 5.0],
    [1.4, 5.0],
    [1.1, 4.7],
    [1.1, 1.3],
    [1.4, 1.0],
    [2.6, 1.0],
    [2.9, 1.3],
    [2.9, 1.8],
    [4.0, 1.8],
];
const A: &[Point] = &[
    [0.0, 6.0],
    [1.4, 0.0],
    [2.6, 0.0],
    [4.0, 6.0],
    [2.9, 6.0],
    [2.6, 4.6],
    [1.4, 4.6],
    [1.6, 3.6],
    [2.4, 3.6],
    [2.0, 1.6],
    [1.1, 6.0],
];
const I: &[Point] = &[
    [0.8, 0.0],
    [3.2, 0.0],
    [3.2, 1.0],
    [2.55, 1.0],
    [2.55, 5.0],
    [3.2, 5.0],
    [3.2, 6.0],
    [0.8, 6.0],
    [0.8, 5.0],
    [1.45, 5.0],
    [1.45, 1.0],
    [0.8, 1.0],
];
const N: &[Point] = &[
    [0.0, 0.0],
    [1.2, 0.0],
    [2.9, 3.9],
    [2.9, 0.0],
    [4.0, 0.0],
    [4.0, 6.0],
    [2.8, 6.0],
    [1.1, 2.1],
    [1.1, 6.0],
    [0.0, 6.0],
];

/// Whether a point lies in the word CAIN, whose letters are `height` pixels high.
pub(crate) fn in_word([x, y]: Point, [left, top]: Point, height: f32) -> bool {
    let unit = height / 6.0;
    let (x, y) = ((x - left) / unit, (y - top) / unit);
    let advance = 5.0;
    [C, A, I, N].iter().zip([0.0, 1.0, 2.0, 3.0]).any(|(letter, i)| in_polygon([x - advance * i, y], letter))
}
