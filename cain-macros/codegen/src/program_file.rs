//! Files of whole programs: `NAME.cain`.

use std::ffi::OsStr;
use std::path::Path;

use crate::diagnostic::Diagnostic;
#[cfg(feature = "programs")]
use crate::diagnostic::Position;
#[cfg(feature = "programs")]
use crate::kernel_file::{Cause, load_kernels};
use crate::kinds::Item;
#[cfg(feature = "programs")]
use crate::kinds::vision::{callable, placed};
use crate::lower::machine::Described;
#[cfg(feature = "programs")]
use crate::text_file::folder_of;
#[cfg(feature = "programs")]
use crate::vision::{self, Declared, Filter, Load};

/// The ending of their names.
pub const EXTENSION: &str = "cain";

/// Whether a file is one, by its name.
#[must_use]
pub fn is_one(path: &Path) -> bool {
    path.extension() == Some(OsStr::new(EXTENSION))
}

/// Where a text of programs is.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "programs"), expect(dead_code, reason = "only programs can call something"))]
pub(crate) struct Around<'a> {
    /// The folder that its paths are relative to.
    pub(crate) folder: &'a Path,
    /// The kernel file that the programs are of.
    pub(crate) kernel_file: Option<KernelFile<'a>>,
}

/// A kernel file with programs.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "programs"), expect(dead_code, reason = "only programs can call something"))]
pub(crate) struct KernelFile<'a> {
    pub(crate) path: &'a Path,
    /// The machine that it describes.
    pub(crate) machine: Described,
    /// The filters, and what else there is beside the programs: names, and declarations that could be read.
    pub(crate) beside: &'a [(&'a str, Option<&'a Item>)],
}

/// Reads the programs of a text with all that they can call, and all mistakes.
#[cfg(feature = "programs")]
pub(crate) fn parse(text: &str, around: Around<'_>) -> (Vec<Item>, Vec<Diagnostic>) {
    // In a macro, the compiler would give all tokens of the text the place of the call.
    proc_macro2::fallback::force();
    let machine = around.kernel_file.map_or(Described::SCAMP5, |file| file.machine);
    let (read, files) = with_kernels(around, |beside, load| vision::read_for(machine, text, beside, load));
    let placed = |declared: &Declared| Item::from(placed(declared).placed(Position::of)).read_from(&files);
    let parsed = match read {
        Ok(declared) => (declared.iter().map(placed).collect(), Vec::new()),
        Err(problems) => (Vec::new(), problems),
    };
    proc_macro2::fallback::unforce();
    parsed
}

/// Reads a text with what is beside its programs, and with what reads the kernel files that it uses. Beside what comes of it stand
/// the files that were read, as seen from the text.
#[cfg(feature = "programs")]
pub(crate) fn with_kernels<T>(
    around: Around<'_>,
    read: impl FnOnce(&[Filter], &mut Load<'_>) -> T,
) -> (T, Vec<String>) {
    let of_file = |file: KernelFile<'_>| {
        let at = "beside the programs";
        file.beside.iter().map(|(name, item)| callable(name, *item, at)).collect::<Vec<_>>()
    };
    let beside = around.kernel_file.map(of_file).unwrap_or_default();
    let mut files = Vec::new();
    let read = read(&beside, &mut |file| {
        let path = around.folder.join(file);
        let is_own = |own: KernelFile<'_>| {
            path.canonicalize().is_ok_and(|path| own.path.canonicalize().is_ok_and(|own| own == path))
        };
        if around.kernel_file.is_some_and(is_own) {
            return Ok(beside.clone());
        }
        let items = used(&path, file)?;
        let folder = folder_of(Path::new(file));
        let weights = items.iter().flat_map(|item| item.files(folder));
        files.extend(weights.map(|file| file.to_string_lossy().into_owned()));
        files.push(file.to_owned());
        Ok(items.iter().map(|item| callable(item.name(), Some(item), &format!("in `{file}`"))).collect())
    });
    files.sort_unstable();
    files.dedup();
    (read, files)
}

/// What is in the kernel file at a path, which the text calls `file`; or all that is wrong with it.
#[cfg(feature = "programs")]
fn used(path: &Path, file: &str) -> Result<Vec<Item>, Vec<String>> {
    if is_one(path) {
        let message =
            "is a file of programs; `use` takes a kernel file, such as `filters.toml`, with filters and networks";
        return Err(vec![format!("`{file}` {message}")]);
    }
    match load_kernels(path) {
        Ok(items) if items.is_empty() => Err(vec![format!("{file}: the file has no filter and no network")]),
        Ok(items) => Ok(items),
        Err(Cause::Unreadable(error)) => {
            let path = path.display();
            Err(vec![format!("cannot read `{path}`: {error}; the path is relative to the file with the programs")])
        }
        Err(cause) => Err(cause.messages(file)),
    }
}

/// Tells that there can be no such files.
#[cfg(not(feature = "programs"))]
pub(crate) fn parse(_: &str, _: Around<'_>) -> (Vec<Item>, Vec<Diagnostic>) {
    let place = crate::diagnostic::Position { line: 1, column: 1 };
    (Vec::new(), vec![Diagnostic { place, message: MISSING.to_owned() }])
}

/// What is said where programs are wanted and not possible.
#[cfg(not(feature = "programs"))]
pub(crate) const MISSING: &str =
    "whole programs need the feature `programs` of `cain-runtime` or `cain-build`; add it to your dependency";
