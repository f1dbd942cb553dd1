//! The declarations whose plans are wanted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use cain_codegen::Overrides;
use cain_codegen::plan_file::PlanFolder;

use super::Pin;
use super::namesakes::Namesakes;
use super::wanted::Wanted;
use crate::sources::{Found, Reading, read};

pub(crate) struct Collected {
    /// The declarations, one for each plan file, in the order of the plan files.
    pub(crate) wanted: Vec<Wanted>,
    /// Whether there are others, which need no search.
    pub(crate) has_unsearched: bool,
    pub(crate) namesakes: Namesakes,
    /// Mistakes in the sources, one line each.
    pub(crate) problems: Vec<String>,
    /// Other remarks about the sources, one line each.
    pub(crate) notices: Vec<String>,
    /// The plan folders of packages that were searched completely.
    pub(crate) whole: BTreeSet<PlanFolder>,
}

/// Searches files and folders, but not other packages below them.
pub(crate) fn collect(args: &Pin, paths: &[PathBuf]) -> Collected {
    let reading = Reading {
        overrides: Overrides::default(),
        plans: args.plans.as_deref(),
        networks: true,
        programs: true,
        packages_below: false,
    };
    let found = read(paths, &reading);
    let namesakes = Namesakes::of(&found, &reading);
    let Found { items, problems, notices, whole } = found;
    let has_unsearched = items.iter().any(|declared| !declared.item.is_searched());
    // What is declared twice in the same way shares its plan file; what differs has a file of its own.
    let mut by_file = BTreeMap::new();
    for wanted in items.into_iter().filter_map(|declared| Wanted::of(declared, args.nodes, args.no_book)) {
        let plan = namesakes.plan(&wanted.plans, wanted.name(), &wanted.own);
        let key = (wanted.plans.clone(), wanted.name().to_lowercase(), wanted.own.clone());
        by_file.entry(key).or_insert(Wanted { plan, ..wanted });
    }
    Collected { wanted: by_file.into_values().collect(), has_unsearched, namesakes, problems, notices, whole }
}
