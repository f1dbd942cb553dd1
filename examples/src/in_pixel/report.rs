//! What is printed: the times of the parts beside the published ones, and how many digits are read.

use std::fmt::Write as _;

use cain_search::in_pixel::{Compiled, Component};

/// Times that Bose et al. publish for the parts of the network of two layers, in microseconds; `ReLU` takes less than that.
const PUBLISHED: [(&str, &str, f64); 5] = [
    ("duplication", "28", 28.0),
    ("convolution", "160", 160.0),
    ("relu", "<1", 0.0),
    ("max pooling", "25", 25.0),
    ("fully connected", "59", 59.0),
];

#[expect(clippy::cast_precision_loss, reason = "programs take less than 2^52 ns")]
fn microseconds(component: &Component, compiled: &Compiled) -> f64 {
    component.nanoseconds(&compiled.network().machine) as f64 / 1000.0
}

fn total(compiled: &Compiled) -> f64 {
    compiled.components().iter().map(|component| microseconds(component, compiled)).sum()
}

pub(crate) fn json(name: &str, compiled: &Compiled, images: usize, correct: usize) -> String {
    let component = |component: &Component| {
        format!("\"{}\":{:.2}", component.name.replace(' ', "_"), microseconds(component, compiled))
    };
    let components: Vec<_> = compiled.components().iter().map(component).collect();
    format!(
        "{{\"network\":\"{name}\",\"images\":{images},\"correct\":{correct},\"components\":{{{}}},\"total_us\":{:.2}}}",
        components.join(","),
        total(compiled)
    )
}

#[expect(clippy::cast_precision_loss, reason = "fewer than 2^52 digits")]
pub(crate) fn table(name: &str, compiled: &Compiled, images: usize, correct: usize, seconds: f64) -> String {
    let mut text = format!("{name}          words    time/µs  published/µs\n");
    let mut line = |name: &str, words: usize, time: f64, published: &str| {
        writeln!(text, "{name:<16} {words:>8} {time:>10.2} {published:>13}").expect("a string takes every text");
    };
    for component in compiled.components() {
        let published = PUBLISHED.iter().find(|(name, ..)| *name == component.name).map_or("", |(_, text, _)| text);
        line(component.name, component.words(), microseconds(component, compiled), published);
    }
    let words = compiled.components().iter().map(Component::words).sum();
    let sum: f64 = PUBLISHED.iter().map(|(.., time)| time).sum();
    line("total", words, total(compiled), &format!("{sum:.0}"));
    writeln!(
        text,
        "\n{correct} of {images} digits are right, {:.2} %; {:.0} digits/s were simulated.",
        100.0 * correct as f64 / images.max(1) as f64,
        images as f64 / seconds
    )
    .expect("a string takes every text");
    text
}
