//! Finds the filters that are declared in files and folders.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::io::{self, Read as _};
use std::path::Path;

use cain_codegen::blocks;
use cain_codegen::kernel_file::{self, LoadError};
use cain_codegen::kinds::Item;
use cain_codegen::plan_file::{self, PlanFolder};
use cain_codegen::printable::Printable;
use cain_codegen::program_file;
use cain_codegen::text_file::{self, ReadError, folder_of};

use super::package::{self, Package};
use super::{Declared, Reading, STANDARD_INPUT};

/// The largest source that is read; sources written by hand are at most a thousandth of this.
const MAX_SOURCE_BYTES: u64 = 64 << 20;

/// The filters and messages that were found.
#[derive(Default)]
pub(crate) struct Found {
    /// In the order of the sources.
    pub(crate) items: Vec<Declared>,
    /// Mistakes in the sources, one line each.
    pub(crate) problems: Vec<String>,
    /// Other remarks about the sources, one line each.
    pub(crate) notices: Vec<String>,
    /// The plan folders of packages that were searched completely.
    pub(crate) whole: BTreeSet<PlanFolder>,
}

/// Reads files and folders, and the standard input.
pub(crate) fn read(paths: &[impl AsRef<Path>], reading: &Reading<'_>) -> Found {
    let mut reader = Reader { reading, found: Found::default() };
    for path in paths {
        reader.add_path(path.as_ref());
    }
    reader.found
}

/// The text of the standard input.
pub(crate) fn standard_input() -> io::Result<String> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(MAX_SOURCE_BYTES).read_to_end(&mut bytes)?;
    Ok(text_file::without_mark(&String::from_utf8_lossy(&bytes)).to_owned())
}

/// The filters of a text from the standard input.
pub(crate) fn read_text(text: &str, reading: &Reading<'_>) -> Found {
    let mut reader = Reader { reading, found: Found::default() };
    reader.add_text(text);
    reader.found
}

struct Reader<'a> {
    reading: &'a Reading<'a>,
    found: Found,
}

