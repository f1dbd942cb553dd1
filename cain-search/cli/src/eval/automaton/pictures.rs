//! Draws cells, each in the colour of its answer.

use cain_network::automaton::{Automaton, Cells};
use cain_runtime::pictures::{Animation, Colour, Picture};

/// The number of pictures side by side.
const COLUMNS: usize = 5;
/// The most pictures in an animation.
pub(super) const MOST: usize = 20;
/// The side of a cell, in pixels.
const PIXELS: usize = 3;
/// How long a step is shown, and how long the first and the last one are, in milliseconds.
const STEP: u16 = 80;
const END: u16 = 1500;

/// The colours of classes, which repeat after ten (Okabe and Ito 2008, and two more).
const CLASSES: [Colour; 10] = [
    [230, 159, 0],
    [86, 180, 233],
    [0, 158, 115],
    [240, 228, 66],
    [0, 114, 178],
    [213, 94, 0],
    [204, 121, 167],
    [140, 140, 140],
    [150, 80, 220],
    [120, 220, 120],
];

/// Whether a step is shown: all of the first ones, in which most happens, and then fewer.
pub(super) fn is_shown(step: usize) -> bool {
    step <= 40 || step.is_multiple_of(10)
}

/// The cells: in grey before the first step, then in the colours of their answers.
pub(super) fn of_cells(automaton: &Automaton, cells: &Cells, step: usize) -> Picture {
    let (height, width) = cells.size();
    let colour = |column: usize, row: usize| {
        let cell = row * width + column;
        let grey = cells.plane(0).get(cell).and_then(|grey| u8::try_from(*grey).ok()).unwrap_or(0);
        if step == 0 || !cells.is_alive(cell) {
            return [grey; 3];
        }
        let [first, ..] = CLASSES;
        CLASSES.get(cells.class(automaton, cell) % CLASSES.len()).copied().unwrap_or(first)
    };
    Picture::from_fn(width, height, colour).enlarged(PIXELS)
}

/// An animation of digits finding out what they are, made from one list of pictures for each, all of the same length.
pub(super) fn animation(digits: &[Vec<Picture>]) -> Animation {
    let frames = digits.first().map_or(0, Vec::len);
    let mut animation = Animation::new(STEP);
    for frame in 0..frames {
        let shown: Vec<Picture> = digits.iter().filter_map(|digit| digit.get(frame).cloned()).collect();
        let sheet = Picture::sheet(&shown, COLUMNS);
        if frame == 0 || frame + 1 == frames {
            animation.push_for(sheet, END);
        } else {
            animation.push(sheet);
        }
    }
    animation
}
