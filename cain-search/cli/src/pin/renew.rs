//! Searching for better plans and reporting what became of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use cain_codegen::kinds::Figures;
use cain_codegen::printable::Printable;

use super::search::{Looked, Pinned};
use super::store::prepare;
use super::wanted::Wanted;
use super::work::side_by_side;
use super::{Done, KEPT, NEW, Pin, complain};
use crate::sources::STANDARD_INPUT;
use crate::table::{Table, or_dash};
use crate::watch::Interrupt;

const TITLES: [&str; 7] = ["name", "macros", "words", "before", "bound", "stop", "plan"];

/// Searches where that may improve a plan, and reports on all plans.
pub(crate) fn run(args: &Pin, all: &[Wanted], interrupt: &Interrupt) -> io::Result<Done> {
    interrupt.listen();
    let mut results = BTreeMap::new();
    let mut tasks = Vec::new();
    for (index, wanted) in all.iter().enumerate() {
        match wanted.look(&wanted.plan, args.again) {
            Ok(Looked { change: KEPT, existing: Some(pinned) }) => {
                results.insert(index, Ok(pinned));
            }
            Ok(_) => tasks.push((index, wanted)),
            Err(problem) => {
                results.insert(index, Err(problem));
            }
        }
    }
    let problems = retain_writable(&mut tasks);
    let nodes = |(_, wanted): &(usize, &Wanted)| wanted.item.nodes();
    let pinned = side_by_side(&tasks, args.threads, nodes, |(_, wanted), share| wanted.pin(share, interrupt));
    results.extend(tasks.iter().map(|(index, _)| *index).zip(pinned));
    finish(all, results, problems, interrupt)
}

/// Reports on plans by the index of their declaration.
pub(super) fn finish(
    all: &[Wanted],
    results: BTreeMap<usize, Result<Pinned, String>>,
    mut problems: Vec<String>,
    interrupt: &Interrupt,
) -> io::Result<Done> {
    let mut pinned = Vec::new();
    for (index, result) in results {
        match (all.get(index), result) {
            (Some(wanted), Ok(done)) => pinned.push((wanted, done)),
            (_, Err(problem)) => problems.push(problem),
            (None, Ok(_)) => {}
        }
    }
    print(&pinned)?;
    complain(&problems);
    complain(&notices(&pinned, interrupt));
    let written = pinned.iter().filter(|(_, pinned)| pinned.change != KEPT);
    let written = written.map(|(wanted, _)| wanted.plans.shown(&wanted.plan)).collect();
    Ok(Done { problems, written })
}

/// Drops tasks whose results could not be written, with one problem for each folder.
pub(super) fn retain_writable(tasks: &mut Vec<(usize, &Wanted)>) -> Vec<String> {
    let folders: BTreeSet<_> = tasks.iter().map(|(_, wanted)| wanted.plans.clone()).collect();
    let mut problems = Vec::new();
    for folder in folders {
        if let Err(error) = prepare(&folder) {
            problems.push(format!("{}: plans cannot be written there: {error}", Printable(folder.path().display())));
            tasks.retain(|(_, wanted)| wanted.plans != folder);
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
    let table = Table::new(&TITLES, pinned.iter().map(|(wanted, _)| wanted.name()), 6);
    table.head(&mut out)?;
    let costs = |figures: Figures| match figures.macros {
        Some(macros) => format!("{macros}/{}", figures.words),
        None => figures.words.to_string(),
    };
    pinned.iter().try_for_each(|(wanted, Pinned { figures, before, change, .. })| {
        let cells = [
            wanted.name().to_owned(),
            or_dash(figures.macros),
            figures.words.to_string(),
            or_dash(before.map(costs)),
            or_dash(figures.bound),
            or_dash(figures.stop),
            (*change).to_owned(),
        ];
        table.row(&mut out, &cells)
    })
}

/// Remarks beside the table. Sources with new plans are marked as changed: the compiler cannot depend on files that did
/// not exist when it read them.
fn notices(pinned: &[(&Wanted, Pinned)], interrupt: &Interrupt) -> Vec<String> {
    // A kept plan may come from an earlier run that was interrupted.
    let cut = pinned.iter().filter(|(_, pinned)| interrupt.is_pressed() && pinned.is_cut);
    let cut = cut.map(|(wanted, _)| wanted.complain("searched only until Ctrl-C; run `cain pin` again"));
    let new = pinned.iter().filter(|(_, pinned)| pinned.change == NEW);
    let sources: BTreeSet<_> = new.map(|(wanted, _)| wanted.source.as_path()).collect();
    cut.chain(mark_as_changed(sources)).collect()
}

/// Marks sources as changed; returns a remark if that is not possible.
fn mark_as_changed(sources: BTreeSet<&Path>) -> Vec<String> {
    let files = sources.into_iter().filter(|source| *source != Path::new(STANDARD_INPUT));
    let untouched = files.filter_map(|source| {
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