impl Reader<'_> {
    fn add_path(&mut self, path: &Path) {
        if path == Path::new(STANDARD_INPUT) {
            return match standard_input() {
                Ok(text) => self.add_text(&text),
                Err(error) => self.unreadable(path, &error),
            };
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.add_folder(path),
            Ok(_) => self.add_file(path),
            Err(error) => self.unreadable(path, &error),
        }
    }

    fn add_folder(&mut self, folder: &Path) {
        if folder.join(package::MANIFEST).is_file() {
            let plans = self.plans_of(&Package::at(folder));
            self.found.whole.insert(plans);
        }
        let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<DirEntry>>>);
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => return self.unreadable(folder, &error),
        };
        entries.sort_by_key(DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            match entry.file_type() {
                // Links to folders may lead round in circles.
                Ok(kind) if kind.is_dir() => {
                    if is_of_interest(&entry)
                        && (self.reading.packages_below || !path.join(package::MANIFEST).is_file())
                    {
                        self.add_folder(&path);
                    }
                }
                Ok(_) if is_rust(&path) && !is_hidden(&entry) => self.add_file(&path),
                Ok(_) => {}
                Err(error) => self.unreadable(&path, &error),
            }
        }
    }

    fn add_file(&mut self, path: &Path) {
        let path = package::shown(path);
        // A pipe is not in a folder.
        let package = Package::of(&path).unwrap_or_else(|_| Package::here());
        if is_rust(&path) {
            self.add_source(&path, &package);
        } else if path.extension() == Some(OsStr::new(PlanFolder::EXTENSION)) {
            self.add_plan_file(&path, &package);
        } else {
            self.add_kernel_file(&path, &package);
        }
    }

    /// Adds the filters of the standard input, whose kind is recognised from its text.
    fn add_text(&mut self, text: &str) {
        let (path, package) = (Path::new(STANDARD_INPUT), Package::here());
        if self.add_plan(text, path, &package) {
            return;
        }
        if [blocks::NAME, blocks::NETWORK_NAME, blocks::PROGRAM_NAME].iter().any(|name| text.contains(name)) {
            return self.add_blocks(text, path, &package);
        }
        let wants_all = self.reading.networks || self.reading.programs && kernel_file::has_programs(text);
        let parse = if wants_all { kernel_file::parse_any } else { kernel_file::parse_filters };
        match parse(text, self.reading.overrides) {
            Ok(filters) => filters.into_iter().for_each(|filter| self.add(filter, path, &package)),
            Err(problems) => self.found.problems.extend(LoadError::of_filters(path, problems).messages()),
        }
    }

    fn add_source(&mut self, path: &Path, package: &Package) {
        match text_file::bytes(path, MAX_SOURCE_BYTES) {
            // Mistakes outside declarations are left to the compiler.
            Ok(bytes) => self.add_blocks(&String::from_utf8_lossy(&bytes), path, package),
            Err(ReadError::Unreadable(error)) => self.unreadable(path, &error),
            Err(ReadError::TooLarge | ReadError::NotUtf8(_)) => {
                let path = Printable(path.display());
                self.found
                    .problems
                    .push(format!("{path}: the source is larger than {MAX_SOURCE_BYTES} bytes; split it"));
            }
        }
    }

    /// Adds the filters that a Rust source declares, and those of the kernel files that it names.
    fn add_blocks(&mut self, text: &str, path: &Path, package: &Package) {
        let blocks::Blocks { items, files, wrappers, problems } = blocks::read_for(text, self.reading.overrides);
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
        for item in items {
            self.add(item, path, package);
        }
        let beside = folder_of(path);
        if self.reading.networks {
            let (networks, problems) = blocks::networks(text, beside);
            for problem in problems {
                self.found.problems.push(format!("{}:{problem}", Printable(path.display())));
            }
            for network in networks {
                self.add(network, path, package);
            }
        }
        if self.reading.programs {
            let blocks::Programs { items, files, problems } = blocks::programs(text, beside);
            for problem in problems {
                self.found.problems.push(format!("{}:{problem}", Printable(path.display())));
            }
            for item in items {
                self.add(item, path, package);
            }
            for file in files {
                self.add_kernel_file(&beside.join(file.path), package);
            }
        }
        for file in files {
            self.add_kernel_file(&beside.join(file.path), package);
        }
        if package.is_build_script(path) {
            for file in package.kernel_files_named_in(text) {
                self.add_kernel_file(&file, package);
            }
        }
    }

    fn add_kernel_file(&mut self, path: &Path, package: &Package) {
        let has_programs = || {
            let text = text_file::read(path, kernel_file::MAX_BYTES);
            program_file::is_one(path) || text.is_ok_and(|text| kernel_file::has_programs(&text))
        };
        let wants_all = self.reading.networks || self.reading.programs && has_programs();
        let load = if wants_all { kernel_file::load_any } else { kernel_file::load_filters };
        match load(path, self.reading.overrides) {
            Ok(filters) => filters.into_iter().for_each(|filter| self.add(filter, path, package)),
            Err(error) => self.found.problems.extend(error.messages()),
        }
    }

    fn add_plan_file(&mut self, path: &Path, package: &Package) {
        let shown = Printable(path.display()).to_string();
        match text_file::read(path, plan_file::MAX_BYTES) {
            Ok(text) if self.add_plan(&text, path, package) => {}
            Ok(_) => self.found.problems.push(format!("{shown}:1:1: this is no plan that `cain pin` has written")),
            Err(ReadError::Unreadable(error)) => self.unreadable(path, &error),
            Err(ReadError::TooLarge) => {
                self.found.problems.push(format!("{shown}: the plan is larger than {} bytes", plan_file::MAX_BYTES));
            }
            Err(ReadError::NotUtf8(place)) => {
                self.found.problems.push(format!("{shown}:{place}: the plan is not UTF-8 from here on"));
            }
        }
    }

    /// Adds the filter of a plan file; returns whether the text is one.
    fn add_plan(&mut self, text: &str, path: &Path, package: &Package) -> bool {
        match plan_file::read(text, path) {
            None => return false,
            Some(Ok(filter)) => self.add(filter.into(), path, package),
            Some(Err(problem)) => self.found.problems.push(format!("{}:{problem}", Printable(path.display()))),
        }
        true
    }

    fn add(&mut self, item: Item, file: &Path, package: &Package) {
        let plans = self.plans_of(package);
        self.found.items.push(Declared { item, file: file.to_owned(), plans });
    }

    fn plans_of(&self, package: &Package) -> PlanFolder {
        match self.reading.plans {
            Some(folder) => PlanFolder::new(folder, folder),
            None => package.plans(),
        }
    }

    fn unreadable(&mut self, path: &Path, error: &io::Error) {
        self.found.problems.push(format!("{}: cannot be read: {error}", Printable(path.display())));
    }
}

fn is_rust(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("rs"))
}

/// Whether there may be sources in a folder: not if it is hidden or contains build output.
fn is_of_interest(folder: &DirEntry) -> bool {
    !is_hidden(folder) && !folder.path().join("CACHEDIR.TAG").is_file()
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}
