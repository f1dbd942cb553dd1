//! A picture of the results of all filters for a digit.

use std::error::Error;
use std::fs;
use std::path::Path;

use cain_runtime::pictures::{Palette, Picture};

use crate::network::Arrays;

/// Writes what the array holds after the convolution, and after pooling beside it.
pub(crate) fn write(arrays: &Arrays<'_>, greys: &[u8], file: &Path) -> Result<(), Box<dyn Error>> {
    let side = arrays.compiled.network().side;
    let sums: Vec<f32> = arrays.convolved(greys)?.iter().map(|value| -value).collect();
    let maxima = arrays.pooled(greys)?;
    let pictures = [
        Picture::of_values(&sums, side, Palette::signed(&sums)),
        Picture::of_values(&maxima, side, Palette::grey(&maxima)),
    ];
    fs::write(file, Picture::sheet(&pictures, 2).png()?).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(())
}
