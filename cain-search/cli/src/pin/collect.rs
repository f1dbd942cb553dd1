//! The filters whose plans are wanted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use cain_codegen::Overrides;
use cain_codegen::kinds::{Digital, Item, SuperPixel};
use cain_codegen::plan_file::{PlanFolder, own_name};

use super::Pin;
use super::bits::{self, WantedBits};
use super::namesakes::Namesakes;
use super::network::WantedNetwork;
use super::wanted::Wanted;
use crate::sources::{Declared, Found, Reading, read};

pub(crate) struct Collected {
    /// The filters, one for each plan file, in the order of the plan files.
    pub(crate) filters: Vec<Wanted>,
    /// The same of digital filters.
    pub(crate) digital: Vec<WantedBits<Digital>>,
    /// The same of filters over super-pixels.
    pub(crate) super_pixels: Vec<WantedBits<SuperPixel>>,
    /// The networks, each once.
    pub(crate) networks: Vec<WantedNetwork>,
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
        packages_below: false,
    };
    let found = read(paths, &reading);
    let namesakes = Namesakes::of(&found, &reading);
    let Found { items: found, problems, notices, whole } = found;
    let (mut filters, mut digital, mut super_pixels) = (Vec::new(), Vec::new(), Vec::new());
    let mut networks: Vec<WantedNetwork> = Vec::new();
    let mut by_name: BTreeMap<(PlanFolder, String), Vec<Wanted>> = BTreeMap::new();
    for declared in found {
        for wanted in Wanted::all(&declared, args.nodes) {
            by_name.entry((wanted.plans.clone(), wanted.name().to_lowercase())).or_default().push(wanted);
        }
        let Declared { item, file, plans } = declared;
        match item {
            Item::Digital(filter) => digital.push((*filter, file, plans)),
            Item::SuperPixel(filter) => super_pixels.push((*filter, file, plans)),
            Item::Network(network) => {
                let wanted = WantedNetwork::new(*network, file, plans, args.nodes);
                if !networks.contains(&wanted) {
                    networks.push(wanted);
                }
            }
            // Those are collected above, or have no plans.
            Item::Kernel(_) | Item::Automaton(_) | Item::InPixel(_) => {}
        }
    }
    let digital = bits::with_plans(digital, args.nodes, &namesakes);
    let super_pixels = bits::with_plans(super_pixels, args.nodes, &namesakes);
    for of_name in by_name.into_values() {
        filters.extend(with_plans(of_name, &namesakes));
    }
    Collected { filters, digital, super_pixels, networks, namesakes, problems, notices, whole }
}

/// One filter for each plan file: filters of one name that are declared in the same way share it, and different ones have
/// files of their own.
fn with_plans(of_name: Vec<Wanted>, namesakes: &Namesakes) -> Vec<Wanted> {
    let mut different: Vec<(String, Wanted)> = Vec::new();
    for filter in of_name {
        let own = own_name(&filter.declaration);
        if !different.iter().any(|(earlier, _)| *earlier == own) {
            different.push((own, filter));
        }
    }
    let named = |(own, mut filter): (String, Wanted)| {
        filter.plan = namesakes.plan(&filter.plans, filter.name(), own);
        filter
    };
    different.into_iter().map(named).collect()
}
