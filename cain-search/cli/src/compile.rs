//! `cain compile`.

use std::io::{self, Write};
use std::path::PathBuf;

use cain_codegen::kernel_file::Filter;
use cain_codegen::printable::Printable;
use cain_search::tenths;
use clap::Args;

use crate::options::Search;
use crate::record::Record;
use crate::search::{find, load};
use crate::table::{Table, or_dash};
use crate::watch::Interrupt;

/// Search for programs of the filters of a kernel file
///
/// Prints a table, or with --json one object per line and filter. The exit status is 0 if and only if every filter
/// has a program that was proved to compute its kernels.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain compile kernels.toml                      all filters of the file
  cain compile kernels.toml gauss --listing      one filter, with its program
  cain compile kernels.toml --objective icws     the fastest programs on the chip
  cain compile kernels.toml --objective accuracy programs whose results are closest to the exact ones
  cain compile kernels.toml --isa native         single control words: the shortest of all
  cain compile kernels.toml --nodes 1_000_000    a longer search
  cain compile kernels.toml --json | jq .macros  output for scripts

A kernel file has one table per filter:
  [gauss]
  inputs = [\"A\"]
  outputs.A = { scale = \"1/16\", kernel = [[1, 2, 1], [2, 4, 2], [1, 2, 1]] }")]
pub(crate) struct Compile {
    /// The kernel file
    file: PathBuf,

    /// Filters to compile, in this order [default: all of the file]
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    #[command(flatten)]
    pub(crate) search: Search,

    /// Print one JSON object per filter and line instead of a table
    #[arg(long)]
    json: bool,

    /// Print the programs below the table
    #[arg(long, conflicts_with = "json")]
    listing: bool,
}

const TITLES: [&str; 15] = [
    "filter",
    "macros",
    "ICWs",
    "bound",
    "depth",
    "peak_gain",
    "noise",
    "offset_error",
    "rms",
    "bias",
    "nodes",
    "first ms",
    "best ms",
    "total ms",
    "stop",
];

/// Whether every filter has a proved program; fails if the output cannot be written.
pub(crate) fn run(args: &Compile, interrupt: &Interrupt) -> io::Result<bool> {
    let file = Printable(args.file.display());
    let Some(chosen) = load(&args.file, &args.names, &args.search) else { return Ok(false) };

    interrupt.listen();
    let mut out = io::stdout().lock();
    let table = Table::new(&TITLES, chosen.iter().map(Filter::name), 6);
    let mut records = Vec::new();
    for filter in &chosen {
        match find(filter, &args.search, interrupt) {
            Ok(found) => {
                let record = Record::of(&found);
                if args.json {
                    serde_json::to_writer(&mut out, &record)?;
                    writeln!(out)?;
                    out.flush()?;
                } else {
                    if records.is_empty() {
                        table.head(&mut out)?;
                    }
                    table.row(&mut out, &row(&record))?;
                }
                if let Some(notice) = found.notice {
                    eprintln!("{file}:{notice}");
                }
                records.push(record);
            }
            Err(problem) => eprintln!("{file}:{problem}"),
        }
    }
    if args.listing {
        print_listings(&mut out, &records)?;
    }
    Ok(records.len() == chosen.len())
}

fn row(record: &Record) -> [String; TITLES.len()] {
    [
        record.name.clone(),
        or_dash(record.macros),
        record.icws.to_string(),
        record.lower_bound.to_string(),
        record.depth.to_string(),
        record.peak_gain.clone(),
        or_dash(record.noise.map(|noise| format!("{noise:.1}"))),
        record.offset_errors(),
        format!("{:.1}", record.rms),
        format!("{:.1}", tenths(record.bias)),
        record.nodes.to_string(),
        format!("{:.1}", record.ms_to_first),
        format!("{:.1}", record.ms_to_best),
        format!("{:.1}", record.ms),
        record.stop.clone(),
    ]
}

/// The programs, each under its name, to be pasted into kernels of the vendor's library.
fn print_listings(out: &mut impl Write, records: &[Record]) -> io::Result<()> {
    for record in records {
        writeln!(out, "\n// {}", record.name)?;
        if let Some(moved) = &record.approximated {
            writeln!(out, "// weights in multiples of 1/2^{}, moved by {} in all", moved.depth, moved.error)?;
        }
        for instruction in &record.listing {
            writeln!(out, "{instruction}")?;
        }
    }
    Ok(())
}
