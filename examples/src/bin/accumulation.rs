//! Shows how the errors of analogue arithmetic add up: the simulated array against measurements of the chip.
//!
//! `cargo run --release -p cain-examples --bin accumulation [PLOT.svg]`
//!
//! A kernel of `diva`, `mov` and `add` does nothing in theory. On the chip every repetition costs some DN, and every PE
//! errs a little differently. The measurements are those published with `AnalogNet` (CNNs-on-FPSPs, "Noise
//! accumulation"); the simulated array has the model `ErrorModel::measured`.

use std::fmt::Write as _;

use cain_runtime::HostController;
use cain_runtime::isa::asm::{A, B, C, add, diva, mov};
use cain_runtime::sim::{Array, ErrorModel, SimError};

const KERNELS: [u32; 6] = [1, 2, 4, 8, 16, 32];

/// Measurements of a flat image of `level` DN, after each number of [`KERNELS`].
struct Measurement {
    level: f32,
    bias: [f32; 6],
    spread: [f32; 6],
    colour: &'static str,
}

const MEASURED: [Measurement; 3] = [
    Measurement {
        level: 0.0,
        bias: [4.5, 6.2, 12.2, 22.5, 37.4, 55.0],
        spread: [3.4, 2.2, 3.0, 4.8, 9.1, 18.1],
        colour: "#1b6ca8",
    },
    Measurement {
        level: 10.0,
        bias: [5.4, 7.3, 14.6, 26.7, 44.0, 63.8],
        spread: [1.6, 2.0, 3.2, 4.8, 8.7, 17.6],
        colour: "#2f8f4e",
    },
    Measurement {
        level: 100.0,
        bias: [7.2, 14.5, 28.1, 51.7, 89.4, 133.5],
        spread: [2.5, 3.0, 3.9, 5.5, 8.4, 13.3],
        colour: "#b5432a",
    },
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{:>6} {:>8} {:>18} {:>18}", "level", "kernels", "bias (measured)", "spread (measured)");
    let mut plot = Plot::new()?;
    for measurement in &MEASURED {
        let simulated = simulate(measurement.level)?;
        for (i, kernels) in KERNELS.into_iter().enumerate() {
            let (bias, spread) = simulated[i];
            let (bias_there, spread_there) = (measurement.bias[i], measurement.spread[i]);
            println!(
                "{:>6} {kernels:>8} {bias:>9.1} {:>8} {spread:>9.1} {:>8}",
                measurement.level,
                format!("({bias_there})"),
                format!("({spread_there})")
            );
        }
        plot.line(0, &simulated.map(|(bias, _)| bias), measurement.colour)?;
        plot.points(0, &measurement.bias, measurement.colour)?;
        plot.line(1, &simulated.map(|(_, spread)| spread), measurement.colour)?;
        plot.points(1, &measurement.spread, measurement.colour)?;
        plot.name(measurement)?;
    }
    if let Some(path) = std::env::args_os().nth(1) {
        std::fs::write(&path, plot.finish())
            .map_err(|error| format!("cannot write the plot to `{}`: {error}", path.display()))?;
    }
    Ok(())
}

/// The loss of the mean and the standard deviation of the PEs, after each number of [`KERNELS`].
fn simulate(level: f32) -> Result<[(f32, f32); 6], SimError> {
    let mut array = Array::scamp5().errors(ErrorModel::measured()).seed(1);
    let image = vec![level; array.width() * array.height()];
    array.load_reg(A, &image)?;
    let mut results = [(0.0, 0.0); 6];
    let mut done = 0;
    for (result, kernels) in results.iter_mut().zip(KERNELS) {
        while done < kernels {
            for line in [diva(A, B, C), mov(B, A), add(A, A, B)] {
                array.execute(line)?;
            }
            done += 1;
        }
        let (mean, spread) = statistics(array.read_reg(A)?);
        *result = (level - mean, spread);
    }
    Ok(results)
}

