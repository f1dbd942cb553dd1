//! The programs that are evaluated.

use cain_codegen::kinds::Placed;
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::printable::Printable;

use super::args::Eval;
use crate::kinds::Shown;
use crate::options::Search;
use crate::search::{Stale, of_build};
use crate::sources::package::Package;
use crate::watch::Interrupt;

/// The programs that a build uses, unless another budget is wanted.
pub(super) fn compiled<K: Shown>(
    args: &Eval,
    declared: &Placed<K>,
    interrupt: &Interrupt,
) -> Result<K::Program, Vec<String>> {
    let file = Printable(args.file.display());
    let search = Search { nodes: args.nodes, threads: args.threads, ..Search::default() };
    let found = of_build(declared, &plans(args)?, Stale::Refused, &search, interrupt);
    let (compiled, notices) = found.map_err(|problem| vec![format!("{file}:{problem}")])?;
    for notice in notices {
        eprintln!("{file}:{notice}");
    }
    Ok(compiled.program)
}

/// The plans of the folder that is named, or of the package.
fn plans(args: &Eval) -> Result<PlanFolder, Vec<String>> {
    match &args.plans {
        Some(folder) => Ok(PlanFolder::new(folder, folder)),
        None => Package::of(&args.file)
            .map(|package| package.plans())
            .map_err(|error| vec![format!("{}: {error}", Printable(args.file.display()))]),
    }
}
