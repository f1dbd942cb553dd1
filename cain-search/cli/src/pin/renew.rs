//! Searching for better plans and reporting what became of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use cain_codegen::printable::Printable;
use cain_isa::Stop;

use super::search::{Change, Pinned, State};
use super::store::prepare;
use super::wanted::Wanted;
use super::work::{Task, pin_all};
use super::{BETTER, Done, KEPT, NEW, Pin, RENEWED, complain};
use crate::table::Table;
use crate::watch::Interrupt;

const TITLES: [&str; 7] = ["filter", "macros", "ICWs", "before", "bound", "stop", "plan"];

/// Searches where that may improve a plan, and reports on all plans.
pub(crate) fn run(args: &Pin, filters: &[Wanted], interrupt: &Interrupt) -> io::Result<Done> {
    interrupt.listen();
    let mut results = BTreeMap::new();
    let mut tasks = Vec::new();
    for (index, filter) in filters.iter().enumerate() {
        match State::of(filter) {
            Ok(State::Valid { solution, is_final: true }) if !args.again => {
                results.insert(index, Ok(Pinned { solution, change: Change::Kept }));
            }
            Ok(state) => tasks.push((index, Task { filter, state })),
            Err(problem) => {
                results.insert(index, Err(problem));
            }
        }
    }
    let problems = retain_writable(&mut tasks);
    let (indices, tasks): (Vec<_>, Vec<_>) = tasks.into_iter().unzip();
    results.extend(indices.into_iter().zip(pin_all(&tasks, args.threads, interrupt)));
    finish(filters, results, problems, interrupt)
}

/// Reports on plans by the index of their filter.
pub(super) fn finish(
    filters: &[Wanted],
    results: BTreeMap<usize, Result<Pinned, String>>,
    mut problems: Vec<String>,
    interrupt: &Interrupt,
) -> io::Result<Done> {
    let mut pinned = Vec::new();
    for (index, result) in results {
        match (filters.get(index), result) {
            (Some(filter), Ok(done)) => pinned.push((filter, done)),
            (_, Err(problem)) => problems.push(problem),
            (None, Ok(_)) => {}
        }
    }
    print(&pinned)?;
    complain(&problems);
    complain(&notices(&pinned, interrupt));
    let is_written = |pinned: &Pinned| !matches!(pinned.change, Change::Kept);
    let written = pinned.iter().filter(|(_, pinned)| is_written(pinned));
    let written = written.map(|(filter, _)| filter.plans.shown(&filter.plan)).collect();
    Ok(Done { problems, written })
}

/// Drops tasks whose results could not be written, with one problem for each folder.
pub(super) fn retain_writable(tasks: &mut Vec<(usize, Task<'_>)>) -> Vec<String> {
    let folders: BTreeSet<_> = tasks.iter().map(|(_, task)| task.filter.plans.clone()).collect();
    let mut problems = Vec::new();
    for folder in folders {
        if let Err(error) = prepare(&folder) {
            problems.push(format!("{}: plans cannot be written there: {error}", Printable(folder.path().display())));
            tasks.retain(|(_, task)| task.filter.plans != folder);
        }
    }
    problems
}

/// Prints a row for each plan.
fn print(pinned: &[(&Wanted, Pinned)]) -> io::Result<()> {
    if pinned.is_empty() {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    let table = Table::new(&TITLES, pinned.iter().map(|(filter, _)| filter.name()), 6);
    table.head(&mut out)?;
    for (filter, Pinned { solution, change }) in pinned {
        let (before, change) = match change {
            Change::Kept => (None, KEPT),
            Change::New => (None, NEW),
            Change::Renewed => (None, RENEWED),
            Change::Better { macros, icws } => (Some(format!("{macros}/{icws}")), BETTER),
        };
        let (report, statistics) = (solution.program.report(), &solution.statistics);
        table.row(
            &mut out,
            &[
                filter.name().to_owned(),
                if report.macros == 0 { "-".to_owned() } else { report.macros.to_string() },
                report.icws.to_string(),
                before.unwrap_or_else(|| "-".to_owned()),
                statistics.lower_bound.to_string(),
                statistics.stop.to_string(),
                change.to_owned(),
            ],
        )?;
    }
    Ok(())
}

/// Remarks beside the table. Sources with new plans are marked as changed: the compiler cannot depend on files that did
/// not exist when it read them.
fn notices(pinned: &[(&Wanted, Pinned)], interrupt: &Interrupt) -> Vec<String> {
    // A kept plan may come from an earlier run that was interrupted.
    let is_cut = |pinned: &Pinned| interrupt.is_pressed() && pinned.solution.statistics.stop == Stop::Interrupted;
    let is_new = |pinned: &Pinned| matches!(pinned.change, Change::New);
    let cut = pinned.iter().filter(|(_, pinned)| is_cut(pinned));
    let cut = cut.map(|(filter, _)| filter.complain("searched only until Ctrl-C; run `cain pin` again"));
    let sources: BTreeSet<_> =
        pinned.iter().filter(|(_, pinned)| is_new(pinned)).map(|(filter, _)| filter.source.as_path()).collect();
    cut.chain(mark_as_changed(sources)).collect()
}

/// Marks sources as changed; returns a remark if that is not possible.
pub(super) fn mark_as_changed(sources: BTreeSet<&Path>) -> Vec<String> {
    let untouched = sources.into_iter().filter_map(|source| {
        let error = touch(source).err()?;
        let source = Printable(source.display());
        Some(format!(
            "{source}: cannot be marked as changed ({error}); touch it, so that the next build uses its plans"
        ))
    });
    untouched.collect()
}

/// Sets the time of a file's last modification to now.
fn touch(file: &Path) -> io::Result<()> {
    File::options().append(true).open(file)?.set_modified(SystemTime::now())
}
