//! The sources of pictures for a run: a picture, a folder of pictures, or an animation.

use std::cmp::Ordering;
use std::fmt::Display;
use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use cain_codegen::printable::Printable;
use cain_codegen::text_file;
use cain_runtime::io::Size;
use cain_runtime::pictures::Image;
use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::{AnimationDecoder, Frame, ImageDecoder as _, ImageFormat, ImageReader, Limits, Rgba};

/// The extensions of pictures in a folder.
const ENDINGS: [&str; 5] = ["png", "jpg", "jpeg", "pgm", "ppm"];
/// The most pictures in one source.
pub(crate) const MOST_PICTURES: usize = 10_000;
/// The most PEs in all pictures of an animation together, one byte each.
const MOST_PES: usize = 1 << 28;
/// The most pixels in all pictures of an animation together, before they are scaled: half a minute of work.
const MOST_PIXELS: u64 = 1 << 31;
/// The most memory that a frame of an animation may take when it is decoded.
const MOST_BYTES: u64 = 1 << 28;

/// A source of one or more pictures.
pub(crate) enum Source {
    Picture(Image),
    /// The pictures of a folder, in the order of their numbers.
    Folder(Vec<PathBuf>),
    /// The pictures of an APNG or GIF file, each with the milliseconds for which it is shown.
    Animation(Vec<(Image, u16)>),
}

impl Source {
    /// Opens a file or a folder. Pictures of a folder are read when they are needed.
    pub(crate) fn open(path: &Path, size: Size) -> Result<Self, String> {
        if path.is_dir() {
            return folder(path).map(Self::Folder);
        }
        match animation(path, size)? {
            Some(frames) => Ok(Self::Animation(frames)),
            None => picture(path, size).map(Self::Picture),
        }
    }

    /// The number of pictures; `None` for a single picture, which can accompany any number of others.
    pub(crate) fn count(&self) -> Option<usize> {
        match self {
            Self::Picture(_) => None,
            Self::Folder(files) => Some(files.len()),
            Self::Animation(frames) => Some(frames.len()),
        }
    }

    /// The picture with this number, which must be below the count.
    pub(crate) fn image(&self, number: usize, size: Size) -> Result<Image, String> {
        let none = || "there is no such picture".to_owned();
        match self {
            Self::Picture(image) => Ok(image.clone()),
            Self::Folder(files) => picture(files.get(number).ok_or_else(none)?, size),
            Self::Animation(frames) => frames.get(number).map(|(image, _)| image.clone()).ok_or_else(none),
        }
    }
}

fn picture(path: &Path, Size { width, height }: Size) -> Result<Image, String> {
    Image::open(path, width, height).map_err(|error| error.to_string())
}

/// The pictures of a folder, without hidden ones, such that `frame2` comes before `frame10`.
fn folder(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let shown = Printable(folder.display());
    let failed = |error| format!("{shown}: cannot be read: {error}");
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let is_picture = ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()));
        if is_picture && !name(&path).starts_with('.') {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(format!("{shown}: no pictures; expected files of the type {}", ENDINGS.join(", ")));
    }
    if files.len() > MOST_PICTURES {
        return Err(format!("{shown}: {} pictures; at most {MOST_PICTURES} are possible", files.len()));
    }
    files.sort_by(|one, other| by_number(&name(one), &name(other)).then_with(|| one.cmp(other)));
    let mut names: Vec<String> = files.iter().map(|file| name(file)).collect();
    names.sort();
    if let Some(twice) = names.windows(2).find(|pair| pair.first() == pair.last()).and_then(<[_]>::first) {
        return Err(format!("{shown}: two pictures are called `{}`; rename one", Printable(twice)));
    }
    Ok(files)
}

/// The name of a picture, without its extension.
pub(crate) fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Compares names by the numbers in them.
fn by_number(one: &str, other: &str) -> Ordering {
    let parts = |name: &str| {
        let mut parts: Vec<(bool, String)> = Vec::new();
        for character in name.chars() {
            let is_digit = character.is_ascii_digit();
            match parts.last_mut() {
                Some((of_digits, part)) if *of_digits == is_digit => part.push(character),
                _ => parts.push((is_digit, character.to_string())),
            }
        }
        parts
    };
    let key = |(is_digit, part): (bool, String)| {
        let digits = part.trim_start_matches('0').to_owned();
        if is_digit { (digits.len(), digits) } else { (usize::MAX, part) }
    };
    parts(one).into_iter().map(key).cmp(parts(other).into_iter().map(key))
}

