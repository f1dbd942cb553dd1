//! What can be written after `cain run`.

use std::path::PathBuf;

use cain_isa::Reg;
use cain_runtime::sim::ErrorModel;
use clap::{Args, ValueEnum};

/// Run a program text on a picture, on a simulated array of 256×256 PEs
///
/// Reads what the vendor's library takes: instructions such as `movx(B,A,east);`, comments, and
/// `scamp5_kernel_begin();` to `scamp5_kernel_end();`, which can be left out. The picture is loaded into a register, and
/// is what the photo-sensors see. Afterwards every register that holds something is written as a PNG file.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain run edges.scamp                           on an example picture, to the folder `planes`
  cain run edges.scamp --image photo.jpg -o out  on your own
  cain run edges.scamp --model measured          with errors as measured on the chip
  cain run edges.scamp --signed --steps          signed values in colour, and every step as an animation
  cain show kernels.toml gauss --format scamp5 > gauss.scamp && cain run gauss.scamp")]
pub(crate) struct Run {
    /// The program text
    pub(crate) file: PathBuf,

    /// A PNG, JPEG, PGM or PPM file of any size; its middle is cut to a square [default: an example picture]
    #[arg(long, value_name = "FILE")]
    pub(crate) image: Option<PathBuf>,

    /// The register that the picture is loaded into
    #[arg(long, value_name = "REGISTER", default_value = "A")]
    pub(crate) input: Reg,

    /// The folder for the planes; it is made if need be
    #[arg(short, long, value_name = "DIR", default_value = "planes")]
    pub(crate) output: PathBuf,

    /// How exact the simulated arithmetic is
    #[arg(long, value_enum, default_value_t = Model::Ideal)]
    pub(crate) model: Model,

    /// Stands for another specimen of the chip, with other errors
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,

    /// Negative values in blue and positive ones in orange, instead of grey
    #[arg(long)]
    pub(crate) signed: bool,

    /// Also write `steps.png`, an animation (APNG) of all planes after every instruction
    #[arg(long)]
    pub(crate) steps: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Model {
    /// Exact, without an end of the range
    Ideal,
    /// Exact, but cut to -128 to 127 DN
    Saturating,
    /// 0.5 % noise per write, as in Cain's emulator
    Cain,
    /// As measured on the chip
    Measured,
}

impl Model {
    pub(crate) fn errors(self) -> ErrorModel {
        match self {
            Self::Ideal => ErrorModel::ideal(),
            Self::Saturating => ErrorModel::saturating(),
            Self::Cain => ErrorModel::cain(),
            Self::Measured => ErrorModel::measured(),
        }
    }
}
