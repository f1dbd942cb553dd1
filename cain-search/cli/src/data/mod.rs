//! Labelled pictures on which networks are evaluated: IDX files, or a folder of pictures for each class.

mod folders;
mod idx;

use std::fs;
use std::path::Path;

use cain_codegen::printable::Printable;

/// The most pixels that all pictures together may have.
pub const MAX_PIXELS: usize = 1 << 28;

/// Pictures of the same size, with their classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    height: usize,
    width: usize,
    /// The pixels, one picture after the other, row by row.
    pixels: Vec<u8>,
    /// The class of each picture.
    labels: Vec<usize>,
    /// The names of the classes.
    classes: Vec<String>,
}

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

    /// The number of pictures.
    #[must_use]
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are no pictures, which never happens if they come from [`load`](Self::load).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The number of rows of each picture.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// The number of columns of each picture.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The names of the classes, by label.
    #[must_use]
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The pictures, as pixels row by row, with their labels.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[u8], usize)> {
        self.pixels.chunks_exact(self.height * self.width).zip(self.labels.iter().copied())
    }
}

/// Refuses more pixels than may be read at once.
fn check_total(file: &Path, count: usize, area: usize) -> Result<(), String> {
    if count.checked_mul(area).is_some_and(|pixels| pixels <= MAX_PIXELS) {
        return Ok(());
    }
    let most = MAX_PIXELS / area.max(1);
    let file = Printable(file.display());
    Err(format!("{file}: {count} pictures of {area} pixels; at most {most} can be read, with `--limit {most}`"))
}
