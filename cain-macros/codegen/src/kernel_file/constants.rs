//! The table `const`: numbers and kernels with a name, for the filters of the file.
//!
//! They are read before the filters, each after those that it is made of.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::document::Document;
use super::mark::Mark;
use super::term;
use crate::errors::Errors;
use crate::lower;
use crate::names;
use crate::surroundings::is_upper_case;
use crate::tree::{At, MOST_WEIGHTS, Meaning, Number, Term};
use crate::value::{Entry, What, number};

/// The most constants that one after the other are made of the next: each takes a part of the stack while they are read.
const DEEPEST: usize = 128;

/// The constants of a kernel file.
#[derive(Default)]
pub(crate) struct Constants {
    /// `None` after a mistake, which has been reported.
    named: BTreeMap<String, Option<Meaning<Mark>>>,
    /// Weights that uses of constants stand for so far.
    weights: Cell<usize>,
    /// Whether a constant was used whose declaration has a mistake.
    met_mistake: Cell<bool>,
}

/// Reads constants.
struct Reader<'d> {
    declared: BTreeMap<&'d str, Entry<'d, Mark>>,
    /// Those that are being read, each made of the next.
    open: Vec<&'d str>,
    constants: Constants,
}

impl Constants {
    /// Reads the constants of a file.
    pub(crate) fn read(document: &Document, errors: &mut Errors<Mark>) -> Self {
        const EXPECTED: &str = "a table of numbers and kernels by name, such as `GAUSS = [[1, 2, 1]]`";
        let fields = document.constants().and_then(|entry| entry.any_table(EXPECTED, errors));
        let Some(fields) = fields else { return Self::default() };
        let mut names = Vec::new();
        let mut declared = BTreeMap::new();
        for (name, entry) in fields.in_order() {
            if is_name(name.value) {
                names.push(name.value);
                declared.insert(name.value, entry);
            } else {
                let message = format!("write the name of the constant `{}` in upper case", name.value);
                errors.add(name.at, message);
            }
        }
        let mut reader = Reader { declared, open: Vec::new(), constants: Self::default() };
        for name in names {
            reader.read(name, errors);
        }
        reader.constants
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
            Meaning::Kernel(terms) => self.count(terms, entry, errors).then_some(terms.as_slice()),
            Meaning::Number(_) => {
                entry.wrong(format_args!("`{name}` is a number; expected a kernel"), errors);
                None
            }
        }
    }

    /// Whether a constant was used since the last call whose declaration has a mistake.
    pub(crate) fn take_mistake(&self) -> bool {
        self.met_mistake.take()
    }

    fn get(&self, name: &str, entry: &Entry<'_, Mark>, errors: &mut Errors<Mark>) -> Option<&Meaning<Mark>> {
        let Some(value) = self.named.get(name) else {
            let lower_case: BTreeMap<String, &String> =
                self.named.keys().map(|known| (known.to_lowercase(), known)).collect();
            let known: Vec<&str> = lower_case.keys().map(String::as_str).collect();
            if let Some(near) = names::near_miss(name, &known).and_then(|near| lower_case.get(near)) {
                entry.wrong(format_args!("unknown constant `{name}`; did you mean `{near}`?"), errors);
            } else {
                let message = format!("unknown constant `{name}`; declare it in the table `[const]` of the file");
                entry.wrong(message, errors);
            }
            return None;
        };
        if value.is_none() {
            self.met_mistake.set(true);
        }
        value.as_ref()
    }

    /// Counts the weights that a use stands for; whether they are not too many.
    fn count(&self, terms: &[Term<Mark>], entry: &Entry<'_, Mark>, errors: &mut Errors<Mark>) -> bool {
        let weights: usize = terms.iter().flat_map(|term| &term.rows).map(|row| row.weights.len()).sum();
        let all = self.weights.get().saturating_add(weights);
        self.weights.set(all);
        if all > MOST_WEIGHTS {
            let message =
                format!("the constants of this file stand for more than {MOST_WEIGHTS} weights; use them less often");
            entry.wrong(message, errors);
        }
        all <= MOST_WEIGHTS
    }
}

impl<'d> Reader<'d> {
    /// Reads a constant after those that it is made of.
    fn read(&mut self, name: &'d str, errors: &mut Errors<Mark>) {
        let Some(entry) = self.declared.get(name).cloned() else { return };
        if let Some(first) = self.open.iter().position(|open| *open == name) {
            let circle = self.open.iter().skip(first + 1).chain([&name]);
            let circle = names::list(circle, "and");
            entry.wrong(format_args!("the constant is made of itself, by way of {circle}"), errors);
            self.constants.named.insert(name.to_owned(), None);
        }
        if self.constants.named.contains_key(name) {
            return;
        }
        if self.open.len() >= DEEPEST {
            entry.wrong(format_args!("more than {DEEPEST} constants are made of one another here"), errors);
            self.constants.named.insert(name.to_owned(), None);
            return;
        }
        self.open.push(name);
        let mut parts = Vec::new();
        add_names(entry.what, &mut parts);
        for part in parts {
            if let Some((&part, _)) = self.declared.get_key_value(part) {
                self.read(part, errors);
            }
        }
        self.open.pop();
        if !self.constants.named.contains_key(name) {
            let value = self.constants.value(&entry, errors);
            self.constants.named.insert(name.to_owned(), value);
        }
    }
}

impl Constants {
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
            for term in terms {
                if let Some(At { at, .. }) = term.input {
                    errors.add(at, "a constant kernel has no input; name the input where the kernel is used");
                }
                lower::check_shape(term, errors);
            }
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
