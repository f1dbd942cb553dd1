//! Numbers, and names that stand for them.

use std::borrow::Cow;

use cain_isa::Fraction;

use crate::errors::Errors;
use crate::lower::constants::Uses;
use crate::tree::{Meaning, Number, Place};
use crate::value::{self, Entry};

/// The constants of a source.
pub(crate) trait Constants<S: Place> {
    /// What a name at a place stands for, where one of these is wanted; `None` if it is not spelt like that of a constant.
    fn get(&self, name: &str, at: S, wanted: Wanted) -> Option<Named<'_, S>>;

    /// What uses of constants have in common.
    fn uses(&self) -> &Uses;
}

/// What a name should stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Number,
    Kernel,
}

/// What a name stands for.
pub(crate) enum Named<'c, S: Place> {
    Meaning(Cow<'c, Meaning<S>>),
    /// Its declaration has a mistake, which has been reported.
    Mistaken,
    /// It has no value that can be used; why.
    Unusable(String),
    /// There is no such constant; what to do about it.
    Unknown(String),
}

/// The name that may stand for a value, and whether it has a minus in front.
pub(crate) fn name<'v, S: Place>(entry: &Entry<'v, S>) -> Option<(bool, &'v str)> {
    let text = entry.what.as_text()?;
    Some(text.strip_prefix('-').map_or((false, text), |name| (true, name.trim_start())))
}

/// A number, or the name of one.
pub(crate) fn number<S: Place>(
    entry: &Entry<'_, S>,
    constants: &impl Constants<S>,
    errors: &mut Errors<S>,
) -> Option<Number<S>> {
    let found = name(entry).and_then(|(is_negative, name)| {
        constants.get(name, entry.at, Wanted::Number).map(|named| (is_negative, name, named))
    });
    let Some((is_negative, name, named)) = found else { return value::number(entry, errors) };
    let number = match named {
        Named::Meaning(meaning) => match &*meaning {
            Meaning::Number(number) => number.clone(),
            Meaning::Kernel(_) => {
                entry.wrong(format_args!("`{name}` is a kernel; expected a number"), errors);
                return None;
            }
        },
        // Any number.
        Named::Mistaken => {
            Number { value: Fraction::ONE, is_exact: true, text: "1".to_owned(), at: entry.at, denominator: None }
        }
        Named::Unusable(why) | Named::Unknown(why) => {
            // As it is: it may repeat a text of the source, quotes and all.
            errors.add(entry.at, entry.about(why));
            return None;
        }
    };
    Some(if is_negative { number.negated() } else { number })
}
