//! The lines of a plan file.

use std::fmt::Display;
use std::iter::Enumerate;
use std::str;

use crate::problem::{Position, Problem};

/// A line without its end.
#[derive(Clone, Copy)]
pub(super) struct Line<'t> {
    /// From 1.
    number: usize,
    pub(super) text: &'t str,
}

impl Line<'_> {
    /// What is wrong at so many bytes from the beginning of the line.
    pub(super) fn problem(self, at: usize, message: impl Display) -> Problem {
        let before = self.text.get(..at).unwrap_or(self.text);
        let place = Position { line: self.number, column: before.chars().count() + 1 };
        Problem { place, message: message.to_string() }
    }
}

/// The lines of a text, one after the other.
pub(super) struct Lines<'t> {
    rest: Enumerate<str::Lines<'t>>,
    /// The number of the line that was read last.
    last: usize,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { rest: text.lines().enumerate(), last: 0 }
    }

    /// The next line, or what is missing.
    pub(super) fn next(&mut self, what: &str) -> Result<Line<'t>, Problem> {
        let end = Line { number: self.last + 1, text: "" };
        self.next_if_any().ok_or_else(|| end.problem(0, format_args!("the file ends here; expected {what}")))
    }

    /// The next line, if there is one.
    pub(super) fn next_if_any(&mut self) -> Option<Line<'t>> {
        let (index, text) = self.rest.next()?;
        self.last = index + 1;
        Some(Line { number: self.last, text })
    }
}
