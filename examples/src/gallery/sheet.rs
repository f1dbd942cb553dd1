//! The contact sheet: one card per output, with input, kernel, output and difference side by side.

use embedded_graphics::mono_font::iso_8859_1::FONT_10X20;

use cain_examples::SIDE;
use cain_runtime::pictures::{Palette, Picture};
use cain_runtime::sim::{ErrorModel, Saturation};

use crate::canvas::Canvas;
use crate::convolve::Matrix;
use crate::exhibit::{Exhibit, Output};
use crate::style::{CAPTION, CARD, FONT, GAP, LINE, PAPER, STRONG, WEAK};

/// Input, kernel, output, difference.
const TILES: usize = 4;
const HEADER: usize = 82;
const CARD_WIDTH: usize = TILES * SIDE + (TILES + 1) * GAP;
const CARD_HEIGHT: usize = HEADER + SIDE + CAPTION + GAP;
const COLUMNS: usize = 2;

/// Draws the sheet.
pub(crate) fn draw(exhibits: &[Exhibit], mode: ErrorModel) -> Picture {
    let cards: Vec<_> = exhibits.iter().flat_map(|e| e.outputs.iter().map(move |output| (e, output))).collect();
    let rows = (cards.len() + 1).div_ceil(COLUMNS);
    let mut canvas = Canvas::new(COLUMNS * (CARD_WIDTH + GAP) + GAP, rows * (CARD_HEIGHT + GAP) + GAP, PAPER);
    let places = (0..rows).flat_map(|row| (0..COLUMNS).map(move |column| (row, column)));
    let mut places = places.map(|(row, column)| (GAP + column * (CARD_WIDTH + GAP), GAP + row * (CARD_HEIGHT + GAP)));
    if let Some((x, y)) = places.next() {
        legend(&mut canvas, x, y, mode);
    }
    for ((exhibit, output), (x, y)) in cards.into_iter().zip(places) {
        card(&mut canvas, x, y, exhibit, output);
    }
    canvas.into_picture()
}

/// What is to be seen, and what the colours mean.
fn legend(canvas: &mut Canvas, x: usize, y: usize, mode: ErrorModel) {
    let left = x + GAP;
    canvas.heading("Convolution kernels on a SCAMP-5 array", left, y + 10, &FONT, STRONG, PAPER);
    let arithmetic = match mode.saturation {
        Saturation::Hard => "every value cut to -128 to 127 DN",
        _ => "ideal arithmetic",
    };
    let array = format!("simulated array of 256 by 256 processing elements (PEs), {arithmetic}.");
    let lines = [
        "Each function was compiled by scamp_kernels! into a program of macro instructions and run on a",
        &array,
        "",
        "kernel      weights; row 0 is north, the middle cell lies over the pixel",
        "output      values in DN, the chip's scale: the input spans -128 to 127; larger values are cut to",
        "            the scale for display only",
        "difference  output minus a plain convolution in 64-bit floating point, on the same scale, with the",
        "            largest one inside the border. The border is the number of PEs at each edge where values",
        "            may be lost outside of the array",
    ];
    for (line, top) in lines.iter().zip((y + 58..).step_by(LINE)) {
        canvas.text(line, left, top, &FONT, WEAK);
    }
    let (top, width) = (y + CARD_HEIGHT - 92, (CARD_WIDTH - 3 * GAP) / 2);
    colour_bar(canvas, left, top, width, Palette::BYTES, "0 DN: brightness is kept");
    let signed = Palette::BYTES.for_difference();
    colour_bar(canvas, left + width + GAP, top, width, signed, "0 DN: signed results");
}

fn colour_bar(canvas: &mut Canvas, left: usize, top: usize, width: usize, palette: Palette, middle: &str) {
    for column in 0..width {
        canvas.fill(left + column, top, 1, 36, palette.colour(256.0 * fraction(column, width) - 128.0));
    }
    for (text, x) in [("-", left + 6), (middle, left + width / 2), ("+", left + width - 6)] {
        canvas.centred(text, x, top + 54, &FONT, WEAK);
    }
}

