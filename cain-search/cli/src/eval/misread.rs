//! Draws examples that a network misreads.

use cain_runtime::pictures::Picture;

use super::Eval;
use crate::files;

/// The number of pictures in a row.
const COLUMNS: usize = 10;
/// The most pictures that are drawn.
const MOST: usize = 100;

/// Writes the picture if it was asked for.
pub(super) fn write(
    args: &Eval,
    pictures: &[(&[u8], usize)],
    classes: impl Iterator<Item = usize>,
    width: usize,
) -> Result<(), String> {
    let Some(path) = &args.output else { return Ok(()) };
    let bytes = sheet(pictures, classes, width).png().map_err(|error| error.to_string())?;
    files::write(path, bytes)
}

/// The first pictures that are taken for another class than their own, side by side; one black pixel if there are none.
fn sheet(pictures: &[(&[u8], usize)], classes: impl Iterator<Item = usize>, width: usize) -> Picture {
    let misread = pictures.iter().zip(classes).filter(|((_, label), class)| label != class);
    let picture = |((pixels, _), _): (&(&[u8], usize), usize)| {
        let height = pixels.len() / width.max(1);
        let grey = |column: usize, row: usize| [pixels.get(row * width + column).copied().unwrap_or_default(); 3];
        Picture::from_fn(width, height, grey).enlarged(2)
    };
    let pictures: Vec<Picture> = misread.take(MOST).map(picture).collect();
    if pictures.is_empty() { Picture::filled(1, 1, [0; 3]) } else { Picture::sheet(&pictures, COLUMNS) }
}
