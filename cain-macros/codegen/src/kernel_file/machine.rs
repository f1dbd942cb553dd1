//! The table `[machine]`.

use toml::de::DeValue;

use super::entry::{Entry, Fields};
use super::notation::Mark;
use super::number::{self, whole};
use super::table::registers;
use crate::errors::Errors;
use crate::tree::{At, ERRORS, Listed, MachineOptions, Number, TIMES};

const KEYS: [&str; 7] = ["registers", "bits", "instructions", "bus", "nanoseconds", "range", "errors"];

/// Reads the table.
pub(crate) fn machine(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> MachineOptions<Mark> {
    let mut machine = MachineOptions::default();
    let Some(fields) = entry.table("a table such as `{ registers = 18 }`", &KEYS, errors) else { return machine };
    machine.registers = fields.get("registers").and_then(|entry| count_or_registers(&entry, errors));
    machine.bits = number(&fields, "bits", errors);
    machine.instructions = fields.get("instructions").and_then(|entry| instructions(&entry, errors));
    if let Some(bus) =
        table(&fields, "bus", "{ destinations = 2, sources = 2 }", &["destinations", "sources", "reads"], errors)
    {
        machine.destinations = number(&bus, "destinations", errors);
        machine.sources = number(&bus, "sources", errors);
        machine.reads = bus.get("reads").and_then(|reads| reads.text("a name in quotes", errors));
    }
    if let Some(times) = table(&fields, "nanoseconds", "{ analogue = 190 }", &TIMES, errors) {
        machine.times = TIMES.map(|key| number(&times, key, errors));
    }
    if let Some(range) = table(&fields, "range", "{ min = -128, max = 127 }", &["min", "max"], errors) {
        machine.min = range.get("min").and_then(|min| number::number(&min, errors));
        machine.max = range.get("max").and_then(|max| number::number(&max, errors));
    }
    let known = [&ERRORS[..], &["offset"]].concat();
    if let Some(constants) = table(&fields, "errors", "{ gain = 0.99, offset = [20, 22, 22] }", &known, errors) {
        machine.errors = ERRORS.map(|key| constants.get(key).and_then(|entry| number::number(&entry, errors)));
        machine.offset = constants.get("offset").and_then(|entry| offsets(&entry, errors));
    }
    machine
}

/// A number, or an array of them.
fn offsets(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<At<Vec<Number<Mark>>, Mark>> {
    let numbers = match entry.value {
        DeValue::Array(_) => entry.array("numbers", errors)?,
        _ => return number::number(entry, errors).map(|number| At { value: vec![number], at: entry.at }),
    };
    let numbers: Option<Vec<_>> = numbers.iter().map(|number| number::number(number, errors)).collect();
    numbers.map(|value| At { value, at: entry.at })
}

fn number(fields: &Fields<'_>, key: &str, errors: &mut Errors<Mark>) -> Option<At<u64, Mark>> {
    fields.get(key).and_then(|entry| whole(&entry, errors))
}

fn table<'d>(
    fields: &Fields<'d>,
    key: &str,
    example: &str,
    known: &[&str],
    errors: &mut Errors<Mark>,
) -> Option<Fields<'d>> {
    fields.get(key)?.table(&format!("a table such as `{example}`"), known, errors)
}

fn count_or_registers(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<Listed<u64, Mark>> {
    match entry.value {
        DeValue::Integer(_) => whole(entry, errors).map(Listed::All),
        DeValue::Array(_) => {
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

fn instructions(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<Listed<String, Mark>> {
    const EXPECTED: &str = "`\"all\"`, `\"basic\"`, or an array such as `[\"mov\", \"movx\", \"add\"]`";
    if let DeValue::String(_) = entry.value {
        return entry.text(EXPECTED, errors).map(Listed::All);
    }
    let names = entry.array(EXPECTED, errors)?;
    let names: Option<Vec<_>> = names.iter().map(|name| name.text("the name of an instruction", errors)).collect();
    names.map(|value| Listed::Each(At { value, at: entry.at }))
}
