//! A declaration as a tree of values, whatever it was written in.
//!
//! Two front ends fill it: [`tokens`] from the tokens of a macro, and `kernel_file` from TOML. Everything behind it reads the
//! tree and exists once; `S` is a [`Place`](crate::place::Place) in the source, whose type also knows the notation of messages.
//! Numbers are texts, since they are read exactly.

mod entry;
mod number;
pub(crate) mod tokens;

use cain_analysis::sorted;

use crate::notation::Notation;
use crate::place::{At, Place};

pub(crate) use entry::{Entry, Fields};
#[cfg(feature = "networks")]
pub(crate) use number::NUMBER;
pub(crate) use number::{list, number, range, whole};

/// The most characters of a text that a message repeats.
const SHOWN: usize = 40;

/// A value and its place.
#[derive(Clone, Debug)]
pub(crate) struct Value<S> {
    pub(crate) what: What<S>,
    pub(crate) at: S,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(crate) enum What<S> {
    /// A text in quotes; in macros also a name, a fraction or a range, which have no quotes there.
    Text(Text<S>),
    /// The digits of a whole number, in decimal.
    Integer(String),
    /// The digits of any other number.
    Decimal(String),
    Bool(bool),
    /// TOML has dates, which nothing takes.
    #[cfg(feature = "toml")]
    Date,
    /// Tokens of a kernel that are no number; what is wrong with them.
    Unreadable(String),
    List(Vec<Value<S>>),
    Map(Map<S>),
}

/// A text.
#[derive(Clone, Debug)]
pub(crate) struct Text<S> {
    pub(crate) value: String,
    /// Where its first character is; `None` if some are escaped in the source.
    #[cfg_attr(not(feature = "toml"), expect(dead_code, reason = "only expressions have places within"))]
    pub(crate) start: Option<S>,
    /// Where the denominator of a fraction is, if it is a token of its own.
    pub(crate) denominator: Option<S>,
    pub(crate) spelling: Spelling,
}

/// How a text is spelt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    Quoted,
    /// Without quotes, as only macros have it.
    Bare,
    /// As a constant of Rust, but there is none of that name around the macro.
    LikeConstant,
}

/// Keys with values, in the order of the source, each key once.
#[derive(Clone, Debug)]
pub(crate) struct Map<S> {
    entries: Vec<(At<String, S>, Value<S>)>,
    /// The place of each key among them.
    places: sorted::Map<String, usize>,
}

impl<S> Default for Map<S> {
    fn default() -> Self {
        Self { entries: Vec::new(), places: sorted::Map::new() }
    }
}

impl<S> Map<S> {
    /// Adds a key; whether it is new. Of a key that is given twice the first value stays.
    pub(crate) fn add(&mut self, key: At<String, S>, value: Value<S>) -> bool {
        if self.places.contains_key(&key.value) {
            return false;
        }
        self.places.insert(key.value.clone(), self.entries.len());
        self.entries.push((key, value));
        true
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Value<S>> {
        self.entries.get(*self.places.get(key)?).map(|(_, value)| value)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &(At<String, S>, Value<S>)> {
        self.entries.iter()
    }
}

impl<S> IntoIterator for Map<S> {
    type Item = (At<String, S>, Value<S>);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<S: Place> Text<S> {
    /// A text that stands in the source without quotes.
    pub(crate) fn plain(value: String, start: S) -> Self {
        Self { value, start: Some(start), denominator: None, spelling: Spelling::Bare }
    }
}

impl<S: Place> What<S> {
    /// The elements, if it is a list.
    pub(crate) fn as_list(&self) -> Option<&[Value<S>]> {
        match self {
            Self::List(list) => Some(list),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(&text.value),
            _ => None,
        }
    }

    /// The value in a message.
    fn shown(&self) -> String {
        match (self, S::NOTATION) {
            (Self::Text(text), _) if text.value.chars().nth(SHOWN).is_some() => "a long text".to_owned(),
            (Self::Text(text), _) if text.spelling == Spelling::LikeConstant => {
                format!("`{}`, which is not the name of a constant around the macro", text.value)
            }
            // The quotes that the macro does not have are taken away with those of examples.
            (Self::Text(text), Notation::Macro) => format!("`{:?}`", text.value),
            (Self::Text(text), Notation::File) => format!("the text {:?}", text.value),
            (Self::Integer(number) | Self::Decimal(number), _) => format!("`{number}`"),
            (Self::Bool(value), _) => format!("`{value}`"),
            #[cfg(feature = "toml")]
            (Self::Date, _) => "a date".to_owned(),
            (Self::Unreadable(message), _) => message.clone(),
            (Self::List(list), _) if list.is_empty() => "an empty array".to_owned(),
            (Self::List(_), _) => "an array".to_owned(),
            (Self::Map(_), Notation::Macro) => "keys in braces".to_owned(),
            (Self::Map(_), Notation::File) => "a table".to_owned(),
        }
    }
}
