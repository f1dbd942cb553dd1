//! Plans of filters that no longer exist.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;

use cain_codegen::plan_file::PlanFolder;
use cain_codegen::printable::Printable;

use super::collect::Collected;

/// Removes or mentions plan files that belong to no filter, or lists those that would be removed. Returns whether
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
            eprintln!("{shown}: no filter has this name; remove the plan with `cain pin --prune`");
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

/// The plan files in a folder that belong to no filter, in order.
fn spare(plans: &PlanFolder, collected: &Collected) -> Vec<PathBuf> {
    let filters = collected.filters.iter().map(|filter| (&filter.plans, filter.plan.clone()));
    let digital = collected.digital.iter().map(|filter| (&filter.plans, filter.plan.clone()));
    let super_pixels = collected.super_pixels.iter().map(|filter| (&filter.plans, filter.plan.clone()));
    let networks = collected.networks.iter().map(|network| (network.plans(), network.plan()));
    let all = filters.chain(digital).chain(super_pixels).chain(networks).filter(|(folder, _)| *folder == plans);
    let needed: BTreeSet<PathBuf> = all.map(|(_, name)| plans.file(&name)).collect();
    // A folder that does not exist contains none.
    let entries = fs::read_dir(plans.path()).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    let files = files.filter(|file| file.extension() == Some(OsStr::new(PlanFolder::EXTENSION)));
    files.filter(|file| !needed.contains(file)).collect::<BTreeSet<_>>().into_iter().collect()
}
