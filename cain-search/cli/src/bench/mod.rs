//! `cain bench`.

mod args;
mod conditions;
mod instructions;
mod memory;
mod native;
mod row;
mod targets;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use cain_codegen::kernel_file::{self, Filter};
use cain_codegen::printable::Printable;
use cain_codegen::program_file;
use cain_search::InstructionSet;

pub(crate) use args::Bench;

use crate::sources::{Declared, Reading, load};
use crate::table::Table;
use crate::watch::Interrupt;
use conditions::unconstrained;
use row::Row;
use targets::{CASES, Target, targets};

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
    // A file of whole programs is a mistake, which is told.
    let reading = |path: &Path| {
        let programs = program_file::is_one(path);
        Reading { overrides, plans: None, networks: false, programs, packages_below: true }
    };
    // All of them are read, so that all mistakes are reported.
    let loaded: Vec<_> = args.files.iter().map(|path| load(path, &[], &reading(path))).collect();
    let case = |declared: Declared| {
        let filter = declared.kernel().map_err(|problem| eprintln!("{problem}")).ok()?.clone();
        Some(Case { file: Printable(declared.file.display()).to_string(), filters: vec![filter] })
    };
    let cases: Vec<_> = loaded.into_iter().collect::<Option<Vec<_>>>()?.into_iter().flatten().map(case).collect();
    cases.into_iter().collect()
}
