//! Values of a kernel file with their keys.

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::notation::{Mark, Notation};
use crate::errors::Errors;
use crate::names;
use crate::surroundings::is_upper_case;
use crate::tree::At;

/// The most characters of a text that a message repeats.
const SHOWN: usize = 40;
/// The most characters of a key that a message repeats.
const SHOWN_OF_KEYS: usize = 200;

/// A value.
pub(crate) struct Entry<'d> {
    /// Its full key, such as `gauss.search.nodes`.
    pub(crate) key: String,
    pub(crate) value: &'d DeValue<'d>,
    pub(crate) at: Mark,
    pub(crate) notation: Notation,
    /// The bytes that it takes in the file.
    length: usize,
}

/// A table.
pub(crate) struct Fields<'d> {
    /// Its key and a dot.
    prefix: String,
    table: &'d DeTable<'d>,
    notation: Notation,
}

impl<'d> Entry<'d> {
    fn new(key: String, value: &'d Spanned<DeValue<'d>>, notation: Notation) -> Self {
        // It is part of every message about the entries below, of which there can be many.
        let key = if key.chars().nth(SHOWN_OF_KEYS).is_some() {
            key.chars().take(SHOWN_OF_KEYS).chain("…".chars()).collect()
        } else {
            key
        };
        let span = value.span();
        Self { key, at: Mark(span.start), notation, length: span.len(), value: value.get_ref() }
    }

    /// The same entry.
    pub(crate) fn again(&self) -> Self {
        Self { key: self.key.clone(), ..*self }
    }

    /// Where the text of the value begins in the file; none if characters of it are escaped there.
    pub(crate) fn start_of(&self, text: &str) -> Option<Mark> {
        // Quotes, three of them, and a line that ends behind them.
        let quotes = match self.length.checked_sub(text.len())? {
            2 => 1,
            6 => 3,
            7 => 4,
            8 => 5,
            _ => return None,
        };
        Some(Mark(self.at.0 + quotes))
    }

    /// Reports that the value is not the one expected.
    pub(crate) fn expected(&self, what: &str, errors: &mut Errors<Mark>) {
        self.wrong(format_args!("expected {what}, found {}", found(self.value, self.notation)), errors);
    }

    /// Reports what is wrong with the value.
    pub(crate) fn wrong(&self, message: impl std::fmt::Display, errors: &mut Errors<Mark>) {
        self.wrong_at(self.at, message, errors);
    }

    /// Reports what is wrong with a part of the value.
    pub(crate) fn wrong_at(&self, place: Mark, message: impl std::fmt::Display, errors: &mut Errors<Mark>) {
        let message = match self.shown_key() {
            Some(key) => format!("`{key}`: {message}"),
            None => message.to_string(),
        };
        errors.add(place, self.notation.message(message));
    }

    /// The key in messages, if they name it.
    pub(crate) fn shown_key(&self) -> Option<&str> {
        self.notation.key(&self.key)
    }

    /// The table, whose keys must be among the known ones.
    pub(crate) fn table(&self, what: &str, known: &[&str], errors: &mut Errors<Mark>) -> Option<Fields<'d>> {
        let fields = self.any_table(what, errors)?;
        for key in fields.table.keys() {
            let name = key.get_ref().as_ref();
            if !known.contains(&name) {
                let shown: Vec<&str> = known.iter().copied().filter(|key| self.notation.has_key(key)).collect();
                let message = names::unknown("key", name, &shown);
                self.wrong_at(Mark(key.span().start), message, errors);
            }
        }
        Some(fields)
    }

    /// The table, with any keys.
    pub(crate) fn any_table(&self, what: &str, errors: &mut Errors<Mark>) -> Option<Fields<'d>> {
        let DeValue::Table(table) = self.value else {
            self.expected(what, errors);
            return None;
        };
        Some(Fields::new(&self.key, table, self.notation))
    }

    /// The values of a table.
    pub(crate) fn values(&self) -> Option<impl Iterator<Item = Self>> {
        let DeValue::Table(table) = self.value else { return None };
        Some(table.values().map(|value| Self::new(self.key.clone(), value, self.notation)))
    }

    /// Whether it is a table with such a key.
    pub(crate) fn has(&self, key: &str) -> bool {
        matches!(self.value, DeValue::Table(table) if table.contains_key(key))
    }

    /// The elements of the array, under the same key.
    pub(crate) fn array(&self, what: &str, errors: &mut Errors<Mark>) -> Option<Vec<Self>> {
        let DeValue::Array(array) = self.value else {
            self.expected(what, errors);
            return None;
        };
        Some(self.elements(array))
    }

    /// The elements of an array as entries with this key.
    pub(crate) fn elements(&self, array: &'d DeArray<'d>) -> Vec<Self> {
        array.iter().map(|value| Self::new(self.key.clone(), value, self.notation)).collect()
    }

    pub(crate) fn text(&self, what: &str, errors: &mut Errors<Mark>) -> Option<At<String, Mark>> {
        let DeValue::String(text) = self.value else {
            self.expected(what, errors);
            return None;
        };
        Some(At { value: text.to_string(), at: self.at })
    }

    pub(crate) fn flag(&self, errors: &mut Errors<Mark>) -> Option<bool> {
        let DeValue::Boolean(flag) = self.value else {
            self.expected("`true` or `false`", errors);
            return None;
        };
        Some(*flag)
    }
}

impl<'d> Fields<'d> {
    /// The table under a key.
    pub(crate) fn new(key: &str, table: &'d DeTable<'d>, notation: Notation) -> Self {
        let prefix = if key.is_empty() { String::new() } else { format!("{key}.") };
        Self { prefix, table, notation }
    }

    /// The value of a key, if it is there.
    pub(crate) fn get(&self, key: &str) -> Option<Entry<'d>> {
        self.table.get(key).map(|value| Entry::new(format!("{}{key}", self.prefix), value, self.notation))
    }

    /// All keys and values in the order of the file.
    pub(crate) fn in_order(&self) -> Vec<(At<&'d str, Mark>, Entry<'d>)> {
        let entry = |(key, value): (&'d Spanned<_>, _)| {
            let name: &'d std::borrow::Cow<'d, str> = key.get_ref();
            let entry = Entry::new(format!("{}{name}", self.prefix), value, self.notation);
            (At { value: name.as_ref(), at: Mark(key.span().start) }, entry)
        };
        let mut entries: Vec<_> = self.table.iter().map(entry).collect();
        entries.sort_by_key(|(name, _)| name.at);
        entries
    }
}

/// A value in a message.
fn found(value: &DeValue<'_>, notation: Notation) -> String {
    match value {
        DeValue::String(text) if text.chars().nth(SHOWN).is_some() => "a long text".to_owned(),
        DeValue::String(text) if notation == Notation::Macro && is_upper_case(text) => {
            format!("`{text}`, which is not the name of a constant around the macro")
        }
        DeValue::String(text) if notation == Notation::Macro => format!("`{text:?}`"),
        DeValue::String(text) => format!("the text {text:?}"),
        DeValue::Integer(number) => format!("`{number}`"),
        DeValue::Float(number) => format!("`{number}`"),
        DeValue::Boolean(value) => format!("`{value}`"),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(array) if array.is_empty() => "an empty array".to_owned(),
        DeValue::Array(_) => "an array".to_owned(),
        DeValue::Table(_) if notation == Notation::Macro => "keys in braces".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
