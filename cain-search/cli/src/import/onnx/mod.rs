//! Imports trained networks from ONNX files.

mod chosen;
mod compared;
mod doubtful;
mod failed;
mod judged;
mod left_out;
mod pictures;
mod random;
mod supervisor;
mod tried;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use cain_codegen::kernel_file::{self, WrittenNetwork, parse_in_pixel, parse_networks, write_in_pixel, write_network};
use cain_codegen::printable::Printable;
use cain_codegen::text_file::{self, ReadError};
use cain_in_pixel::Pixels;
use cain_isa::Fraction;
use cain_network::{MOST_LEVEL, Network, SMALLEST_SHARE, shares_of_largest_sums};
use cain_onnx::{Check, Choices, Imported};
use cain_search::Approximation;
use clap::Args;

use super::config::Name;
use super::foreign;
use super::output::write_all;
use crate::data::Labelled;
use crate::watch::Interrupt;
use chosen::{Choosing, Given};
use compared::compare;
use pictures::Pictures;

pub(crate) use supervisor::Supervisor;

/// What is told if there is no folder for files of weights.
const NO_PLACE: &str = "large matrices need files of their own; name the kernel file with `-o`";
/// The number of PEs along each side of SCAMP-5.
const SIDE: usize = 256;

/// Options for what a model does not tell.
#[derive(Args)]
#[command(next_help_heading = "Options for networks")]
pub(crate) struct Options {
    /// The values on the array of a black and of a white pixel, in DN, from -126 to 126 [default: those among a few with
    /// which the fewest classes are expected to change on a chip]
    #[arg(long, value_name = "LO..HI", value_parser = on_array, allow_hyphen_values = true)]
    levels: Option<(f64, f64)>,

    /// The numbers that the model was trained on for black and white; required, unless the model takes bytes or begins by
    /// mapping its numbers to those from 0 or -1 to 1
    #[arg(long, value_name = "LO..HI", value_parser = levels, allow_hyphen_values = true)]
    range: Option<(f64, f64)>,

    /// Take pixels of at least this grey, from 0 to 255, as white and all others as black
    #[arg(long, value_name = "GREY")]
    binarise: Option<u8>,

    /// Round the weights on the array to multiples of 1/2^N [default: chosen as the levels are, unless the weights are
    /// multiples of 1/2^20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=i64::from(Approximation::MAX_DEPTH)))]
    depth: Option<u32>,

    /// The largest sums of convolutions over maps for the pictures that the network sees, as a share of what they could be, such as
    /// 1/4 [default: chosen as the levels are]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    largest_sums: Option<Fraction>,

    /// Choose levels and rounding for no more control words than this, if that is possible
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    words: Option<u32>,

    /// Try no larger budget than this for each sum of the network, which keeps the one that is chosen [default: 30000 for a choice,
    /// and the default of all searches if nothing is chosen]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Choose for these pictures, and compare the network with the model on them, too: IDX files with the names of MNIST, or a folder of
    /// pictures for each class
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// Compare on no more of these pictures than this
    #[arg(long, value_name = "N", requires = "data", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,

    /// Write the network although it was not compared with the model
    #[arg(long, conflicts_with = "data")]
    no_check: bool,

    /// Make a network whose weights are in the pixels: one convolution with weights -1 and 1, maxima, possibly a second
    /// convolution, and a dense layer with weights -1, 0 and 1
    #[arg(long, conflicts_with_all = ["levels", "range", "depth", "largest_sums", "words", "nodes", "data", "no_check"])]
    in_pixel: bool,

    /// PEs along each side of the array of a network in the pixels [default: 256]
    #[arg(long, value_name = "PES", value_parser = clap::value_parser!(u16).range(8..=256))]
    array: Option<u16>,

    /// Bits of a pixel that a network in the pixels sees: 1 for ink and background, 2 for four shades [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=2))]
    picture_bits: Option<u8>,
}

impl Options {
    /// Refuses options for networks if the file is not a network.
    pub(crate) fn refuse(&self, file: &Path) -> Result<(), String> {
        let given = [
            ("levels", self.levels.is_some()),
            ("range", self.range.is_some()),
            ("binarise", self.binarise.is_some()),
            ("depth", self.depth.is_some()),
            ("largest-sums", self.largest_sums.is_some()),
            ("words", self.words.is_some()),
            ("nodes", self.nodes.is_some()),
            ("data", self.data.is_some()),
            ("no-check", self.no_check),
            ("in-pixel", self.in_pixel),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => {
                let file = Printable(file.display());
                Err(format!("{file}: `--{option}` is for networks, whose files end with `.onnx`"))
            }
            None => Ok(()),
        }
    }
}

