//! From TOML to values.

use std::collections::BTreeSet;

use cain_isa::Fraction;
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::mark::Mark;
use crate::diagnostic::twice;
use crate::errors::Errors;
use crate::lower::machine::Described;
use crate::tree::At;
use crate::value::{Entry, Fields, Map, Spelling, Text, Value, What};
use crate::{kinds, lower};

/// The table that describes the machine instead of a filter.
const MACHINE: &str = "machine";

/// The table of constants.
const CONST: &str = "const";

/// The tables of declarations that are no filters.
pub(super) const OTHERS: [&str; 3] = ["network", "automaton", "in_pixel"];

/// The tables that are no filters.
pub(super) fn tables() -> impl Iterator<Item = &'static str> {
    [MACHINE, CONST].into_iter().chain(OTHERS)
}

/// The key of whole programs; a table of that name is a filter.
const PROGRAM: &str = "program";

/// A kernel file.
pub(crate) struct Document {
    root: Map<Mark>,
}

impl Document {
    /// Reads the text of a kernel file; `None` if it is not TOML.
    pub(crate) fn parse(text: &str, errors: &mut Errors<Mark>) -> Option<Self> {
        if text.trim_start().starts_with('{') {
            let message = "this is JSON and not a kernel file; `cain import` turns a configuration of Cain into one";
            errors.add(Mark(text.len() - text.trim_start().len()), message);
            return None;
        }
        let (root, mistakes) = DeTable::parse_recoverable(text);
        let root = root.into_inner();
        let before = errors.len();
        let mut duplicates = BTreeSet::new();
        for mistake in mistakes {
            let span = mistake.span().unwrap_or_default();
            if mistake.message() == "duplicate key" {
                duplicates.insert((span.start, span.end));
            } else {
                match unquoted(text, span.start) {
                    Some(message) => errors.add(Mark(span.start), message),
                    None if mistake.message().contains("recursion") => errors
                        .add(Mark(span.start), "brackets are nested too deep here; move a part of it to another place"),
                    None => errors.add(Mark(span.start), mistake.message()),
                }
            }
        }
        let is_toml = errors.len() == before;
        report_duplicates(text, &root, &duplicates, errors);
        is_toml.then(|| Self { root: map(&root) })
    }

    fn fields(&self) -> Fields<'_, Mark> {
        Fields::of(&self.root)
    }

    /// The machine of the file.
    pub(crate) fn described(&self, errors: &mut Errors<Mark>) -> Described {
        let Some(entry) = self.fields().get(MACHINE) else { return Described::SCAMP5 };
        let before = errors.len();
        let machine = lower::machine::machine(&kinds::machine::machine(&entry, errors), errors);
        if errors.len() == before { machine } else { Described::ANY }
    }

    /// The table of constants, if there is one.
    pub(crate) fn constants(&self) -> Option<Entry<'_, Mark>> {
        self.fields().get(CONST)
    }

    /// The table of that name, if there is one.
    pub(crate) fn table(&self, name: &str) -> Option<Entry<'_, Mark>> {
        self.fields().get(name)
    }

    /// Whole programs, or the file that has them.
    pub(crate) fn program(&self) -> Option<Entry<'_, Mark>> {
        self.fields().get(PROGRAM).filter(|entry| matches!(entry.what, What::Text(_)))
    }

    /// The filters and their tables in the order of the file.
    pub(crate) fn filters(&self) -> Vec<(At<&str, Mark>, Entry<'_, Mark>)> {
        let is_filter = |name: &str| !tables().any(|table| table == name);
        let has_programs = self.program().is_some();
        let filters = self.fields().in_order().into_iter();
        filters.filter(|(name, _)| is_filter(name.value) && !(has_programs && name.value == PROGRAM)).collect()
    }

    /// The names of all declarations, filters first.
    #[cfg(feature = "networks")]
    pub(crate) fn names(&self) -> Vec<&str> {
        let filters = self.filters().into_iter().map(|(name, _)| name.value);
        let tables = OTHERS.iter().filter_map(|table| self.table(table)?.any_table("", &mut Errors::default()));
        let others: Vec<&str> = tables.flat_map(|table| table.in_order()).map(|(name, _)| name.value).collect();
        filters.chain(others).collect()
    }
}

