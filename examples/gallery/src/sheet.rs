//! The contact sheet: one card per output, with input, kernel, ideal and measured result and the error side by side.

use cain_gallery::SIDE;
use cain_runtime::pictures::{Palette, Picture};

use crate::canvas::Canvas;
use crate::convolve::Matrix;
use crate::exhibit::{Exhibit, Output, error_palette};
use crate::style::{CAPTION, CARD, GAP, LINE, PAPER, STRONG, WEAK, body, heading, number};

/// The number of tiles in a card: input, kernel, ideal result, measured result, error.
const TILES: usize = 5;
const HEADER: usize = 82;
const CARD_WIDTH: usize = TILES * SIDE + (TILES + 1) * GAP;
const CARD_HEIGHT: usize = HEADER + SIDE + CAPTION + GAP;
const LEGEND_HEIGHT: usize = 190;

/// Draws the sheet.
pub(crate) fn draw(exhibits: &[Exhibit]) -> Picture {
    let cards: Vec<_> = exhibits.iter().flat_map(|e| e.outputs.iter().map(move |output| (e, output))).collect();
    let height = 2 * GAP + LEGEND_HEIGHT + cards.len() * (CARD_HEIGHT + GAP);
    let mut canvas = Canvas::new(CARD_WIDTH + 2 * GAP, height, PAPER);
    legend(&mut canvas, GAP, GAP);
    let tops = (2 * GAP + LEGEND_HEIGHT..).step_by(CARD_HEIGHT + GAP);
    for ((exhibit, output), y) in cards.into_iter().zip(tops) {
        card(&mut canvas, GAP, y, exhibit, output);
    }
    canvas.into_picture()
}

/// Draws the legend of tiles and colours.
fn legend(canvas: &mut Canvas, x: usize, y: usize) {
    let left = x + GAP;
    canvas.text("Convolution kernels on a simulated SCAMP-5 array", left, y, &heading(), STRONG);
    let lines = [
        "Each function was compiled by scamp_kernels! and ran on an array of 256×256 processing elements (PEs): with ideal \
         arithmetic, and on",
        "three chips with errors as measured. Values are in DN, the steps of the chip's 8-bit scale of −128 to 127. The \
         error is the first chip's result",
        "minus the ideal one. The root mean square (RMS) is that of the worst chip, without the border: the PEs that need \
         values from outside.",
    ];
    for (line, top) in lines.iter().zip((y + 44..).step_by(LINE)) {
        canvas.text(line, left, top, &body(), WEAK);
    }
    let (top, width) = (y + LEGEND_HEIGHT - 62, (CARD_WIDTH - 4 * GAP) / 3);
    let signed = Palette::BYTES.for_difference();
    let bars = [
        (Palette::BYTES, "brightness: 0 DN is grey"),
        (signed, "signed results: 0 DN is black"),
        (error_palette(), "errors, on a scale of their own"),
    ];
    for ((palette, middle), left) in bars.into_iter().zip((left..).step_by(width + GAP)) {
        colour_bar(canvas, left, top, width, palette, middle);
    }
}

fn colour_bar(canvas: &mut Canvas, left: usize, top: usize, width: usize, palette: Palette, middle: &str) {
    let (from, to) = match palette {
        Palette::Grey { from, to } => (from, to),
        Palette::Signed { limit } => (-limit, limit),
    };
    for column in 0..width {
        canvas.fill(left + column, top, 1, 26, palette.colour(from + (to - from) * fraction(column, width)));
    }
    let ends = [(from.to_string(), left + 20), (to.to_string(), left + width - 20)];
    for (text, x) in ends.iter().map(|(text, x)| (text.as_str(), *x)).chain([(middle, left + width / 2)]) {
        canvas.centred(text, x, top + 40, &body(), WEAK);
    }
}

fn card(canvas: &mut Canvas, x: usize, y: usize, exhibit: &Exhibit, output: &Output) {
    canvas.fill(x, y, CARD_WIDTH, CARD_HEIGHT, CARD);
    let title = format!("{} → {}: {}", exhibit.filter.plan.name, output.reg, output.kernel.shows);
    canvas.text(&title, x + GAP, y + 12, &heading(), STRONG);
    let numbers = format!(
        "{} control words · {:.2} µs · peak gain {} · border {} PEs",
        exhibit.icws,
        exhibit.microseconds,
        exhibit.peak_gain,
        exhibit.border(),
    );
    canvas.text(&numbers, x + GAP, y + 50, &body(), WEAK);

    let tiles = [
        (inputs(exhibit), input_caption(exhibit)),
        (weights(output.kernel.channels), "kernel, north at the top".to_owned()),
        (output.ideal_picture(), format!("ideal, {}", output.palette)),
        (output.measured_picture(), "measured chip, same scale".to_owned()),
        (output.error_picture(), format!("error, RMS {:.1} DN", output.rms())),
    ];
    for ((tile, caption), left) in tiles.iter().zip((x + GAP..).step_by(SIDE + GAP)) {
        canvas.paste(tile, left, y + HEADER);
        canvas.text(caption, left, y + HEADER + SIDE + 6, &body(), WEAK);
    }
}

fn input_caption(exhibit: &Exhibit) -> String {
    let names: Vec<_> = exhibit.inputs.iter().map(|(reg, _)| reg.to_string()).collect();
    format!("input {}", names.join(" above, ") + if names.len() > 1 { " below" } else { "" })
}

/// A picture of the input; for several inputs, a strip from the middle of each.
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
        // A line is left for the scale.
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
                canvas.centred(&weight.to_string().replace('-', "−"), x + cell / 2 - 1, y + cell / 2, &number(), ink);
            }
        }
        let caption = if matrix.denominator == 1 { "× 1".to_owned() } else { format!("× 1/{}", matrix.denominator) };
        canvas.centred(&caption, SIDE / 2, top + side + 13, &body(), WEAK);
    }
    canvas.into_picture()
}

/// Divides the height of a tile into `count` strips: returns the start and the height of each.
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
