//! Frames and numbers for whole programs, as options of the command line.

use std::fmt;
use std::path::PathBuf;

/// A value of `--frames`.
#[derive(Clone, Debug)]
pub(crate) struct FramesOf {
    /// The input that they are for; `None` for all inputs without some of their own.
    pub(crate) input: Option<String>,
    pub(crate) path: PathBuf,
}

/// A value of `--param`.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) name: String,
    /// One value, or the four of a region.
    pub(crate) values: Vec<Set>,
}

/// What a parameter is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Set {
    Number(i64),
    Truth(bool),
}

impl Set {
    /// As a whole number.
    pub(crate) fn number(self) -> i64 {
        match self {
            Self::Number(number) => number,
            Self::Truth(truth) => truth.into(),
        }
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Truth(truth) => truth.fmt(f),
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the form of a value parser")]
pub(crate) fn frames(text: &str) -> Result<FramesOf, String> {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    Ok(match text.split_once('=').filter(|(name, _)| is_name(name)) {
        Some((name, path)) => FramesOf { input: Some(name.to_owned()), path: path.into() },
        None => FramesOf { input: None, path: text.into() },
    })
}

pub(crate) fn setting(text: &str) -> Result<Setting, String> {
    let expected = || {
        "expected a name and a number, such as `threshold=24` or `learn=false`, or the four numbers of a region, \
         such as `part=TOP,LEFT,HEIGHT,WIDTH`"
            .to_owned()
    };
    let (name, values) = text.split_once('=').ok_or_else(expected)?;
    let value = |text: &str| match text.trim() {
        "true" => Some(Set::Truth(true)),
        "false" => Some(Set::Truth(false)),
        number => number.replace('_', "").parse().ok().map(Set::Number),
    };
    let values: Vec<Set> = values.split(',').map(value).collect::<Option<_>>().ok_or_else(expected)?;
    if !matches!(values.len(), 1 | 4) {
        return Err(expected());
    }
    Ok(Setting { name: name.to_owned(), values })
}
