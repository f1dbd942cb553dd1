//! Cells of a drawn digit that find out which one it is: the trained automaton of `training/automaton.toml` as a function.

use cain_runtime::scamp_kernels;
use cain_runtime::sim::{IntegerArray, IntegerError};

scamp_kernels!(file = "../../training/automaton.toml");

/// A digit, drawn at the place where it would be in a picture of MNIST.
const DIGIT: [&str; 20] = [
    "     +####+     ",
    "   +########+   ",
    "  +###+  +###+  ",
    "  ###+    +###  ",
    "          +###  ",
    "          +###  ",
    "         +###+  ",
    "        +###+   ",
    "     +#####+    ",
    "     ######+    ",
    "       ++###+   ",
    "          ###+  ",
    "          +###  ",
    "           ###  ",
    "          +###  ",
    " +++     +###+  ",
    " ####+  +###+   ",
    " +#########+    ",
    "   +#####+      ",
    "                ",
];

fn main() -> Result<(), IntegerError> {
    let (height, width) = digits::PLAN.size;
    let mut array = IntegerArray::new(width, height, digits::PLAN.reach);
    let mut cells = digits::Cells::begin(&mut array, &picture(width, height), 1)?;
    let mut classes = vec![None; width * height];
    let mut done = 0;
    for steps in [2, 20, 100] {
        digits(&mut array, &mut cells, steps - done)?;
        done = steps;
        cells.classes(&mut array, &mut classes)?;
        println!("after {steps} steps:");
        classes.chunks(width).map(shown).filter(|row| !row.is_empty()).for_each(|row| println!("{row}"));
    }
    Ok(())
}

/// The digit in the middle of a picture, a byte for each pixel.
fn picture(width: usize, height: usize) -> Vec<u8> {
    let (top, left) = (height.saturating_sub(DIGIT.len()) / 2, width.saturating_sub(DIGIT[0].len()) / 2);
    let mut picture = vec![0; width * height];
    for (row, line) in picture.chunks_mut(width).skip(top).zip(DIGIT) {
        for (pixel, mark) in row.iter_mut().skip(left).zip(line.chars()) {
            *pixel = match mark {
                '#' => 255,
                '+' => 140,
                _ => 0,
            };
        }
    }
    picture
}

/// A row of cells, each with its class.
fn shown(classes: &[Option<u16>]) -> String {
    let row = classes.iter().map(|class| class.map_or(" ".to_owned(), |class| class.to_string()));
    row.collect::<String>().trim_end().to_owned()
}
