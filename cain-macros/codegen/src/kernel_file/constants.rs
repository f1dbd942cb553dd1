//! The table `const`: numbers and kernels with a name, for the filters of the file.
//!
//! They are read before the filters, each after those that it is made of.

use std::collections::BTreeMap;

use super::document::Document;
use super::mark::Mark;
use super::term;
use crate::errors::Errors;
use crate::lower::constants::{Uses, check, in_order, near_miss};
use crate::surroundings::is_upper_case;
use crate::tree::{Meaning, Number, Term};
use crate::value::{Entry, What, number};

/// The constants of a kernel file.
#[derive(Default)]
pub(crate) struct Constants {
    /// `None` after a mistake, which has been reported.
    named: BTreeMap<String, Option<Meaning<Mark>>>,
    uses: Uses,
}

impl Constants {
    /// Reads the constants of a file.
    pub(crate) fn read(document: &Document, errors: &mut Errors<Mark>) -> Self {
        const EXPECTED: &str = "a table of numbers and kernels by name, such as `GAUSS = [[1, 2, 1]]`";
        let fields = document.constants().and_then(|entry| entry.any_table(EXPECTED, errors));
        let Some(fields) = fields else { return Self::default() };
        let mut entries = BTreeMap::new();
        for (name, entry) in fields.in_order() {
            if is_name(name.value) {
                entries.insert(name.value, (name.at, entry));
            } else {
                let message = format!("write the name of the constant `{}` in upper case", name.value);
                errors.add(name.at, message);
            }
        }
        let parts = |entry: &Entry<'_, Mark>| {
            let mut parts = Vec::new();
            add_names(entry.what, &mut parts);
            parts.into_iter().filter_map(|part| Some(*entries.get_key_value(part)?.0)).collect()
        };
        let declared = entries.iter().map(|(name, (at, entry))| (*name, (*at, parts(entry)))).collect();
        // Those that are made of themselves have no value.
        let named = entries.keys().map(|name| ((*name).to_owned(), None)).collect();
        let mut constants = Self { named, uses: Uses::default() };
        for name in in_order(&declared, errors) {
            let value = entries.get(name).and_then(|(_, entry)| constants.value(entry, errors));
            constants.named.insert(name.to_owned(), value);
        }
        constants
    }

    /// A number, or the name of one.
    pub(crate) fn number(&self, entry: &Entry<'_, Mark>, errors: &mut Errors<Mark>) -> Option<Number<Mark>> {
        let Some((is_negative, name)) = name(entry) else { return number(entry, errors) };
        match self.get(name, entry, errors)? {
            Meaning::Number(number) if is_negative => Some(number.clone().negated()),
            Meaning::Number(number) => Some(number.clone()),
            Meaning::Kernel(_) => {
                entry.wrong(format_args!("`{name}` is a kernel; expected a number"), errors);
                None
            }
        }
    }

    /// The terms of the kernel that an entry [names](is_named).
    pub(crate) fn kernel(&self, entry: &Entry<'_, Mark>, errors: &mut Errors<Mark>) -> Option<&[Term<Mark>]> {
        let (is_negative, name) = name(entry)?;
        if is_negative {
            entry.wrong("a name of a kernel has no sign; write `scale = -1` beside it", errors);
            return None;
        }
        match self.get(name, entry, errors)? {
            Meaning::Kernel(terms) => {
                let counted = self.uses.count(terms).map_err(|message| entry.wrong(message, errors));
                counted.is_ok().then_some(terms.as_slice())
            }
            Meaning::Number(_) => {
                entry.wrong(format_args!("`{name}` is a number; expected a kernel"), errors);
                None
            }
        }
    }

    /// Whether a constant was used since the last call whose declaration has a mistake.
    pub(crate) fn take_mistake(&self) -> bool {
        self.uses.take_mistake()
    }

    fn get(&self, name: &str, entry: &Entry<'_, Mark>, errors: &mut Errors<Mark>) -> Option<&Meaning<Mark>> {
        let Some(value) = self.named.get(name) else {
            if let Some(near) = near_miss(name, self.named.keys()) {
                entry.wrong(format_args!("unknown constant `{name}`; did you mean `{near}`?"), errors);
            } else {
                let message = format!("unknown constant `{name}`; declare it in the table `[const]` of the file");
                entry.wrong(message, errors);
            }
            return None;
        };
        if value.is_none() {
            self.uses.meet_mistake();
        }
        value.as_ref()
    }

    fn value(&self, entry: &Entry<'_, Mark>, errors: &mut Errors<Mark>) -> Option<Meaning<Mark>> {
        let before = errors.len();
        self.take_mistake();
        let value = match entry.what {
            What::List(rows) if term::is_matrix(rows) => term::matrix(entry, self, errors).map(|rows| {
                let (negative, scale, origin, input) = (false, None, None, None);
                Meaning::Kernel(vec![Term { negative, scale, rows, at: entry.at, origin, input }])
            }),
            What::List(_) | What::Map(_) => Some(Meaning::Kernel(term::terms(entry, self, errors))),
            _ => self.number(entry, errors).map(Meaning::Number),
        };
        if let Some(Meaning::Kernel(terms)) = &value
            && errors.len() == before
        {
            check(terms, errors);
        }
        value.filter(|_| errors.len() == before && !self.take_mistake())
    }
}

/// Whether a text is spelt like the name of a constant.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_uppercase()) && is_upper_case(text)
}

/// Whether a value is a name.
pub(crate) fn is_named(entry: &Entry<'_, Mark>) -> bool {
    name(entry).is_some()
}

/// The name that stands for a value, and whether it has a minus in front.
fn name<'d>(entry: &Entry<'d, Mark>) -> Option<(bool, &'d str)> {
    let text = entry.what.as_text()?;
    let (is_negative, name) = match text.strip_prefix('-') {
        Some(name) => (true, name.trim_start()),
        None => (false, text),
    };
    is_name(name).then_some((is_negative, name))
}

/// Adds the names in a value; how deep it is nested is limited where the text is read.
fn add_names<'v>(value: &'v What<Mark>, names: &mut Vec<&'v str>) {
    match value {
        What::Text(text) => names.push(text.value.trim_start_matches(['-', ' '])),
        What::List(list) => list.iter().for_each(|value| add_names(&value.what, names)),
        What::Map(map) => map.iter().for_each(|(_, value)| add_names(&value.what, names)),
        _ => {}
    }
}
