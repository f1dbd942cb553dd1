//! Filters that share a name, each with a plan file of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use cain_codegen::kinds::Item;
use cain_codegen::plan_file::{PlanFolder, own_name, own_name_of_bits};
use cain_codegen::printable::Printable;
use cain_digital::{self, superpixel};
use cain_network::automaton::declarations;

use crate::sources::{Declared, Found, Reading, read};

/// The filters of each name, in all of their packages.
#[derive(Default)]
pub(crate) struct Namesakes {
    /// The declarations by folder and name in lower case, as some file systems do not distinguish `Gauss.scamp` from
    /// `gauss.scamp`, and then by the name of their own plan file.
    of: BTreeMap<(PlanFolder, String), BTreeMap<String, Declaration>>,
}

/// A declaration that a plan belongs to.
enum Declaration {
    Analogue(Box<cain_search::Declaration>),
    Digital(cain_digital::Declaration),
    SuperPixel(superpixel::Declaration),
}

impl Namesakes {
    /// The namesakes among the filters that were found and those that their packages declare besides: a build of one
    /// program has to find its plans whichever programs of the package are pinned.
    pub(crate) fn of(found: &Found, reading: &Reading<'_>) -> Self {
        let mut namesakes = Self::default();
        namesakes.extend(&found.items);
        if reading.plans.is_none() {
            let folders: BTreeSet<&PlanFolder> = found.items.iter().map(|declared| &declared.plans).collect();
            let parts = folders.into_iter().filter(|plans| !found.whole.contains(plans));
            let here =
                |root: &Path| if root.as_os_str().is_empty() { Path::new(".").to_owned() } else { root.to_owned() };
            let roots: Vec<_> = parts.filter_map(|plans| plans.path().parent()).map(here).collect();
            // What is wrong in other sources is of no interest here.
            namesakes.extend(&read(&roots, reading).items);
        }
        namesakes
    }

    fn extend(&mut self, items: &[Declared]) {
        for Declared { item, plans, .. } in items {
            match item {
                Item::Kernel(filter) => self.add_analogue(plans, filter.declaration.clone()),
                Item::Automaton(automaton) => {
                    let layers = declarations(&automaton.automaton).unwrap_or_default();
                    for layer in layers {
                        self.add_analogue(plans, layer);
                    }
                }
                Item::Digital(filter) => {
                    let own = own_name_of_bits(&filter.declaration);
                    self.add(plans, filter.name(), own, Declaration::Digital(filter.declaration.clone()));
                }
                Item::SuperPixel(filter) => {
                    let own = own_name_of_bits(&filter.declaration);
                    self.add(plans, filter.name(), own, Declaration::SuperPixel(filter.declaration.clone()));
                }
                // Their files have other names, or there are none.
                Item::Network(_) | Item::InPixel(_) => {}
            }
        }
    }

    fn add_analogue(&mut self, plans: &PlanFolder, declaration: cain_search::Declaration) {
        let own = own_name(&declaration);
        self.add(plans, &declaration.name.clone(), own, Declaration::Analogue(Box::new(declaration)));
    }

    fn add(&mut self, plans: &PlanFolder, name: &str, own: String, declaration: Declaration) {
        self.of.entry((plans.clone(), name.to_lowercase())).or_default().entry(own).or_insert(declaration);
    }

    /// The name of the plan file of a filter; `own` is its name if there are namesakes.
    pub(crate) fn plan(&self, plans: &PlanFolder, name: &str, own: String) -> String {
        let several = self.of.get(&(plans.clone(), name.to_lowercase())).is_some_and(|filters| filters.len() > 1);
        if several { own } else { name.to_owned() }
    }

    /// Renames plans of filters that now share their name, or have ceased to. Returns the problems, one line each.
    pub(crate) fn rename_plans(&self) -> Vec<String> {
        let mut problems = Vec::new();
        for ((plans, _), filters) in &self.of {
            for (own, declaration) in filters {
                let mut names = [declaration.name(), own];
                if filters.len() == 1 {
                    names.reverse();
                }
                if let Err(error) = declaration.rename(plans, names) {
                    let shown = plans.shown(names[0]);
                    problems.push(format!("{}: cannot be renamed: {error}", Printable(shown.display())));
                }
            }
        }
        problems
    }
}

impl Declaration {
    fn name(&self) -> &str {
        match self {
            Self::Analogue(declaration) => &declaration.name,
            Self::Digital(declaration) => &declaration.name,
            Self::SuperPixel(declaration) => &declaration.name,
        }
    }

    /// Renames a plan file, if it is the plan of this declaration and no file has the new name.
    fn rename(&self, plans: &PlanFolder, [from, to]: [&str; 2]) -> io::Result<()> {
        if !plans.file(from).exists() || plans.file(to).exists() {
            return Ok(());
        }
        let is_plan = match self {
            Self::Analogue(declaration) => matches!(plans.load_from(from, declaration), Ok(Some(_))),
            Self::Digital(declaration) => matches!(plans.load_bits_from(from, declaration), Ok(Some(_))),
            Self::SuperPixel(declaration) => matches!(plans.load_bits_from(from, declaration), Ok(Some(_))),
        };
        if is_plan { fs::rename(plans.file(from), plans.file(to)) } else { Ok(()) }
    }
}
