//! The sources of pictures for a run: a picture, a folder of pictures, or an animation.

mod animation;
mod apng;
mod canvas;
mod frames;
mod gif;

use std::cmp::Ordering;
use std::fs;
use std::path::{Path, PathBuf};

use cain_codegen::printable::Printable;
use cain_runtime::io::Size;
use cain_runtime::pictures::Image;

use frames::MOST_PICTURES;

/// The extensions of pictures in a folder.
const ENDINGS: [&str; 5] = ["png", "jpg", "jpeg", "pgm", "ppm"];

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
        match animation::read(path, size)? {
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

#[cfg(test)]
mod tests {
    use super::by_number;

    #[test]
    fn names_are_in_the_order_of_their_numbers() {
        let mut names = ["frame10", "frame9", "b", "frame009b", "frame010", "a2", "a"];
        names.sort_by(|one, other| by_number(one, other).then_with(|| one.cmp(other)));
        assert_eq!(names, ["a", "a2", "b", "frame9", "frame009b", "frame010", "frame10"]);
    }
}
