//! Labelled pictures.

use std::path::Path;

use cain_codegen::printable::Printable;

/// The most pixels that all pictures together may have.
pub const MAX_PIXELS: usize = 1 << 28;

/// Pictures of the same size, with their classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    pub(super) height: usize,
    pub(super) width: usize,
    /// The pixels, one picture after the other, row by row.
    pub(super) pixels: Vec<u8>,
    /// The class of each picture.
    pub(super) labels: Vec<usize>,
    /// The names of the classes.
    pub(super) classes: Vec<String>,
}

impl Labelled {
    /// Pictures of that size, one after the other, whose classes are not known.
    pub(crate) fn unlabelled((height, width): (usize, usize), pixels: &[u8]) -> Self {
        let labels = vec![0; pixels.len() / (height * width).max(1)];
        Self { height, width, pixels: pixels.to_vec(), labels, classes: vec!["?".to_owned()] }
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
pub(super) fn check_total(file: &Path, count: usize, area: usize) -> Result<(), String> {
    if count.checked_mul(area).is_some_and(|pixels| pixels <= MAX_PIXELS) {
        return Ok(());
    }
    let most = MAX_PIXELS / area.max(1);
    let file = Printable(file.display());
    Err(format!("{file}: {count} pictures of {area} pixels; at most {most} can be read, with `--limit {most}`"))
}
