//! The options of `cain show`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use cain_codegen::printable::Printable;
use clap::Args;

use super::format::{Details, Format};
use crate::options::Search;

/// Show programs as text, as pictures, or in the formats of other tools
///
/// Prints what a program computes, what it costs, what is proved about it, and what every register holds after every
/// instruction. This can also be drawn as a picture, or as a page that steps through the program. The program is the
/// one that a build uses: that of the plan if the filter is pinned, or else the result of the same search with the same
/// budget. With any search option but --threads, a program is searched for as by `cain compile`.
///
/// For a network it prints every stage: its steps, where and how others may interrupt it and what that costs, and the
/// planes that later stages need. A picture of a network or of a whole program has a column for each register. For a
/// network in the pixels it prints every component.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain show kernels.toml gauss                   the program, line by line
  cain show src/lib.rs gauss                     the program that `scamp_kernels!` makes of a filter
  cain show kernels.toml --format scamp5         all programs, to be pasted into vendor code
  cain show layers.toml conv --steps 900..920    a part of a long program, with the values in it
  cain show kernels.toml gauss -o gauss.svg      a picture
  cain show kernels.toml gauss -o gauss.html     a page to step through, for any browser
  cain show kernels.toml gauss --format dot | dot -Tpdf -o gauss.pdf")]
pub(crate) struct Show {
    /// A kernel file, a Rust source, a plan file, a folder with sources, or - for the standard input
    pub(crate) file: PathBuf,

    /// Filters and networks to show, in this order [default: all of the file]
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    /// The format [default: that of the output file's extension, or else text]
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// Write to this file instead of the standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// With `--format jss`: C++ calls on the simulator object of this name instead of a program text
    #[arg(long, value_name = "OBJECT", value_parser = identifier)]
    simulator: Option<String>,

    /// With the text format: only these instructions, and what every register holds after them [default: all
    /// instructions; if there are more than 128, without what registers hold]
    #[arg(long, value_name = "FIRST..LAST", value_parser = range)]
    steps: Option<RangeInclusive<usize>>,

    /// The folder of plans [default: `plans` beside the Cargo.toml above the kernel file]
    #[arg(long, value_name = "DIR")]
    pub(crate) plans: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) search: Search,
}

impl Show {
    /// The format that was asked for, or that the name of the output file stands for.
    pub(crate) fn format(&self) -> Result<Format, String> {
        let format = self.named_format()?;
        if self.steps.is_some() && format != Format::Text {
            return Err("`--steps` is for `--format text` only".to_owned());
        }
        if self.simulator.is_some() && format != Format::Jss {
            return Err("`--simulator` is for `--format jss` only".to_owned());
        }
        Ok(format)
    }

    pub(crate) fn details(&self) -> Details<'_> {
        Details { simulator: self.simulator.as_deref(), steps: self.steps.as_ref() }
    }

    fn named_format(&self) -> Result<Format, String> {
        if let Some(format) = self.format {
            return Ok(format);
        }
        let Some((path, ending)) = self.output.as_deref().and_then(|path| Some((path, path.extension()?))) else {
            return Ok(Format::Text);
        };
        match ending.to_str() {
            Some("txt") => Ok(Format::Text),
            Some("dot" | "gv") => Ok(Format::Dot),
            Some("svg") => Ok(Format::Svg),
            Some("html" | "htm") => Ok(Format::Html),
            _ => Err(format!(
                "{}: no format has this ending; expected .txt, .dot, .gv, .svg, .html or .htm, or choose one with --format",
                Printable(path.display())
            )),
        }
    }
}

/// Parses a range of instructions, both ends included.
fn range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let ends = text.split_once("..").and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    match ends {
        Some((first, last)) if first >= 1 && first <= last => Ok(first..=last),
        _ => Err("expected the numbers of two instructions, counted from 1, such as `100..120`".to_owned()),
    }
}

fn identifier(text: &str) -> Result<String, String> {
    let fits = |(i, character): (usize, char)| {
        character == '_' || character.is_ascii_alphabetic() || (i > 0 && character.is_ascii_digit())
    };
    if !text.is_empty() && text.chars().enumerate().all(fits) {
        Ok(text.to_owned())
    } else {
        Err("expected the name of a C++ object, such as `s`".to_owned())
    }
}
