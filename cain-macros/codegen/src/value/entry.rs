//! Values with their keys.

use std::fmt::Display;
use std::rc::Rc;

use super::{Map, Spelling, Value, What};
use crate::errors::Errors;
#[cfg(feature = "toml")]
use crate::expression::{self, Expression};
use crate::names;
use crate::notation::Notation;
use crate::place::{At, Place};

/// The most characters of a key that a message repeats.
const SHOWN: usize = 200;

/// A value and the key that it belongs to.
#[derive(Clone)]
pub(crate) struct Entry<'v, S> {
    /// Its full key, such as `gauss.search.nodes`.
    key: Rc<str>,
    pub(crate) what: &'v What<S>,
    pub(crate) at: S,
}

/// The keys and values of a map.
pub(crate) struct Fields<'v, S> {
    /// The full key of the map; empty at the top.
    key: Rc<str>,
    map: &'v Map<S>,
}

impl<'v, S: Place> Entry<'v, S> {
    fn new(key: Rc<str>, value: &'v Value<S>) -> Self {
        Self { key, what: &value.what, at: value.at }
    }

    /// A value that belongs to the key of that name.
    pub(crate) fn of(key: &str, value: &'v Value<S>) -> Self {
        Self::new(key.into(), value)
    }

    /// Reports that the value is not the one expected.
    pub(crate) fn expected(&self, what: &str, errors: &mut Errors<S>) {
        self.unexpected(format_args!("expected {what}, found {}", self.what.shown()), errors);
    }

    /// Reports what is wrong with the value, unless it could not even be read.
    pub(crate) fn unexpected(&self, message: impl Display, errors: &mut Errors<S>) {
        match self.what {
            What::Unreadable(message) => self.wrong(message, errors),
            _ => self.wrong(message, errors),
        }
    }

    /// Reports what is wrong with the value.
    pub(crate) fn wrong(&self, message: impl Display, errors: &mut Errors<S>) {
        self.wrong_at(self.at, message, errors);
    }

    /// Reports what is wrong with a part of the value.
    pub(crate) fn wrong_at(&self, place: S, message: impl Display, errors: &mut Errors<S>) {
        errors.add(place, S::NOTATION.message(self.about(message)));
    }

    /// A message with the key in front of it, if messages name that.
    pub(crate) fn about(&self, message: impl Display) -> String {
        match S::NOTATION.key(&self.key) {
            Some(key) => format!("`{key}`: {message}"),
            None => message.to_string(),
        }
    }

