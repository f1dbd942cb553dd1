//! What the user is told about a configuration.

use std::fmt::Display;
use std::path::Path;

use cain_codegen::diagnostic::Positions;
use cain_codegen::printable::Printable;

use super::json::Node;

/// Mistakes, and what could not be taken over.
#[derive(Default)]
pub(crate) struct Notes {
    list: Vec<Note>,
    /// Numbers that were rounded.
    rounded: Vec<Note>,
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
        self.list.push(Self::note(node, message));
    }

    fn note(node: &Node<'_>, message: impl Display) -> Note {
        let colon = if node.path.is_empty() { "" } else { ": " };
        Note { at: node.at, message: format!("{}{colon}{message}", node.path) }
    }

    /// A number that was rounded, which must be mended unless weights may be moved.
    pub(crate) fn add_rounded(&mut self, node: &Node<'_>, message: impl Display) {
        self.rounded.push(Self::note(node, message));
    }

    /// Makes mistakes of all numbers that were rounded.
    pub(crate) fn refuse_rounded(&mut self) {
        self.has_errors |= !self.rounded.is_empty();
        self.list.append(&mut self.rounded);
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// All of them in the order of the text, each with the file's name, line and column.
    pub(crate) fn in_order(mut self, file: &Path, text: &str) -> Vec<String> {
        self.list.sort_by_key(|note| note.at);
        let mut positions = Positions::new(text);
        let file = Printable(file.display());
        let mut line = |note: Note| format!("{file}:{}: {}", positions.of(note.at), Printable(note.message));
        self.list.into_iter().map(&mut line).collect()
    }
}
