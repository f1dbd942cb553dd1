//! Networks in the pixels as text.

use std::fmt::Write as _;

use cain_in_pixel::{Declaration, Pixels, Scores, Second};

use super::super::network::WrittenNetwork;
use super::read::SIDE;

/// Writes a network in the pixels, with its machine left to the table `machine`, and with the least greys of pixels if these
/// are stated.
///
/// With a `stem` its weights become a text file whose name begins with that, and otherwise rows of letters in the kernel
/// file. What is read back is the same network.
#[must_use]
pub fn write_in_pixel(name: &str, network: &Declaration, binarise: &[u8], stem: Option<&str>) -> WrittenNetwork {
    let Declaration { side, block, picture, scale, pixels, taps, filters, pool, second, dense, .. } = network;
    let mut input = format!("size = {picture}");
    if *scale != 1 {
        let _ = write!(input, ", scale = {scale}");
    }
    if *pixels == Pixels::TwoBits {
        input.push_str(", bits = 2");
    }
    let _ = match binarise {
        [] => Ok(()),
        [least] => write!(input, ", binarise = {least}"),
        several => write!(input, ", binarise = {several:?}"),
    };
    if second.is_none() {
        let _ = write!(input, ", block = {block}");
    }
    if *side != SIDE {
        let _ = write!(input, ", array = {side}");
    }
    let file = stem.map(|stem| format!("{stem}.txt"));
    let inline = |rows: &[Vec<i8>]| {
        let rows: Vec<_> = rows.iter().map(|row| format!("    \"{}\",\n", letters(row))).collect();
        format!("[\n{}]", rows.concat())
    };
    let weights = |rows| file.as_ref().map_or_else(|| inline(rows), |file| format!("{file:?}"));
    let [more, next] =
        second.as_ref().map_or([const { String::new() }; 2], |Second { taps, filters: next, thresholds, .. }| {
            let [own, others] = thresholds;
            let (count, rows) = (filters.len(), weights(next));
            [
                format!("filters = {count}\nthresholds = {own:?}\n"),
                format!("size = {taps}\nthresholds = {others:?}\nweights = {rows}"),
            ]
        });
    let classes = network.classes();
    let mut layers = vec![
        ("filters", "convolution", format!("size = {taps}\n{more}weights = {}", weights(filters))),
        ("maxima", "max_pool", format!("size = {pool}")),
    ];
    if second.is_some() {
        layers.push(("maps", "convolution", next));
    }
    let sum = match second.as_ref().map(|second| second.scores) {
        Some(Scores::Exact) => "sum = \"exact\"\n",
        Some(Scores::Analogue) | None => "",
    };
    layers.push(("scores", "dense", format!("classes = {classes}\n{sum}weights = {}", weights(dense))));
    let mut toml = format!("[in_pixel.{name}]\ninput = {{ {input} }}\n");
    for (layer, op, keys) in layers {
        let _ = write!(toml, "\n[[in_pixel.{name}.layer]]\nname = \"{layer}\"\nop = \"{op}\"\n{keys}\n");
    }
    let rows = || filters.iter().chain(second.iter().flat_map(|second| &second.filters)).chain(dense);
    let text = || rows().map(|row| letters(row) + "\n").collect::<String>().into_bytes();
    WrittenNetwork { toml, files: file.map(|file| (file, text())).into_iter().collect() }
}

/// Weights as text.
fn letters(row: &[i8]) -> String {
    let letter = |weight: &i8| match weight.signum() {
        -1 => '-',
        0 => '0',
        _ => '+',
    };
    row.iter().map(letter).collect()
}
