//! Searching and writing plans.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use cain_codegen::printable::Printable;
use cain_isa::Stop;

use super::kernel::Kernel;
use super::search::{Change, Pinned, Standing};
use super::store::prepare;
use super::work::{Task, pin_all};
use super::{Pin, complain};
use crate::table::Table;
use crate::watch::Interrupt;

const TITLES: [&str; 7] = ["kernel", "macros", "ICWs", "before", "bound", "stop", "plan"];

/// Searches where that can make a plan better and tells what has become of all plans; whether all are right.
pub(crate) fn run(args: &Pin, kernels: &[Kernel], interrupt: &Interrupt) -> io::Result<bool> {
    // Before anything is written.
    interrupt.listen();
    let mut results = BTreeMap::new();
    let mut tasks = Vec::new();
    for (index, kernel) in kernels.iter().enumerate() {
        match Standing::of(kernel) {
            Ok(Standing::Right { solution, is_final: true }) if !args.again => {
                results.insert(index, Ok(Pinned { solution, change: Change::Kept }));
            }
            Ok(standing) => tasks.push((index, Task { kernel, standing })),
            Err(problem) => {
                results.insert(index, Err(problem));
            }
        }
    }
    let mut problems = retain_writable(&mut tasks);
    let (indices, tasks): (Vec<_>, Vec<_>) = tasks.into_iter().unzip();
    results.extend(indices.into_iter().zip(pin_all(&tasks, args.threads, interrupt)));

    let mut pinned = Vec::new();
    for (index, result) in results {
        match (kernels.get(index), result) {
            (Some(kernel), Ok(done)) => pinned.push((kernel, done)),
            (_, Err(problem)) => problems.push(problem),
            (None, Ok(_)) => {}
        }
    }
    print(&pinned)?;
    let is_good = complain(&problems);
    complain(&notices(&pinned, interrupt));
    Ok(is_good)
}

/// Leaves out what would be searched in vain because its folder cannot be written to; one problem for each folder.
fn retain_writable(tasks: &mut Vec<(usize, Task<'_>)>) -> Vec<String> {
    let folders: BTreeSet<_> = tasks.iter().map(|(_, task)| task.kernel.plans.clone()).collect();
    let mut problems = Vec::new();
    for folder in folders {
        if let Err(error) = prepare(&folder) {
            problems.push(format!("{}: plans cannot be written there: {error}", Printable(folder.path().display())));
            tasks.retain(|(_, task)| task.kernel.plans != folder);
        }
    }
    problems
}

/// Prints a row for each plan.
fn print(pinned: &[(&Kernel, Pinned)]) -> io::Result<()> {
    if pinned.is_empty() {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    let table = Table::new(&TITLES, pinned.iter().map(|(kernel, _)| kernel.name()), 6);
    table.head(&mut out)?;
    for (kernel, Pinned { solution, change }) in pinned {
        let (before, change) = match change {
            Change::Kept => (None, "kept"),
            Change::New => (None, "new"),
            Change::Renewed => (None, "renewed"),
            Change::Better { macros, icws } => (Some(format!("{macros}/{icws}")), "better"),
        };
        let (report, statistics) = (solution.program.report(), &solution.statistics);
        table.row(
            &mut out,
            &[
                kernel.name().to_owned(),
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

/// What the user should know beside the table. Sources with new plans are marked as changed: the compiler could not
/// depend on files that did not exist when it read them.
fn notices(pinned: &[(&Kernel, Pinned)], interrupt: &Interrupt) -> Vec<String> {
    // A plan may be left from an earlier run that was ended.
    let is_cut = |pinned: &Pinned| interrupt.is_pressed() && pinned.solution.statistics.stop == Stop::Interrupted;
    let is_new = |pinned: &Pinned| matches!(pinned.change, Change::New);
    let cut = pinned.iter().filter(|(_, pinned)| is_cut(pinned));
    let cut = cut.map(|(kernel, _)| kernel.complain("searched only until Ctrl-C; run `cain pin` again"));
    let sources: BTreeSet<_> =
        pinned.iter().filter(|(_, pinned)| is_new(pinned)).map(|(kernel, _)| kernel.source.as_path()).collect();
    let untouched = sources.into_iter().filter_map(|source| {
        let error = touch(source).err()?;
        let source = Printable(source.display());
        Some(format!(
            "{source}: cannot be marked as changed ({error}); touch it, so that the next build uses its plans"
        ))
    });
    cut.chain(untouched).collect()
}

/// Sets the time of a file's last change to now.
fn touch(file: &Path) -> io::Result<()> {
    File::options().append(true).open(file)?.set_modified(SystemTime::now())
}
