//! Compiling kernel files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use cain_codegen::generate::{self, Maker, RuntimePath, Source};
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::{Mode, Plans};

use crate::error::{Cause, Error};

const MAKER: Maker<'_> = Maker { name: "cain-build", runtime_option: "Config::new().runtime(\"::name\")" };

/// Options for compiling kernel files.
///
/// ```no_run
/// fn main() -> Result<(), cain_build::Error> {
///     cain_build::Config::new().runtime("::focal").compile(&["kernels/edges.toml", "kernels/blur.toml"])
/// }
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is compiled until `compile` is called"]
pub struct Config {
    /// If `None`, the crate has its own name.
    runtime: Option<String>,
    out_dir: Option<PathBuf>,
    plans: Option<PathBuf>,
}

impl Config {
    /// The defaults: the runtime crate has its own name, the output goes to cargo's `OUT_DIR`.
    pub fn new() -> Self {
        Self::default()
    }

    /// The path by which the generated code finds `cain_runtime`: for a dependency under another name, or one that
    /// another crate re-exports.
    pub fn runtime(self, path: impl Into<String>) -> Self {
        Self { runtime: Some(path.into()), ..self }
    }

    /// A folder for the output other than `OUT_DIR`, where `include_kernels!` does not find it.
    pub fn out_dir(self, folder: impl Into<PathBuf>) -> Self {
        Self { out_dir: Some(folder.into()), ..self }
    }

    /// A folder of plan files other than `plans` in the package. It need not exist; `cain pin --plans` writes there.
    pub fn plans(self, folder: impl Into<PathBuf>) -> Self {
        Self { plans: Some(folder.into()), ..self }
    }

    /// Compiles kernel files, and with the feature `programs` files of whole programs, whose paths are relative to the package.
    /// `NAME.toml` and `NAME.cain` become `NAME.rs`, which is written
    /// only if it changes, and only if nothing is wrong with any of the files.
    ///
    /// What is allowed in the files, but hardly meant, becomes a warning of cargo.
    ///
    /// A filter with a plan file gets the program in it. For other filters the environment variable `CAIN_PLANS` decides, as
    /// for `scamp_kernels!`.
    ///
    /// Cargo runs the build script again when one of these files, a file that it names or uses, a plan file that was used, or the
    /// variable changes. Cargo then no longer watches the other files of the package, so a script that reads some must print
    /// `cargo::rerun-if-changed` for them.
    pub fn compile(&self, files: &[impl AsRef<Path>]) -> Result<(), Error> {
        println!("cargo::rerun-if-env-changed={}", Mode::VARIABLE);
        for file in files.iter().map(AsRef::as_ref) {
            // With a path that is not there cargo would run the script every time.
            if file.exists() {
                rerun_if_changed(file)?;
            }
        }
        let wrong = |message| Error(Cause::Setting(message));
        let runtime = self.runtime.as_deref().map(str::parse).transpose().map_err(wrong)?;
        let runtime: RuntimePath = runtime.unwrap_or_default();
        let mut plans = Plans::from_env().map_err(wrong)?;
        if let Some(folder) = &self.plans {
            plans.folder = Some(PlanFolder::new(folder, folder));
        }
        let names = names(files)?;
        let folder = match &self.out_dir {
            Some(folder) => folder.clone(),
            None => env::var_os("OUT_DIR").map(PathBuf::from).ok_or(Error(Cause::NoOutDir))?,
        };

        let mut sources = Vec::new();
        let mut errors = Vec::new();
        for (name, file) in names {
            match generate::source(file, &runtime, &plans, MAKER, |_| {}) {
                Ok(Source { text, files, warnings }) => {
                    for warning in warnings {
                        println!("cargo::warning={warning}");
                    }
                    for file in files {
                        rerun_if_changed(&file)?;
                    }
                    sources.push((folder.join(name), text));
                }
                Err(error) => errors.push(error),
            }
        }
        if !errors.is_empty() {
            return Err(Error(Cause::Files(errors)));
        }
        for (path, source) in sources {
            write_if_changed(&path, &source).map_err(|error| Error(Cause::Write(path, error)))?;
        }
        Ok(())
    }
}

/// Tells cargo that the output depends on a file.
fn rerun_if_changed(file: &Path) -> Result<(), Error> {
    // What follows a line break would be another instruction to cargo, which knows no quotes.
    if file.as_os_str().as_encoded_bytes().iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
        return Err(Error(Cause::LineBreak(file.to_owned())));
    }
    println!("cargo::rerun-if-changed={}", file.display());
    Ok(())
}

/// The names of the output files, and their kernel files.
fn names(files: &[impl AsRef<Path>]) -> Result<Vec<(PathBuf, &Path)>, Error> {
    let mut seen: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    let mut names = Vec::new();
    for file in files.iter().map(AsRef::as_ref) {
        let mut name = file.file_stem().ok_or_else(|| Error(Cause::NoName(file.to_owned())))?.to_owned();
        name.push(".rs");
        let name = PathBuf::from(name);
        if let Some(earlier) = seen.insert(name.clone(), file) {
            return Err(Error(Cause::SameName(earlier.to_owned(), file.to_owned())));
        }
        names.push((name, file));
    }
    Ok(names)
}

/// Writes a file completely or not at all. A file that already has this text keeps its modification time.
fn write_if_changed(path: &Path, text: &str) -> io::Result<()> {
    if fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    // Cargo runs no two build scripts in one output folder at once.
    let draft = path.with_extension("rs.new");
    let result = fs::write(&draft, text).and_then(|()| fs::rename(&draft, path));
    if result.is_err() {
        // A draft that cannot be removed does no harm; the next run overwrites it.
        let _ = fs::remove_file(&draft);
    }
    result
}
