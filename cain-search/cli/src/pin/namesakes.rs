//! Declarations that share a name, each with a plan file of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use cain_codegen::kinds::{Item, Kind, Placed};
use cain_codegen::of_each_kind;
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::printable::Printable;

use crate::sources::{Declared, Found, Reading, read};

/// The declarations of each name, in all of their packages.
#[derive(Default)]
pub(crate) struct Namesakes {
    /// By folder and name in lower case, as some file systems do not distinguish `Gauss.scamp` from `gauss.scamp`, and then
    /// by the name of their own plan file.
    of: BTreeMap<(PlanFolder, String), BTreeMap<String, Item>>,
}

/// A plan file whose name is to be another one.
pub(crate) struct Renaming {
    pub(crate) plans: PlanFolder,
    pub(crate) from: String,
    pub(crate) to: String,
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
        for Declared { item, plans, .. } in items.iter().filter(|declared| declared.item.is_searched()) {
            let of_name = self.of.entry((plans.clone(), item.name().to_lowercase())).or_default();
            of_name.entry(item.own_name()).or_insert_with(|| item.clone());
        }
    }

    /// The name of the plan file of a declaration; `own` is its name if there are namesakes.
    pub(crate) fn plan(&self, plans: &PlanFolder, name: &str, own: &str) -> String {
        let several = self.of.get(&(plans.clone(), name.to_lowercase())).is_some_and(|items| items.len() > 1);
        (if several { own } else { name }).to_owned()
    }

    /// The plans of declarations that now share their name, or have ceased to.
    pub(crate) fn renamings(&self) -> Vec<Renaming> {
        let mut renamings = Vec::new();
        for ((plans, _), items) in &self.of {
            for (own, item) in items {
                let (name, own) = (item.name().to_owned(), own.clone());
                let (from, to) = if items.len() == 1 { (own, name) } else { (name, own) };
                let is_free = plans.file(&from).exists() && !plans.file(&to).exists();
                if is_free && of_each_kind!(item, declared => is_plan(declared, plans, &from)) {
                    renamings.push(Renaming { plans: plans.clone(), from, to });
                }
            }
        }
        renamings
    }
}

/// Whether the plan file of that name is the one of a declaration.
fn is_plan<K: Kind>(declared: &Placed<K>, plans: &PlanFolder, name: &str) -> bool {
    matches!(declared.of.load_from(plans, name), Ok(Some(_)))
}

impl Renaming {
    /// The files as messages show them: the present name, and the next one.
    pub(crate) fn shown(&self) -> [String; 2] {
        [&self.from, &self.to].map(|name| Printable(self.plans.shown(name).display()).to_string())
    }

    /// Renames the file; or a problem, in one line.
    pub(crate) fn carry_out(&self) -> Result<(), String> {
        let renamed = fs::rename(self.plans.file(&self.from), self.plans.file(&self.to));
        let [from, _] = self.shown();
        renamed.map_err(|error| format!("{from}: cannot be renamed: {error}"))
    }
}
