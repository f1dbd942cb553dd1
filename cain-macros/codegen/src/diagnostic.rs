//! Messages about places in files.

use std::fmt;

#[cfg(feature = "programs")]
use proc_macro2::Span;

use crate::printable::Printable;

/// A place in a file; lines and columns are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

#[cfg(feature = "programs")]
impl Position {
    /// The place of a token in the only file that there is.
    pub(crate) fn of(span: Span) -> Self {
        let start = span.start();
        Self { line: start.line, column: start.column + 1 }
    }
}

impl fmt::Display for Position {
    /// `3:14`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A message about a place: in a file, or of another kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic<S = Position> {
    /// The place it is about.
    pub place: S,
    /// What is wrong and what to do about it.
    pub message: String,
}

impl fmt::Display for Diagnostic {
    /// `3:14: unknown register ..`, for use after the path of the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, Printable(&self.message))
    }
}

/// The message about a name that is declared again; `first` is the line of the first one, if it is known.
pub(crate) fn twice(what: &str, name: impl fmt::Display, first: Option<usize>) -> String {
    let first = first.map_or_else(String::new, |line| format!(", first in line {line}"));
    format!("{what} `{name}` is declared twice{first}; rename one")
}

/// Converts byte offsets in a text to positions. It is fast for ascending offsets, even in one long line.
#[derive(Clone, Debug)]
pub struct Positions<'t> {
    text: &'t str,
    /// The offset of each line.
    starts: Vec<usize>,
    /// The offset of the last query, and its position.
    last: (usize, Position),
}

impl<'t> Positions<'t> {
    /// A converter for that text.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(end, _)| end + 1)).collect();
        Self { text, starts, last: (0, Position { line: 1, column: 1 }) }
    }

    /// The position of a byte offset.
    pub fn of(&mut self, offset: usize) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or_default();
        let (counted, column) = match self.last {
            (last, position) if position.line == line && last <= offset => (last, position.column),
            _ => (start, 1),
        };
        let characters = self.text.get(counted..offset).unwrap_or_default().chars().count();
        let position = Position { line, column: column + characters };
        self.last = (offset, position);
        position
    }
}

#[cfg(test)]
mod tests {
    use super::{Position, Positions};

    #[test]
    fn columns_are_characters_and_offsets_may_come_in_any_order() {
        let mut positions = Positions::new("é = 1\r\nb\n");
        for (place, line, column) in [(0, 1, 1), (2, 1, 2), (8, 2, 1), (10, 3, 1), (2, 1, 2)] {
            assert_eq!(positions.of(place), Position { line, column }, "{place}");
        }
    }
}