/// The frames of an APNG or GIF file; `None` for any other file.
fn animation(path: &Path, size: Size) -> Result<Option<Vec<(Image, u16)>>, String> {
    let shown = Printable(path.display()).to_string();
    let failed = |error: &dyn Display| format!("{shown}: cannot be read: {}", Printable(error));
    let file = text_file::open(path).map_err(|error| failed(&error))?;
    let reader = ImageReader::new(BufReader::new(file)).with_guessed_format().map_err(|error| failed(&error))?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_BYTES);
    match reader.format() {
        Some(ImageFormat::Gif) => {
            let mut decoder = GifDecoder::new(reader.into_inner()).map_err(|error| failed(&error))?;
            decoder.set_limits(limits).map_err(|error| failed(&error))?;
            frames(decoder.dimensions(), decoder, &shown, size).map(Some)
        }
        Some(ImageFormat::Png) => {
            let decoder = PngDecoder::with_limits(reader.into_inner(), limits).map_err(|error| failed(&error))?;
            if !decoder.is_apng().map_err(|error| failed(&error))? {
                return Ok(None);
            }
            let dimensions = decoder.dimensions();
            frames(dimensions, decoder.apng().map_err(|error| failed(&error))?, &shown, size).map(Some)
        }
        _ => Ok(None),
    }
}

/// All frames of an animation with these dimensions, cropped and scaled.
fn frames<'d>(
    (width, height): (u32, u32),
    decoder: impl AnimationDecoder<'d>,
    shown: &str,
    size: Size,
) -> Result<Vec<(Image, u16)>, String> {
    let area = u64::from(width) * u64::from(height);
    if area * 4 > MOST_BYTES {
        return Err(format!(
            "{shown}: its pictures have {width}×{height} pixels, too many for an animation; scale it down"
        ));
    }
    let most = [MOST_PICTURES, MOST_PES / (size.width * size.height), fit(MOST_PIXELS / area.max(1))];
    let most = most.into_iter().min().unwrap_or_default();
    let mut frames = Vec::new();
    for frame in decoder.into_frames() {
        let frame = frame.map_err(|error| format!("{shown}: cannot be read: {}", Printable(error)))?;
        if frames.len() == most {
            return Err(format!(
                "{shown}: more than {most} pictures of {width}×{height} pixels for an array of {}×{} PEs; shorten the \
                 animation, or scale it down",
                size.width, size.height
            ));
        }
        frames.push((scaled(&frame, shown, size)?, milliseconds(&frame)));
    }
    if frames.is_empty() { Err(format!("{shown}: an animation without pictures")) } else { Ok(frames) }
}

fn fit(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// A frame of an animation, cropped and scaled like other pictures, whose colours become grey in the same way.
fn scaled(frame: &Frame, shown: &str, Size { width, height }: Size) -> Result<Image, String> {
    let picture = frame.buffer();
    let mut ppm = format!("P6 {} {} 255\n", picture.width(), picture.height()).into_bytes();
    ppm.extend(picture.pixels().flat_map(|Rgba([red, green, blue, _])| [red, green, blue]));
    Image::decode(&ppm, shown, width, height).map_err(|error| error.to_string())
}

fn milliseconds(frame: &Frame) -> u16 {
    let (numerator, denominator) = frame.delay().numer_denom_ms();
    u16::try_from(numerator / denominator.max(1)).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Frame, Image, Rgba, Size, by_number, scaled};
    use image::{DynamicImage, ImageFormat, RgbaImage};
    use std::io::Cursor;

    /// Tests every 17th level of each colour, and all greys.
    #[test]
    fn frames_and_pictures_have_the_same_greys() {
        let level = |number: u32| u8::try_from(number % 16 * 17).unwrap();
        let picture = RgbaImage::from_fn(64, 68, |x, y| match y {
            0..64 => Rgba([level(x), level(y), level(x / 16 * 4 + y / 16), 255]),
            _ => Rgba([u8::try_from((y - 64) * 64 + x).unwrap(); 4]),
        });
        let mut png = Cursor::new(Vec::new());
        DynamicImage::from(picture.clone()).write_to(&mut png, ImageFormat::Png).unwrap();
        let still = Image::decode(png.get_ref(), "still", 64, 68).unwrap();
        let frame = scaled(&Frame::new(picture), "frame", Size { width: 64, height: 68 }).unwrap();
        assert_eq!(frame, still);
    }

    #[test]
    fn names_are_in_the_order_of_their_numbers() {
        let mut names = ["frame10", "frame9", "b", "frame009b", "frame010", "a2", "a"];
        names.sort_by(|one, other| by_number(one, other).then_with(|| one.cmp(other)));
        assert_eq!(names, ["a", "a2", "b", "frame9", "frame009b", "frame010", "frame10"]);
    }
}
