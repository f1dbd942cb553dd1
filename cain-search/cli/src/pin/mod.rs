//! `cain pin`.

mod args;
mod check;
mod collect;
mod kernel;
mod renew;
mod search;
mod spare;
mod store;
mod work;

use std::io;

pub(crate) use args::Pin;

use crate::interrupt::Interrupt;
use cain_codegen::printable::Printable;
use collect::collect;

/// Whether every kernel has a right plan in the end; fails if the output cannot be written.
pub(crate) fn run(args: &Pin, interrupt: &Interrupt) -> io::Result<bool> {
    let collected = collect(args);
    let is_clean = complain(&collected.problems);
    complain(&collected.notices);
    if collected.kernels.is_empty() && is_clean {
        let paths: Vec<_> = args.paths.iter().map(|path| format!("`{}`", Printable(path.display()))).collect();
        eprintln!("no kernels found in {}; name sources, kernel files, or folders with them", paths.join(", "));
        return Ok(false);
    }
    let kernels = &collected.kernels;
    let is_pinned = if args.check { check::run(kernels)? } else { renew::run(args, kernels, interrupt)? };
    Ok(is_clean & is_pinned & spare::run(&collected, args.prune)?)
}

/// Prints problems, one per line; whether there are none.
fn complain(problems: &[String]) -> bool {
    for problem in problems {
        eprintln!("{problem}");
    }
    problems.is_empty()
}
