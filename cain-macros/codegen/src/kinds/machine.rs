//! The description of the machine: `[machine]`, `#![machine(..)]`.

use super::options::registers;
use crate::errors::Errors;
use crate::tree::{At, ERRORS, Listed, MachineOptions, Number, Place, TIMES};
use crate::value::{Entry, Fields, What, list, number, whole};

const KEYS: [&str; 7] = ["registers", "bits", "instructions", "bus", "nanoseconds", "range", "errors"];

/// Reads the description.
pub(crate) fn machine<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> MachineOptions<S> {
    let mut machine = MachineOptions::default();
    let Some(fields) = entry.table(&S::NOTATION.expected_options("registers = 18"), &KEYS, errors) else {
        return machine;
    };
    machine.registers = fields.get("registers").and_then(|entry| count_or_registers(&entry, errors));
    machine.bits = count(&fields, "bits", errors);
    machine.instructions = fields.get("instructions").and_then(|entry| instructions(&entry, errors));
    if let Some(bus) =
        table(&fields, "bus", "destinations = 2, sources = 2", &["destinations", "sources", "reads"], errors)
    {
        machine.destinations = count(&bus, "destinations", errors);
        machine.sources = count(&bus, "sources", errors);
        machine.reads = bus.get("reads").and_then(|reads| reads.name(errors));
    }
    if let Some(times) = table(&fields, "nanoseconds", "analogue = 190", &TIMES, errors) {
        machine.times = TIMES.map(|key| count(&times, key, errors));
    }
    if let Some(range) = table(&fields, "range", "min = -128, max = 127", &["min", "max"], errors) {
        machine.min = range.get("min").and_then(|min| number(&min, errors));
        machine.max = range.get("max").and_then(|max| number(&max, errors));
    }
    let known = [&ERRORS[..], &["offset"]].concat();
    if let Some(constants) = table(&fields, "errors", "gain = 0.99, offset = [20, 22, 22]", &known, errors) {
        machine.errors = ERRORS.map(|key| constants.get(key).and_then(|entry| number(&entry, errors)));
        machine.offset = constants.get("offset").and_then(|entry| offsets(&entry, errors));
    }
    machine
}

/// A number, or an array of them.
fn offsets<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<At<Vec<Number<S>>, S>> {
    list(entry, errors, number).map(|value| At { value, at: entry.at })
}

fn count<S: Place>(fields: &Fields<'_, S>, key: &str, errors: &mut Errors<S>) -> Option<At<u64, S>> {
    fields.get(key).and_then(|entry| whole(&entry, errors))
}

fn table<'d, S: Place>(
    fields: &Fields<'d, S>,
    key: &str,
    example: &str,
    known: &[&str],
    errors: &mut Errors<S>,
) -> Option<Fields<'d, S>> {
    fields.get(key)?.table(&S::NOTATION.expected_options(example), known, errors)
}

fn count_or_registers<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Listed<u64, S>> {
    match entry.what {
        What::Integer(_) => whole(entry, errors).map(Listed::All),
        What::List(_) => {
            let before = errors.len();
            let value = registers(entry, errors);
            (errors.len() == before).then_some(Listed::Each(At { value, at: entry.at }))
        }
        _ => {
            entry.expected("a number of registers, or an array such as `[\"A\", \"B\"]`", errors);
            None
        }
    }
}

fn instructions<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Listed<String, S>> {
    const EXPECTED: &str = "`\"all\"`, `\"basic\"`, or an array such as `[\"mov\", \"movx\", \"add\"]`";
    if let What::Text(_) = entry.what {
        return entry.name(errors).map(Listed::All);
    }
    let names = entry.array(EXPECTED, errors)?;
    let names: Option<Vec<_>> = names.iter().map(|name| name.name(errors)).collect();
    names.map(|value| Listed::Each(At { value, at: entry.at }))
}
