//! What the user is told about a configuration.

use std::fmt::{self, Display};
use std::path::Path;

use super::json::Node;

/// Mistakes, and what could not be taken over.
#[derive(Default)]
pub(crate) struct Notes {
    list: Vec<Note>,
    has_errors: bool,
}

struct Note {
    /// Where, in bytes.
    at: usize,
    message: String,
}

impl Notes {
    /// Something that must be mended.
    pub(crate) fn wrong(&mut self, node: &Node<'_>, message: impl Display) {
        self.has_errors = true;
        self.add(node, message);
    }

    /// Something that is left out or understood in a certain way.
    pub(crate) fn add(&mut self, node: &Node<'_>, message: impl Display) {
        let colon = if node.path.is_empty() { "" } else { ": " };
        self.list.push(Note { at: node.at, message: format!("{}{colon}{message}", node.path) });
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// All of them in the order of the text, each with the file's name, line and column.
    pub(crate) fn in_order(mut self, file: &Path, text: &str) -> Vec<String> {
        self.list.sort_by_key(|note| note.at);
        let mut place = Place { line: 1, column: 1 };
        let mut done = 0;
        let mut line = |note: Note| {
            for character in text.get(done..note.at).unwrap_or_default().chars() {
                place.pass(character);
            }
            done = note.at;
            format!("{}:{place}: {}", file.display(), note.message)
        };
        self.list.into_iter().map(&mut line).collect()
    }
}

/// A line and a column, both from 1.
struct Place {
    line: usize,
    column: usize,
}

impl Place {
    fn pass(&mut self, character: char) {
        if character == '\n' {
            (self.line, self.column) = (self.line + 1, 1);
        } else {
            self.column += 1;
        }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