    /// The fields of the map, whose keys must be among the known ones.
    pub(crate) fn table(&self, what: &str, known: &[&str], errors: &mut Errors<S>) -> Option<Fields<'v, S>> {
        let fields = self.any_table(what, errors)?;
        for (key, _) in fields.map.iter() {
            if !known.contains(&key.value.as_str()) {
                let shown: Vec<&str> = known.iter().copied().filter(|key| S::NOTATION.has_key(key)).collect();
                self.wrong_at(key.at, names::unknown("key", &key.value, &shown), errors);
            }
        }
        Some(fields)
    }

    /// The fields of the map, with any keys.
    pub(crate) fn any_table(&self, what: &str, errors: &mut Errors<S>) -> Option<Fields<'v, S>> {
        let What::Map(map) = self.what else {
            self.expected(what, errors);
            return None;
        };
        Some(Fields { key: self.key.clone(), map })
    }

    /// Whether it is a map with such a key.
    #[cfg(feature = "toml")]
    pub(crate) fn has(&self, key: &str) -> bool {
        matches!(self.what, What::Map(map) if map.get(key).is_some())
    }

    /// The elements of the list, under the same key.
    pub(crate) fn array(&self, what: &str, errors: &mut Errors<S>) -> Option<Vec<Self>> {
        let elements = self.elements();
        if elements.is_none() {
            self.expected(what, errors);
        }
        elements
    }

    /// The elements, if it is a list.
    pub(crate) fn elements(&self) -> Option<Vec<Self>> {
        let list = self.what.as_list()?;
        Some(list.iter().map(|value| Self::new(self.key.clone(), value)).collect())
    }

    /// The values of the map, under the same key, if it is one.
    #[cfg(feature = "toml")]
    pub(crate) fn values(&self) -> Option<impl Iterator<Item = Self>> {
        let What::Map(map) = self.what else { return None };
        Some(map.iter().map(|(_, value)| Self::new(self.key.clone(), value)))
    }

    pub(crate) fn text(&self, what: &str, errors: &mut Errors<S>) -> Option<At<String, S>> {
        let text = self.what.as_text();
        if text.is_none() {
            self.expected(what, errors);
        }
        Some(At { value: text?.to_owned(), at: self.at })
    }

    /// A name, which only files have in quotes.
    pub(crate) fn name(&self, errors: &mut Errors<S>) -> Option<At<String, S>> {
        self.name_of(&S::NOTATION.name("a name"), errors)
    }

    /// The name of what is expected.
    pub(crate) fn name_of(&self, what: &str, errors: &mut Errors<S>) -> Option<At<String, S>> {
        if let (What::Text(text), Notation::Macro) = (self.what, S::NOTATION)
            && text.spelling == Spelling::Quoted
        {
            let is_word = !text.value.is_empty() && text.value.chars().all(|c| c.is_alphanumeric() || c == '_');
            let example = if is_word { format!(" without quotes, such as `{}`", text.value) } else { String::new() };
            self.wrong(format_args!("expected a name{example}"), errors);
            return None;
        }
        self.text(what, errors)
    }

    /// An expression of bits, whose mistakes are reported at their places within the text.
    #[cfg(feature = "toml")]
    pub(crate) fn expression(&self, what: &str, errors: &mut Errors<S>) -> Option<Expression<S>> {
        let What::Text(text) = self.what else {
            self.expected(what, errors);
            return None;
        };
        let place = |offset| text.start.map_or(self.at, |start| start.moved(offset));
        let tokens = expression::from_text(&text.value).into_iter();
        let tokens: Vec<_> = tokens.map(|token| At { value: token.value, at: place(token.at) }).collect();
        let read = expression::parse(&tokens, place(text.value.len()));
        read.map_err(|At { value, at }| errors.add(at, self.about(value))).ok()
    }

    pub(crate) fn flag(&self, errors: &mut Errors<S>) -> Option<bool> {
        let What::Bool(flag) = self.what else {
            self.expected("`true` or `false`", errors);
            return None;
        };
        Some(*flag)
    }
}

impl<'v, S: Place> Fields<'v, S> {
    /// The keys and values at the top of a source.
    #[cfg(feature = "toml")]
    pub(crate) fn of(map: &'v Map<S>) -> Self {
        Self { key: "".into(), map }
    }

    /// The value of a key, if it is there.
    pub(crate) fn get(&self, key: &str) -> Option<Entry<'v, S>> {
        self.map.get(key).map(|value| self.entry(key, value))
    }

    /// All keys and values in the order of the source.
    #[cfg(any(feature = "digital", feature = "toml"))]
    pub(crate) fn in_order(&self) -> Vec<(At<&'v str, S>, Entry<'v, S>)> {
        let entries = self.map.iter();
        let entry = |(key, value): &'v (At<String, S>, Value<S>)| {
            (At { value: key.value.as_str(), at: key.at }, self.entry(&key.value, value))
        };
        entries.map(entry).collect()
    }

    fn entry(&self, key: &str, value: &'v Value<S>) -> Entry<'v, S> {
        let full = match (self.key.is_empty(), S::NOTATION) {
            (true, _) | (_, Notation::Macro) => key.to_owned(),
            (false, Notation::File) => format!("{}.{key}", self.key),
        };
        // It is part of every message about the entries below, of which there can be many.
        let full = match full.char_indices().nth(SHOWN) {
            Some(_) => full.chars().take(SHOWN).chain("…".chars()).collect(),
            None => full,
        };
        Entry::new(full.into(), value)
    }
}
