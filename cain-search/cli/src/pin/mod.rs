//! `cain pin`.

mod bits;
mod collect;
mod jobs;
mod network;
mod renew;
mod search;
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
use bits::WantedBits;
use collect::{Collected, collect};
use jobs::JobArgs;
use network::WantedNetwork;
use wanted::Wanted;

/// Search for programs and keep them in plan files
///
/// Finds `scamp_kernels!` in Rust sources, and the kernel files that these and build scripts name; searches for a program
/// of each filter; and writes it to `plans/NAME.scamp` beside the Cargo.toml of the package, to be checked in. Builds
/// then use it instead of searching. The plan of a network of a kernel file is `plans/NAME.network.scamp`. A plan is replaced only by a better one, or if it is invalid or belongs to another
/// declaration. Filters that other macros declare are not found.
///
/// The exit status is 0 if and only if every filter has a valid plan.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain pin                      all filters of the package or workspace in this folder
  cain pin src                  those in src/
  cain pin filters.toml         those of a kernel file
  cain pin --nodes 2_000_000    a long search for better plans
  cain pin --check              for continuous integration: search and write nothing
  cain pin --prune              also remove the plans of filters that are gone

On several machines:
  cain pin --jobs               the searches that there are to do, one a line
  cain pin --job gauss.1b6f00d5 --out DIR
                                does one of them, anywhere
  cain pin --collect DIR        takes the results into the plan files")]
pub(crate) struct Pin {
    /// Rust sources, kernel files, or folders with sources
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,

    /// Budget per filter in search nodes [default: that of the filter, else 50000]
    #[arg(long, value_parser = nodes)]
    nodes: Option<u64>,

    /// Search again even if a budget as large has been used, such as with a new version of this command
    #[arg(long)]
    again: bool,

    /// Search and write nothing; fail if a plan is missing, invalid, or belongs to another declaration
    #[arg(long, conflicts_with_all = ["nodes", "again", "prune"])]
    check: bool,

    /// Remove the plans of filters that no longer exist; every PATH must be a folder with whole packages
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

/// Whether every filter has a valid plan in the end; fails if the output cannot be written.
pub(crate) fn run(args: &Pin, interrupt: &Interrupt) -> io::Result<bool> {
    let collected = collect(args);
    let is_clean = complain(&collected.problems);
    complain(&collected.notices);
    let Collected { filters, digital, super_pixels, networks, .. } = &collected;
    if filters.is_empty() && digital.is_empty() && super_pixels.is_empty() && networks.is_empty() && is_clean {
        let paths: Vec<_> = args.paths.iter().map(|path| format!("`{}`", Printable(path.display()))).collect();
        eprintln!("no filters found in {}; name sources, kernel files, or folders with them", paths.join(", "));
        return Ok(false);
    }
    let JobArgs { jobs, job, out, collect } = &args.jobs;
    if *jobs {
        return Ok(is_clean & args.threads.run(|| jobs::list(filters, args.again, interrupt))?);
    }
    if let (Some(job), Some(out)) = (job, out) {
        return args.threads.run(|| jobs::run(filters, job, out, interrupt));
    }
    let is_pinned = match collect {
        Some(folder) => jobs::collect(filters, args.again, folder, interrupt)?,
        None if args.check => check(&collected)?,
        None => {
            renew::run(args, filters, interrupt)?
                & bits::run(args, digital, interrupt)?
                & bits::run(args, super_pixels, interrupt)?
                & pin(args, networks)?
        }
    };
    Ok(is_clean & is_pinned & spare::run(&collected, args.prune)?)
}

/// Makes the plans of networks; whether all have one in the end.
fn pin(args: &Pin, networks: &[WantedNetwork]) -> io::Result<bool> {
    let mut problems = vec![];
    for network in networks {
        match network.pin(args.again) {
            Ok(pinned) => {
                let state = if pinned.is_new { "new" } else { "kept" };
                writeln!(io::stdout(), "network {}: {} words, {state}", network.name(), pinned.words())?;
            }
            Err(problem) => problems.push(problem),
        }
    }
    Ok(complain(&problems))
}

/// Whether every filter has a valid plan; fails if the output cannot be written.
fn check(collected: &Collected) -> io::Result<bool> {
    let Collected { filters, digital, super_pixels, networks, .. } = collected;
    let of_bits = digital.iter().filter_map(WantedBits::problem);
    let of_bits = of_bits.chain(super_pixels.iter().filter_map(WantedBits::problem));
    let mut problems: Vec<_> = filters.iter().filter_map(problem).chain(of_bits).collect();
    let count = filters.len() + digital.len() + super_pixels.len();
    if count > 0 || networks.is_empty() {
        writeln!(io::stdout(), "{} of {count} filters have a valid plan", count - problems.len())?;
    }
    let of_networks: Vec<_> = networks.iter().filter_map(WantedNetwork::problem).collect();
    if !networks.is_empty() {
        let valid = networks.len() - of_networks.len();
        writeln!(io::stdout(), "{valid} of {} networks have a valid plan", networks.len())?;
    }
    problems.extend(of_networks);
    Ok(complain(&problems))
}

/// What is wrong with a filter's plan.
fn problem(filter: &Wanted) -> Option<String> {
    match filter.plans.load_from(&filter.plan, &filter.declaration) {
        Ok(Some(_)) => None,
        Ok(None) => {
            let plan = filter.plans.shown(&filter.plan);
            Some(filter.complain(&format!("there is no plan `{}`; run `cain pin`", Printable(plan.display()))))
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
