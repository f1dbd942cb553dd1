//! The table `const`: the declarations of constants.
//!
//! They are read before the filters, each after those that it is made of.

use std::collections::BTreeMap;

use super::constants::{Constants, is_name};
use super::document::Document;
use super::mark::Mark;
use super::term;
use crate::errors::Errors;
use crate::lower::constants::{check, in_order};
use crate::sums;
use crate::tree::{Meaning, Term};
use crate::value::{Entry, What};

/// Reads the constants of a file.
pub(crate) fn read(document: &Document, errors: &mut Errors<Mark>) -> Constants {
    const EXPECTED: &str = "a table of numbers and kernels by name, such as `GAUSS = [[1, 2, 1]]`";
    let fields = document.constants().and_then(|entry| entry.any_table(EXPECTED, errors));
    let Some(fields) = fields else { return Constants::default() };
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
    let mut constants = Constants::default();
    for name in entries.keys() {
        // Those that are made of themselves have no value.
        constants.add(name, None);
    }
    for name in in_order(&declared, errors) {
        let value = entries.get(name).and_then(|(_, entry)| meaning(&constants, entry, errors));
        constants.add(name, value);
    }
    constants
}

/// What a declaration gives its name; `None` after a mistake.
fn meaning(constants: &Constants, entry: &Entry<'_, Mark>, errors: &mut Errors<Mark>) -> Option<Meaning<Mark>> {
    let before = errors.len();
    constants.take_mistake();
    let value = match entry.what {
        What::List(rows) if term::is_matrix(rows) => sums::matrix(entry, constants, errors).map(|rows| {
            let (negative, scale, origin, input) = (false, None, None, None);
            Meaning::Kernel(vec![Term { negative, scale, rows, at: entry.at, origin, input }])
        }),
        What::List(_) | What::Map(_) => Some(Meaning::Kernel(term::terms(entry, constants, errors))),
        _ => sums::number(entry, constants, errors).map(Meaning::Number),
    };
    if let Some(Meaning::Kernel(terms)) = &value
        && errors.len() == before
    {
        check(terms, errors);
    }
    value.filter(|_| errors.len() == before && !constants.take_mistake())
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
