//! Reads JSON with the place of every value and with numbers as they are written, and collects notes on it.

use std::fmt::{self, Display};
use std::path::Path;

use cain_codegen::diagnostic::Positions;
use cain_codegen::printable::Printable;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The largest configuration that is read, a thousand times the size of real ones.
pub(super) const MAX_BYTES: u64 = 1 << 20;

/// A value somewhere in a JSON text.
#[derive(Clone, Debug)]
pub(crate) struct Node<'t> {
    /// The source text.
    text: &'t str,
    /// The path to it, such as `filter.A.array[0]`.
    pub(crate) path: String,
    /// The position of its first byte.
    pub(crate) at: usize,
}

/// The members of an object that have not been taken yet.
pub(crate) struct Fields<'t> {
    members: Vec<(String, Node<'t>)>,
}

impl<'t> Node<'t> {
    /// Parses a whole text as a value.
    pub(crate) fn parse(text: &'t str) -> serde_json::Result<Self> {
        // Raw values are not checked inside, neither for syntax nor for depth.
        let _: serde_json::Value = serde_json::from_str(text)?;
        let raw: &RawValue = serde_json::from_str(text)?;
        Ok(Self::within(text, raw, String::new()))
    }

    fn within(text: &'t str, raw: &'t RawValue, path: String) -> Self {
        let at = raw.get().as_ptr() as usize - text.as_ptr() as usize;
        Self { text: raw.get(), path, at }
    }

    /// A part of this value.
    fn part(&self, raw: &'t RawValue, path: String) -> Self {
        let part = Self::within(self.text, raw, path);
        Self { at: self.at + part.at, ..part }
    }

    /// The members of an object, in their order; for any other value, adds a note and returns `None`.
    pub(crate) fn fields(&self, notes: &mut Notes) -> Option<Fields<'t>> {
        let Ok(Members(members)) = serde_json::from_str(self.text) else {
            notes.wrong(self, format_args!("expected an object, found {}", self.kind()));
            return None;
        };
        let mut fields = Fields { members: Vec::new() };
        let mut seen = std::collections::BTreeSet::new();
        for (key, raw) in members {
            let dot = if self.path.is_empty() { "" } else { "." };
            let node = self.part(raw, format!("{}{dot}{key}", self.path));
            if seen.insert(key.clone()) {
                fields.members.push((key, node));
            } else {
                notes.wrong(&node, format_args!("the key is given twice"));
            }
        }
        Some(fields)
    }

    /// The elements of an array; `None` for any other value.
    pub(crate) fn elements(&self) -> Option<Vec<Self>> {
        let elements: Vec<&RawValue> = serde_json::from_str(self.text).ok()?;
        let element = |(i, raw): (usize, &'t RawValue)| self.part(raw, format!("{}[{i}]", self.path));
        Some(elements.into_iter().enumerate().map(element).collect())
    }

    /// The text of a string.
    pub(crate) fn string(&self) -> Option<String> {
        serde_json::from_str(self.text).ok()
    }

    pub(crate) fn boolean(&self) -> Option<bool> {
        serde_json::from_str(self.text).ok()
    }

    /// A number as it is written; `None` for any other value.
    pub(crate) fn number(&self) -> Option<&'t str> {
        self.text.starts_with(|first: char| first == '-' || first.is_ascii_digit()).then_some(self.text)
    }

    pub(crate) fn is_object(&self) -> bool {
        self.text.starts_with('{')
    }

    /// The type of the value, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self.text.as_bytes().first() {
            Some(b'{') => "an object",
            Some(b'[') => "an array",
            Some(b'"') => "a string",
            Some(b't' | b'f') => "a truth value",
            Some(b'n') => "null",
            _ => "a number",
        }
    }
}

impl<'t> Fields<'t> {
    /// Takes the member with this name; it can be taken only once.
    pub(crate) fn take(&mut self, key: &str) -> Option<Node<'t>> {
        let place = self.members.iter().position(|(known, _)| known == key)?;
        Some(self.members.remove(place).1)
    }

    /// The member with this name, without taking it.
    pub(crate) fn get(&self, key: &str) -> Option<&Node<'t>> {
        self.members.iter().find(|(known, _)| known == key).map(|(_, node)| node)
    }

    /// The members that were not taken.
    pub(crate) fn rest(self) -> impl Iterator<Item = (String, Node<'t>)> {
        self.members.into_iter()
    }
}

/// Keys and values in the order of the text; keys may be repeated.
struct Members<'t>(Vec<(String, &'t RawValue)>);

impl<'de: 't, 't> Deserialize<'de> for Members<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(members)
            }
        }

        deserializer.deserialize_map(Collect).map(Members)
    }
}

/// Mistakes, and remarks about what could not be imported.
#[derive(Default)]
pub(crate) struct Notes {
    list: Vec<Note>,
    /// Notes on numbers that were rounded.
    rounded: Vec<Note>,
    has_errors: bool,
}

struct Note {
    /// The place in bytes.
    at: usize,
    message: String,
}

impl Notes {
    /// Adds a mistake.
    pub(crate) fn wrong(&mut self, node: &Node<'_>, message: impl Display) {
        self.has_errors = true;
        self.add(node, message);
    }

    /// Adds a remark about something that is left out or interpreted.
    pub(crate) fn add(&mut self, node: &Node<'_>, message: impl Display) {
        self.list.push(Self::note(node, message));
    }

    fn note(node: &Node<'_>, message: impl Display) -> Note {
        let colon = if node.path.is_empty() { "" } else { ": " };
        Note { at: node.at, message: format!("{}{colon}{message}", node.path) }
    }

    /// Adds a note on a rounded number, which is a mistake unless approximation is allowed.
    pub(crate) fn add_rounded(&mut self, node: &Node<'_>, message: impl Display) {
        self.rounded.push(Self::note(node, message));
    }

    /// Turns all rounded numbers into mistakes.
    pub(crate) fn refuse_rounded(&mut self) {
        self.has_errors |= !self.rounded.is_empty();
        self.list.append(&mut self.rounded);
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// All notes in the order of the text, each with the file's name, line and column.
    pub(crate) fn in_order(mut self, file: &Path, text: &str) -> Vec<String> {
        self.list.sort_by_key(|note| note.at);
        let mut positions = Positions::new(text);
        let file = Printable(file.display());
        let mut line = |note: Note| format!("{file}:{}: {}", positions.of(note.at), Printable(note.message));
        self.list.into_iter().map(&mut line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Node, Notes};

    #[test]
    fn everything_has_a_path_and_a_place() {
        let text = "{\n  \"a\": [1, {\"b\": 2.50}],\n  \"c\": \"x\\u0041\"}";
        let root = Node::parse(text).unwrap();
        let mut notes = Notes::default();
        let mut fields = root.fields(&mut notes).unwrap();
        let array = fields.take("a").unwrap();
        let inner = array.elements().unwrap()[1].fields(&mut notes).unwrap().take("b").unwrap();
        assert_eq!((inner.path.as_str(), inner.number()), ("a[1].b", Some("2.50")));
        assert!(text[inner.at..].starts_with("2.50}"));
        assert_eq!(fields.take("c").unwrap().string().unwrap(), "xA");
        assert!(fields.take("a").is_none());
        assert!(!notes.has_errors());
    }
}
