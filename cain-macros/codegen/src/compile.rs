//! From a declaration to its programs.

use std::ops::ControlFlow;
use std::time::Instant;

use cain_analysis::prove::Report;
use cain_isa::Instruction;
use cain_search::{Approximated, Declaration, Solution};

use crate::cache::{Cache, Key};
use crate::kinds::{Compiled, Kind, Mistake, Part};
use crate::plan_file::PlanPath;
use crate::plans::{Mode, Plans};
use crate::printable::Printable;
use crate::search_log::SearchLog;

/// The plan of a filter: a program that was proved to compute its declaration, and the source of that program.
///
/// There is no plan without proof: the program of a [`Solution`] comes from [`cain_search::verify()`], whether a search
/// has found it or a plan file contained it.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The program with its declaration, and the statistics of the search for it.
    pub solution: Solution,
    /// By how much the weights differ from those declared, if the filter allows that.
    pub approximated: Option<Approximated>,
    /// The plan file with the program; `None` if a search has found it now.
    pub file: Option<PlanPath>,
}

impl Plan {
    /// The plan of a solution; `rounded` is by how much the weights of its declaration were rounded before.
    #[must_use]
    pub fn new(solution: Solution, rounded: Option<Approximated>, file: Option<PlanPath>) -> Self {
        let approximated = rounded.or_else(|| solution.program.approximated());
        Self { solution, approximated, file }
    }

    /// What the program was declared to compute.
    #[must_use]
    pub fn declaration(&self) -> &Declaration {
        self.solution.program.declaration()
    }

    /// The instructions of the program.
    #[must_use]
    pub fn listing(&self) -> &[Instruction] {
        self.solution.program.listing()
    }

    /// The costs and registers that the prover found.
    #[must_use]
    pub fn report(&self) -> &Report {
        self.solution.program.report()
    }
}

/// The programs of a declaration, from its plan if there is one and otherwise from searches; `None` if no programs are
/// wanted.
pub(crate) fn compile<K: Kind>(declaration: &K, plans: &Plans) -> Result<Option<Compiled<K>>, Mistake> {
    if plans.mode == Mode::Stub {
        return Ok(None);
    }
    let whole = |message: String| Mistake::new(Part::Whole, message);
    let folder = plans.folder.as_ref().filter(|_| K::IS_SEARCHED);
    let pinned = folder.map(|folder| declaration.load(folder)).transpose();
    let compiled = match pinned.map_err(|error| whole(error.to_string()))?.flatten() {
        Some((program, file)) => Compiled { program, file: Some(file) },
        None if plans.mode == Mode::Locked && K::IS_SEARCHED => {
            let plan = folder.map(|folder| folder.shown(declaration.name())).unwrap_or_default();
            return Err(whole(format!(
                "{}: the {} has no plan, and with `{}=locked` none is searched for; run `cain pin`",
                Printable(plan.display()),
                K::WHAT,
                Mode::VARIABLE
            )));
        }
        None => {
            let cache = plans.cache.as_ref().filter(|_| K::IS_SEARCHED);
            let found = search(declaration, cache, &plans.searches);
            Compiled { program: found.map_err(|error| declaration.failure(&error))?, file: None }
        }
    };
    declaration.check(&compiled.program)?;
    Ok(Some(compiled))
}

/// The programs that a search finds, or has found in an earlier build.
fn search<K: Kind>(declaration: &K, cache: Option<&Cache>, log: &SearchLog) -> Result<K::Program, K::Error> {
    let search = || {
        let start = Instant::now();
        let found = declaration.search(&mut |_| ControlFlow::Continue(()));
        log.add(declaration.name(), start.elapsed());
        found
    };
    let Some(cache) = cache else { return search() };
    let key = Key::of(declaration.name(), declaration.asked());
    if let Some(kept) = cache.read(&key).and_then(|plan| declaration.verify(&plan).ok()) {
        return Ok(kept);
    }
    let found = search()?;
    cache.write(&key, &K::plan_file(&found));
    Ok(found)
}