/// The keys and values of a table, in the order of the file.
fn map(table: &DeTable<'_>) -> Map<Mark> {
    let entry = |(key, of_key): (&Spanned<_>, _)| {
        let name: &std::borrow::Cow<'_, str> = key.get_ref();
        (At { value: name.to_string(), at: Mark(key.span().start) }, value(of_key))
    };
    let mut entries: Vec<_> = table.iter().map(entry).collect();
    entries.sort_by_key(|(name, _)| name.at);
    let mut map = Map::default();
    for (key, value) in entries {
        map.add(key, value);
    }
    map
}

/// How deep values are nested is limited where the text is read.
fn value(value: &Spanned<DeValue<'_>>) -> Value<Mark> {
    let span = value.span();
    let at = Mark(span.start);
    let what = match value.get_ref() {
        DeValue::String(text) => {
            let start = quotes(span.len(), text.len()).map(|quotes| Mark(span.start + quotes));
            What::Text(Text { value: text.to_string(), start, denominator: None, spelling: Spelling::Quoted })
        }
        DeValue::Integer(number) => What::Integer(decimal(number)),
        DeValue::Float(number) => What::Decimal(number.as_str().to_owned()),
        DeValue::Boolean(value) => What::Bool(*value),
        DeValue::Datetime(_) => What::Date,
        DeValue::Array(array) => What::List(array.iter().map(self::value).collect()),
        DeValue::Table(table) => What::Map(map(table)),
    };
    Value { what, at }
}

/// How many bytes are in front of a text of that length, which takes so many in the file; `None` if some are escaped there.
fn quotes(length: usize, of_text: usize) -> Option<usize> {
    // Quotes, three of them, and a line that ends behind them.
    match length.checked_sub(of_text)? {
        2 => Some(1),
        6 => Some(3),
        7 => Some(4),
        8 => Some(5),
        _ => None,
    }
}

/// The digits of a number in decimal, unless it is far beyond all that are taken.
fn decimal(number: &DeInteger<'_>) -> String {
    let value = i128::from_str_radix(number.as_str(), number.radix());
    value.map_or_else(|_| number.as_str().to_owned(), |value| value.to_string())
}

/// The message about a value at this place that lacks quotes.
fn unquoted(text: &str, place: usize) -> Option<String> {
    let (before, value) = text.split_at_checked(place)?;
    if !before.trim_end().ends_with(['=', '[', ',']) {
        return None;
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '/');
    let end = value.find(|c| !is_part(c)).unwrap_or(value.len());
    let word = value.get(..end)?;
    let is_fraction =
        || word.split_once('/').is_some_and(|(_, below)| !below.is_empty() && word.parse::<Fraction>().is_ok());
    if word.starts_with(|first: char| first.is_ascii_alphabetic()) {
        Some(format!("a text is written in quotes: `{word:?}`"))
    } else {
        is_fraction().then(|| format!("a fraction is written in quotes: `{word:?}`"))
    }
}

/// The line in which a table begins, the first of that name.
fn line_of_table(text: &str, name: &str) -> Option<usize> {
    let is_head = |line: &str| {
        let head = line.trim_start().strip_prefix('[').and_then(|head| head.split([']', '.']).next());
        head.is_some_and(|head| head.trim() == name)
    };
    text.lines().position(is_head).map(|line| line + 1)
}

/// Reports keys given twice. Of a filter given twice only the filter is reported, because all its keys are duplicates too.
fn report_duplicates(text: &str, root: &DeTable<'_>, duplicates: &BTreeSet<(usize, usize)>, errors: &mut Errors<Mark>) {
    let in_header = |start: usize| text.get(..start).is_some_and(|before| before.trim_end().ends_with('['));
    let (again, keys): (BTreeSet<_>, BTreeSet<_>) = duplicates.iter().partition(|(start, _)| in_header(*start));
    for &(start, end) in &again {
        let name = text.get(start..end).unwrap_or_default();
        errors.add(Mark(start), twice("filter", name, line_of_table(text, name)));
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
