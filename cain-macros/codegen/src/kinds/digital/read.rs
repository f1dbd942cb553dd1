//! The bits of the numbers of a digital filter.

use cain_digital::Format;

use crate::errors::Errors;
use crate::lower;
use crate::tree::{Bits, InputRegister, Place};
use crate::value::{Entry, What};

/// Reads `bits`: a whole number for all inputs, or a table with one for each.
pub(crate) fn bits<S: Place>(
    entry: &Entry<'_, S>,
    inputs: &[InputRegister<S>],
    errors: &mut Errors<S>,
) -> Option<Bits<S>> {
    const EXPECTED: &str = "a number of bits such as `2`, or `-4` for signed numbers, or a table of them by input";
    let known: Vec<&str> = inputs.iter().map(|input| input.register.value.as_str()).collect();
    match entry.what {
        What::Integer(number) => {
            let format = format(entry, number, errors)?;
            Some(Bits { at: entry.at, formats: vec![format] })
        }
        What::Map(_) => {
            let fields = entry.table(EXPECTED, &known, errors)?;
            let mut bits = Bits { at: entry.at, formats: Vec::new() };
            for input in inputs {
                let name = &input.register.value;
                let Some(entry) = fields.get(name) else {
                    entry.wrong(format_args!("input `{name}` has no bits; add `{name} = 1`"), errors);
                    return None;
                };
                let What::Integer(number) = entry.what else {
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

fn format<S: Place>(entry: &Entry<'_, S>, number: &str, errors: &mut Errors<S>) -> Option<Format> {
    let format = lower::digital::format(number.parse().ok(), number);
    format.map_err(|message| entry.wrong(message, errors)).ok()
}
