//! Networks whose weights are in the pixels, on simulated arrays.
//!
//! `cargo run --release -p cain-examples --bin in_pixel -- [--data DIR] [--limit N] [--model M] [--seed S] [--json]`
//!
//! For the networks of two and three layers of Bose et al. (ECCV 2020), this prints the time of each part on the chip,
//! beside the published times, and the number of digits they recognise. Their weights come from `in_pixel.py` and
//! `three_layers.py` in `examples/training`.

mod digits;
mod network;
mod picture;
mod report;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use cain_gallery::end;
use cain_in_pixel::compile;
use cain_runtime::sim::ErrorModel;
use clap::{Parser, ValueEnum};

use digits::Digits;
use network::Arrays;

/// Networks whose weights are in the pixels: how long they take, and how many digits they read.
#[derive(Parser)]
struct Args {
    /// Folder with the digits of MNIST for tests; without it, ten digits of a font
    #[arg(long)]
    data: Option<PathBuf>,
    /// The first so many digits only
    #[arg(long)]
    limit: Option<usize>,
    /// The errors of the chip
    #[arg(long, value_enum, default_value_t = Model::Ideal)]
    model: Model,
    /// Seed of the errors
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// One JSON object for each network
    #[arg(long)]
    json: bool,
    /// Writes the results of all filters for the first digit as a PNG, and those of the second network beside it
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Model {
    /// Exact
    Ideal,
    /// Exact within the range of the chip
    Saturating,
    /// Errors as measured
    Measured,
}

impl Model {
    const fn errors(self) -> ErrorModel {
        match self {
            Self::Ideal => ErrorModel::ideal(),
            Self::Saturating => ErrorModel::saturating(),
            Self::Measured => ErrorModel::measured(),
        }
    }
}

fn main() -> ExitCode {
    end("in_pixel", run(&Args::parse()))
}

fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let digits = match &args.data {
        Some(folder) => Digits::read(folder, args.limit.unwrap_or(usize::MAX))?,
        None => Digits::of_font()?.first(args.limit.unwrap_or(usize::MAX)),
    };
    if args.data.is_none() && !args.json {
        println!("Without --data: the {} digits of a font.\n", digits.len());
    }
    for (name, title, network) in [
        ("two_layers", "Two layers", network::two_layers()?),
        ("three_layers", "Three layers", network::three_layers()?),
    ] {
        let compiled = compile(&network)?;
        let arrays = Arrays::new(&compiled, args.model.errors(), args.seed)?;
        if let Some(file) = &args.picture {
            // The picture of the second network is written beside that of the first.
            let file = if compiled.network().second.is_none() { file } else { &picture::beside(file, name) };
            picture::write(&arrays, digits.get(0).0, file)?;
        }
        let begun = Instant::now();
        let correct = arrays.correct(&digits)?;
        let seconds = begun.elapsed().as_secs_f64();
        if args.json {
            println!("{}", report::json(name, &compiled, digits.len(), correct));
        } else {
            print!("{}", if name == "two_layers" { "" } else { "\n" });
            print!("{}", report::table(title, &compiled, digits.len(), correct, seconds));
        }
    }
    Ok(())
}
