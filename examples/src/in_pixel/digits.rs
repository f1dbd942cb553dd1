//! Digits with their labels, from MNIST or from a font.

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use flate2::read::MultiGzDecoder;

/// Pixels along each side.
pub(crate) const SIDE: usize = 28;

/// Digits with their labels.
pub(crate) struct Digits {
    /// The greys, from 0 to 255 for full ink.
    greys: Vec<Vec<u8>>,
    labels: Vec<usize>,
}

impl Digits {
    pub(crate) fn len(&self) -> usize {
        self.labels.len()
    }

    pub(crate) fn get(&self, number: usize) -> (&[u8], usize) {
        (&self.greys[number], self.labels[number])
    }

    /// The first `count` digits.
    pub(crate) fn first(mut self, count: usize) -> Self {
        self.greys.truncate(count);
        self.labels.truncate(count);
        self
    }

    /// The test digits in a folder with the files of MNIST, compressed or not.
    pub(crate) fn read(folder: &Path, limit: usize) -> Result<Self, Box<dyn Error>> {
        let pictures = idx(folder, "t10k-images-idx3-ubyte", &[SIDE, SIDE], limit)?;
        let labels = idx(folder, "t10k-labels-idx1-ubyte", &[], limit)?;
        if pictures.len() != labels.len() * SIDE * SIDE || labels.is_empty() {
            let (found, named) = (pictures.len() / (SIDE * SIDE), labels.len());
            return Err(format!("{}: {named} labels for {found} digits", folder.display()).into());
        }
        let greys = pictures.chunks_exact(SIDE * SIDE).map(<[u8]>::to_vec);
        Ok(Self { greys: greys.collect(), labels: labels.into_iter().map(usize::from).collect() })
    }

    /// The digits 0 to 9 of a font, about as large as those of MNIST and as thick as pen strokes.
    pub(crate) fn of_font() -> Result<Self, Box<dyn Error>> {
        let font = FontRef::try_from_slice(dejavu::sans::regular())?;
        let greys = ('0'..='9').map(|digit| drawn(&font, digit));
        Ok(Self { greys: greys.collect(), labels: (0..10).collect() })
    }
}

/// A picture with a digit in the middle.
fn drawn(font: &FontRef<'_>, digit: char) -> Vec<u8> {
    let mut greys = vec![0; SIDE * SIDE];
    let scale = PxScale::from(30.0);
    let glyph = font.as_scaled(scale).scaled_glyph(digit);
    let Some(outline) = font.outline_glyph(glyph) else { return greys };
    let bounds = outline.px_bounds();
    let middle = point(14.0 - bounds.width() / 2.0, 14.0 - bounds.height() / 2.0);
    outline.draw(|x, y, share| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "places within the picture")]
        let (column, row) = ((middle.x as u32 + x) as usize, (middle.y as u32 + y) as usize);
        if let Some(grey) = greys.get_mut(row * SIDE + column) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a grey from 0 to 255")]
            let drawn = (255.0 * share).round() as u8;
            *grey = drawn.max(*grey);
        }
    });
    greys
}

/// The bytes of an IDX file with items of a given size, up to a number of items.
fn idx(folder: &Path, name: &str, size: &[usize], limit: usize) -> Result<Vec<u8>, Box<dyn Error>> {
    let plain = folder.join(name);
    let packed = folder.join(format!("{name}.gz"));
    let (path, mut file): (_, Box<dyn Read>) = if plain.is_file() {
        let file = BufReader::new(open(&plain)?);
        (plain, Box::new(file))
    } else {
        let file = MultiGzDecoder::new(BufReader::new(open(&packed)?));
        (packed, Box::new(file))
    };
    let failed = |error: std::io::Error| format!("{}: cannot be read: {error}", path.display());
    let mut head = vec![0; 8 + 4 * size.len()];
    file.read_exact(&mut head).map_err(failed)?;
    let numbers: Vec<usize> = head
        .chunks_exact(4)
        .map(|bytes| bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
        .collect();
    if numbers[0] != 0x801 + size.len() || numbers[2..] != *size {
        return Err(format!("{}: not an IDX file of items of {size:?} bytes", path.display()).into());
    }
    let wanted = numbers[1].min(limit).saturating_mul(size.iter().product());
    let mut bytes = Vec::new();
    file.take(wanted as u64).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() < wanted {
        return Err(format!("{}: ends early: {} bytes of {wanted}", path.display(), bytes.len()).into());
    }
    Ok(bytes)
}

fn open(path: &Path) -> Result<File, String> {
    File::open(path).map_err(|error| format!("{}: {error}; expected the files of MNIST", path.display()))
}
