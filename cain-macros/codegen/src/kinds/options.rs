//! Options of several kinds of declaration: of the search, and about interruptions.

use crate::duration;
use crate::errors::Errors;
use crate::tree::{At, GainOption, Interruptible, Overrides, PatienceOption, Place, SearchOptions};
use crate::value::{Entry, Fields, number, range, whole};

/// The options of a search.
pub(crate) const SEARCH_KEYS: [&str; 11] =
    ["nodes", "patience", "book", "memory", "objective", "isa", "offset", "input", "max_gain", "accuracy", "max_words"];

/// A list of names of registers, not longer than that of any machine.
pub(crate) fn registers<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Vec<At<String, S>> {
    const EXPECTED: &str = "an array of registers such as `[\"A\", \"B\"]`";
    let registers = entry.array(EXPECTED, errors).unwrap_or_default();
    let most = usize::from(u8::MAX) + 1;
    if registers.len() > most {
        entry.wrong(
            format_args!("{} registers are listed, but no machine has more than {most}", registers.len()),
            errors,
        );
        return Vec::new();
    }
    registers.iter().filter_map(|register| register.name_of("a register such as \"A\"", errors)).collect()
}

/// Reads options of a search.
#[cfg(feature = "toml")]
pub(crate) fn search<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> SearchOptions<S> {
    let fields = search_fields(entry, &SEARCH_KEYS, errors);
    fields.map(|fields| search_options(&fields, errors)).unwrap_or_default()
}

/// The options of a search, which may have these keys.
pub(crate) fn search_fields<'v, S: Place>(
    entry: &Entry<'v, S>,
    keys: &[&str],
    errors: &mut Errors<S>,
) -> Option<Fields<'v, S>> {
    entry.table(&S::NOTATION.expected_options("nodes = 200_000"), keys, errors)
}

pub(crate) fn search_options<S: Place>(fields: &Fields<'_, S>, errors: &mut Errors<S>) -> SearchOptions<S> {
    SearchOptions {
        nodes: fields.get("nodes").and_then(|nodes| whole(&nodes, errors)),
        patience: fields.get("patience").and_then(|given| patience(&given, errors)),
        book: fields.get("book").and_then(|book| Some(At { value: book.flag(errors)?, at: book.at })),
        memory: fields.get("memory").and_then(|memory| whole(&memory, errors)),
        objective: fields.get("objective").and_then(|objective| objective.name(errors)),
        isa: fields.get("isa").and_then(|isa| isa.name(errors)),
        offset: fields.get("offset").and_then(|offset| offset.name(errors)),
        input: fields.get("input").and_then(|input| range(&input, errors)),
        max_gain: fields.get("max_gain").and_then(|max_gain| gain(&max_gain, errors)),
        accuracy: fields.get("accuracy").and_then(|accuracy| number(&accuracy, errors)),
        max_words: fields.get("max_words").and_then(|max_words| whole(&max_words, errors)),
        overrides: Overrides::default(),
    }
}

/// A whole number, or a name.
fn patience<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<PatienceOption<S>> {
    match entry.what.as_text() {
        Some(name) if !name.starts_with(|first: char| first.is_ascii_digit()) => {
            Some(PatienceOption::Name(At { value: name.to_owned(), at: entry.at }))
        }
        _ => whole(entry, errors).map(PatienceOption::Times),
    }
}

/// A number, or the name of a limit.
fn gain<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<GainOption<S>> {
    match entry.what.as_text() {
        Some(name) if name.starts_with(|first: char| first.is_ascii_alphabetic()) => {
            Some(GainOption::Name(At { value: name.to_owned(), at: entry.at }))
        }
        _ => number(entry, errors).map(GainOption::AtMost),
    }
}

/// Reads who may interrupt something.
pub(crate) fn interruptible<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Interruptible<S>> {
    let expected = S::NOTATION.expected_options("by = [\"reflex\"]");
    let fields = entry.table(&expected, &["by", "registers", "latency"], errors)?;
    let (by, registers) = (fields.get("by"), fields.get("registers"));
    if by.is_none() && registers.is_none() {
        let [by, registers] = ["by = [\"reflex\"]", "registers = [\"E\", \"F\"]"]
            .map(|it| S::NOTATION.named_options("interruptible", it));
        let message = format!(
            "takes the filters that may interrupt, as in `{by}`, or the registers that others overwrite, as in `{registers}`"
        );
        entry.wrong(message, errors);
        return None;
    }
    let by = names(by.as_ref(), "an array of names of filters such as `[\"reflex\"]`", errors)?;
    let registers = names(registers.as_ref(), "an array of registers such as `[\"E\", \"F\"]`", errors)?;
    let latency = match fields.get("latency") {
        None => None,
        Some(entry) => {
            let text = entry.text("a time in quotes such as \"20 us\"", errors)?;
            let value = duration::nanoseconds(&text.value).map_err(|message| errors.add(text.at, message)).ok()?;
            Some(At { value, at: text.at })
        }
    };
    Some(Interruptible { by, registers, latency })
}

/// The names in an array; none without it.
fn names<S: Place>(entry: Option<&Entry<'_, S>>, expected: &str, errors: &mut Errors<S>) -> Option<Vec<At<String, S>>> {
    let Some(entry) = entry else { return Some(Vec::new()) };
    entry.array(expected, errors)?.iter().map(|name| name.name(errors)).collect()
}
