//! Binary and ternary weights: letters, numbers, or files with either.

use std::collections::BTreeMap;
use std::fmt::Display;

use toml::de::DeValue;

use super::super::super::entry::Entry;
use super::super::super::notation::Mark;
use super::super::beside::Beside;
use super::super::npy::Array;
use super::super::values::real;
use crate::errors::Errors;

/// What a weight can be, for messages.
const LETTERS: &str = "`-`, `0` or `+`";
const EXPECTED: &str = "rows of letters such as `\"+--+\"`, rows of numbers such as `[1, -1]`, or a file such as \
                        `\"weights.txt\"` or `\"weights.npy\"`";
/// The ending of arrays in files.
const NPY: &str = ".npy";

/// Rows of weights, and where they are.
pub(super) struct Weights {
    pub(super) rows: Vec<Vec<i8>>,
    /// The key, and where its value is.
    key: String,
    at: Mark,
    places: Places,
}

/// Where single weights are.
enum Places {
    /// In lines of a text file, from that one on; lines count from 0.
    Lines { file: String, first: usize },
    /// Numbers of a file without lines.
    File(String),
    /// In the kernel file: for each row its own place, and those of its weights.
    Here(Vec<(Mark, Vec<Mark>)>),
}

/// Text files with weights that have been read. Layers that name the same file read it one after the other.
#[derive(Default)]
pub(super) struct Texts {
    /// By name: the text, the lines that have been taken, and the last layer that did.
    files: BTreeMap<String, Text>,
}

struct Text {
    contents: String,
    taken: usize,
    key: String,
    at: Mark,
}

impl Texts {
    /// Reports what is left of each file.
    pub(super) fn check_ends(&self, errors: &mut Errors<Mark>) {
        for (name, Text { contents, taken, key, at }) in &self.files {
            if contents.lines().nth(*taken).is_some() {
                let message = format!("`{key}`: {name}:{}:1: expected the end of the file, found more rows", taken + 1);
                errors.add(*at, message);
            }
        }
    }
}

impl Weights {
    /// Reads `count` rows: fewer if there are no more, and more only if they are in the kernel file itself or in an
    /// array.
    pub(super) fn read(
        entry: &Entry<'_>,
        count: usize,
        texts: &mut Texts,
        beside: &mut Beside<'_>,
        errors: &mut Errors<Mark>,
    ) -> Option<Self> {
        let (rows, places) = match entry.value {
            DeValue::String(name) if name.ends_with(NPY) => array(entry, beside, errors)?,
            DeValue::String(_) => lines(entry, count, texts, beside, errors)?,
            _ => inline(entry, errors)?,
        };
        Some(Self { rows, key: entry.shown_key().unwrap_or_default().to_owned(), at: entry.at, places })
    }

    /// Reports what is wrong with a row, or with one of its weights.
    pub(super) fn wrong(&self, row: usize, place: Option<usize>, message: impl Display, errors: &mut Errors<Mark>) {
        let Self { key, at, .. } = self;
        match &self.places {
            Places::Lines { file, first } => {
                let (line, column) = (first + row + 1, place.unwrap_or(0) + 1);
                errors.add(*at, format_args!("`{key}`: {file}:{line}:{column}: {message}"));
            }
            Places::File(file) => errors.add(*at, format_args!("`{key}`: {file}: {message}")),
            Places::Here(rows) => {
                let (start, marks) = rows.get(row).map_or((*at, &[][..]), |(start, marks)| (*start, marks));
                let mark = place.and_then(|place| marks.get(place).copied());
                errors.add(mark.unwrap_or(start), format_args!("`{key}`: {message}"));
            }
        }
    }

    /// Reports what is wrong with all of them.
    pub(super) fn wrong_as_a_whole(&self, message: impl Display, errors: &mut Errors<Mark>) {
        let Self { key, at, .. } = self;
        match &self.places {
            Places::Lines { file, .. } | Places::File(file) => {
                errors.add(*at, format_args!("`{key}`: {file}: {message}"));
            }
            Places::Here(_) => errors.add(*at, format_args!("`{key}`: {message}")),
        }
    }
}

type Read = (Vec<Vec<i8>>, Places);

