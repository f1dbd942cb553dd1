//! Mistakes in files, and where they stand.

use std::fmt;

use crate::printable::Printable;

/// A place in a file, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

impl fmt::Display for Position {
    /// `3:14`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A mistake in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Position,
    /// What is wrong and what to do about it.
    pub message: String,
}

impl fmt::Display for Problem {
    /// `3:14: unknown register ..`, to be put behind the name of the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, Printable(&self.message))
    }
}

/// The positions of places in a text, which are given in bytes from its beginning; quick for places in the order of the
/// text, even if it is one long line.
#[derive(Clone, Debug)]
pub struct Positions<'t> {
    text: &'t str,
    /// Where each line begins.
    starts: Vec<usize>,
    /// The last place asked for, and its position.
    last: (usize, Position),
}

impl<'t> Positions<'t> {
    /// The positions in that text.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(end, _)| end + 1)).collect();
        Self { text, starts, last: (0, Position { line: 1, column: 1 }) }
    }

    /// The position of a place.
    pub fn of(&mut self, place: usize) -> Position {
        let line = self.starts.partition_point(|start| *start <= place);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or_default();
        let (counted, column) = match self.last {
            (last, position) if position.line == line && last <= place => (last, position.column),
            _ => (start, 1),
        };
        let characters = self.text.get(counted..place).unwrap_or_default().chars().count();
        let position = Position { line, column: column + characters };
        self.last = (place, position);
        position
    }
}

#[cfg(test)]
mod tests {
    use super::{Position, Positions};

    #[test]
    fn columns_are_characters_and_places_may_come_in_any_order() {
        let mut positions = Positions::new("é = 1\r\nb\n");
        for (place, line, column) in [(0, 1, 1), (2, 1, 2), (8, 2, 1), (10, 3, 1), (2, 1, 2)] {
            assert_eq!(positions.of(place), Position { line, column }, "{place}");
        }
    }
}
