//! `cain bench`.

mod instructions;
mod native;

use std::collections::BTreeMap;
use std::io;

use cain_codegen::kernel_file::{self, Filter};
use cain_search::InstructionSet;

use crate::args::Bench;
use crate::interrupt::Interrupt;
use crate::targets::{CASES, targets};

/// The filters of one kernel file.
struct Case {
    file: String,
    filters: Vec<Filter>,
}

/// Whether every filter has a proved program; fails if the output cannot be written.
pub(crate) fn run(args: &Bench, interrupt: &Interrupt) -> io::Result<bool> {
    let Some(cases) = cases(args) else { return Ok(false) };
    // The figures are those of the public cases, not of filters of the same name.
    let targets = if args.files.is_empty() { targets()? } else { BTreeMap::new() };
    interrupt.listen();
    match args.search.isa {
        Some(InstructionSet::Native) => native::run(args, &cases, &targets, interrupt),
        _ => instructions::run(args, &cases, &targets, interrupt),
    }
}

/// The filters asked for; none if a file is wrong, which has been reported then.
fn cases(args: &Bench) -> Option<Vec<Case>> {
    if args.files.is_empty() {
        let case = |(file, text): (&str, &str)| match kernel_file::parse(text) {
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
    let loaded: Vec<_> = args
        .files
        .iter()
        .map(|path| match kernel_file::load(path) {
            Ok(filters) => Some(Case { file: path.display().to_string(), filters }),
            Err(error) => {
                eprintln!("{error}");
                None
            }
        })
        .collect();
    loaded.into_iter().collect()
}
