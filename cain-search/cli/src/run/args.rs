//! The options of `cain run`.

use std::path::{Path, PathBuf};

use cain_codegen::kernel_file::load_machine;
use cain_codegen::printable::Printable;
use cain_isa::{Machine, Reg};
use cain_runtime::io::Size;
use cain_runtime::sim::ErrorModel;
use clap::{Args, ValueEnum};

use super::settings::{FramesOf, Setting, frames, setting};

/// Run a program on a picture, on a simulated array
///
/// Reads what the vendor's library takes: instructions such as `movx(B,A,east);` and comments, with or without
/// `scamp5_kernel_begin();` and `scamp5_kernel_end();` around them. It also runs a filter of a Rust source, a kernel
/// file or a plan file, with the program that a build uses, and whole programs on the frames of a video (`--frames`).
/// The picture is loaded into a register, or into each input of a filter, and is also what the photo-sensors see.
/// Afterwards every register that was written is saved as a PNG file, and tables show the costs of each kernel (control
/// words by clock, time and energy) and, with an error model, how far every plane is from that of an ideal array. If
/// there are several pictures, the program runs on one after the other; an animation becomes an animation of each
/// register, and a folder of pictures a folder for each register. A program text is run as it is; nothing is proved
/// about it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain run edges.scamp                           on an example picture, to the folder `planes`
  cain run edges.scamp --image photo.jpg -o out  on your own picture
  cain run edges.scamp --model measured          with errors as measured on the chip
  cain run edges.scamp --model measured --compare
                                                 the same beside the ideal result, with the error
  cain run edges.scamp --image frames/ -o out    on every picture of a folder
  cain run src/lib.rs changes --image A=now.gif --image B=before.gif
  cain run edges.scamp --signed --steps          signed values in colour, and every step as an animation
  cain run edges.scamp --size 64x48              on a smaller array
  cain run edges.scamp --json | jq .planes       figures for scripts
  cain run src/lib.rs gauss --model measured     a filter as `scamp_kernels!` compiles it
  cain run motion.cain movement --frames video/ --param threshold=30 --json
                                                 a whole program, frame after frame
  cain show kernels.toml gauss --format scamp5 | cain run -")]
#[expect(clippy::struct_excessive_bools, reason = "options of a command")]
pub(crate) struct Run {
    /// A program text, Rust source, kernel file, plan file or file of whole programs, or - for the standard input
    pub(crate) file: PathBuf,

    /// The filter or whole program to run [default: the only one]
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// A PNG, JPEG, PGM or PPM file of any size, which is cropped to the array's shape and scaled; an animation (APNG
    /// or GIF); or a folder of pictures, such as the numbered frames of a video. With `B=` in front it is only for
    /// register B [default: an example picture]
    #[arg(long = "image", value_name = "[REGISTER=]PATH", value_parser = picture)]
    pub(crate) images: Vec<PictureOf>,

    /// For whole programs: a folder of pictures, an animation (APNG or GIF) or a picture, one for each frame; grey is DN + 128.
    /// With `mask=` in front it is only for the input `mask`; bits are 1 where grey is 128 or more [default: an example
    /// picture]
    #[arg(long, value_name = "[INPUT=]PATH", value_parser = frames, conflicts_with = "images")]
    pub(crate) frames: Vec<FramesOf>,

    /// For whole programs: sets a parameter for all frames, such as `threshold=24`, `learn=false` or, for a region,
    /// `part=TOP,LEFT,HEIGHT,WIDTH` [default: those of the program]
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = setting)]
    pub(crate) params: Vec<Setting>,

    /// For whole programs: a folder for the planes that are results, created if necessary: `NAME-0000.png` has grey of DN +
    /// 128, or 0 and 255 for bits
    #[arg(long, value_name = "DIR")]
    pub(crate) planes: Option<PathBuf>,

    /// For whole programs: a folder for an animation (APNG) of each state and of each plane that is a result, over all frames,
    /// created if necessary: `NAME.png`
    #[arg(long, value_name = "DIR")]
    pub(crate) animate: Option<PathBuf>,

    /// For whole programs: compare all results of all frames with what the program means, in exact arithmetic; without errors
    /// of a model nothing may differ
    #[arg(long)]
    pub(crate) check: bool,

    /// The number of PEs of the array, from west to east and from north to south, or one number for both
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "256x256", value_parser = size)]
    pub(crate) size: Size,

    /// A kernel file whose table `[machine]` describes the machine; of filters and whole programs, which say for which machine
    /// they are, only the errors of the chip in `[machine.errors]` [default: SCAMP-5]
    #[arg(long, value_name = "FILE")]
    pub(crate) machine: Option<PathBuf>,

    /// The number of analogue registers, 6 on SCAMP-5; those after `Z` are `R0`, `R1` and so on
    #[arg(long, value_name = "N", conflicts_with = "machine", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) registers: Option<u16>,

    /// The register that the picture is loaded into [default: A, or all inputs of a filter]
    #[arg(long, value_name = "REGISTER")]
    pub(crate) input: Option<Reg>,

    /// The folder for the planes, created if necessary; for whole programs that of `--planes` [default: planes, or none for
    /// whole programs]
    #[arg(short, long, value_name = "DIR", conflicts_with = "planes")]
    pub(crate) output: Option<PathBuf>,

    /// The error model of the simulated arithmetic
    #[arg(long, value_enum, default_value_t = Model::Ideal)]
    pub(crate) model: Model,

    /// Selects the random errors: each seed stands for another die
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,

    /// The level of `IN`, in DN, which the controller sets on the chip
    #[arg(long = "in", value_name = "DN", allow_negative_numbers = true)]
    pub(crate) level: Option<i8>,

    /// For `blur` and `gauss`, whose strength is not published: the share of a difference that flows between
    /// neighbours, 0 to 0.5
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) diffusion: Option<f32>,

    /// For `sq`, whose scale is not published: the square of 1 DN, such as 0.0078125 for 1/128
    #[arg(long, value_name = "SCALE", value_parser = finite)]
    pub(crate) square: Option<f32>,

    /// Show negative values in blue and positive ones in orange, instead of grey levels
    #[arg(long)]
    pub(crate) signed: bool,

    /// Also write, for every analogue plane, the result, that of an ideal array, and the error side by side; needs a
    /// model with errors
    #[arg(long)]
    pub(crate) compare: bool,

    /// Print one JSON object per picture, each on its own line, instead of tables
    #[arg(long)]
    pub(crate) json: bool,

    /// Also write `steps.png`, an animation (APNG) of all planes after every instruction
    #[arg(long)]
    pub(crate) steps: bool,
}

