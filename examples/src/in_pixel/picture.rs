//! Draws the results of all filters for a digit.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use cain_in_pixel::Declaration;
use cain_runtime::pictures::{Palette, Picture};

use crate::network::Arrays;

/// Writes the contents of the array after the first convolution, with the sign of the sums, and beside them those after
/// pooling. With a second convolution, maps that are interleaved on the array are separated, one after the other.
pub(crate) fn write(arrays: &Arrays<'_>, greys: &[u8], file: &Path) -> Result<(), Box<dyn Error>> {
    let network = arrays.compiled.network();
    let (sums, maxima) = (arrays.convolved(greys)?, arrays.pooled(greys)?);
    let (sums, maxima, side) = if network.second.is_some() {
        let [pixel, place] = [network.scale, network.scale * network.pool];
        (
            maps(network, &sums, pixel),
            maps(network, &maxima, place),
            network.side / pixel * network.filters.len().isqrt(),
        )
    } else {
        (sums.iter().map(|value| -value).collect(), maxima, network.side)
    };
    let maxima_side = maxima.len().isqrt();
    let pictures = [
        Picture::of_values(&sums, side, Palette::signed(&sums)).enlarged(network.side / side),
        Picture::of_values(&maxima, maxima_side, Palette::grey(&maxima)).enlarged(network.side / maxima_side),
    ];
    fs::write(file, Picture::sheet(&pictures, 2).png()?).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(())
}

/// The values of each filter's PEs, which are `pitch` apart, as a block; blocks are in the order of filters.
fn maps(network: &Declaration, values: &[f32], pitch: usize) -> Vec<f32> {
    let (side, group, block) = (network.side, network.filters.len().isqrt(), network.side / pitch);
    let value = |row: usize, column: usize| {
        values[(row % block * pitch + row / block) * side + column % block * pitch + column / block]
    };
    let places = (0..group * block).flat_map(|row| (0..group * block).map(move |column| (row, column)));
    places.map(|(row, column)| value(row, column)).collect()
}

/// A file with another name in the same folder: `digit.png` becomes `digit-three_layers.png`.
pub(crate) fn beside(file: &Path, name: &str) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let extension = file.extension().map(|extension| format!(".{}", extension.to_string_lossy())).unwrap_or_default();
    file.with_file_name(format!("{stem}-{name}{extension}"))
}