impl Options {
    /// What is not to be chosen.
    const fn given(&self) -> Given {
        let Self { levels, range, binarise, depth, largest_sums, .. } = *self;
        Given { levels, range, binarise, depth, largest_sums }
    }

    /// The pictures of the data, of this size.
    fn pictures(&self, size: (usize, usize)) -> Result<Option<Labelled>, String> {
        let limit = self.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        self.data.as_deref().map(|folder| Labelled::load(folder, size, limit)).transpose()
    }
}

/// The network for a model with binary pictures of -60 and 60 DN, as text, and remarks.
pub(crate) fn model(bytes: &[u8], depth: Option<u32>) -> Result<(String, Vec<String>), String> {
    let levels = (-60.0, 60.0);
    let choices = Choices { levels, range: Some(levels), binarise: Some(128), depth };
    let Imported { network, remarks, .. } =
        cain_onnx::read(bytes, "model", choices).map_err(|problems| printable(&problems))?;
    Ok((write_network(&network, None, "model").toml, remarks.iter().map(|remark| printable(remark)).collect()))
}

/// Escapes lines for a terminal.
fn printable(lines: &str) -> String {
    lines.lines().map(|line| Printable(line).to_string()).collect::<Vec<_>>().join("\n")
}

/// Parses two numbers, as in `-60..60`.
fn levels(text: &str) -> Result<(f64, f64), String> {
    // In `-60...5` it is not clear whose the third point is.
    let is_number = |text: &str| !text.starts_with('.') && !text.ends_with('.');
    let number = |text: &str| {
        let text = text.trim();
        text.parse::<f64>().ok().filter(|number| number.is_finite() && is_number(text))
    };
    let ends = text.split_once("..").and_then(|(black, white)| number(black).zip(number(white)));
    let (black, white) = ends.ok_or("expected two numbers such as -60..60")?;
    if (white - black).abs() > 0.0 { Ok((black, white)) } else { Err("black and white must differ".to_owned()) }
}

/// Parses a share.
fn share(text: &str) -> Result<Fraction, String> {
    let share = text.parse().ok().filter(|share| shares_of_largest_sums().contains(share));
    share.ok_or_else(|| format!("expected a share from 1/{SMALLEST_SHARE} to 1, such as 1/4"))
}

/// Parses levels, which registers must hold.
fn on_array(text: &str) -> Result<(f64, f64), String> {
    let (black, white) = levels(text)?;
    match [black, white].iter().find(|level| level.abs() > MOST_LEVEL) {
        Some(level) => Err(format!(
            "{level} DN is outside of the registers, which hold levels of pictures from -{MOST_LEVEL} to {MOST_LEVEL} DN"
        )),
        None => Ok((black, white)),
    }
}

/// Imports a model; returns whether that was possible, or fails if the standard output cannot be written.
pub(super) fn run(file: &Path, output: Option<&Path>, force: bool, options: &Options) -> io::Result<bool> {
    // Ctrl-C ends the command at once.
    let supervisor = Supervisor { interrupt: &Interrupt::default(), progress: &|_, _| {} };
    let imported = import(file, output, options, &supervisor);
    let (written, remarks) = match imported {
        Ok(imported) => imported,
        Err(problems) => {
            eprintln!("{problems}");
            return Ok(false);
        }
    };
    for remark in remarks {
        eprintln!("{}", Printable(remark));
    }
    match output {
        None => io::stdout().lock().write_all(written.toml.as_bytes()).map(|()| true),
        Some(path) => {
            let written = write_all(path, &written.toml, &written.files, force);
            Ok(written.map_err(|problem| eprintln!("{problem}")).is_ok())
        }
    }
}

