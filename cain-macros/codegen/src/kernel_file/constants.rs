//! Numbers and kernels with a name, for the filters of a kernel file.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::mark::Mark;
use crate::lower::constants::{Uses, near_miss};
use crate::sums::{self, Named, Wanted};
use crate::surroundings::is_upper_case;
use crate::tree::Meaning;

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

    /// Whether a constant was used since the last call whose declaration has a mistake.
    pub(crate) fn take_mistake(&self) -> bool {
        self.uses.take_mistake()
    }
}

impl sums::Constants<Mark> for Constants {
    fn get(&self, name: &str, _: Mark, _: Wanted) -> Option<Named<'_, Mark>> {
        if !is_name(name) {
            return None;
        }
        Some(match self.named.get(name) {
            Some(Some(value)) => Named::Meaning(Cow::Borrowed(value)),
            Some(None) => {
                self.uses.meet_mistake();
                Named::Mistaken
            }
            None => Named::Unknown(match near_miss(name, self.named.keys()) {
                Some(near) => format!("unknown constant `{name}`; did you mean `{near}`?"),
                None => format!("unknown constant `{name}`; declare it in the table `[const]` of the file"),
            }),
        })
    }

    fn uses(&self) -> &Uses {
        &self.uses
    }
}

/// Whether a text is spelt like the name of a constant.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_uppercase()) && is_upper_case(text)
}
