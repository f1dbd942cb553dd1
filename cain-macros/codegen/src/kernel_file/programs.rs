//! Whole programs of a kernel file: `program = "motion.cain"`, or their text.

use std::path::Path;

use super::mark::Mark;
use crate::diagnostic::{Diagnostic, Position, Positions};
use crate::errors::Errors;
use crate::kinds::Item;
use crate::kinds::beside::{Beside, in_folder};
use crate::program_file::{self, Around};
use crate::text_file::folder_of;
use crate::value::{Entry, What};

/// What the key declares in a kernel file with that text.
pub(super) fn all(text: &str, entry: &Entry<'_, Mark>, around: Around<'_>, errors: &mut Errors<Mark>) -> Vec<Item> {
    let What::Text(found) = entry.what else { return Vec::new() };
    let mut positions = Positions::new(text);
    if !program_file::is_one(Path::new(&found.value)) || found.value.contains('\n') {
        let (items, problems) = program_file::parse(&found.value, around);
        // Of a text with escapes only the place of the whole is known.
        let place = |at: Position| found.start.map_or(entry.at, |start| Mark(start.0 + offset(&found.value, at)));
        for Diagnostic { place: at, message } in problems {
            errors.add(place(at), message);
        }
        let mut of_file = |at| positions.of(place(at).0);
        return items
            .into_iter()
            .map(|mut item| {
                move_lines(&mut item, &mut of_file);
                item.placed(&mut of_file)
            })
            .collect();
    }
    let mut read = in_folder(around.folder);
    let mut beside = Beside::new(&mut read);
    let Some(inner) = beside.text(entry, errors) else { return Vec::new() };
    let path = around.folder.join(&found.value);
    let around = Around { folder: folder_of(&path), ..around };
    let (items, problems) = program_file::parse(&inner, around);
    for problem in problems {
        errors.add(entry.at, format_args!("{}:{problem}", found.value));
    }
    let at = positions.of(entry.at.0);
    items.into_iter().map(|item| item.placed(|_| at).in_file(&found.value)).collect()
}

/// Where the file has what makes the values of a program.
#[cfg(feature = "programs")]
fn move_lines(item: &mut Item, of_file: &mut dyn FnMut(Position) -> Position) {
    if let Item::Vision(program) = item {
        program.of.lines.iter_mut().for_each(|line| *line = of_file(*line));
    }
}

#[cfg(not(feature = "programs"))]
fn move_lines(_: &mut Item, _: &mut dyn FnMut(Position) -> Position) {}

/// The byte at a position of a text.
fn offset(text: &str, Position { line, column }: Position) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = text.get(before..).unwrap_or_default();
    let within = rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at);
    before + within
}

#[cfg(test)]
mod tests {
    use super::{Position, offset};

    #[test]
    fn positions_are_bytes() {
        let text = "é = 1\nab\n";
        for (line, column, byte) in [(1, 1, 0), (1, 2, 2), (2, 1, 7), (2, 2, 8), (9, 9, 10)] {
            assert_eq!(offset(text, Position { line, column }), byte, "{line}:{column}");
        }
    }
}
