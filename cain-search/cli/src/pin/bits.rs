//! Plans of filters on bits.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use cain_codegen::kinds::{Digital, Kind, Part, Placed, SuperPixel};
use cain_codegen::plan_file::{OnBits, PlanFolder, own_name_of_bits};
use cain_codegen::printable::Printable;
use cain_isa::Progress;
use cain_isa::Stop;

use super::namesakes::Namesakes;
use super::renew::mark_as_changed;
use super::store::{prepare, store_bits};
use super::work::{Share, side_by_side};
use super::{BETTER, Done, KEPT, NEW, Pin, RENEWED, complain};
use crate::table::Table;
use crate::watch::Interrupt;

/// A kind of filters on bits.
pub(crate) trait Exact: Kind {
    type Declaration: OnBits<Solution = Self::Program, Error = Self::Error>;

    fn declaration(&self) -> &Self::Declaration;
}

impl Exact for Digital {
    type Declaration = cain_digital::Declaration;

    fn declaration(&self) -> &cain_digital::Declaration {
        &self.declaration
    }
}

impl Exact for SuperPixel {
    type Declaration = cain_digital::superpixel::Declaration;

    fn declaration(&self) -> &cain_digital::superpixel::Declaration {
        &self.declaration
    }
}

/// A filter on bits whose plan is wanted, and where it is declared.
pub(crate) struct WantedBits<K: Exact> {
    /// What to search for, with the budget to do it.
    declaration: K::Declaration,
    /// The folder of its plan.
    pub(crate) plans: PlanFolder,
    /// The name of its plan file.
    pub(crate) plan: String,
    source: PathBuf,
    filter: Placed<K>,
}

impl<K: Exact> WantedBits<K> {
    fn new(filter: Placed<K>, source: PathBuf, plans: PlanFolder, budget: Option<u64>) -> Self {
        let nodes = budget.unwrap_or(filter.declaration().nodes());
        let declaration = filter.declaration().clone().with_nodes(nodes);
        Self { plan: filter.name().to_owned(), declaration, plans, source, filter }
    }

    fn complain(&self, message: &str) -> String {
        format!("{}:{}", Printable(self.source.display()), self.filter.diagnostic(Part::Whole, message))
    }

    /// The solution in its plan file, if it is valid, and what becomes of the file: whether it is searched for again.
    pub(crate) fn state(&self, again: bool) -> Result<(Option<K::Program>, &'static str), String> {
        let Self { declaration, plans, plan, .. } = self;
        let existing = plans.read_bits::<K::Declaration>(plan).and_then(|file| match file {
            Some(file) => Ok(Some((plans.check_bits(plan, &file, declaration)?, file.budget()))),
            None => Ok(None),
        });
        match existing {
            Ok(Some((solution, budget))) => {
                let is_final = match K::Declaration::statistics(&solution).stop {
                    Stop::Nodes => budget >= declaration.nodes(),
                    stop => stop != Stop::Interrupted,
                };
                Ok((Some(solution), if is_final && !again { KEPT } else { BETTER }))
            }
            Ok(None) => Ok((None, NEW)),
            Err(error) if error.is_replaceable() => Ok((None, RENEWED)),
            Err(error) => Err(error.to_string()),
        }
    }

    /// What is wrong with its plan.
    pub(crate) fn problem(&self) -> Option<String> {
        match self.plans.load_bits_from(&self.plan, &self.declaration) {
            Ok(Some(_)) => None,
            Ok(None) => {
                let plan = self.plans.shown(&self.plan);
                Some(self.complain(&format!("there is no plan `{}`; run `cain pin`", Printable(plan.display()))))
            }
            Err(error) => Some(error.to_string()),
        }
    }
}

/// One filter for each plan file, by folder and name.
pub(crate) fn with_plans<K: Exact>(
    found: Vec<(Placed<K>, PathBuf, PlanFolder)>,
    budget: Option<u64>,
    namesakes: &Namesakes,
) -> Vec<WantedBits<K>> {
    let mut filters = BTreeMap::new();
    for (filter, source, plans) in found {
        let filter = WantedBits::new(filter, source, plans, budget);
        let own = own_name_of_bits(&filter.declaration);
        let plan = namesakes.plan(&filter.plans, filter.declaration.name(), own.clone());
        let key = (filter.plans.clone(), filter.declaration.name().to_lowercase(), own);
        filters.entry(key).or_insert(WantedBits { plan, ..filter });
    }
    filters.into_values().collect()
}

