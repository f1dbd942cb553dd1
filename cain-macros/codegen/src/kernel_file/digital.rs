//! Digital filters: kernels on numbers in bits.

use cain_digital::Format;
use toml::de::{DeInteger, DeValue};

use super::entry::Entry;
use super::exact::{DigitalFilter, Places};
use super::notation::Mark;
use super::table::FilterTable;
use crate::diagnostic::Positions;
use crate::errors::Errors;
use crate::lower;
use crate::tree::{Bits, InputRegister};

/// Reads `bits`: a whole number for all inputs, or a table with one for each.
pub(crate) fn bits(entry: &Entry<'_>, inputs: &[InputRegister<Mark>], errors: &mut Errors<Mark>) -> Option<Bits<Mark>> {
    const EXPECTED: &str = "a number of bits such as `2`, or `-4` for signed numbers, or a table of them by input";
    let known: Vec<&str> = inputs.iter().map(|input| input.register.value.as_str()).collect();
    match entry.value {
        DeValue::Integer(number) => {
            let format = format(entry, number, errors)?;
            Some(Bits { at: entry.at, formats: vec![format] })
        }
        DeValue::Table(_) => {
            let fields = entry.table(EXPECTED, &known, errors)?;
            let mut bits = Bits { at: entry.at, formats: Vec::new() };
            for input in inputs {
                let name = &input.register.value;
                let Some(entry) = fields.get(name) else {
                    entry.wrong(format_args!("input `{name}` has no bits; add `{name} = 1`"), errors);
                    return None;
                };
                let DeValue::Integer(number) = entry.value else {
                    entry.expected("a number of bits such as `2`, or `-4` for signed numbers", errors);
                    return None;
                };
                bits.formats.push(format(&entry, number, errors)?);
            }
            Some(bits)
        }
        _ => {
            entry.expected(EXPECTED, errors);
            None
        }
    }
}

fn format(entry: &Entry<'_>, number: &DeInteger<'_>, errors: &mut Errors<Mark>) -> Option<Format> {
    let width = i64::from_str_radix(number.as_str(), number.radix()).ok();
    let format = lower::digital::format(width, number.as_str());
    format.map_err(|message| entry.wrong(message, errors)).ok()
}

/// Checks the table of a digital filter.
pub(super) fn check(
    table: FilterTable,
    positions: &mut Positions<'_>,
    errors: &mut Errors<Mark>,
) -> Option<DigitalFilter> {
    let FilterTable { header, body, doc } = table;
    let declaration = lower::digital::declaration(&header, &body, errors)?;
    let bits = body.bits.as_ref()?;
    Some(DigitalFilter {
        declaration,
        doc,
        places: Places {
            name: positions.of(header.name.at.0),
            bits: positions.of(bits.at.0),
            nodes: body.search.nodes.as_ref().map(|nodes| positions.of(nodes.at.0)),
        },
    })
}
