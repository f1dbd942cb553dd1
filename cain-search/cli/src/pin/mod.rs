//! `cain pin`.

mod collect;
mod dry_run;
mod jobs;
mod namesakes;
mod renew;
mod search;
mod selection;
mod spare;
mod store;
mod wanted;
mod work;

use std::io::{self, Write as _};
use std::path::PathBuf;

use cain_codegen::printable::Printable;
use clap::Args;

use crate::options::nodes;
use crate::threads::Threads;
use crate::watch::Interrupt;
use collect::collect;
use jobs::JobArgs;
use namesakes::Renaming;
use wanted::Wanted;

/// Search for programs and keep them in plan files
///
/// Finds `scamp_kernels!` in Rust sources, and the kernel files that these and build scripts name; searches for a program
/// of each filter, network and automaton; and writes it to `plans/NAME.scamp` beside the Cargo.toml of the package, to be
/// checked in. Builds then use it instead of searching. A plan is replaced only by a better one, or if it is invalid or
/// belongs to another declaration. Filters that other macros declare are not found. The plans that were written are listed
/// at the end.
///
/// Without a PATH it is about the packages that `cargo build` would build in this folder: the package that the folder is
/// in, or in the root of a workspace its default members. Outside of packages nothing is looked through.
///
/// The exit status is 0 if and only if every filter has a valid plan.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain pin                      all filters of the package in this folder
  cain pin --workspace          those of all packages of the workspace
  cain pin -p camera            those of one of them
  cain pin src                  those in src/
  cain pin filters.toml         those of a kernel file
  cain pin --dry-run            which plans would be written, without searching
  cain pin --nodes 2_000_000    a long search for better plans
  cain pin --check              for continuous integration: search and write nothing
  cain pin --prune              also remove the plans of filters that are gone

On several machines:
  cain pin --jobs               the searches that there are to do, one a line
  cain pin --job gauss.1b6f00d5 --out DIR
                                does one of them, anywhere
  cain pin --collect DIR        takes the results into the plan files")]
#[expect(clippy::struct_excessive_bools, reason = "options of a command")]
pub(crate) struct Pin {
    /// Rust sources, kernel files, or folders of packages or in them [default: the package in this folder]
    #[arg(value_name = "PATH", conflicts_with_all = ["packages", "workspace"])]
    paths: Vec<PathBuf>,

    /// A package of the workspace; may be given several times
    #[arg(short, long = "package", value_name = "NAME", conflicts_with = "workspace")]
    packages: Vec<String>,

    /// All packages of the workspace
    #[arg(long)]
    workspace: bool,

    /// Budget per filter in search nodes [default: that of the filter, else 50000]
    #[arg(long, value_parser = nodes)]
    nodes: Option<u64>,

    /// Search even for kernels that are in the opening book of programs that long searches have found
    #[arg(long)]
    no_book: bool,

    /// Search again even if a budget as large has been used, such as with a new version of this command
    #[arg(long)]
    again: bool,

    /// Search and write nothing; list the plans that would be written
    #[arg(long, conflicts_with_all = ["check", "jobs", "job", "collect"])]
    dry_run: bool,

    /// Search and write nothing; fail if a plan is missing, invalid, or belongs to another declaration
    #[arg(long, conflicts_with_all = ["nodes", "no_book", "again", "prune"])]
    check: bool,

    /// Remove the plans of filters that no longer exist; every PATH must be the folder of a package
    #[arg(long)]
    prune: bool,

    #[command(flatten)]
    jobs: JobArgs,

    /// The folder of plans [default: `plans` beside the Cargo.toml above each source]
    #[arg(long, value_name = "DIR")]
    plans: Option<PathBuf>,

    #[command(flatten)]
    threads: Threads,
}

/// The possible outcomes for a plan file, as tables show them: it was good enough, it is new, it was invalid or
/// belonged to another declaration, or it had a worse program.
const KEPT: &str = "kept";
const NEW: &str = "new";
const RENEWED: &str = "renewed";
const BETTER: &str = "better";

/// The outcome for plans.
#[derive(Default)]
pub(crate) struct Done {
    /// The problems that prevent valid plans, one line each.
    pub(crate) problems: Vec<String>,
    /// The plan files that were written, as messages show them.
    pub(crate) written: Vec<PathBuf>,
}

/// Returns whether every filter has a valid plan in the end; fails if the output cannot be written.
pub(crate) fn run(args: &Pin, interrupt: &Interrupt) -> io::Result<bool> {
    let paths = match selection::paths(args) {
        Ok(paths) => paths,
        Err(problems) => return Ok(complain(&problems)),
    };
    let collected = collect(args, &paths);
    let is_clean = complain(&collected.problems);
    complain(&collected.notices);
    let wanted = &collected.wanted;
    if wanted.is_empty() && is_clean {
        if !collected.has_unsearched {
            let paths: Vec<_> = paths.iter().map(|path| format!("`{}`", Printable(path.display()))).collect();
            eprintln!("no filters found in {}; name sources, kernel files, or folders with them", paths.join(", "));
            return Ok(false);
        }
        eprintln!("nothing to pin: networks in the pixels are compiled without a search");
    }
    let JobArgs { jobs, job, out, collect } = &args.jobs;
    if *jobs {
        return Ok(is_clean & args.threads.run(|| jobs::list(wanted, args.again, interrupt))?);
    }
    if let (Some(job), Some(out)) = (job, out) {
        return args.threads.run(|| jobs::run(wanted, job, out, interrupt));
    }
    let is_pinned = match collect {
        Some(folder) => list(&jobs::collect(wanted, args.again, folder, interrupt)?)?,
        None if args.check => check(wanted)?,
        None if args.dry_run => dry_run::run(args, &collected)?,
        None => {
            let renamed: Vec<_> =
                collected.namesakes.renamings().iter().map(Renaming::carry_out).filter_map(Result::err).collect();
            complain(&renamed) & list(&renew::run(args, wanted, interrupt)?)?
        }
    };
    Ok(is_clean & is_pinned & spare::run(&collected, args.prune, args.dry_run)?)
}

/// Lists the plans that were written. Returns whether there are no problems, which have been reported.
fn list(done: &Done) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    for path in &done.written {
        writeln!(out, "written {}", Printable(path.display()))?;
    }
    Ok(done.problems.is_empty())
}

/// Returns whether everything has a valid plan; fails if the output cannot be written.
fn check(all: &[Wanted]) -> io::Result<bool> {
    let problems: Vec<_> = all.iter().filter_map(Wanted::problem).collect();
    writeln!(io::stdout(), "{} of {} plans are valid", all.len() - problems.len(), all.len())?;
    Ok(complain(&problems))
}

/// Prints problems, one per line; returns whether there are none.
fn complain(problems: &[String]) -> bool {
    for problem in problems {
        eprintln!("{problem}");
    }
    problems.is_empty()
}
