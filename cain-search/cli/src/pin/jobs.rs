//! Searches on several machines: lists the jobs, does one of them, and collects the results.
//!
//! A job is the search for one filter. Its name is derived from everything that its plan depends on, so that the result
//! of a job for an older declaration is never mistaken for that of a newer one. Jobs share nothing: they may fail, run
//! twice, and in any order.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use cain_codegen::plan_file::{PlanFile, PlanFolder, own_name};
use cain_codegen::printable::Printable;
use cain_isa::Progress;
use cain_search::{Declaration, Solution, search_watched};
use clap::Args;

use super::renew::{finish, retain_writable};
use super::search::{State, keep};
use super::wanted::Wanted;
use super::work::Task;
use super::{Done, complain};
use crate::files;
use crate::watch::Interrupt;

/// The options for several machines.
#[derive(Args)]
pub(crate) struct JobArgs {
    /// List the searches to be done, without doing them: name, nodes, approximate seconds on one processor, and place
    /// of the filter, separated by tabs
    #[arg(long, conflicts_with_all = ["check", "prune", "job", "collect"])]
    pub(crate) jobs: bool,

    /// Do one search of `--jobs`, and write its result to the folder of `--out`
    #[arg(long, value_name = "NAME", requires = "out", conflicts_with_all = ["check", "prune", "collect"])]
    pub(crate) job: Option<String>,

    /// The folder for the result of `--job`, created if necessary
    #[arg(long, value_name = "DIR", requires = "job")]
    pub(crate) out: Option<PathBuf>,

    /// Search nothing; prove the results in a folder, and write each better one to its plan file. Fails if one is
    /// missing or wrong
    #[arg(long, value_name = "DIR", conflicts_with_all = ["check", "prune"])]
    pub(crate) collect: Option<PathBuf>,
}

/// The budget of a search that only measures how long a node takes.
const SAMPLE: u64 = 100;

/// Prints a line for each job: its name, the nodes of its budget, the approximate seconds on one processor, and the
/// place of its filter, separated by tabs.
pub(crate) fn list(filters: &[Wanted], again: bool, interrupt: &Interrupt) -> io::Result<bool> {
    interrupt.listen();
    let mut problems = Vec::new();
    let mut out = io::stdout().lock();
    for filter in filters {
        match State::of(filter) {
            Ok(State::Valid { is_final: true, .. }) if !again => {}
            Ok(_) => {
                let (id, nodes) = (own_name(&filter.declaration), filter.declaration.options.nodes);
                writeln!(out, "{id}\t{nodes}\t{:.0}\t{}", seconds(&filter.declaration), filter.place())?;
            }
            Err(problem) => problems.push(problem),
        }
        if interrupt.is_pressed() {
            break;
        }
    }
    Ok(complain(&problems))
}

/// The approximate number of seconds that the search for a declaration takes.
fn seconds(declaration: &Declaration) -> f64 {
    let mut sample = declaration.clone();
    let budget = sample.options.nodes;
    sample.options.nodes = budget.min(SAMPLE);
    let (start, mut used) = (Instant::now(), 1);
    // It does not matter here whether a program is found.
    let _ = search_watched(&sample, |Progress { nodes, .. }| {
        used = nodes.max(1);
        ControlFlow::Continue(())
    });
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let parts = budget as f64 / used.min(budget).max(1) as f64;
    start.elapsed().as_secs_f64() * parts
}

/// Does one job, and writes its result to a folder, unless the folder already contains it.
pub(crate) fn run(filters: &[Wanted], id: &str, folder: &Path, interrupt: &Interrupt) -> io::Result<bool> {
    interrupt.listen();
    let Some(filter) = filters.iter().find(|filter| own_name(&filter.declaration) == id) else {
        let message = "no such job; the sources may have changed since it was listed, see `cain pin --jobs`";
        return Ok(complain(&[format!("{}: {message}", Printable(id))]));
    };
    match search(filter, &results(folder), id, interrupt) {
        Ok(message) => writeln!(io::stdout(), "{id}: {message}").map(|()| true),
        Err(problem) => Ok(complain(&[problem])),
    }
}

fn search(filter: &Wanted, results: &PlanFolder, id: &str, interrupt: &Interrupt) -> Result<&'static str, String> {
    let declaration = &filter.declaration;
    let unwritable = |error| format!("{}: cannot be written to: {error}", Printable(results.path().display()));
    files::prepare(results.path()).map_err(unwritable)?;
    if let Ok(Some((_, budget))) = result(results, id, declaration)
        && budget >= declaration.options.nodes
    {
        return Ok("was done before");
    }
    let watch = |_: Progress| if interrupt.is_pressed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let found = search_watched(declaration, watch);
    if interrupt.is_pressed() {
        return Err(filter.complain("ended by Ctrl-C; nothing is written"));
    }
    let found = found.map_err(|error| filter.blame(&error))?;
    files::write(&results.file(id), PlanFile::new(&found).to_string())?;
    Ok("done")
}

/// The results in a folder, as plan files named after their jobs.
fn results(folder: &Path) -> PlanFolder {
    PlanFolder::new(folder, folder)
}

/// The result of a job, proved, with the budget of its search; `None` if there is none.
fn result(results: &PlanFolder, id: &str, declaration: &Declaration) -> Result<Option<(Solution, u64)>, String> {
    let Some(file) = results.read(id).map_err(|error| error.to_string())? else { return Ok(None) };
    let budget = file.budget();
    let mut declaration = declaration.clone();
    declaration.options.nodes = budget;
    let solution = results.check(id, &file, &declaration).map_err(|error| error.to_string())?;
    Ok(Some((solution, budget)))
}

/// Writes the results of a folder to the plan files where they are better than the existing plans, and reports on them.
pub(crate) fn collect(filters: &[Wanted], again: bool, folder: &Path, interrupt: &Interrupt) -> io::Result<Done> {
    if let Err(error) = fs::read_dir(folder) {
        let problems = vec![format!("{}: cannot be read: {error}", Printable(folder.display()))];
        complain(&problems);
        return Ok(Done { problems, ..Done::default() });
    }
    let results = results(folder);
    let mut tasks = Vec::new();
    let mut problems = Vec::new();
    for (index, filter) in filters.iter().enumerate() {
        match State::of(filter) {
            Ok(state) => tasks.push((index, Task { filter, state })),
            Err(problem) => problems.push(problem),
        }
    }
    problems.extend(retain_writable(&mut tasks));
    let mut pinned = BTreeMap::new();
    for (index, Task { filter, state }) in &tasks {
        let id = own_name(&filter.declaration);
        let kept = match result(&results, &id, &filter.declaration) {
            Ok(Some((found, _))) => keep(filter, state, found),
            Ok(None) if !again && matches!(state, State::Valid { is_final: true, .. }) => continue,
            Ok(None) => Err(filter.complain(&format!("job `{id}` has no result in `{}`", Printable(folder.display())))),
            Err(problem) => Err(filter.complain(&format!("job `{id}` has to be done again: {problem}"))),
        };
        pinned.insert(*index, kept);
    }
    finish(filters, pinned, problems, interrupt)
}
