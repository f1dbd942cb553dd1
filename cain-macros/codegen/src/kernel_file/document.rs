//! From text to TOML tables.

use std::collections::BTreeSet;

use toml::de::DeTable;

use super::Position;
use super::entry::{Entry, Fields};
use super::notation::Mark;
use crate::errors::Errors;
use crate::filter::At;

/// The table that describes the machine and no filter.
const MACHINE: &str = "machine";

/// A text that is TOML.
pub(crate) struct Document<'t> {
    root: DeTable<'t>,
}

impl<'t> Document<'t> {
    /// Reads the text; `None` if it is no TOML, and then the mistakes say nothing about its contents.
    pub(crate) fn parse(text: &'t str, errors: &mut Errors<Mark>) -> Option<Self> {
        let (root, mistakes) = DeTable::parse_recoverable(text);
        let root = root.into_inner();
        let before = errors.len();
        let mut duplicates = BTreeSet::new();
        for mistake in mistakes {
            let span = mistake.span().unwrap_or_default();
            if mistake.message() == "duplicate key" {
                duplicates.insert((span.start, span.end));
            } else {
                errors.add(Mark(span.start), mistake.message());
            }
        }
        let is_toml = errors.len() == before;
        report_duplicates(text, &root, &duplicates, errors);
        is_toml.then_some(Self { root })
    }

    /// The table of the machine, if there is one.
    pub(crate) fn machine(&self) -> Option<Entry<'_>> {
        Fields::new("", &self.root).get(MACHINE)
    }

    /// What stands under each name, in the order of the file.
    pub(crate) fn filters(&self) -> Vec<(At<&str, Mark>, Entry<'_>)> {
        let mut filters = Fields::new("", &self.root).in_order();
        filters.retain(|(name, _)| name.value != MACHINE);
        filters
    }
}

/// Reports keys given twice; of a filter given twice only the filter, because all its keys are.
fn report_duplicates(text: &str, root: &DeTable<'_>, duplicates: &BTreeSet<(usize, usize)>, errors: &mut Errors<Mark>) {
    let in_header = |start: usize| text.get(..start).is_some_and(|before| before.trim_end().ends_with('['));
    let (again, keys): (BTreeSet<_>, BTreeSet<_>) = duplicates.iter().partition(|(start, _)| in_header(*start));
    for &(start, end) in &again {
        let name = text.get(start..end).unwrap_or_default();
        errors.add(Mark(start), format_args!("filter `{name}` is declared twice; rename one"));
    }
    let mut tables: BTreeSet<_> = root.keys().map(|key| (key.span().start, key.span().end)).collect();
    tables.extend(&again);
    for &(start, end) in &keys {
        let within = tables.range(..(start, end)).next_back();
        if !within.is_some_and(|table| again.contains(table)) {
            let name = text.get(start..end).unwrap_or_default();
            errors.add(Mark(start), format_args!("key `{name}` is given twice"));
        }
    }
}

/// Lines and columns of places; quick for places in the order of the text, even if it is one long line.
pub(crate) struct Lines<'t> {
    text: &'t str,
    /// Where each line begins.
    starts: Vec<usize>,
    /// The last place asked for, and its position.
    last: (usize, Position),
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(end, _)| end + 1)).collect();
        Self { text, starts, last: (0, Position { line: 1, column: 1 }) }
    }

    pub(crate) fn position(&mut self, Mark(mark): Mark) -> Position {
        let line = self.starts.partition_point(|start| *start <= mark);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or_default();
        let (counted, column) = match self.last {
            (place, position) if position.line == line && place <= mark => (place, position.column),
            _ => (start, 1),
        };
        let characters = self.text.get(counted..mark).unwrap_or_default().chars().count();
        let position = Position { line, column: column + characters };
        self.last = (mark, position);
        position
    }
}

#[cfg(test)]
mod tests {
    use super::{Lines, Mark, Position};

    #[test]
    fn columns_are_characters_and_places_may_come_in_any_order() {
        let mut lines = Lines::new("é = 1\r\nb\n");
        for (mark, line, column) in [(0, 1, 1), (2, 1, 2), (8, 2, 1), (10, 3, 1), (2, 1, 2)] {
            assert_eq!(lines.position(Mark(mark)), Position { line, column }, "{mark}");
        }
    }
}
