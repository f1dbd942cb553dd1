//! The contact sheet: one card per output, with input, kernel, output and difference side by side.

use embedded_graphics::mono_font::iso_8859_1::{FONT_9X18_BOLD, FONT_10X20};
use image::{Rgb, RgbImage, imageops};

use cain_examples::SIDE;
use cain_runtime::sim::{ErrorModel, Saturation};

use crate::canvas::Canvas;
use crate::convolve::Matrix;
use crate::display::Scale;
use crate::exhibit::{Exhibit, Output};

const PAPER: Rgb<u8> = Rgb([17, 19, 24]);
const CARD: Rgb<u8> = Rgb([29, 32, 40]);
const STRONG: Rgb<u8> = Rgb([240, 242, 246]);
const WEAK: Rgb<u8> = Rgb([158, 166, 180]);

const GAP: u32 = 20;
/// Input, kernel, output, difference.
const TILES: u32 = 4;
const HEADER: u32 = 82;
const CAPTION: u32 = 30;
const CARD_WIDTH: u32 = TILES * SIDE + (TILES + 1) * GAP;
const CARD_HEIGHT: u32 = HEADER + SIDE + CAPTION + GAP;
const COLUMNS: u32 = 2;

/// Draws the sheet.
pub(crate) fn draw(exhibits: &[Exhibit], mode: ErrorModel) -> RgbImage {
    let cards: Vec<_> = exhibits.iter().flat_map(|e| e.outputs.iter().map(move |output| (e, output))).collect();
    let rows = u32::try_from(cards.len() + 1).unwrap_or(u32::MAX).div_ceil(COLUMNS);
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
fn legend(canvas: &mut Canvas, x: u32, y: u32, mode: ErrorModel) {
    let left = x + GAP;
    canvas.heading("Convolution kernels on a SCAMP-5 array", left, y + 10, &FONT_9X18_BOLD, STRONG, PAPER);
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
        "            largest one inside the border. Within so many PEs of an edge, values may have been lost",
        "            outside of the array on their way",
    ];
    for (line, top) in lines.iter().zip((y + 58..).step_by(22)) {
        canvas.text(line, left, top, &FONT_9X18_BOLD, WEAK);
    }
    let (top, width) = (y + CARD_HEIGHT - 92, (CARD_WIDTH - 3 * GAP) / 2);
    color_bar(canvas, left, top, width, Scale::Grey(1.0), "0 DN: brightness is kept");
    color_bar(canvas, left + width + GAP, top, width, Scale::Signed(1.0), "0 DN: signed results");
}

fn color_bar(canvas: &mut Canvas, left: u32, top: u32, width: u32, scale: Scale, middle: &str) {
    for column in 0..width {
        canvas.fill(left + column, top, 1, 36, scale.color(2.0 * fraction(column, width) - 1.0));
    }
    for (text, x) in [("-", left + 6), (middle, left + width / 2), ("+", left + width - 6)] {
        canvas.centred(text, x, top + 54, &FONT_9X18_BOLD, WEAK);
    }
}

fn card(canvas: &mut Canvas, x: u32, y: u32, exhibit: &Exhibit, output: &Output) {
    canvas.fill(x, y, CARD_WIDTH, CARD_HEIGHT, CARD);
    let title = format!("{} -> {}  {}", exhibit.filter.plan.name, output.reg, output.kernel.shows);
    canvas.heading(&title, x + GAP, y + 10, &FONT_9X18_BOLD, STRONG, CARD);
    let numbers = format!(
        "{} macros · {} ICWs · {:.2} µs · headroom {} · border {}",
        exhibit.macros,
        exhibit.icws,
        exhibit.microseconds,
        exhibit.headroom,
        exhibit.border(),
    );
    canvas.text(&numbers, x + GAP, y + 54, &FONT_9X18_BOLD, WEAK);

    let scale = Scale::for_output(output.kernel, &output.found);
    let tiles = [
        (inputs(exhibit), input_caption(exhibit)),
        (weights(output.kernel.channels), "kernel".to_owned()),
        (scale.picture(&output.found, SIDE), format!("output {}, {}", output.reg, scale.label())),
        (
            scale.for_difference().picture(&output.difference, SIDE),
            format!("difference, inside {:.3} DN", output.largest_error),
        ),
    ];
    for ((tile, caption), left) in tiles.iter().zip((x + GAP..).step_by((SIDE + GAP) as usize)) {
        canvas.paste(tile, left, y + HEADER);
        canvas.text(caption, left, y + HEADER + SIDE + 8, &FONT_9X18_BOLD, WEAK);
    }
}

fn input_caption(exhibit: &Exhibit) -> String {
    let names: Vec<_> = exhibit.inputs.iter().map(|(reg, _)| reg.to_string()).collect();
    format!("input {}", names.join(" above, ") + if names.len() > 1 { " below" } else { "" })
}

/// The input; of several, a strip from the middle of each.
fn inputs(exhibit: &Exhibit) -> RgbImage {
    let mut canvas = Canvas::new(SIDE, SIDE, CARD);
    for ((_, image), (top, height)) in exhibit.inputs.iter().zip(strips(exhibit.inputs.len())) {
        let picture = Scale::INPUT.picture(image, SIDE);
        let strip = imageops::crop_imm(&picture, 0, (SIDE - height) / 2, SIDE, height).to_image();
        canvas.paste(&strip, 0, top);
    }
    canvas.into_picture()
}

/// The matrices of a kernel, one below the other.
fn weights(matrices: &[Matrix]) -> RgbImage {
    let mut canvas = Canvas::new(SIDE, SIDE, CARD);
    for (matrix, (top, height)) in matrices.iter().zip(strips(matrices.len())) {
        let rows = u32::try_from(matrix.rows.len()).unwrap_or(1);
        // Leave a line for the scale.
        let cell = (height - 28) / rows.max(3);
        let side = cell * rows;
        let (left, top) = ((SIDE - side) / 2, top + (height - 28 - side) / 2);
        let largest = matrix.rows.iter().flat_map(|row| row.iter()).map(|weight| weight.abs()).max().unwrap_or(1);
        for (row, y) in matrix.rows.iter().zip((top..).step_by(cell as usize)) {
            for (weight, x) in row.iter().zip((left..).step_by(cell as usize)) {
                #[expect(clippy::cast_precision_loss, reason = "weights are small")]
                let strength = *weight as f32 / largest as f32;
                canvas.fill(x, y, cell - 2, cell - 2, Scale::Signed(1.7).color(strength));
                let ink = if *weight == 0 { WEAK } else { STRONG };
                canvas.centred(&weight.to_string(), x + cell / 2 - 1, y + cell / 2, &FONT_10X20, ink);
            }
        }
        let caption = if matrix.denominator == 1 { "× 1".to_owned() } else { format!("× 1/{}", matrix.denominator) };
        canvas.centred(&caption, SIDE / 2, top + side + 13, &FONT_9X18_BOLD, WEAK);
    }
    canvas.into_picture()
}

/// Divides the height of a tile into `count` strips: where each begins, and how high it is.
fn strips(count: usize) -> impl Iterator<Item = (u32, u32)> {
    let count = u32::try_from(count).unwrap_or(u32::MAX).max(1);
    let space = if count > 1 { 8 } else { 0 };
    let height = (SIDE + space) / count - space;
    (0..count).map(move |i| (i * (height + space), height))
}

#[expect(clippy::cast_precision_loss, reason = "pictures are small")]
fn fraction(part: u32, whole: u32) -> f32 {
    part as f32 / whole as f32
}
