//! The filters and networks that programs of a text can call: one name for each of them.

use std::collections::BTreeMap;

use proc_macro2::Span;

use super::filter::Filter;
use super::tree::{File, Name, Use};
use crate::errors::Errors;
use crate::names::{list, near_miss};

/// Reads what there is to call in the kernel file at a path, as a text writes it; or else tells all that is wrong with the file.
pub type Load<'l> = dyn FnMut(&str) -> Result<Vec<Filter>, Vec<String>> + 'l;

/// The most kernel files that a text may use, and the most names of them that it may write, so that none takes long to read.
const MOST_FILES: usize = 64;
const MOST_NAMES: usize = 256;
/// The most names of a file that a message tells.
const TOLD: usize = 12;

/// What can be called.
pub(super) struct Callable {
    pub(super) filters: Vec<Filter>,
    /// Whether there may be more: what is used could not be read, or is wrong.
    pub(super) is_partial: bool,
}

/// What is beside programs, and what they use.
pub(super) fn all(file: &File, beside: &[Filter], load: &mut Load<'_>, errors: &mut Errors<Span>) -> Callable {
    let places = beside.iter().enumerate().map(|(place, filter)| (filter.name.clone(), place)).collect();
    let mut names = Names { filters: beside.to_vec(), places };
    let before = errors.len();
    let mut written = 0;
    for (number, Use { file, names: wanted }) in file.uses.iter().enumerate() {
        written += wanted.len();
        if number >= MOST_FILES || written > MOST_NAMES {
            errors.add(
                file.at,
                format_args!(
                    "programs use at most {MOST_FILES} kernel files, and {MOST_NAMES} names of them; put what they call into one"
                ),
            );
            break;
        }
        match load(&file.value) {
            Ok(found) if wanted.is_empty() => names.add_all(file, found, errors),
            Ok(found) => names.add_some(file, wanted, &found, errors),
            Err(messages) => messages.iter().for_each(|message| errors.add(file.at, message)),
        }
    }
    Callable { filters: names.filters, is_partial: file.has_broken_use || errors.len() > before }
}

/// Names for a message.
fn told(names: &[&str]) -> String {
    let first: Vec<String> = names.iter().take(TOLD).map(|name| format!("`{name}`")).collect();
    match names.len().checked_sub(TOLD) {
        Some(more @ 1..) => format!("{} and {more} more", first.join(", ")),
        _ => list(names, "and"),
    }
}

/// Filters and networks, and the place of each name among them.
struct Names {
    filters: Vec<Filter>,
    places: BTreeMap<String, usize>,
}

impl Names {
    /// Adds everything that a file has.
    fn add_all(&mut self, file: &Name, found: Vec<Filter>, errors: &mut Errors<Span>) {
        let taken: Vec<String> = found.into_iter().filter_map(|filter| self.add(filter).err()).collect();
        if let Some((first, others)) = taken.split_first() {
            let more =
                if others.is_empty() { String::new() } else { format!(", and so it is with {} more", others.len()) };
            let advice = format!("name what is to be called, as in `use NAME from {:?};`", file.value);
            errors.add(file.at, format_args!("{first}{more}; {advice}, or rename one of them"));
        }
    }

    /// Adds what has these names.
    fn add_some(&mut self, file: &Name, wanted: &[Name], found: &[Filter], errors: &mut Errors<Span>) {
        for name in wanted {
            let Some(filter) = found.iter().find(|filter| filter.name == name.value) else {
                let known: Vec<&str> = found.iter().map(|filter| filter.name.as_str()).collect();
                let advice = match near_miss(&name.value, &known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("it has {}", told(&known)),
                };
                let message = format!("`{}` has no filter or network `{}`; {advice}", file.value, name.value);
                errors.add(name.at, message);
                continue;
            };
            if let Err(taken) = self.add(filter.clone()) {
                errors.add(name.at, format_args!("{taken}; rename one of them"));
            }
        }
    }

    /// Adds something, unless another one has its name. The same one may be used again.
    fn add(&mut self, filter: Filter) -> Result<(), String> {
        let earlier = self.places.get(&filter.name).and_then(|place| self.filters.get(*place));
        if let Some(Filter { what, name, at, .. }) = earlier {
            if earlier == Some(&filter) {
                return Ok(());
            }
            return Err(format!("there is a {what} `{name}` {at} as well"));
        }
        self.places.insert(filter.name.clone(), self.filters.len());
        self.filters.push(filter);
        Ok(())
    }
}
