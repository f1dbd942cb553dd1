//! Weights and pictures in files beside the file with the declaration.

pub(crate) mod npy;

use std::path::Path;

use super::values::{matrix, real};
use crate::errors::Errors;
use crate::text_file::{self, ReadError};
use crate::tree::Place;
use crate::value::{Entry, What, list};
use npy::Array;

/// The largest file with weights or pictures that is read.
pub const MAX_WEIGHT_BYTES: u64 = 1 << 25;

/// The files beside the one with a declaration.
pub(crate) struct Beside<'r> {
    read: &'r mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    /// Those that were read.
    names: Vec<String>,
}

impl<'r> Beside<'r> {
    pub(crate) fn new(read: &'r mut dyn FnMut(&str) -> Result<Vec<u8>, String>) -> Self {
        Self { read, names: Vec::new() }
    }

    /// The names of the files read since the last call.
    pub(crate) fn take_names(&mut self) -> Vec<String> {
        std::mem::take(&mut self.names)
    }

    /// Rows of numbers, or the name of a file with a matrix.
    pub(crate) fn matrix<S: Place>(&mut self, entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Vec<Vec<f64>>> {
        const EXPECTED: &str = "rows of weights such as `[[0.5, -0.25]]`, or a file such as `\"weights.npy\"`";
        if !matches!(entry.what, What::Text(_)) {
            return matrix(entry, EXPECTED, errors, real);
        }
        let Array { shape, values } = self.array(entry, errors)?;
        let [_, columns] = *shape.as_slice() else {
            refuse(entry, &shape, "a matrix", errors);
            return None;
        };
        // Rows without numbers are refused with the matrix as a whole.
        Some(values.chunks(columns.max(1)).map(<[f64]>::to_vec).collect())
    }

    /// A number, a list of numbers, or the name of a file with such a list.
    pub(crate) fn list<S: Place>(&mut self, entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Vec<f64>> {
        let is_file = |text: &str| text.parse::<cain_isa::Fraction>().is_err();
        if !entry.what.as_text().is_some_and(is_file) {
            return list(entry, errors, real);
        }
        let Array { shape, values } = self.array(entry, errors)?;
        if shape.len() != 1 {
            refuse(entry, &shape, "a list", errors);
            return None;
        }
        Some(values)
    }

    /// The pictures of this height and width in the file that an entry names: at least one, each with its greys row by row.
    pub(crate) fn pictures<S: Place>(
        &mut self,
        entry: &Entry<'_, S>,
        (height, width): (usize, usize),
        errors: &mut Errors<S>,
    ) -> Option<Vec<Vec<u8>>> {
        let Array { shape, values } = self.array(entry, errors)?;
        let (_, size) = shape.split_at_checked(1)?;
        if values.is_empty() || ![&[height, width][..], &[1, height, width]].contains(&size) {
            refuse(entry, &shape, &format!("pictures, such as [20, {height}, {width}]"), errors);
            return None;
        }
        let greys: Option<Vec<u8>> = values.iter().copied().map(grey).collect();
        if greys.is_none() {
            let name = entry.what.as_text().unwrap_or_default();
            let expected = "whole numbers from 0 for black to 255 for white";
            entry.wrong(format_args!("{name}: the pictures have other greys than {expected}"), errors);
        }
        Some(greys?.chunks(height * width).map(<[u8]>::to_vec).collect())
    }

    /// The text in the file that an entry names.
    pub(crate) fn text<S: Place>(&mut self, entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<String> {
        let name = entry.text("the name of a file", errors)?.value;
        let text = (self.read)(&name).and_then(|bytes| {
            String::from_utf8(bytes).map_err(|_| "the file is not UTF-8; save it as UTF-8".to_owned())
        });
        self.names.push(name.clone());
        text.map_err(|message| entry.wrong(format_args!("{name}: {message}"), errors)).ok()
    }

    /// The array in the file that an entry names.
    pub(crate) fn array<S: Place>(&mut self, entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Array> {
        let name = entry.text("the name of a file", errors)?.value;
        let array = (self.read)(&name).and_then(|bytes| npy::read(&bytes).map_err(|error| error.to_string()));
        self.names.push(name.clone());
        array.map_err(|message| entry.wrong(format_args!("{name}: {message}"), errors)).ok()
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number is a byte's")]
fn grey(number: f64) -> Option<u8> {
    let is_grey = number.fract() == 0.0 && (0.0..=255.0).contains(&number);
    is_grey.then_some(number as u8)
}

/// Reports an array of another shape than the one expected.
fn refuse<S: Place>(entry: &Entry<'_, S>, shape: &[usize], expected: &str, errors: &mut Errors<S>) {
    let Some(name) = entry.what.as_text() else { return };
    entry.wrong(format_args!("{name}: the array has the shape {shape:?}; expected {expected}"), errors);
}

/// Reads files in a folder.
pub(crate) fn in_folder(folder: &Path) -> impl FnMut(&str) -> Result<Vec<u8>, String> {
    move |file| read(&folder.join(file))
}

/// The bytes of a file of limited size, or why it cannot be read.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    text_file::bytes(path, MAX_WEIGHT_BYTES).map_err(|error| match error {
        ReadError::Unreadable(error) => format!("cannot be read: {error}"),
        ReadError::TooLarge | ReadError::NotUtf8(_) => format!("the file is larger than {MAX_WEIGHT_BYTES} bytes"),
    })
}
