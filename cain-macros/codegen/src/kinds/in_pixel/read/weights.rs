//! Binary and ternary weights: letters, numbers, or files with either.

use std::collections::BTreeMap;
use std::fmt::Display;

use crate::errors::Errors;
use crate::kinds::beside::Beside;
use crate::kinds::beside::npy::Array;
use crate::kinds::values::real;
use crate::tree::Place;
use crate::value::{Entry, Text, What};

/// What a weight can be, for messages.
const LETTERS: &str = "`-`, `0` or `+`";
const EXPECTED: &str = "rows of letters such as `\"+--+\"`, rows of numbers such as `[1, -1]`, or a file such as \
                        `\"weights.txt\"` or `\"weights.npy\"`";
/// The ending of arrays in files.
const NPY: &str = ".npy";

/// Rows of weights, and where they are.
pub(super) struct Weights<'v, S> {
    pub(super) rows: Vec<Vec<i8>>,
    entry: Entry<'v, S>,
    places: Places<S>,
}

/// Where single weights are.
enum Places<S> {
    /// In lines of a text file, from that one on; lines count from 0.
    Lines { file: String, first: usize },
    /// Numbers of a file without lines.
    File(String),
    /// In the declaration: for each row its own place, and those of its weights.
    Here(Vec<(S, Vec<S>)>),
}

/// Text files with weights that have been read. Layers that name the same file read it one after the other.
pub(super) struct Texts<'v, S> {
    /// By name.
    files: BTreeMap<String, Lines<'v, S>>,
}

struct Lines<'v, S> {
    contents: String,
    taken: usize,
    /// Where the last layer names the file that took lines of it.
    last: Entry<'v, S>,
}

impl<S> Default for Texts<'_, S> {
    fn default() -> Self {
        Self { files: BTreeMap::new() }
    }
}

impl<S: Place> Texts<'_, S> {
    /// Reports what is left of each file.
    pub(super) fn check_ends(&self, errors: &mut Errors<S>) {
        for (name, Lines { contents, taken, last }) in &self.files {
            if contents.lines().nth(*taken).is_some() {
                let line = taken + 1;
                last.wrong(format_args!("{name}:{line}:1: expected the end of the file, found more rows"), errors);
            }
        }
    }
}

impl<'v, S: Place> Weights<'v, S> {
    /// Reads `count` rows: fewer if there are no more, and more only if they are in the declaration itself or in an
    /// array.
    pub(super) fn read(
        entry: &Entry<'v, S>,
        count: usize,
        texts: &mut Texts<'v, S>,
        beside: &mut Beside<'_>,
        errors: &mut Errors<S>,
    ) -> Option<Self> {
        let (rows, places) = match entry.what.as_text() {
            Some(name) if name.ends_with(NPY) => array(entry, beside, errors)?,
            Some(name) => lines(entry, name, count, texts, beside, errors)?,
            None => inline(entry, errors)?,
        };
        Some(Self { rows, entry: entry.clone(), places })
    }

    /// Reports what is wrong with a row, or with one of its weights.
    pub(super) fn wrong(&self, row: usize, place: Option<usize>, message: impl Display, errors: &mut Errors<S>) {
        let entry = &self.entry;
        match &self.places {
            Places::Lines { file, first } => {
                let (line, column) = (first + row + 1, place.unwrap_or(0) + 1);
                entry.wrong(format_args!("{file}:{line}:{column}: {message}"), errors);
            }
            Places::File(file) => entry.wrong(format_args!("{file}: {message}"), errors),
            Places::Here(rows) => {
                let (start, places) = rows.get(row).map_or((entry.at, &[][..]), |(start, places)| (*start, places));
                let at = place.and_then(|place| places.get(place).copied());
                entry.wrong_at(at.unwrap_or(start), message, errors);
            }
        }
    }

    /// Reports what is wrong with all of them.
    pub(super) fn wrong_as_a_whole(&self, message: impl Display, errors: &mut Errors<S>) {
        match &self.places {
            Places::Lines { file, .. } | Places::File(file) => {
                self.entry.wrong(format_args!("{file}: {message}"), errors);
            }
            Places::Here(_) => self.entry.wrong(message, errors),
        }
    }
}

type Read<S> = (Vec<Vec<i8>>, Places<S>);

/// The next lines of a text file.
fn lines<'v, S: Place>(
    entry: &Entry<'v, S>,
    name: &str,
    count: usize,
    texts: &mut Texts<'v, S>,
    beside: &mut Beside<'_>,
    errors: &mut Errors<S>,
) -> Option<Read<S>> {
    if !texts.files.contains_key(name) {
        let contents = beside.text(entry, errors)?;
        texts.files.insert(name.to_owned(), Lines { contents, taken: 0, last: entry.clone() });
    }
    let file = texts.files.get_mut(name)?;
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
    (file.taken, file.last) = (first + rows.len(), entry.clone());
    Some((rows, Places::Lines { file: name.to_owned(), first }))
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
fn array<S: Place>(entry: &Entry<'_, S>, beside: &mut Beside<'_>, errors: &mut Errors<S>) -> Option<Read<S>> {
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
fn inline<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Read<S>> {
    let rows = entry.array(EXPECTED, errors)?;
    let (mut read, mut places) = (Vec::new(), Vec::new());
    for row in &rows {
        let (weights, marks) = match row.what {
            What::Text(text) => letters(row, text, errors)?,
            _ => numbers(row, errors)?,
        };
        read.push(weights);
        places.push((row.at, marks));
    }
    Some((read, Places::Here(places)))
}

type Row<S> = (Vec<i8>, Vec<S>);

fn letters<S: Place>(row: &Entry<'_, S>, text: &Text<S>, errors: &mut Errors<S>) -> Option<Row<S>> {
    // Places are known unless letters are escaped.
    match weights(&text.value) {
        Ok(weights) => {
            let places = text.start.map(|start| (0..weights.len()).map(|i| start.moved(i)).collect());
            Some((weights, places.unwrap_or_default()))
        }
        Err((column, letter)) => {
            // All before it are single bytes.
            let at = text.start.map_or(row.at, |start| start.moved(column));
            row.wrong_at(at, format_args!("found {letter:?}; expected {LETTERS}"), errors);
            None
        }
    }
}

fn numbers<S: Place>(row: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Row<S>> {
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
