//! The filters whose plans are wanted.

use std::collections::{BTreeMap, BTreeSet};

use cain_codegen::Overrides;
use cain_codegen::kernel_file::Filter;
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::printable::Printable;

use super::Pin;
use super::wanted::Wanted;
use crate::sources::{Found, Reading, read};

pub(crate) struct Collected {
    /// One filter for each plan file, in the order of those.
    pub(crate) filters: Vec<Wanted>,
    /// Mistakes in the sources, one line each.
    pub(crate) problems: Vec<String>,
    /// Other remarks about the sources, one line each.
    pub(crate) notices: Vec<String>,
    /// The plan folders of packages that were searched completely.
    pub(crate) whole: BTreeSet<PlanFolder>,
}

/// Looks through files and folders.
pub(crate) fn collect(args: &Pin) -> Collected {
    let reading = Reading { overrides: Overrides::default(), plans: args.plans.as_deref() };
    let Found { filters, mut problems, notices, whole } = read::<Filter>(&args.paths, &reading);
    // By folder and name in lower case: some file systems do not tell `Gauss.scamp` from `gauss.scamp`.
    let mut by_plan: BTreeMap<(PlanFolder, String), Vec<Wanted>> = BTreeMap::new();
    for declared in filters {
        let wanted = Wanted::new(declared, args.nodes);
        by_plan.entry((wanted.plans.clone(), wanted.name().to_lowercase())).or_default().push(wanted);
    }
    let filters = by_plan.into_values().filter_map(|filters| only(filters, &mut problems)).collect();
    Collected { filters, problems, notices, whole }
}

/// The filter of several that are declared in the same way; different ones of one name are mistakes.
fn only(mut filters: Vec<Wanted>, problems: &mut Vec<String>) -> Option<Wanted> {
    let first = filters.remove(0);
    let others: Vec<_> = filters.iter().filter(|filter| !filter.asks_like(&first)).collect();
    for other in &others {
        let plan = first.plans.shown(first.name());
        problems.push(other.complain(&format!(
            "{} declares another filter whose plan would be `{}` too; rename one",
            first.place(),
            Printable(plan.display())
        )));
    }
    others.is_empty().then_some(first)
}