/// The kernel file, the files beside it, and remarks; the error lists all mistakes.
pub(super) fn import(
    file: &Path,
    output: Option<&Path>,
    options: &Options,
    supervisor: &Supervisor<'_>,
) -> Result<(WrittenNetwork, Vec<String>), String> {
    let shown = Printable(file.display());
    let about = |problems: String| {
        let lines = problems.lines().map(|problem| format!("{shown}: {}", Printable(problem)));
        lines.collect::<Vec<_>>().join("\n")
    };
    let bytes = text_file::bytes(file, cain_onnx::MAX_BYTES).map_err(|error| match error {
        ReadError::Unreadable(error) => about(format!("cannot be read: {error}")),
        ReadError::TooLarge | ReadError::NotUtf8(_) => {
            about(format!("the file is larger than {} bytes", cain_onnx::MAX_BYTES))
        }
    })?;
    let mut beside = |name: &str| {
        text_file::bytes(&file.with_file_name(name), cain_onnx::MAX_BYTES).map_err(|error| match error {
            ReadError::Unreadable(error) => format!("cannot be read: {error}; it belongs beside the model"),
            ReadError::TooLarge | ReadError::NotUtf8(_) => format!("is larger than {} bytes", cain_onnx::MAX_BYTES),
        })
    };
    let bytes = cain_onnx::with_external(&bytes, &mut beside).map_err(about)?;
    if !cain_onnx::is_model(&bytes)
        && let Some(what) = foreign::told(file)
    {
        return Err(about(what));
    }
    let of_pixels = [("array", options.array.is_some()), ("picture-bits", options.picture_bits.is_some())];
    if let Some((option, _)) = of_pixels.iter().find(|(_, is_given)| *is_given && !options.in_pixel) {
        return Err(about(format!("`--{option}` is for networks in the pixels; add `--in-pixel`, or leave it out")));
    }
    let title = file.file_stem().unwrap_or_default().to_string_lossy();
    let name = Name::of(&title).text;
    let stem = output.and_then(Path::file_stem).map(|stem| stem.to_string_lossy());
    let refused = |problem: String| about(format!("{problem}; `--no-check` writes the network all the same"));
    let mut made = None;
    let mut data = None;
    let (mut written, mut remarks) = if options.in_pixel {
        let side = options.array.map_or(SIDE, usize::from);
        let pixels =
            Pixels::of_bits(options.picture_bits.map_or(1, usize::from)).map_err(|error| about(error.to_string()))?;
        let (network, remarks) = cain_onnx::read_in_pixel(&bytes, side, pixels).map_err(about)?;
        (write_in_pixel(&name, &network, options.binarise.as_slice(), stem.as_deref()), remarks)
    } else {
        let read = |choices| cain_onnx::read(&bytes, &name, choices);
        let choosing = Choosing::new(options.given(), &read).map_err(about)?;
        if output.is_none() && choosing.has_files() {
            return Err(about(NO_PLACE.to_owned()));
        }
        let size = choosing.size();
        data = options.pictures(size).map_err(about)?;
        let words = options.words.and_then(|words| usize::try_from(words).ok());
        let pictures = Pictures::of(size, data.as_ref(), output.is_some());
        let ((choices, imported), told) = choosing.best(&pictures, words, options.nodes, supervisor).map_err(about)?;
        let written = write_network(&imported.network, None, stem.as_deref().unwrap_or_default());
        let remarks = imported.remarks.iter().cloned().chain(told).collect();
        made = Some((imported, choices));
        (written, remarks)
    };
    if output.is_none() && !written.files.is_empty() {
        return Err(about(NO_PLACE.to_owned()));
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    written.toml = format!("# Imported from {} by `cain import`\n\n{}", Printable(name), written.toml);
    let read = read_back(&written).map_err(about)?;
    if let Some(((imported, choices), network)) = made.zip(read).filter(|_| !options.no_check) {
        let check = Check::new(&bytes, &imported, &network, choices).map_err(refused)?;
        let read = (options.range, imported.is_coarse);
        remarks.extend(compare(&check, &network, data.as_ref(), read, supervisor).map_err(refused)?);
    }
    Ok((written, remarks))
}

/// Reads the network back, with the limits and messages of kernel files; `None` if its weights are in the pixels.
fn read_back(written: &WrittenNetwork) -> Result<Option<Network>, String> {
    let mut beside = |name: &str| {
        let file = written.files.iter().find(|(file, _)| file == name);
        file.map(|(_, bytes)| bytes.clone()).ok_or_else(|| "is missing".to_owned())
    };
    let in_pixel = parse_in_pixel(&written.toml, &mut beside).map(|networks| !networks.is_empty());
    let read = match in_pixel {
        Ok(false) => parse_networks(&written.toml, &mut beside)
            .map(|networks| networks.into_iter().next().map(|placed| placed.of.network)),
        other => other.map(|_| None),
    };
    let message = |problems: Vec<kernel_file::Diagnostic>| {
        problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>().join("\n")
    };
    read.map_err(message)
}
