//! `cain pin`.

mod collect;
mod kernel;
mod renew;
mod search;
mod spare;
mod store;
mod work;

use std::io::{self, Write as _};
use std::path::PathBuf;

use cain_codegen::printable::Printable;
use clap::Args;

use crate::options::nodes;
use crate::threads::Threads;
use crate::watch::Interrupt;
use collect::collect;
use kernel::Kernel;

/// Search plans for kernels and keep them in files
///
/// Finds `scamp_kernels!` in Rust sources, and the kernel files that these and build scripts name; searches a program
/// for each kernel; and writes it to `plans/NAME.scamp` beside the Cargo.toml of the package, to be checked in. Builds
/// then use it instead of searching themselves. A plan is replaced only by a better one, or if it is wrong or for
/// another kernel. Kernels that other macros declare are not found.
///
/// The exit status is 0 if and only if every kernel has a right plan.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain pin                      all kernels of the package or workspace in this folder
  cain pin src                  those in src/
  cain pin kernels.toml         those of a kernel file
  cain pin --nodes 2_000_000    a long search for better plans
  cain pin --check              for continuous integration: searches and writes nothing
  cain pin --prune              removes plans of kernels that are gone as well")]
pub(crate) struct Pin {
    /// Rust sources, kernel files, or folders with sources
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,

    /// Budget per kernel in search nodes [default: that of the kernel, else 50000]
    #[arg(long, value_parser = nodes)]
    nodes: Option<u64>,

    /// Search anew even where as large a budget has been used; for a new version of this program
    #[arg(long)]
    again: bool,

    /// Search and write nothing; fail if a plan is missing, or wrong, or for another kernel
    #[arg(long, conflicts_with_all = ["nodes", "again", "prune"])]
    check: bool,

    /// Remove plans of kernels that are not there; PATHs must be folders with whole packages
    #[arg(long)]
    prune: bool,

    /// The folder of plans [default: `plans` beside the Cargo.toml above each source]
    #[arg(long, value_name = "DIR")]
    plans: Option<PathBuf>,

    #[command(flatten)]
    threads: Threads,
}

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
    let is_pinned = if args.check { check(kernels)? } else { renew::run(args, kernels, interrupt)? };
    Ok(is_clean & is_pinned & spare::run(&collected, args.prune)?)
}

/// Whether every kernel has a right plan; fails if the output cannot be written.
fn check(kernels: &[Kernel]) -> io::Result<bool> {
    let problems: Vec<_> = kernels.iter().filter_map(problem).collect();
    writeln!(io::stdout(), "{} of {} kernels have a right plan", kernels.len() - problems.len(), kernels.len())?;
    Ok(complain(&problems))
}

/// What is wrong with a kernel's plan.
fn problem(kernel: &Kernel) -> Option<String> {
    match kernel.plans.load(&kernel.declaration) {
        Ok(Some(_)) => None,
        Ok(None) => {
            let plan = kernel.plans.shown(kernel.name());
            Some(kernel.complain(&format!("there is no plan `{}`; run `cain pin`", Printable(plan.display()))))
        }
        Err(error) => Some(error.to_string()),
    }
}

/// Prints problems, one per line; whether there are none.
fn complain(problems: &[String]) -> bool {
    for problem in problems {
        eprintln!("{problem}");
    }
    problems.is_empty()
}
