//! Finding the filters that are declared in files and folders.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;

use cain_codegen::kernel_file::AnyFilter;
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::printable::Printable;
use cain_codegen::text_file::{self, ReadError};
use cain_codegen::{Overrides, blocks, kernel_file};
use walkdir::{DirEntry, WalkDir};

use super::Pin;
use super::wanted::Wanted;
use crate::package::{self, Package};

/// The largest source that is read; written by hand, none has a thousandth of this.
const MAX_SOURCE_BYTES: u64 = 64 << 20;

#[derive(Default)]
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
    let mut collector = Collector { args, by_plan: BTreeMap::new(), found: Collected::default() };
    for path in &args.paths {
        collector.add_path(path);
    }
    collector.finish()
}

struct Collector<'a> {
    args: &'a Pin,
    /// By folder and name in lower case: some file systems do not tell `Gauss.scamp` from `gauss.scamp`.
    by_plan: BTreeMap<(PlanFolder, String), Vec<Wanted>>,
    found: Collected,
}

impl Collector<'_> {
    fn add_path(&mut self, path: &Path) {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.add_folder(path),
            Ok(_) => self.add_file(path, path.extension() == Some(OsStr::new("rs"))),
            Err(error) => self.unreadable(path, &error),
        }
    }

    fn add_folder(&mut self, folder: &Path) {
        let walk = WalkDir::new(folder).sort_by_file_name().into_iter();
        for entry in walk.filter_entry(is_of_interest) {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {
                    if entry.path().join(package::MANIFEST).is_file() {
                        let plans = self.plans_of(&Package::at(entry.path()));
                        self.found.whole.insert(plans);
                    }
                }
                Ok(entry) if entry.path().extension() == Some(OsStr::new("rs")) => self.add_file(entry.path(), true),
                Ok(_) => {}
                Err(error) => self.found.problems.push(format!("cannot be read: {}", Printable(error))),
            }
        }
    }

    fn add_file(&mut self, path: &Path, is_rust: bool) {
        let path = package::shown(path);
        match Package::of(&path) {
            Ok(package) if is_rust => self.add_source(&path, &package),
            Ok(package) => self.add_kernel_file(&path, &package),
            Err(error) => self.unreadable(&path, &error),
        }
    }

    fn add_source(&mut self, path: &Path, package: &Package) {
        let bytes = match text_file::bytes_of_regular(path, MAX_SOURCE_BYTES) {
            Ok(bytes) => bytes,
            Err(ReadError::Unreadable(error)) => return self.unreadable(path, &error),
            Err(ReadError::TooLarge | ReadError::NotUtf8(_)) => {
                let path = Printable(path.display());
                self.found
                    .problems
                    .push(format!("{path}: the source is larger than {MAX_SOURCE_BYTES} bytes; split it"));
                return;
            }
        };
        // Mistakes outside of declarations are left to the compiler.
        let text = String::from_utf8_lossy(&bytes);
        let blocks::Blocks { filters, files, wrappers, problems } = blocks::read(&text);
        for problem in problems {
            self.found.problems.push(format!("{}:{problem}", Printable(path.display())));
        }
        for blocks::Wrapper { name, place } in wrappers {
            self.found.notices.push(format!(
                "{}:{place}: filters that the macro `{name}` declares are not found and get no plans; declare them \
                 without it, or in a kernel file",
                Printable(path.display())
            ));
        }
        for declared in filters {
            self.add(Wanted::of_block(declared, path.to_owned(), self.plans_of(package), self.args.nodes));
        }
        let beside = path.parent().unwrap_or(Path::new(""));
        for file in files {
            self.add_kernel_file(&beside.join(file.path), package);
        }
        if package.is_build_script(path) {
            for file in package.kernel_files_named_in(&text) {
                self.add_kernel_file(&file, package);
            }
        }
    }

    fn add_kernel_file(&mut self, path: &Path, package: &Package) {
        match kernel_file::load_any(path, Overrides::default()) {
            Ok(filters) => {
                for filter in filters {
                    // Digital filters have no plan files.
                    if let AnyFilter::Analogue(filter) = filter {
                        self.add(Wanted::of_file(*filter, path.to_owned(), self.plans_of(package), self.args.nodes));
                    }
                }
            }
            Err(error) => self.found.problems.push(error.to_string()),
        }
    }

    fn add(&mut self, filter: Wanted) {
        let key = (filter.plans.clone(), filter.name().to_lowercase());
        self.by_plan.entry(key).or_default().push(filter);
    }

    fn plans_of(&self, package: &Package) -> PlanFolder {
        match &self.args.plans {
            Some(folder) => PlanFolder::new(folder, folder),
            None => package.plans(),
        }
    }

    fn unreadable(&mut self, path: &Path, error: &io::Error) {
        self.found.problems.push(format!("{}: cannot be read: {error}", Printable(path.display())));
    }

    /// Merges filters that are declared twice in the same way; different ones of one name are mistakes.
    fn finish(self) -> Collected {
        let mut found = self.found;
        for mut filters in self.by_plan.into_values() {
            let first = filters.remove(0);
            let others: Vec<_> = filters.iter().filter(|filter| !filter.asks_like(&first)).collect();
            for other in &others {
                let plan = first.plans.shown(first.name());
                found.problems.push(other.complain(&format!(
                    "{} declares another filter whose plan would be `{}` too; rename one",
                    first.place(),
                    Printable(plan.display())
                )));
            }
            if others.is_empty() {
                found.filters.push(first);
            }
        }
        found
    }
}

/// Whether there may be sources: not in hidden folders, nor in build output.
fn is_of_interest(entry: &DirEntry) -> bool {
    let is_hidden = || entry.file_name().as_encoded_bytes().starts_with(b".");
    let is_cache = || entry.path().join("CACHEDIR.TAG").is_file();
    entry.depth() == 0 || !(is_hidden() || entry.file_type().is_dir() && is_cache())
}
