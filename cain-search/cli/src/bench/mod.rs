//! `cain bench`.

mod instructions;
mod memory;
mod native;
mod targets;

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use cain_codegen::kernel_file::{self, Diagnostic, Filter};
use cain_codegen::printable::Printable;
use cain_search::{InstructionSet, MaxGain, OffsetRule};
use clap::Args;

use crate::options::Search;
use crate::sources::{Declared, Reading, load};
use crate::table::Table;
use crate::watch::Interrupt;
use targets::{CASES, Target, targets};

/// Compare programs with published ones
///
/// Without files, the filters of Cain (Stow et al. 2022) and classic ones are searched and compared with the figures of
/// the original Cain: `paper` as published, `rerun` as measured with two workers on two cores and time limits of 60 to
/// 200 s. Cain limits neither offset errors nor gains, so programs of macro instructions do not limit them here either;
/// `native` gives the control words of the program that is made by default: of native words, with offset errors
/// cancelled and gains limited. With --isa native, the table compares the three instruction sets macro, basic and
/// native: control words (ICWs), time on the chip, noise and peak gain. The options --offset, --input and --max-gain
/// apply to native programs.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain bench                          the public cases, with the default budget
  cain bench --isa basic              the same in AUKE's instruction set
  cain bench --isa native             native programs and those of macro instructions
  cain bench --isa native --offset any --max-gain any
                                      the same without constraints
  cain bench --nodes 2_000 mine.toml  your filters, with the budget of a build")]
pub(crate) struct Bench {
    /// Kernel files, Rust sources, plan files, folders with sources, or - for the standard input [default: the public
    /// cases]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) search: Search,
}

/// Filters of one file.
struct Case {
    file: String,
    filters: Vec<Filter>,
}

/// Runs the command; returns whether every filter has a proved program, or fails if the output cannot be written.
pub(crate) fn run(args: &Bench, interrupt: &Interrupt) -> io::Result<bool> {
    let Some(cases) = cases(args) else { return Ok(false) };
    // The figures are those of the public cases, not of other filters with the same name.
    let targets = if args.files.is_empty() { targets()? } else { BTreeMap::new() };
    interrupt.listen();
    match args.search.isa {
        Some(InstructionSet::Native) => compare::<native::Comparison>(args, &cases, &targets, interrupt),
        _ => compare::<instructions::Comparison>(args, &cases, &targets, interrupt),
    }
}

/// A row of a comparison: one filter.
trait Row: Sized {
    const TITLES: &'static [&'static str];

    /// Searches for the programs of the row; if there are none, the error has its place in the file.
    fn of(filter: &Filter, file: &str, args: &Bench, target: Target, interrupt: &Interrupt)
    -> Result<Self, Diagnostic>;

    fn cells(&self) -> Vec<String>;

    /// The last line of the table.
    fn sum(rows: &[Self]) -> Vec<String>;
}

/// Prints a row for each filter; returns whether every filter has a proved program.
fn compare<R: Row>(
    args: &Bench,
    cases: &[Case],
    targets: &BTreeMap<String, Target>,
    interrupt: &Interrupt,
) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    let filters = || cases.iter().flat_map(|case| case.filters.iter().map(move |filter| (&case.file, filter)));
    let table = Table::new(R::TITLES, filters().map(|(_, filter)| filter.name()).chain(["sum of 100"]), 5);
    table.head(&mut out)?;
    let mut rows = Vec::new();
    for (file, filter) in filters() {
        let target = targets.get(filter.name()).copied().unwrap_or_default();
        match R::of(filter, file, args, target, interrupt) {
            Ok(row) => {
                table.row(&mut out, &row.cells())?;
                rows.push(row);
            }
            Err(problem) => eprintln!("{file}:{problem}"),
        }
    }
    table.rule(&mut out)?;
    table.row(&mut out, &R::sum(&rows))?;
    Ok(rows.len() == filters().count())
}

/// A search under the conditions of Cain, which limits neither offset errors nor gains.
fn unconstrained(search: &Search, set: InstructionSet) -> Search {
    Search { isa: Some(set), offset: Some(OffsetRule::Any), max_gain: Some(MaxGain::Any), ..search.clone() }
}

/// A search for native programs, with the constraints that were asked for, or the default ones.
fn native(search: &Search) -> Search {
    Search {
        isa: Some(InstructionSet::Native),
        offset: search.offset.or(Some(OffsetRule::default())),
        max_gain: search.max_gain.or(Some(MaxGain::default())),
        ..search.clone()
    }
}

/// The sum of some figures; of none it is 0, whereas [`Iterator::sum`] has -0.
fn total(figures: impl Iterator<Item = f64>) -> f64 {
    figures.fold(0.0, |sum, figure| sum + figure)
}

/// The filters to compare; `None` if a file is wrong, which has then been reported.
fn cases(args: &Bench) -> Option<Vec<Case>> {
    let overrides = unconstrained(&args.search, args.search.isa.unwrap_or(InstructionSet::Macro)).overrides();
    if args.files.is_empty() {
        let case = |(file, text): (&str, &str)| match kernel_file::parse_for(text, overrides) {
            Ok(filters) => Some(Case { file: file.to_owned(), filters }),
            Err(problems) => {
                for problem in problems {
                    eprintln!("{file}:{problem}");
                }
                None
            }
        };
        return CASES.into_iter().map(case).collect();
    }
    let reading = Reading { overrides, plans: None, networks: false, packages_below: true };
    // All of them are read, so that all mistakes are reported.
    let loaded: Vec<_> = args.files.iter().map(|path| load(path, &[], &reading)).collect();
    let case = |declared: Declared| {
        let filter = declared.kernel().map_err(|problem| eprintln!("{problem}")).ok()?.clone();
        Some(Case { file: Printable(declared.file.display()).to_string(), filters: vec![filter] })
    };
    let cases: Vec<_> = loaded.into_iter().collect::<Option<Vec<_>>>()?.into_iter().flatten().map(case).collect();
    cases.into_iter().collect()
}
