//! The package that a source belongs to.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cain_codegen::nesting::Flat;
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::program_file;
use proc_macro2::TokenTree;

/// The file that makes a folder a package.
pub(crate) const MANIFEST: &str = "Cargo.toml";

/// A package, identified by the folder with its manifest.
pub(crate) struct Package {
    root: PathBuf,
}

impl Package {
    /// The package in this folder.
    pub(crate) fn at(root: &Path) -> Self {
        Self { root: shown(root) }
    }

    /// The package of a file: that of the nearest manifest above it, or else the file's own folder.
    pub(crate) fn of(file: &Path) -> io::Result<Self> {
        Ok(Self::above(&fs::canonicalize(file)?))
    }

    fn above(file: &Path) -> Self {
        let mut above = file.ancestors().skip(1);
        let root = above.clone().find(|folder| folder.join(MANIFEST).is_file()).or_else(|| above.next());
        Self::at(root.unwrap_or(file))
    }

    /// The package that the current folder belongs to.
    pub(crate) fn here() -> Self {
        let here = Path::new(".");
        fs::canonicalize(here).map_or_else(|_| Self::at(here), |folder| Self::above(&folder.join(MANIFEST)))
    }

    /// The folder where it keeps its plans.
    pub(crate) fn plans(&self) -> PlanFolder {
        let folder = self.root.join("plans");
        PlanFolder::new(&folder, &folder)
    }

    pub(crate) fn is_build_script(&self, file: &Path) -> bool {
        file == self.root.join("build.rs")
    }

    /// The kernel files that the package's build script names in a string.
    pub(crate) fn kernel_files_named_in(&self, script: &str) -> Vec<PathBuf> {
        // A script that is not valid Rust names no files; the compiler will report it.
        let tokens = Flat::of(script.parse().unwrap_or_default());
        let files = tokens.filter_map(|token| string(&token)).map(|name| self.root.join(name));
        files.filter(|file| is_named_like_a_kernel_file(file) && file.is_file()).collect()
    }
}

fn is_named_like_a_kernel_file(file: &Path) -> bool {
    let is_table = file.extension() == Some(OsStr::new("toml")) && file.file_name() != Some(OsStr::new(MANIFEST));
    is_table || program_file::is_one(file)
}

/// The contents of a string literal without escapes.
fn string(token: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = token else { return None };
    let text = literal.to_string();
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).map(str::to_owned)
}

/// An existing path in its shortest form: relative to the current folder if it is below that.
pub(crate) fn shown(path: &Path) -> PathBuf {
    let Ok(path) = fs::canonicalize(path) else { return path.to_owned() };
    let current = env::current_dir().and_then(fs::canonicalize);
    let below = current.ok().and_then(|current| path.strip_prefix(current).ok());
    below.map_or_else(|| path.clone(), Path::to_owned)
}
