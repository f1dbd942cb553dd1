//! The tables of a kernel file.

use super::constants::Constants;
use super::document;
use super::mark::Mark;
use super::term;
use crate::errors::Errors;
use crate::kinds::kernel::approximate;
use crate::kinds::options::{interruptible, registers, search};
use crate::kinds::{self, Tree};
use crate::lower::machine::Described;
use crate::names;
use crate::tree::{At, Body, Header, InputRegister};
use crate::value::{Entry, Fields};

const FILTER_KEYS: [&str; 10] =
    ["inputs", "outputs", "keep", "scratch", "bits", "superpixel", "doc", "approximate", "search", "interruptible"];

/// Reads the table of a filter; `None` if no filter can have its name, or its inputs and outputs could not be read.
pub(crate) fn read(
    name: &At<&str, Mark>,
    entry: &Entry<'_, Mark>,
    constants: &Constants,
    machine: Described,
    errors: &mut Errors<Mark>,
) -> Option<Tree<Mark>> {
    if !entry.has("inputs") && !entry.has("outputs") {
        let tables: Vec<&str> = document::tables().collect();
        if let Some(near) = names::near_miss(name.value, &tables) {
            let message = "has no `inputs` and no `outputs`, so it is no filter; did you mean the table";
            errors.add(name.at, format_args!("`{}` {message} `{near}`?", name.value));
            return None;
        }
    }
    let has_name = names::declared("filter", name.value).map_err(|message| errors.add(name.at, message)).is_ok();
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
    let bits = fields.get("bits").and_then(|entry| kinds::bits(&entry, &inputs, errors));
    let super_pixel = fields.get("superpixel").and_then(|entry| kinds::super_pixel(&entry, errors));
    let doc = fields.get("doc").and_then(|doc| doc.text("a text", errors)).map(|doc| doc.value);
    let header = Header {
        name: At { value: name.value.to_owned(), at: name.at },
        inputs,
        outputs: sums.iter().map(|sum| sum.register.clone()).collect(),
        scratch,
    };
    let body = Body { sums, search, approximate, interruptible, bits, super_pixel };
    (has_name && readable).then_some(Tree { header, body, doc, machine })
}

/// Whether a table has filters in it, as in `[filter.gauss]`.
fn is_of_filters(entry: &Entry<'_, Mark>) -> bool {
    let is_filter = |entry: &Entry<'_, Mark>| entry.has("inputs") && entry.has("outputs");
    entry.values().is_some_and(|mut values| values.any(|value| is_filter(&value)))
}

fn inputs(filter: &At<&str, Mark>, fields: &Fields<'_, Mark>, errors: &mut Errors<Mark>) -> Vec<InputRegister<Mark>> {
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
    fields: &Fields<'d, Mark>,
    errors: &mut Errors<Mark>,
) -> Vec<(At<&'d str, Mark>, Entry<'d, Mark>)> {
    const EXPECTED: &str = "a kernel for each output register, such as `outputs.A = { kernel = [[1, 2, 1]] }`";
    let Some(entry) = fields.get("outputs") else {
        let message = format!("filter `{}` has no outputs; add {EXPECTED}", filter.value);
        errors.add(filter.at, message);
        return Vec::new();
    };
    entry.any_table(EXPECTED, errors).map(|outputs| outputs.in_order()).unwrap_or_default()
}