fn card(canvas: &mut Canvas, x: usize, y: usize, exhibit: &Exhibit, output: &Output) {
    canvas.fill(x, y, CARD_WIDTH, CARD_HEIGHT, CARD);
    let title = format!("{} -> {}  {}", exhibit.filter.plan.name, output.reg, output.kernel.shows);
    canvas.heading(&title, x + GAP, y + 10, &FONT, STRONG, CARD);
    let numbers = format!(
        "{} macros · {} ICWs · {:.2} µs · peak gain {} · border {}",
        exhibit.macros,
        exhibit.icws,
        exhibit.microseconds,
        exhibit.peak_gain,
        exhibit.border(),
    );
    canvas.text(&numbers, x + GAP, y + 54, &FONT, WEAK);

    let tiles = [
        (inputs(exhibit), input_caption(exhibit)),
        (weights(output.kernel.channels), "kernel".to_owned()),
        (output.picture(), format!("output {}, {}", output.reg, output.palette)),
        (output.difference_picture(), format!("difference, inside {:.3} DN", output.largest_error)),
    ];
    for ((tile, caption), left) in tiles.iter().zip((x + GAP..).step_by(SIDE + GAP)) {
        canvas.paste(tile, left, y + HEADER);
        canvas.text(caption, left, y + HEADER + SIDE + 8, &FONT, WEAK);
    }
}

fn input_caption(exhibit: &Exhibit) -> String {
    let names: Vec<_> = exhibit.inputs.iter().map(|(reg, _)| reg.to_string()).collect();
    format!("input {}", names.join(" above, ") + if names.len() > 1 { " below" } else { "" })
}

/// The input; of several, a strip from the middle of each.
fn inputs(exhibit: &Exhibit) -> Picture {
    let mut canvas = Canvas::new(SIDE, SIDE, CARD);
    for ((_, image), (top, height)) in exhibit.inputs.iter().zip(strips(exhibit.inputs.len())) {
        let picture = Picture::of_values(image, SIDE, Palette::BYTES);
        canvas.paste(&picture.part(0, (SIDE - height) / 2, SIDE, height), 0, top);
    }
    canvas.into_picture()
}

/// The matrices of a kernel, one below the other.
fn weights(matrices: &[Matrix]) -> Picture {
    let mut canvas = Canvas::new(SIDE, SIDE, CARD);
    for (matrix, (top, height)) in matrices.iter().zip(strips(matrices.len())) {
        let rows = matrix.rows.len();
        // Leave a line for the scale.
        let cell = (height - 28) / rows.max(3);
        let side = cell * rows;
        let (left, top) = ((SIDE - side) / 2, top + (height - 28 - side) / 2);
        let largest = matrix.rows.iter().flat_map(|row| row.iter()).map(|weight| weight.abs()).max().unwrap_or(1);
        for (row, y) in matrix.rows.iter().zip((top..).step_by(cell)) {
            for (weight, x) in row.iter().zip((left..).step_by(cell)) {
                #[expect(clippy::cast_precision_loss, reason = "weights are small")]
                let strength = *weight as f32 / largest as f32;
                canvas.fill(x, y, cell - 2, cell - 2, Palette::Signed { limit: 1.7 }.colour(strength));
                let ink = if *weight == 0 { WEAK } else { STRONG };
                canvas.centred(&weight.to_string(), x + cell / 2 - 1, y + cell / 2, &FONT_10X20, ink);
            }
        }
        let caption = if matrix.denominator == 1 { "× 1".to_owned() } else { format!("× 1/{}", matrix.denominator) };
        canvas.centred(&caption, SIDE / 2, top + side + 13, &FONT, WEAK);
    }
    canvas.into_picture()
}

/// Divides the height of a tile into `count` strips: where each begins, and how high it is.
fn strips(count: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = count.max(1);
    let space = if count > 1 { 8 } else { 0 };
    let height = (SIDE + space) / count - space;
    (0..count).map(move |i| (i * (height + space), height))
}

#[expect(clippy::cast_precision_loss, reason = "pictures are small")]
fn fraction(part: usize, whole: usize) -> f32 {
    part as f32 / whole as f32
}
