//! Measures the error constants of a chip and writes them to a file for `cain --chip`.
//!
//! `cargo run --release -p cain-examples --bin measure_chip -- --connect 127.0.0.1:27716 --output chip.toml`

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use cain_examples::chip::{measure, to_toml};
use cain_gallery::end;
use cain_runtime::device::{Device, TcpLink};
use cain_runtime::sim::{Array, ErrorModel};
use clap::Parser;

/// Measure the errors of a chip, by copying planes of one level to and fro.
#[derive(Parser)]
struct Arguments {
    /// The device that answers over TCP [default: a simulated chip with the published errors].
    #[arg(long)]
    connect: Option<String>,
    /// The die that is simulated.
    #[arg(long, default_value_t = 1, conflicts_with = "connect")]
    seed: u64,
    /// The file to write.
    #[arg(short, long, default_value = "chip.toml")]
    output: PathBuf,
}

/// The longest time that the device may be silent.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    end("measure_chip", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let model = match &arguments.connect {
        Some(address) => {
            let link = TcpLink::connect(address, PATIENCE).map_err(|error| format!("{address}: {error}"))?;
            measure(&mut Device::connect(link)?)?
        }
        None => measure(&mut Array::scamp5().errors(ErrorModel::measured()).seed(arguments.seed))?,
    };
    let text = to_toml(&model);
    print!("{text}");
    std::fs::write(&arguments.output, text)
        .map_err(|error| format!("cannot write `{}`: {error}", arguments.output.display()))?;
    Ok(())
}
