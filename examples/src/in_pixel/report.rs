//! Prints the times of the parts beside the published ones, and the number of digits recognised.

use std::fmt::Write as _;

use cain_analysis::owned::Part;
use cain_in_pixel::Compiled;

/// The times in microseconds that Bose et al. publish for the parts of the networks of two and of three layers; `ReLU`
/// takes less than that. For three layers, the two convolutions are given as one number.
const PUBLISHED: [&[(&str, &str)]; 2] = [
    &[("duplication", "28"), ("convolution", "160"), ("relu", "<1"), ("max pooling", "25"), ("fully connected", "59")],
    &[
        ("duplication", "28"),
        ("convolution", "160"),
        ("relu", "<1"),
        ("max pooling", "25"),
        ("shrink and duplicate", "2095"),
        ("second convolution", "160"),
        ("map creation", "1055"),
        ("fully connected", "901"),
    ],
];
/// The published totals.
const PUBLISHED_TOTAL: [f64; 2] = [272.0, 4464.0];

#[expect(clippy::cast_precision_loss, reason = "programs take less than 2^52 ns")]
fn microseconds(part: &Part, compiled: &Compiled) -> f64 {
    part.nanoseconds(&compiled.network().machine.times) as f64 / 1000.0
}

fn total(compiled: &Compiled) -> f64 {
    compiled.parts().iter().map(|part| microseconds(part, compiled)).sum()
}

pub(crate) fn json(name: &str, compiled: &Compiled, images: usize, correct: usize) -> String {
    let part = |part: &Part| format!("\"{}\":{:.2}", part.name.replace(' ', "_"), microseconds(part, compiled));
    let parts: Vec<_> = compiled.parts().iter().map(part).collect();
    format!(
        "{{\"network\":\"{name}\",\"images\":{images},\"correct\":{correct},\"components\":{{{}}},\"total_us\":{:.2}}}",
        parts.join(","),
        total(compiled)
    )
}

#[expect(clippy::cast_precision_loss, reason = "fewer than 2^52 digits")]
pub(crate) fn table(name: &str, compiled: &Compiled, images: usize, correct: usize, seconds: f64) -> String {
    let mut text = format!("{name:<20} {:>8} {:>10} {:>13}\n", "words", "time/µs", "published/µs");
    let layers = usize::from(compiled.network().second.is_some());
    let published = PUBLISHED[layers];
    let mut line = |name: &str, words: usize, time: f64, published: &str| {
        writeln!(text, "{name:<20} {words:>8} {time:>10.2} {published:>13}").expect("a string takes every text");
    };
    for part in compiled.parts() {
        let published = published.iter().find(|(name, _)| *name == part.name).map_or("", |(_, text)| text);
        line(&part.name, part.words(), microseconds(part, compiled), published);
    }
    let words = compiled.parts().iter().map(Part::words).sum();
    line("total", words, total(compiled), &format!("{:.0}", PUBLISHED_TOTAL[layers]));
    writeln!(
        text,
        "\n{correct} of {images} digits are right, {:.2} %; {:.0} digits/s were simulated.",
        100.0 * correct as f64 / images.max(1) as f64,
        images as f64 / seconds
    )
    .expect("a string takes every text");
    text
}
