//! What all examples share: their picture and their exit status.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use cain_runtime::pictures::{Image, ImageError};

/// The number of PEs along each side of SCAMP-5.
pub const SIDE: usize = 256;

/// The middle of an image file, scaled to the array; without a file, an example picture.
pub fn picture(file: Option<&Path>) -> Result<Image, ImageError> {
    match file {
        Some(file) => Image::open(file, SIDE, SIDE),
        None => Image::decode(include_bytes!("../../images/village.png"), "village.png", SIDE, SIDE),
    }
}

/// The exit status of a program; an error is reported in one line.
#[must_use]
pub fn end(program: &str, result: Result<(), Box<dyn Error>>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{program}: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SIDE, picture};

    #[test]
    fn the_example_picture_has_edges_everywhere() {
        let image = picture(None).unwrap();
        let rows: Vec<&[u8]> = image.bytes().chunks(SIDE).collect();
        for (x, y) in (0..8).flat_map(|y| (0..8).map(move |x| (32 * x, 32 * y))) {
            let block = || rows[y..y + 32].iter().flat_map(|row| &row[x..x + 32]);
            let (darkest, brightest) = (block().min().unwrap(), block().max().unwrap());
            assert!(brightest - darkest > 30, "nothing to be seen at {x}, {y}");
        }
    }
}
