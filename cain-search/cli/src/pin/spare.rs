//! Plans of what is no longer declared.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;

use cain_codegen::plan_file::PlanFolder;
use cain_codegen::printable::Printable;

use super::collect::Collected;

/// Removes or mentions plan files that belong to nothing, or lists those that would be removed. Returns whether
/// nothing failed.
pub(crate) fn run(collected: &Collected, prune: bool, dry_run: bool) -> io::Result<bool> {
    if !collected.problems.is_empty() {
        if prune {
            eprintln!("no plan is removed while the sources have mistakes");
        }
        return Ok(!prune);
    }
    if prune && collected.whole.is_empty() {
        eprintln!("`--prune` has to see whole packages; name folders with a Cargo.toml instead of a part of them");
        return Ok(false);
    }
    let mut is_good = true;
    let mut out = io::stdout().lock();
    for file in collected.whole.iter().flat_map(|plans| spare(plans, collected)) {
        let shown = Printable(file.display());
        if !prune {
            eprintln!("{shown}: nothing declared has this name; remove the plan with `cain pin --prune`");
        } else if dry_run {
            writeln!(out, "would remove {shown}")?;
        } else if let Err(error) = fs::remove_file(&file) {
            eprintln!("{shown}: cannot be removed: {error}");
            is_good = false;
        } else {
            writeln!(out, "removed {shown}")?;
        }
    }
    Ok(is_good)
}

/// The plan files in a folder that belong to nothing that is declared, in order.
fn spare(plans: &PlanFolder, collected: &Collected) -> Vec<PathBuf> {
    let needed = collected.wanted.iter().filter(|wanted| wanted.plans == *plans);
    let renamings = collected.namesakes.renamings();
    let renamed = renamings.iter().filter(|renaming| renaming.plans == *plans).map(|renaming| &renaming.from);
    let needed: BTreeSet<PathBuf> =
        needed.map(|wanted| &wanted.plan).chain(renamed).map(|plan| plans.file(plan)).collect();
    // A folder that does not exist contains none.
    let entries = fs::read_dir(plans.path()).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    let files = files.filter(|file| file.extension() == Some(OsStr::new(PlanFolder::EXTENSION)));
    files.filter(|file| !needed.contains(file)).collect::<BTreeSet<_>>().into_iter().collect()
}