/// Searches where that can improve a plan, several at a time, and reports on all plans.
pub(crate) fn run<K: Exact + Sync>(args: &Pin, filters: &[WantedBits<K>], interrupt: &Interrupt) -> io::Result<Done>
where
    K::Program: Send,
    K::Declaration: Sync,
{
    let nodes = |filter: &WantedBits<K>| filter.declaration.nodes();
    let results = side_by_side(filters, args.threads, nodes, |filter, share| pin(args, filter, share, interrupt));
    let mut done = Done::default();
    let mut rows = Vec::new();
    let mut changed = BTreeSet::new();
    for (filter, result) in filters.iter().zip(results) {
        match result {
            Ok(Pinned { solution, before, change }) => {
                if change == NEW {
                    changed.insert(filter.source.as_path());
                }
                done.written.extend((change != KEPT).then(|| filter.plans.shown(&filter.plan)));
                rows.push([
                    filter.declaration.name().to_owned(),
                    K::Declaration::words(&solution).to_string(),
                    before.map_or_else(|| "-".to_owned(), |words| words.to_string()),
                    K::Declaration::statistics(&solution).stop.to_string(),
                    change.to_owned(),
                ]);
            }
            Err(problem) => done.problems.push(problem),
        }
    }
    if !rows.is_empty() {
        let mut out = io::stdout().lock();
        let titles = [K::Declaration::KIND, "words", "before", "stop", "plan"];
        let table = Table::new(&titles, rows.iter().map(|[name, ..]| name.as_str()), 6);
        table.head(&mut out)?;
        rows.iter().try_for_each(|row| table.row(&mut out, row))?;
    }
    complain(&done.problems);
    complain(&mark_as_changed(changed));
    Ok(done)
}

/// The plan that is in a file now.
struct Pinned<S> {
    solution: S,
    /// The words of the program that was there, if it was longer.
    before: Option<usize>,
    /// What happened.
    change: &'static str,
}

/// Searches for a program, and writes it if it is better than the one in the plan file.
fn pin<K: Exact>(
    args: &Pin,
    filter: &WantedBits<K>,
    share: &mut Share<'_>,
    interrupt: &Interrupt,
) -> Result<Pinned<K::Program>, String> {
    let WantedBits { declaration, plans, plan, .. } = filter;
    let (existing, change) = match filter.state(args.again)? {
        (Some(solution), KEPT) => return Ok(Pinned { solution, before: None, change: KEPT }),
        state => state,
    };
    let cannot_write =
        |error: io::Error| format!("{}: the plan cannot be written: {error}", Printable(plans.shown(plan).display()));
    prepare(plans).map_err(cannot_write)?;
    if interrupt.is_pressed() {
        let kept = |solution| Pinned { solution, before: None, change: KEPT };
        return existing.map(kept).ok_or_else(|| filter.complain("not searched because of Ctrl-C"));
    }
    let mut watch = |Progress { nodes, .. }| {
        share.shows(nodes);
        if interrupt.is_pressed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let found = match (declaration.search(&mut watch), existing.clone()) {
        (Ok(found), _) => found,
        // A short search can miss what a long one has found.
        (Err(error), Some(solution)) if K::Declaration::is_cut(&error) => {
            return Ok(Pinned { solution, before: None, change: KEPT });
        }
        (Err(_), None) if interrupt.is_pressed() => return Err(filter.complain("no program found before Ctrl-C")),
        (Err(error), _) => {
            return Err(format!("{}:{}", Printable(filter.source.display()), filter.filter.failed(&error)));
        }
    };
    let before = existing.map(|existing| K::Declaration::words(&existing));
    Ok(match store_bits::<K::Declaration>(plans, plan, &found).map_err(cannot_write)? {
        Some(solution) => Pinned { solution, before: None, change: KEPT },
        None => Pinned { solution: found, before, change },
    })
}
