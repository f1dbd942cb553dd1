//! The tables of a kernel file.

use toml::de::DeValue;

use super::constants::Constants;
use super::digital;
use super::entry::{Entry, Fields};
use super::notation::Mark;
use super::number::{number, range, whole};
use super::superpixel;
use super::term;
use crate::duration;
use crate::errors::Errors;
use crate::names;
use crate::tree::{Approximate, At, Body, GainOption, Header, InputRegister, Interruptible, Overrides, SearchOptions};

const FILTER_KEYS: [&str; 10] =
    ["inputs", "outputs", "keep", "scratch", "bits", "superpixel", "doc", "approximate", "search", "interruptible"];
const SEARCH_KEYS: [&str; 9] =
    ["nodes", "memory", "objective", "isa", "offset", "input", "max_gain", "accuracy", "max_words"];

/// The table of a filter, as a syntax tree.
pub(crate) struct FilterTable {
    pub(crate) header: Header<Mark>,
    pub(crate) body: Body<Mark>,
    pub(crate) doc: Option<String>,
}

/// Reads the table of a filter; `None` if no filter can have its name, or its inputs and outputs could not be read.
pub(crate) fn read(
    name: &At<&str, Mark>,
    entry: &Entry<'_>,
    constants: &Constants,
    errors: &mut Errors<Mark>,
) -> Option<FilterTable> {
    let has_name = check_name("filter", name, errors);
    if is_of_filters(entry) {
        let message =
            format!("the table of a filter has its name only; write `[NAME]` in place of `[{}.NAME]`", name.value);
        errors.add(name.at, message);
        return None;
    }
    let fields = entry.table(&format!("a table for a filter, `[{}]`", name.value), &FILTER_KEYS, errors)?;
    let before = errors.len();
    let inputs = inputs(name, &fields, errors);
    let outputs = outputs(name, &fields, errors);
    let scratch = fields.get("scratch").map(|scratch| registers(&scratch, errors));
    let readable = errors.len() == before;

    let sum = |(register, entry)| term::sum(&register, &entry, constants, errors);
    let sums: Vec<_> = outputs.into_iter().map(sum).collect();
    let search = fields.get("search").map(|entry| search(&entry, errors)).unwrap_or_default();
    let approximate = fields.get("approximate").and_then(|entry| approximate(&entry, errors));
    let interruptible = fields.get("interruptible").and_then(|entry| interruptible(&entry, errors));
    let bits = fields.get("bits").and_then(|entry| digital::bits(&entry, &inputs, errors));
    let super_pixel = fields.get("superpixel").and_then(|entry| superpixel::super_pixel(&entry, errors));
    let doc = fields.get("doc").and_then(|doc| doc.text("a text", errors)).map(|doc| doc.value);
    let header = Header {
        name: At { value: name.value.to_owned(), at: name.at },
        inputs,
        outputs: sums.iter().map(|sum| sum.register.clone()).collect(),
        scratch,
    };
    let body = Body { sums, search, approximate, interruptible, bits, super_pixel };
    (has_name && readable).then_some(FilterTable { header, body, doc })
}

/// Whether a table has filters in it, as in `[filter.gauss]`.
fn is_of_filters(entry: &Entry<'_>) -> bool {
    let is_filter = |entry: &Entry<'_>| entry.has("inputs") && entry.has("outputs");
    entry.values().is_some_and(|mut values| values.any(|value| is_filter(&value)))
}

/// Whether a filter, network or automaton, which is `what`, can have that name.
pub(super) fn check_name(what: &str, name: &At<&str, Mark>, errors: &mut Errors<Mark>) -> bool {
    names::declared(what, name.value).map_err(|message| errors.add(name.at, message)).is_ok()
}

/// Checks the name of a layer.
pub(super) fn check_layer_name(name: &At<String, Mark>, errors: &mut Errors<Mark>) {
    let fits = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    if name.value.is_empty() || !name.value.chars().all(fits) {
        let message = format!("the layer name {:?} must consist of letters, digits, `_` and `-`", name.value);
        errors.add(name.at, message);
    }
}

fn inputs(filter: &At<&str, Mark>, fields: &Fields<'_>, errors: &mut Errors<Mark>) -> Vec<InputRegister<Mark>> {
    let Some(entry) = fields.get("inputs") else {
        errors.add(filter.at, format_args!("filter `{}` has no inputs; add `inputs = [\"A\"]`", filter.value));
        return Vec::new();
    };
    let inputs: Vec<_> = registers(&entry, errors).into_iter().map(|input| without_mark(input, errors)).collect();
    let known: Vec<&str> = inputs.iter().map(|input| input.value.as_str()).collect();
    let mut keep: Vec<String> = Vec::new();
    for kept in fields.get("keep").map(|entry| registers(&entry, errors)).unwrap_or_default() {
        if !known.contains(&kept.value.as_str()) {
            errors.add(kept.at, names::unknown("input", &kept.value, &known));
        } else if keep.contains(&kept.value) {
            errors.add(kept.at, format_args!("input `{}` is listed twice in `keep`", kept.value));
        } else {
            keep.push(kept.value);
        }
    }
    let input = |register: At<String, Mark>| InputRegister { keep: keep.contains(&register.value), register };
    inputs.into_iter().map(input).collect()
}

/// An input without the mark that the macro has for those that are kept.
fn without_mark(input: At<String, Mark>, errors: &mut Errors<Mark>) -> At<String, Mark> {
    let Some(name) = input.value.strip_prefix('&').map(str::trim) else { return input };
    errors.add(input.at, format_args!("write `\"{name}\"`, and that it is only read with `keep = [\"{name}\"]`"));
    At { value: name.to_owned(), at: input.at }
}

/// The output registers and their sums.
fn outputs<'d>(
    filter: &At<&str, Mark>,
    fields: &Fields<'d>,
    errors: &mut Errors<Mark>,
) -> Vec<(At<&'d str, Mark>, Entry<'d>)> {
    const EXPECTED: &str = "a kernel for each output register, such as `outputs.A = { kernel = [[1, 2, 1]] }`";
    let Some(entry) = fields.get("outputs") else {
        let message = format!("filter `{}` has no outputs; add {EXPECTED}", filter.value);
        errors.add(filter.at, message);
        return Vec::new();
    };
    entry.any_table(EXPECTED, errors).map(|outputs| outputs.in_order()).unwrap_or_default()
}

/// An array of names of registers, not longer than that of any machine.
pub(crate) fn registers(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Vec<At<String, Mark>> {
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

pub(super) fn search(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> SearchOptions<Mark> {
    let name = entry.notation.name("a name");
    let Some(fields) = entry.table(&entry.notation.table("{ nodes = 200_000 }"), &SEARCH_KEYS, errors) else {
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
fn gain(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<GainOption<Mark>> {
    match entry.value {
        DeValue::String(name) if name.starts_with(|first: char| first.is_ascii_alphabetic()) => {
            Some(GainOption::Name(At { value: name.to_string(), at: entry.at }))
        }
        _ => number(entry, errors).map(GainOption::AtMost),
    }
}

fn approximate(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<Approximate<Mark>> {
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

pub(super) fn interruptible(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<Interruptible<Mark>> {
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
fn names(
    entry: Option<&Entry<'_>>,
    expected: &str,
    each: &str,
    errors: &mut Errors<Mark>,
) -> Option<Vec<At<String, Mark>>> {
    let Some(entry) = entry else { return Some(Vec::new()) };
    entry.array(expected, errors)?.iter().map(|name| name.text(each, errors)).collect()
}