/// A value of `--image`.
#[derive(Clone, Debug)]
pub(crate) struct PictureOf {
    /// The register that it is for; `None` if it is for all registers without a picture of their own.
    pub(crate) register: Option<Reg>,
    pub(crate) path: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Model {
    /// Exact, with an unlimited range
    Ideal,
    /// Exact, but clipped to -128 to 127 DN
    Saturating,
    /// 0.5 % noise per write, as in Cain's emulator
    Cain,
    /// As measured on the chip: the published constants, or those in the file of `--machine`
    Measured,
    /// The levels of the vendor's simulator: no errors
    Level0,
    /// With the limited range, and the errors that all PEs share
    Level1,
    /// Also with fixed-pattern errors
    Level2,
    /// As measured
    Level3,
}

impl Run {
    /// The folder for the registers of a filter or of a program text.
    pub(crate) fn folder(&self) -> &Path {
        self.output.as_deref().unwrap_or(Path::new("planes"))
    }

    /// The folder for the planes that are results of a whole program, if they are wanted.
    pub(crate) fn folder_of_whole(&self) -> Option<&Path> {
        self.planes.as_deref().or(self.output.as_deref())
    }

    /// The errors of the chip that `--machine` describes, for a program that is compiled for this machine and has errors of
    /// its own.
    pub(crate) fn errors_for(&self, compiled: &Machine, own: ErrorModel) -> Result<ErrorModel, Vec<String>> {
        let Some(file) = &self.machine else { return Ok(own) };
        let (machine, errors) = load_machine(file).map_err(|error| error.messages())?;
        if machine != Machine::SCAMP5 && machine != *compiled {
            let file = Printable(file.display());
            return Err(vec![format!(
                "{file}: describes another machine than the one that is compiled for; `--machine` gives the errors of a chip \
                 here, in a table `[machine.errors]`"
            )]);
        }
        Ok(errors)
    }

    /// The machine that the program is for and its errors; or the mistakes in their description.
    pub(crate) fn machine(&self) -> Result<(Machine, ErrorModel), Vec<String>> {
        match (&self.machine, self.registers) {
            (Some(file), _) => load_machine(file).map_err(|error| error.messages()),
            (None, Some(count)) => Ok((Machine::SCAMP5.with_registers(count), ErrorModel::measured())),
            (None, None) => Ok((Machine::SCAMP5, ErrorModel::measured())),
        }
    }
}

impl Model {
    /// The model, given the errors of the machine.
    pub(crate) fn errors(self, machine: ErrorModel) -> ErrorModel {
        match self {
            Self::Ideal => ErrorModel::ideal(),
            Self::Saturating => ErrorModel::saturating(),
            Self::Cain => ErrorModel::cain(),
            Self::Measured => machine,
            Self::Level0 => ErrorModel::level(0),
            Self::Level1 => ErrorModel::level(1),
            Self::Level2 => ErrorModel::level(2),
            Self::Level3 => ErrorModel::level(3),
        }
    }
}

/// The longest side of an array, because all planes must fit into memory.
const LONGEST: usize = 4096;

fn size(text: &str) -> Result<Size, String> {
    let (width, height) = text.split_once('x').unwrap_or((text, text));
    let side = |text: &str| text.parse().ok().filter(|side| (1..=LONGEST).contains(side));
    let size = side(width).zip(side(height)).map(|(width, height)| Size { width, height });
    size.ok_or_else(|| format!("expected two numbers from 1 to {LONGEST} such as 320x240, or one for a square"))
}

#[expect(clippy::unnecessary_wraps, reason = "the form of a value parser")]
fn picture(text: &str) -> Result<PictureOf, String> {
    let of_register = text.split_once('=').and_then(|(name, path)| name.parse().ok().map(|reg: Reg| (reg, path)));
    Ok(match of_register {
        Some((reg, path)) => PictureOf { register: Some(reg), path: path.into() },
        None => PictureOf { register: None, path: text.into() },
    })
}

fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=0.5).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 0.5, such as 0.25".to_owned())
}

fn finite(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite());
    number.ok_or_else(|| "expected a number such as 0.0078125".to_owned())
}
