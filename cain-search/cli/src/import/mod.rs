//! `cain import`, which turns configuration files of published Cain, and trained networks, into kernel files.

mod bits;
mod config;
mod foreign;
mod json;
mod kernel;
#[cfg(feature = "onnx")]
mod onnx;
mod output;
mod registers;
mod search;
mod toml;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use cain_codegen::Overrides;
use cain_codegen::kernel_file;
use cain_codegen::printable::Printable;
use cain_codegen::text_file::{self, ReadError};
use clap::Args;

use json::{MAX_BYTES, Node, Notes};

/// Convert a configuration of the original Cain, or a trained network, to a kernel file
///
/// Reads the JSON of Cain (Stow et al. 2022): kernels, approximation, registers, cost function and instructions become
/// a filter of a kernel file. Everything without a counterpart is listed on the standard error with its place and path.
/// An existing file is replaced only if `cain import` wrote it and it has not been changed since.
///
/// A file whose name ends with `.onnx` is a network as exported by PyTorch or Keras, with opset 7 to 28: convolutions,
/// batch normalisation, rectifiers, thresholds, pooling, sums of windows and dense layers become a network of a kernel
/// file. Levels of the picture and the rounding of weights are chosen so that few classes are expected to change on a
/// chip. The standard error lists what becomes of each node, how far weights were rounded, and what was chosen. The
/// model and the network that is written are run on random pictures, and on those of `--data`; nothing is written if an
/// output differs by more than rounding explains. With `--in-pixel` it becomes a network in the pixels, whose weights
/// are in a text file beside the kernel file.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain import sobel.json                      the kernel file, on the standard output
  cain import sobel.json -o sobel.toml        write it to a file
  cain compile sobel.toml --listing           then compile it
  cain import cnn.onnx --range 0..1 --data mnist -o cnn.toml
                                              trained on 0..1: levels and rounding are chosen for MNIST
  cain import digits.onnx --levels=-60..60 --range=-60..60 --binarise 128 -o digits.toml
                                              a network for binary pictures of -60 and 60 DN, trained on these numbers
  cain import cnn.onnx --levels=0..100 --range 0..1 --depth 6 --data mnist -o cnn.toml
                                              trained on 0..1, compared with the model on MNIST
  cain import blocks.onnx --in-pixel -o blocks.toml
                                              a network whose weights are in the pixels")]
pub(crate) struct Import {
    /// The configuration file, or the model
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Write to this file instead of the standard output
    #[arg(short, long, value_name = "FILE.toml")]
    output: Option<PathBuf>,

    /// Replace files that others wrote, or that have been changed since
    #[arg(long, requires = "output")]
    force: bool,

    #[cfg(feature = "onnx")]
    #[command(flatten)]
    network: onnx::Options,
}

#[cfg(feature = "onnx")]
pub(crate) use onnx::{Supervisor, model};

/// Runs the command; returns whether the file could be imported, or fails if the standard output cannot be written.
pub(crate) fn run(args: &Import) -> io::Result<bool> {
    // A name that is nothing but the ending has no extension.
    let name = args.file.file_name().unwrap_or_default().as_encoded_bytes().to_ascii_lowercase();
    let is_network = name.ends_with(b".onnx");
    if is_network {
        #[cfg(feature = "onnx")]
        return onnx::run(&args.file, args.output.as_deref(), args.force, &args.network);
        #[cfg(not(feature = "onnx"))]
        {
            let file = Printable(args.file.display());
            eprintln!(
                "{file}: this `cain` was built without ONNX; install it with its default features to import networks"
            );
            return Ok(false);
        }
    }
    #[cfg(feature = "onnx")]
    let imported = args.network.refuse(&args.file).and_then(|()| read(&args.file));
    #[cfg(not(feature = "onnx"))]
    let imported = read(&args.file);
    let imported = imported.and_then(|text| import(&args.file, &text));
    let (toml, remarks) = match imported {
        Ok(imported) => imported,
        Err(problems) => {
            match foreign::told(&args.file) {
                Some(what) => eprintln!("{}: {what}", Printable(args.file.display())),
                None => eprintln!("{problems}"),
            }
            return Ok(false);
        }
    };
    for remark in remarks {
        eprintln!("{remark}");
    }
    match &args.output {
        None => io::stdout().lock().write_all(toml.as_bytes()).map(|()| true),
        Some(path) => {
            let written = output::write_all(path, &toml, &[], args.force);
            Ok(written.map_err(|problem| eprintln!("{problem}")).is_ok())
        }
    }
}

#[cfg(feature = "onnx")]
impl Import {
    /// Imports a network without a terminal: writes it if an output is named, and returns the kernel file and remarks, or all
    /// problems.
    pub(crate) fn network(&self, supervisor: &Supervisor<'_>) -> Result<(String, Vec<String>), String> {
        let (written, remarks) = onnx::import(&self.file, self.output.as_deref(), &self.network, supervisor)?;
        supervisor.check()?;
        if let Some(path) = &self.output {
            output::write_all(path, &written.toml, &written.files, self.force)?;
        }
        Ok((written.toml, remarks))
    }
}

fn read(path: &Path) -> Result<String, String> {
    text_file::read(path, MAX_BYTES).map_err(|error| {
        let file = Printable(path.display());
        match error {
            ReadError::Unreadable(error) => format!("{file}: cannot be read: {error}"),
            ReadError::TooLarge => format!("{file}: the file is larger than {MAX_BYTES} bytes"),
            ReadError::NotUtf8(place) => {
                format!("{file}:{place}: the file is not UTF-8 from here on; {}", foreign::IMPORTED)
            }
        }
    })
}

/// The kernel file and remarks about it; the error lists all mistakes.
pub(crate) fn import(path: &Path, text: &str) -> Result<(String, Vec<String>), String> {
    let file = Printable(path.display());
    let text = text_file::without_mark(text);
    let root = Node::parse(text).map_err(|error| {
        let message = error.to_string();
        let what = message.split(" at line ").next().unwrap_or(&message);
        // The column is that of the last byte that was read; an empty file has none.
        format!("{file}:{}:{}: {what}", error.line(), error.column().max(1))
    })?;
    let mut notes = Notes::default();
    let config = config::read(&root, &mut notes);
    let remarks = notes.in_order(path, text);
    let Some(config) = config else { return Err(remarks.join("\n")) };
    let source = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let toml = toml::toml(&config, &source);
    match kernel_file::parse_any(&toml, Overrides::default()) {
        Ok(_) => Ok((toml, remarks)),
        Err(problems) => {
            let problem = |problem: &kernel_file::Diagnostic| format!("{file}: {}", problem.message);
            Err(remarks.into_iter().chain(problems.iter().map(problem)).collect::<Vec<_>>().join("\n"))
        }
    }
}