/// The mean and the standard deviation.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "65,536 values of 8 bits")]
fn statistics(values: &[f32]) -> (f32, f32) {
    let count = values.len() as f64;
    let mean = values.iter().map(|&value| f64::from(value)).sum::<f64>() / count;
    let variance = values.iter().map(|&value| (f64::from(value) - mean).powi(2)).sum::<f64>() / count;
    (mean as f32, variance.sqrt() as f32)
}

/// Two diagrams side by side, bias and spread over the number of kernels (logarithmic); lines are simulated, points
/// measured.
struct Plot {
    svg: String,
    named: u16,
}

/// The origins of the diagrams and their size, in pixels.
const LEFT: [f32; 2] = [60.0, 420.0];
const TOP: f32 = 40.0;
const WIDTH: f32 = 280.0;
const HEIGHT: f32 = 240.0;
/// The largest value of each diagram, in DN.
const LARGEST: [f32; 2] = [150.0, 20.0];

impl Plot {
    fn new() -> Result<Self, std::fmt::Error> {
        let mut svg = String::from(concat!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="740" height="360" font-family="sans-serif" "#,
            r#"font-size="12"><rect width="740" height="360" fill="white"/>"#
        ));
        for (left, (title, largest)) in LEFT.iter().zip(["bias, DN", "spread between PEs, DN"].iter().zip(LARGEST)) {
            write!(
                svg,
                r#"<path d="M{left} {TOP}v{HEIGHT}h{WIDTH}" fill="none" stroke="black"/><text x="{left}" y="28">{title}</text>"#
            )?;
            for value in [0.0, largest / 2.0, largest] {
                let y = TOP + HEIGHT * (1.0 - value / largest);
                write!(svg, r#"<text x="{}" y="{}" text-anchor="end">{value}</text>"#, left - 6.0, y + 4.0)?;
            }
            for (i, kernels) in KERNELS.iter().enumerate() {
                let (x, y) = (column(*left, i), TOP + HEIGHT + 18.0);
                write!(svg, r#"<text x="{x}" y="{y}" text-anchor="middle">{kernels}</text>"#)?;
            }
        }
        svg += r#"<text x="370" y="318" text-anchor="middle">kernels of diva, mov, add; lines simulated, points measured</text>"#;
        Ok(Self { svg, named: 0 })
    }

    fn line(&mut self, diagram: usize, values: &[f32; 6], colour: &str) -> std::fmt::Result {
        write!(self.svg, r#"<polyline fill="none" stroke="{colour}" stroke-width="2" points=""#)?;
        for (x, y) in places(diagram, values) {
            write!(self.svg, "{x:.1},{y:.1} ")?;
        }
        write!(self.svg, r#""/>"#)
    }

    fn points(&mut self, diagram: usize, values: &[f32; 6], colour: &str) -> std::fmt::Result {
        for (x, y) in places(diagram, values) {
            write!(self.svg, r#"<circle cx="{x:.1}" cy="{y:.1}" r="4" fill="{colour}"/>"#)?;
        }
        Ok(())
    }

    fn name(&mut self, measurement: &Measurement) -> std::fmt::Result {
        let x = 220.0 + 110.0 * f32::from(self.named);
        self.named += 1;
        write!(
            self.svg,
            r#"<text x="{x}" y="342" fill="{}">image of {} DN</text>"#,
            measurement.colour, measurement.level
        )
    }

    fn finish(self) -> String {
        self.svg + "</svg>\n"
    }
}

/// The positions of values in a diagram.
fn places(diagram: usize, values: &[f32; 6]) -> impl Iterator<Item = (f32, f32)> {
    let (left, largest) = (LEFT[diagram], LARGEST[diagram]);
    values.iter().enumerate().map(move |(i, value)| (column(left, i), TOP + HEIGHT * (1.0 - value / largest)))
}

/// The horizontal position of the i-th number of kernels.
#[expect(clippy::cast_precision_loss, reason = "six columns")]
fn column(left: f32, i: usize) -> f32 {
    left + WIDTH * (i as f32 + 0.5) / 6.0
}
