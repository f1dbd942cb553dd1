//! Which plans would be written, without searching.

use std::io::{self, Write as _};

use cain_codegen::printable::Printable;

use super::collect::Collected;
use super::search::Looked;
use super::{BETTER, KEPT, Pin, complain};

/// Lists the plans that would be renamed and written, or are if the search finds a better program; whether all can be.
pub(crate) fn run(args: &Pin, collected: &Collected) -> io::Result<bool> {
    let mut problems = Vec::new();
    let mut out = io::stdout().lock();
    let renamings = collected.namesakes.renamings();
    for [from, to] in renamings.iter().map(super::namesakes::Renaming::shown) {
        writeln!(out, "would rename {from} to {to}")?;
    }
    for wanted in &collected.wanted {
        let is_its = |to: &str| to == wanted.plan;
        let renaming = renamings.iter().find(|renaming| renaming.plans == wanted.plans && is_its(&renaming.to));
        let now = renaming.map_or(&wanted.plan, |renaming| &renaming.from);
        let plan = wanted.plans.shown(&wanted.plan);
        let plan = Printable(plan.display());
        match wanted.look(now, args.again) {
            Ok(Looked { change: KEPT, .. }) => {}
            Ok(Looked { change: BETTER, .. }) => {
                writeln!(out, "would search for {plan}: only a better program replaces the one there")?;
            }
            Ok(Looked { change, .. }) => writeln!(out, "would write {plan}: {change}")?,
            Err(problem) => problems.push(problem),
        }
    }
    Ok(complain(&problems))
}
