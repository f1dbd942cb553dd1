//! `cain import`: configuration files of published Cain to kernel files.

mod config;
mod json;
mod kernel;
mod registers;
mod search;
mod toml;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use cain_codegen::kernel_file;
use cain_codegen::printable::Printable;
use cain_codegen::text_file::{self, ReadError};
use clap::Args;

use crate::files::write_new;
use json::{Node, Notes};

/// The largest configuration that is read, a thousand times the size of real ones.
const MAX_BYTES: u64 = 1 << 20;

/// Convert a configuration file of the original Cain to a kernel file
///
/// Reads the JSON of Cain (Stow et al. 2022): kernels, approximation, registers, cost function and instructions become a
/// filter of a kernel file. Everything without a counterpart is listed on the standard error with its place and path. An
/// existing file is not overwritten.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain import sobel.json                      the kernel file, on the standard output
  cain import sobel.json -o sobel.toml        write it to a file
  cain compile sobel.toml --listing           then compile it")]
pub(crate) struct Import {
    /// The configuration file
    #[arg(value_name = "FILE.json")]
    file: PathBuf,

    /// Write to this new file instead of the standard output
    #[arg(short, long, value_name = "FILE.toml")]
    output: Option<PathBuf>,
}

/// Whether the file could be imported; fails if the standard output cannot be written.
pub(crate) fn run(args: &Import) -> io::Result<bool> {
    let imported = read(&args.file).and_then(|text| import(&args.file, &text));
    let (toml, remarks) = match imported {
        Ok(imported) => imported,
        Err(problems) => {
            eprintln!("{problems}");
            return Ok(false);
        }
    };
    for remark in remarks {
        eprintln!("{remark}");
    }
    match &args.output {
        None => io::stdout().lock().write_all(toml.as_bytes()).map(|()| true),
        Some(path) => Ok(write_new(path, &toml).map_err(|problem| eprintln!("{problem}")).is_ok()),
    }
}

fn read(path: &Path) -> Result<String, String> {
    text_file::read(path, MAX_BYTES).map_err(|error| {
        let file = Printable(path.display());
        match error {
            ReadError::Unreadable(error) => format!("{file}: cannot be read: {error}"),
            ReadError::TooLarge => format!("{file}: the file is larger than {MAX_BYTES} bytes"),
            ReadError::NotUtf8(place) => {
                format!("{file}:{place}: the file is not UTF-8 from here on; save it as UTF-8")
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
        // The column is that of the last byte that was read, none in an empty file.
        format!("{file}:{}:{}: {what}", error.line(), error.column().max(1))
    })?;
    let mut notes = Notes::default();
    let config = config::read(&root, &mut notes);
    let remarks = notes.in_order(path, text);
    let Some(config) = config else { return Err(remarks.join("\n")) };
    let source = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let toml = toml::toml(&config, &source);
    match kernel_file::parse(&toml) {
        Ok(_) => Ok((toml, remarks)),
        Err(problems) => {
            let problem = |problem: &kernel_file::Diagnostic| format!("{file}: {}", problem.message);
            Err(remarks.into_iter().chain(problems.iter().map(problem)).collect::<Vec<_>>().join("\n"))
        }
    }
}
