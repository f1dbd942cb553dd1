//! `cain compile`.

use std::io::{self, Write};
use std::path::PathBuf;

use cain_codegen::kernel_file::Diagnostic;
use cain_codegen::kinds::{Part, Placed};
use cain_codegen::of_each_kind;
use clap::Args;

use crate::kinds::{Record, Shown, print_table};
use crate::options::Search;
use crate::program::listing;
use crate::search::{Found, find};
use crate::sources::{Reading, load};
use crate::table::Table;
use crate::watch::Interrupt;

/// Search for programs of the filters of a kernel file or a Rust source
///
/// Prints a table, or with --json one object per line and filter. The exit status is 0 if and only if every filter
/// has a program that was proved to compute its kernels.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain compile kernels.toml                      all filters of the file
  cain compile kernels.toml gauss --listing      one filter, with its program
  cain compile src/lib.rs                        the filters that scamp_kernels! declares there
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
    /// A kernel file, a Rust source, a plan file, a folder with sources, or - for the standard input
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

/// Whether every declaration has proved programs; fails if the output cannot be written.
pub(crate) fn run(args: &Compile, interrupt: &Interrupt) -> io::Result<bool> {
    let Some(chosen) = load(&args.file, &args.names, &Reading::of(&args.search, None)) else { return Ok(false) };

    interrupt.listen();
    let mut out = io::stdout().lock();
    let names: Vec<&str> = chosen.iter().map(|declared| declared.item.name()).collect();
    let mut groups: Vec<Group> = Vec::new();
    for declared in &chosen {
        match of_each_kind!(&declared.item, item => report(item, &args.search, interrupt)) {
            Ok((mut report, notices)) => {
                if args.json {
                    writeln!(out, "{}", report.json)?;
                } else if report.has_lines {
                    let table = Table::new(report.titles, names.iter().copied(), 6);
                    if !groups.iter().any(|group| group.is_of(&report)) {
                        table.head(&mut out)?;
                    }
                    report.rows.drain(..).try_for_each(|row| table.row(&mut out, &row))?;
                }
                add(&mut groups, report);
                for notice in &notices {
                    eprintln!("{}", declared.locate(notice));
                }
            }
            Err(problem) => eprintln!("{}", declared.locate(&problem)),
        }
    }
    if !args.json {
        let has_lines = groups.iter().any(|group| group.has_lines);
        let mut is_first = !has_lines;
        for group in groups.iter().filter(|group| !group.has_lines) {
            if !std::mem::take(&mut is_first) {
                writeln!(out)?;
            }
            print_table(&mut out, group.titles, &group.rows)?;
        }
    }
    if args.listing {
        groups.iter().flat_map(|group| &group.listings).try_for_each(|listing| out.write_all(listing.as_bytes()))?;
    }
    Ok(groups.iter().map(|group| group.listings.len()).sum::<usize>() == chosen.len())
}

/// What is told about a declaration.
struct Report {
    titles: &'static [&'static str],
    has_lines: bool,
    rows: Vec<Vec<String>>,
    listing: String,
    json: String,
}

/// The reports on declarations of one kind.
struct Group {
    titles: &'static [&'static str],
    has_lines: bool,
    /// What is not printed yet.
    rows: Vec<Vec<String>>,
    listings: Vec<String>,
}

impl Group {
    fn is_of(&self, report: &Report) -> bool {
        self.titles == report.titles
    }
}

/// Adds a report to those of its kind.
fn add(groups: &mut Vec<Group>, report: Report) {
    let Report { titles, has_lines, rows, listing, .. } = report;
    match groups.iter_mut().find(|group| group.titles == titles) {
        Some(group) => {
            group.rows.extend(rows);
            group.listings.push(listing);
        }
        None => groups.push(Group { titles, has_lines, rows, listings: vec![listing] }),
    }
}

/// Searches for programs, and what is told about them and the search.
fn report<K: Shown>(
    declared: &Placed<K>,
    args: &Search,
    interrupt: &Interrupt,
) -> Result<(Report, Vec<Diagnostic>), Diagnostic> {
    let Found { compiled, watched, notice } = find(declared, args, interrupt)?;
    let program = declared.of.program(&compiled.program);
    let record = Record::of(&declared.of, &compiled, &program, &watched);
    let json = serde_json::to_string(&record).map_err(|problem| declared.diagnostic(Part::Whole, problem))?;
    let listing = listing(&program, &declared.of.facts(&compiled));
    let warnings = K::warnings(&record.more).iter().map(|(part, message)| declared.diagnostic(*part, message));
    let notices = notice.into_iter().chain(warnings).collect();
    Ok((Report { titles: K::TITLES, has_lines: K::HAS_LINES, rows: K::rows(&record), listing, json }, notices))
}
