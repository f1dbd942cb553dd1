//! Numbers and kernels with a name, for the filters of a kernel file.

use std::collections::BTreeMap;

use super::mark::Mark;
use crate::errors::Errors;
use crate::lower::constants::{Uses, near_miss};
use crate::surroundings::is_upper_case;
use crate::tree::{Meaning, Number, Term};
use crate::value::{Entry, number};

/// The constants of a kernel file.
#[derive(Default)]
pub(crate) struct Constants {
    /// `None` after a mistake, which has been reported.
    named: BTreeMap<String, Option<Meaning<Mark>>>,
    uses: Uses,
}

impl Constants {
    /// Gives a name a value; none after a mistake, which has been reported.
    pub(crate) fn add(&mut self, name: &str, value: Option<Meaning<Mark>>) {
        self.named.insert(name.to_owned(), value);
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
}

/// Whether a text is spelt like the name of a constant.
pub(super) fn is_name(text: &str) -> bool {
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
