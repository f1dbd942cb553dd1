//! Labelled pictures on which networks are evaluated: IDX files, or a folder of pictures for each class.

mod folders;
mod idx;
mod labelled;

use std::fs;
use std::path::Path;

use cain_codegen::printable::Printable;

pub use labelled::{Labelled, MAX_PIXELS};

impl Labelled {
    /// Reads the data in a folder: either IDX files with the names of MNIST, compressed with gzip or not, where those
    /// for tests are preferred; or folders of pictures, one for each class, which are cropped and scaled to `size`.
    ///
    /// Pictures of IDX files must have this size, given as rows and columns. With a `limit`, no more pictures than that
    /// are read. The error names the file.
    pub fn load(folder: &Path, size: (usize, usize), limit: Option<usize>) -> Result<Self, String> {
        let limit = limit.unwrap_or(usize::MAX);
        let shown = Printable(folder.display());
        if !fs::metadata(folder).map_err(|error| format!("{shown}: cannot be read: {error}"))?.is_dir() {
            return Err(format!("{shown}: not a folder; expected one with IDX files or with a folder for each class"));
        }
        match idx::find(folder)? {
            Some(files) => idx::load(&files, size, limit),
            None => folders::load(folder, size, limit),
        }
    }
}
