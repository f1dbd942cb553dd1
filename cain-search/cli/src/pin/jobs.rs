//! Searches on several machines: lists the jobs, does one of them, and collects the results.
//!
//! A job is the search for the plan of one declaration. Its name is derived from everything that its plan depends on, so that the result
//! of a job for an older declaration is never mistaken for that of a newer one. Jobs share nothing: they may fail, run
//! twice, and in any order.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use cain_codegen::kinds::{Kind, Placed};
use cain_codegen::of_each_kind;
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::printable::Printable;
use cain_isa::Progress;
use clap::Args;

use super::renew::{finish, retain_writable};
use super::search::{Looked, Pinned, State, keep};
use super::wanted::Wanted;
use super::{Done, KEPT, complain};
use crate::files;
use crate::watch::Interrupt;

/// The options for several machines.
#[derive(Args)]
pub(crate) struct JobArgs {
    /// List the searches to be done, without doing them: name, nodes, approximate seconds on one processor, and place
    /// of the declaration, separated by tabs
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
/// place of its declaration, separated by tabs.
pub(crate) fn list(all: &[Wanted], again: bool, interrupt: &Interrupt) -> io::Result<bool> {
    interrupt.listen();
    let mut problems = Vec::new();
    let mut out = io::stdout().lock();
    for wanted in all {
        match wanted.look(&wanted.plan, again) {
            Ok(Looked { change: KEPT, .. }) => {}
            Ok(_) => {
                let seconds = of_each_kind!(&wanted.item, declared => seconds(&declared.of));
                writeln!(out, "{}\t{}\t{seconds:.0}\t{}", wanted.own, wanted.item.nodes(), wanted.place())?;
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
fn seconds<K: Kind>(declared: &K) -> f64 {
    let budget = declared.nodes();
    let nodes = budget.min(SAMPLE);
    let (start, mut used) = (Instant::now(), nodes);
    // It does not matter here whether a program is found.
    let _ =
        declared.with_nodes(nodes).with_options(|options| options.book = false).search(&mut |progress: Progress| {
            used = progress.nodes;
            ControlFlow::Continue(())
        });
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let parts = budget as f64 / used.clamp(1, budget.max(1)) as f64;
    start.elapsed().as_secs_f64() * parts
}

/// Does one job, and writes its result to a folder, unless the folder already contains it.
pub(crate) fn run(all: &[Wanted], id: &str, folder: &Path, interrupt: &Interrupt) -> io::Result<bool> {
    interrupt.listen();
    let Some(wanted) = all.iter().find(|wanted| wanted.own == id) else {
        let message = "no such job; the sources may have changed since it was listed, see `cain pin --jobs`";
        return Ok(complain(&[format!("{}: {message}", Printable(id))]));
    };
    let results = results(folder);
    match of_each_kind!(&wanted.item, declared => search(declared, wanted, &results, interrupt)) {
        Ok(message) => writeln!(io::stdout(), "{id}: {message}").map(|()| true),
        Err(problem) => Ok(complain(&[problem])),
    }
}

fn search<K: Kind>(
    declared: &Placed<K>,
    wanted: &Wanted,
    results: &PlanFolder,
    interrupt: &Interrupt,
) -> Result<&'static str, String> {
    let unwritable = |error| format!("{}: cannot be written to: {error}", Printable(results.path().display()));
    files::prepare(results.path()).map_err(unwritable)?;
    if let Ok(Some((_, budget))) = result(&declared.of, results, &wanted.own)
        && budget >= declared.of.nodes()
    {
        return Ok("was done before");
    }
    let mut watch =
        |_: Progress| if interrupt.is_pressed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let found = declared.of.search(&mut watch);
    if interrupt.is_pressed() {
        return Err(wanted.complain("ended by Ctrl-C; nothing is written"));
    }
    let found = found.map_err(|error| format!("{}:{}", Printable(wanted.source.display()), declared.failed(&error)))?;
    files::write(&results.file(&wanted.own), K::plan_file(&found).to_string())?;
    Ok("done")
}

/// The results in a folder, as plan files named after their jobs.
fn results(folder: &Path) -> PlanFolder {
    PlanFolder::new(folder, folder)
}

/// The result of a job, proved, with the budget of its search; `None` if there is none.
fn result<K: Kind>(declared: &K, results: &PlanFolder, id: &str) -> Result<Option<(K::Program, u64)>, String> {
    let Some(file) = results.read(id).map_err(|error| error.to_string())? else { return Ok(None) };
    let program = declared.with_nodes(file.budget()).verify(&file);
    let program = program.map_err(|fault| results.error(id, fault).to_string())?;
    Ok(Some((program, file.budget())))
}

/// Writes the results of a folder to the plan files where they are better than the existing plans, and reports on them.
pub(crate) fn collect(all: &[Wanted], again: bool, folder: &Path, interrupt: &Interrupt) -> io::Result<Done> {
    if let Err(error) = fs::read_dir(folder) {
        let problems = vec![format!("{}: cannot be read: {error}", Printable(folder.display()))];
        complain(&problems);
        return Ok(Done { problems, ..Done::default() });
    }
    let results = results(folder);
    let mut tasks: Vec<_> = all.iter().enumerate().collect();
    let problems = retain_writable(&mut tasks);
    let mut pinned = BTreeMap::new();
    for (index, wanted) in tasks {
        let kept = of_each_kind!(&wanted.item, declared => take(&declared.of, wanted, &results, again));
        pinned.extend(kept.transpose().map(|kept| (index, kept)));
    }
    finish(all, pinned, problems, interrupt)
}

/// Takes the result of a job into the plan file if it is better than what is there; `None` if no result is needed.
fn take<K: Kind>(declared: &K, wanted: &Wanted, results: &PlanFolder, again: bool) -> Result<Option<Pinned>, String> {
    let Wanted { plans, plan, own, .. } = wanted;
    let state = State::of(declared, plans, plan)?;
    match result(declared, results, own) {
        Ok(Some((found, _))) => keep(declared, wanted, &state, &found).map(Some),
        Ok(None) if !again && matches!(state, State::Valid { is_final: true, .. }) => Ok(None),
        Ok(None) => {
            let folder = Printable(results.path().display());
            Err(wanted.complain(&format!("job `{own}` has no result in `{folder}`")))
        }
        Err(problem) => Err(wanted.complain(&format!("job `{own}` has to be done again: {problem}"))),
    }
}
