//! AnalogNavNet in a closed loop: a robot that finds its way through corridors with what a simulated SCAMP-5 sees.
//!
//! `cargo run --release -p cain-examples --bin analognavnet -- [--out DIR] [--runs N] [--views N] [--laps RATE,..] [--seed S]`
//!
//! A ray-caster renders the corridor for the lens on the robot; the array takes the picture, convolves and pools it; dense
//! layers on the controller say whether to turn left or right and whether to stop; and two motors that are not alike drive.
//! Everything random has a seed. The network is `analognavnet.toml`, which `cain import` made of what
//! `examples/training/analognavnet.py` trained, on pictures that come from here:
//!
//! `cargo run --release -p cain-examples --bin analognavnet -- --dataset DIR --seed S --views N`

mod course;
mod dataset;
mod drawing;
mod drive;
mod geometry;
mod labels;
mod network;
mod renderer;
mod report;
mod robot;
#[cfg(test)]
mod tests;
mod texture;
mod trials;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cain_gallery::end;
use cain_runtime::pictures::{Palette, Picture};
use cain_runtime::sim::ErrorModel;
use clap::Parser;

use network::Eye;

/// A robot that finds its way through corridors with what a simulated SCAMP-5 sees.
#[derive(Parser)]
struct Args {
    /// Seed of textures, motors and of the chip's errors
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Runs through straight corridors, for each model of errors
    #[arg(long, default_value_t = 20)]
    runs: u64,
    /// Pictures per second of these runs: a divisor of 240
    #[arg(long, default_value_t = 20, value_parser = rate)]
    rate: u32,
    /// Pictures per second of the laps: divisors of 240
    #[arg(long, value_delimiter = ',', default_values_t = [80, 60, 40, 20], value_parser = rate)]
    laps: Vec<u32>,
    /// Views in which the heads are asked, or that become a data set
    #[arg(long, default_value_t = 500)]
    views: u32,
    /// Writes the trajectories and what the robot sees into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Only writes views and what is right to do there into this folder, for training
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "runs", "rate", "laps"])]
    dataset: Option<PathBuf>,
}

/// Parses a frame rate; the interval between pictures must be a whole number of simulated steps.
fn rate(text: &str) -> Result<u32, String> {
    let rate: u32 = text.parse().map_err(|_| format!("found `{text}`; expected a whole number"))?;
    let fits = rate > 0 && robot::STEPS.is_multiple_of(rate);
    fits.then_some(rate).ok_or_else(|| format!("found {rate}; expected a divisor of {}", robot::STEPS))
}

fn main() -> ExitCode {
    end("analognavnet", run(&Args::parse()))
}

fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    if let Some(folder) = &args.dataset {
        return dataset::write(folder, args.seed, args.views);
    }
    let models = [("ideal", ErrorModel::ideal()), ("measured", ErrorModel::measured())];
    let eyes = models.map(|(name, errors)| (name, Eye::new(errors, args.seed)));

    report::stages(network::plan());
    report::costs(&trials::costs(&eyes[0].1, args.seed)?);

    let views = u64::from(args.views);
    println!("model        left or right  forwards or stop");
    for (name, eye) in &eyes {
        report::accuracy(name, trials::accuracy(eye, args.seed, views)?, views);
    }
    println!("{:<12} {:>12.1} % {:>18.1} %\n", "published", 96.4, 79.6);

    println!("model        frames/s  runs arrived            from the middle/m");
    for (name, eye) in &eyes {
        report::runs(name, args.rate, &trials::runs(eye, args.seed, args.runs, args.rate)?);
    }
    println!("{:<12} {:>8} {:>8} of {:<4} {:>6} %\n", "published", 85, 17, 20, 85);

    println!("model        frames/s   crashes          lap from the middle/m");
    for (name, eye) in &eyes {
        let laps = trials::laps(eye, args.seed, &args.laps)?;
        for (&rate, lap) in args.laps.iter().zip(&laps) {
            report::lap(name, rate, lap);
        }
        if let Some(folder) = &args.out {
            let drives = args.laps.iter().zip(&laps);
            let drives: Vec<_> = drives.map(|(rate, lap)| (format!("{rate} frames per second"), lap)).collect();
            write(folder, &format!("laps-{name}.svg"), drawing::svg(&trials::octagon(), &drives)?.as_bytes())?;
        }
    }
    if let Some(folder) = &args.out {
        let bytes: Vec<_> = trials::view(args.seed).into_iter().map(|light| light * 255.0 - 128.0).collect();
        let picture = Picture::of_values(&bytes, renderer::SIDE, Palette::BYTES);
        write(folder, "view.png", &picture.png()?)?;
    }
    Ok(())
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), String> {
    let path = folder.join(name);
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, bytes));
    written.map_err(|error| format!("{}: {error}", path.display()))
}
