//! What several kinds of declaration have in common: names, options of the search, and interruptions.

use cain_search::{Interruption, Options};

use crate::duration;
use crate::errors::Errors;
use crate::interruptible::of_network;
use crate::lower;
use crate::lower::machine::Described;
use crate::names;
use crate::tree::{Approximate, At, GainOption, Interruptible, Overrides, Place, SearchOptions};
use crate::value::{Entry, Fields, number, range, whole};

const SEARCH_KEYS: [&str; 9] =
    ["nodes", "memory", "objective", "isa", "offset", "input", "max_gain", "accuracy", "max_words"];

/// What networks and automata say beside their layers.
pub(crate) struct Common<S> {
    pub(crate) doc: Option<String>,
    pub(crate) options: Options,
    pub(crate) interruption: Option<Interruption>,
    /// Where they say what may interrupt them.
    pub(crate) interruptible: Option<S>,
}

/// Reads `doc`, `search` and `interruptible`.
pub(crate) fn common<S: Place>(fields: &Fields<'_, S>, machine: &Described, errors: &mut Errors<S>) -> Common<S> {
    let search = fields.get("search").map(|entry| search(&entry, errors)).unwrap_or_default();
    let options = lower::options::search(&search, &machine.machine, errors);
    let interruptible = fields.get("interruptible").and_then(|entry| interruptible(&entry, errors));
    let interruption = interruptible.as_ref().and_then(|wanted| of_network(wanted, &machine.machine, errors));
    let doc = fields.get("doc").and_then(|doc| doc.text("a text", errors)).map(|doc| doc.value);
    Common { doc, options, interruption, interruptible: interruptible.and_then(|wanted| wanted.place()) }
}

/// Whether a filter, network or automaton, which is `what`, can have that name.
pub(crate) fn check_name<S: Place>(what: &str, name: &At<&str, S>, errors: &mut Errors<S>) -> bool {
    names::declared(what, name.value).map_err(|message| errors.add(name.at, message)).is_ok()
}

/// Checks the name of a layer.
pub(crate) fn check_layer_name<S: Place>(name: &At<String, S>, errors: &mut Errors<S>) {
    let fits = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    if name.value.is_empty() || !name.value.chars().all(fits) {
        let message = format!("the layer name {:?} must consist of letters, digits, `_` and `-`", name.value);
        errors.add(name.at, message);
    }
}

/// An array of names of registers, not longer than that of any machine.
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
    registers.iter().filter_map(|register| register.text("a register such as \"A\"", errors)).collect()
}

pub(crate) fn search<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> SearchOptions<S> {
    let name = S::NOTATION.name("a name");
    let Some(fields) = entry.table(&S::NOTATION.table("{ nodes = 200_000 }"), &SEARCH_KEYS, errors) else {
        return SearchOptions::default();
    };
    SearchOptions {
        nodes: fields.get("nodes").and_then(|nodes| whole(&nodes, errors)),
        memory: fields.get("memory").and_then(|memory| whole(&memory, errors)),
        objective: fields.get("objective").and_then(|objective| objective.text(&name, errors)),
        isa: fields.get("isa").and_then(|isa| isa.text(&name, errors)),
        offset: fields.get("offset").and_then(|offset| offset.text(&name, errors)),
        input: fields.get("input").and_then(|input| range(&input, errors)),
        max_gain: fields.get("max_gain").and_then(|max_gain| gain(&max_gain, errors)),
        accuracy: fields.get("accuracy").and_then(|accuracy| number(&accuracy, errors)),
        max_words: fields.get("max_words").and_then(|max_words| whole(&max_words, errors)),
        overrides: Overrides::default(),
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

pub(crate) fn approximate<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Approximate<S>> {
    const EXPECTED: &str = "a table such as `{ depth = 5, error = 0.05 }`";
    let fields = entry.table(EXPECTED, &["depth", "error", "search"], errors)?;
    let search = match fields.get("search") {
        Some(search) => search.flag(errors)?,
        None => false,
    };
    let (Some(error), true) = (fields.get("error"), search || fields.get("depth").is_some()) else {
        let both = "takes both `depth` and `error`, as in `approximate = { depth = 5, error = 0.05 }`, or `error` and \
                    `search = true`";
        entry.wrong(both, errors);
        return None;
    };
    let (depth, error) = (fields.get("depth").map(|depth| whole(&depth, errors)), number(&error, errors));
    Some(Approximate { depth: depth.map_or(Some(None), |depth| depth.map(Some))?, error: error?, search })
}

pub(crate) fn interruptible<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Interruptible<S>> {
    const EXPECTED: &str = "a table such as `{ by = [\"reflex\"], latency = \"20 us\" }`";
    let fields = entry.table(EXPECTED, &["by", "registers", "latency"], errors)?;
    let (by, registers) = (fields.get("by"), fields.get("registers"));
    if by.is_none() && registers.is_none() {
        let both = "`interruptible` takes the filters that may interrupt, as in `{ by = [\"reflex\"] }`, or the registers that \
                    others overwrite, as in `{ registers = [\"E\", \"F\"] }`";
        entry.wrong(both, errors);
        return None;
    }
    let by = names(by.as_ref(), "an array of names of filters such as `[\"reflex\"]`", "the name of a filter", errors)?;
    let registers = names(registers.as_ref(), "an array of registers such as `[\"E\", \"F\"]`", "a register", errors)?;
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
fn names<S: Place>(
    entry: Option<&Entry<'_, S>>,
    expected: &str,
    each: &str,
    errors: &mut Errors<S>,
) -> Option<Vec<At<String, S>>> {
    let Some(entry) = entry else { return Some(Vec::new()) };
    entry.array(expected, errors)?.iter().map(|name| name.text(each, errors)).collect()
}
