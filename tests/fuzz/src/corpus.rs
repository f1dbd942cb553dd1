//! Initial inputs.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The inputs of a target that are checked in.
#[derive(Clone, Debug, Default)]
pub struct Corpus(Vec<Vec<u8>>);

impl Corpus {
    /// The inputs in `corpus/TARGET`, in the order of their names.
    pub fn of(target: &str) -> io::Result<Self> {
        let mut paths = match fs::read_dir(folder("corpus").join(target)) {
            Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?,
            // Some targets generate all inputs themselves.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        paths.sort();
        paths.iter().map(fs::read).collect::<io::Result<_>>().map(Self)
    }

    /// The inputs.
    #[must_use]
    pub fn inputs(&self) -> &[Vec<u8>] {
        &self.0
    }
}

/// A folder of this package.
#[must_use]
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}
