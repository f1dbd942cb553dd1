//! Image files as a source of frames.

use std::path::{Path, PathBuf};
use std::prelude::v1::*;
use std::{fmt, fs, io, vec};

use super::{Image, ImageError, printable};
use crate::io::Size;
use crate::sim::FrameSource;

/// Frames from image files, one after the other; each is cropped and scaled to the array. White is 127 DN of light.
#[derive(Clone, Debug)]
pub struct Files(vec::IntoIter<PathBuf>);

impl Files {
    /// A source that shows each of these files once.
    #[must_use]
    pub fn new(files: Vec<PathBuf>) -> Self {
        Self(files.into_iter())
    }

    /// The files of a folder whose extensions are those of images (`png`, `jpg`, `jpeg`, `pgm`, `ppm`), ordered by
    /// name.
    pub fn folder(folder: &Path) -> Result<Self, FrameError> {
        let fail = |error| FrameError::Folder { folder: folder.to_owned(), error };
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
            if ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str())) {
                files.push(path);
            }
        }
        files.sort();
        Ok(Self::new(files))
    }
}

const ENDINGS: [&str; 5] = ["png", "jpg", "jpeg", "pgm", "ppm"];

impl FrameSource for Files {
    type Error = FrameError;

    fn next_frame(&mut self, size: Size, light: &mut [f32]) -> Result<(), FrameError> {
        let path = self.0.next().ok_or(FrameError::End)?;
        let image = Image::open(&path, size.width, size.height).map_err(FrameError::Image)?;
        for (light, value) in light.iter_mut().zip(image.to_light()) {
            *light = value;
        }
        Ok(())
    }
}

/// The reason why there is no frame.
#[derive(Debug)]
#[non_exhaustive]
pub enum FrameError {
    /// All files have been shown.
    End,
    /// The folder cannot be read.
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// A file is not an image that can be used.
    Image(ImageError),
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End => f.write_str("all image files have been shown"),
            Self::Folder { folder, error } => {
                write!(f, "cannot read `{}`: {error}", printable(&folder.to_string_lossy()))
            }
            Self::Image(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FrameError {}