/// The next lines of a text file.
fn lines(
    entry: &Entry<'_>,
    count: usize,
    texts: &mut Texts,
    beside: &mut Beside<'_>,
    errors: &mut Errors<Mark>,
) -> Option<Read> {
    let name = entry.text(EXPECTED, errors)?.value;
    if !texts.files.contains_key(&name) {
        let contents = beside.text(entry, errors)?;
        texts.files.insert(name.clone(), Text { contents, taken: 0, key: String::new(), at: entry.at });
    }
    let file = texts.files.get_mut(&name)?;
    let first = file.taken;
    let mut rows = Vec::new();
    for (number, line) in file.contents.lines().enumerate().skip(first).take(count) {
        match weights(line) {
            Ok(row) => rows.push(row),
            Err((column, letter)) => {
                let (line, column) = (number + 1, column + 1);
                entry.wrong(format_args!("{name}:{line}:{column}: found {letter:?}; expected {LETTERS}"), errors);
                return None;
            }
        }
    }
    (file.taken, file.key, file.at) = (first + rows.len(), entry.shown_key().unwrap_or_default().to_owned(), entry.at);
    Some((rows, Places::Lines { file: name, first }))
}

/// The weights that letters stand for; the first letter that stands for none, with its place.
fn weights(letters: &str) -> Result<Vec<i8>, (usize, char)> {
    let weight = |(place, letter)| match letter {
        '-' => Ok(-1),
        '0' => Ok(0),
        '+' => Ok(1),
        _ => Err((place, letter)),
    };
    letters.chars().enumerate().map(weight).collect()
}

/// An array whose first index counts the rows.
fn array(entry: &Entry<'_>, beside: &mut Beside<'_>, errors: &mut Errors<Mark>) -> Option<Read> {
    let name = entry.text(EXPECTED, errors)?.value;
    let Array { shape, values } = beside.array(entry, errors)?;
    let rows = match shape.as_slice() {
        [rows, _, ..] if *rows > 0 => *rows,
        _ => {
            let message = format!("{name}: the array has the shape {shape:?}; expected rows of weights");
            entry.wrong(message, errors);
            return None;
        }
    };
    let weights: Result<Vec<i8>, f64> = values.iter().map(|value| whole(*value).ok_or(*value)).collect();
    match weights {
        Ok(weights) => {
            let columns = (weights.len() / rows).max(1);
            Some((weights.chunks(columns).map(<[i8]>::to_vec).collect(), Places::File(name)))
        }
        Err(value) => {
            let number = values.iter().position(|found| whole(*found).is_none()).unwrap_or(0);
            let message = format!("{name}: number {number} of the array is {value}; expected -1, 0 or 1");
            entry.wrong(message, errors);
            None
        }
    }
}

/// Rows of letters or of numbers.
fn inline(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<Read> {
    let rows = entry.array(EXPECTED, errors)?;
    let (mut read, mut places) = (Vec::new(), Vec::new());
    for row in &rows {
        let (weights, marks) = match row.value {
            DeValue::String(text) => letters(row, text, errors)?,
            _ => numbers(row, errors)?,
        };
        read.push(weights);
        places.push((row.at, marks));
    }
    Some((read, Places::Here(places)))
}

type Row = (Vec<i8>, Vec<Mark>);

fn letters(row: &Entry<'_>, text: &str, errors: &mut Errors<Mark>) -> Option<Row> {
    // Places are known unless letters are escaped.
    let start = row.start_of(text);
    match weights(text) {
        Ok(weights) => {
            let marks = start.map_or_else(Vec::new, |start| (0..weights.len()).map(|i| Mark(start.0 + i)).collect());
            Some((weights, marks))
        }
        Err((column, letter)) => {
            // All before it are single bytes.
            let at = start.map_or(row.at, |start| Mark(start.0 + column));
            row.wrong_at(at, format_args!("found {letter:?}; expected {LETTERS}"), errors);
            None
        }
    }
}

fn numbers(row: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<Row> {
    let entries = row.array(EXPECTED, errors)?;
    let (mut weights, mut marks) = (Vec::new(), Vec::new());
    for entry in &entries {
        let value = real(entry, errors)?;
        let Some(weight) = whole(value) else {
            entry.wrong(format_args!("found {value}; expected -1, 0 or 1"), errors);
            return None;
        };
        weights.push(weight);
        marks.push(entry.at);
    }
    Some((weights, marks))
}

/// A small whole number. Whether there is such a weight depends on the layer.
#[expect(clippy::cast_possible_truncation, reason = "whole and small")]
fn whole(value: f64) -> Option<i8> {
    (value.fract() == 0.0 && value.abs() <= f64::from(i8::MAX)).then_some(value as i8)
}
