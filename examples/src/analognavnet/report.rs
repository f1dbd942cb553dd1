//! Prints results beside the published ones: Stow et al., "Cain: automatic code generation for simultaneous
//! convolutional kernels on focal-plane sensor-processors", 2022, tables 3 to 6.

use cain_runtime::isa::program::Program;
use cain_runtime::trace::{Report, Timing};

use crate::drive::Drive;

/// Prints the stages on the array. The published programs are counted in macro instructions, and without the
/// rectifiers.
pub(crate) fn stages(plan: &Program) {
    println!("stage                       words       µs");
    for stage in plan.parts.iter().filter(|stage| stage.words > 0) {
        println!("{:<24} {:>8} {:>8.2}", stage.name, stage.words, microseconds(stage.nanoseconds));
    }
    println!("{:<24} {:>8} {:>8.2}", "together", plan.words(), microseconds(plan.nanoseconds()));
    println!("published: kernels of 24 + 10 + 9 + 14 macro instructions\n");
}

/// Prints the time and energy of a picture.
pub(crate) fn costs(report: &Report) {
    let time: f64 = report.expenses.iter().map(|expense| expense.microseconds).sum();
    let energy: f64 = report.expenses.iter().map(|expense| expense.microjoules).sum();
    println!("                                     ms    frames/s  mJ per frame");
    for (what, time, rate, energy) in [
        ("array and read-out", time / 1000.0, 1e6 / time, energy / 1000.0),
        ("published, with its controller", 11.76, 85.0, 58.94),
        ("published, neural stick", 22.72, 31.0, 139.4),
        ("published, GPU", 26.26, 28.0, 406.07),
        ("published, CPU", 49.84, 17.0, 715.29),
    ] {
        println!("{what:<32} {time:>7.3} {rate:>11.0} {energy:>13.3}");
    }
    let means = Timing::SCAMP5.sum_64;
    println!("For the read-out of means no time is published; it counts as the {means} µs of the sums over 64 blocks.");
    println!("Exposure and dense layers do not count.");
    println!("The published energies include the host's 2.97 W.\n");
}

/// Prints how often the heads are right for a number of views.
pub(crate) fn accuracy(model: &str, [turn, go]: [u64; 2], views: u64) {
    let (turn, go) = (percent(turn, views), percent(go, views));
    println!("{model:<12} {turn:>12.1} % {go:>18.1} %");
}

/// Prints how many runs arrived, and their distances from the centre line.
pub(crate) fn runs(model: &str, rate: u32, runs: &[Drive]) {
    let arrived = runs.iter().filter(|run| run.arrived).count() as u64;
    let all = runs.len() as u64;
    let mean = runs.iter().map(|run| run.deviation).sum::<f64>() / real(all.max(1));
    println!("{model:<12} {rate:>8} {arrived:>8} of {all:<4} {:>6.0} % {:>14.3}", percent(arrived, all), mean);
}

/// Prints a lap.
pub(crate) fn lap(model: &str, rate: u32, lap: &Drive) {
    let end = if lap.arrived { "complete" } else { "given up" };
    println!("{model:<12} {rate:>8} {:>9} {end:>12} {:>14.3}", lap.crashes.len(), lap.deviation);
}

fn percent(part: u64, all: u64) -> f64 {
    100.0 * real(part) / real(all.max(1))
}

#[expect(clippy::cast_precision_loss, reason = "numbers of views and of nanoseconds below 2^52")]
fn real(number: u64) -> f64 {
    number as f64
}

fn microseconds(nanoseconds: u64) -> f64 {
    real(nanoseconds) / 1000.0
}
