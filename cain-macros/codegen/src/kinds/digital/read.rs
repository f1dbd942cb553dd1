//! The bits of the numbers of a digital filter.

use cain_digital::Format;

use crate::errors::Errors;
use crate::kinds::digital::tree::Bits;
use crate::lower;
use crate::names;
use crate::tree::{InputRegister, Place};
use crate::value::{Entry, What};

/// Reads `bits`: a whole number for all inputs, or one for each.
pub(crate) fn bits<S: Place>(
    entry: &Entry<'_, S>,
    inputs: &[InputRegister<S>],
    errors: &mut Errors<S>,
) -> Option<Bits<S>> {
    const EXPECTED: &str = "a number of bits such as `2`, or `-4` for signed numbers";
    let known: Vec<&str> = inputs.iter().map(|input| input.register.value.as_str()).collect();
    match entry.what {
        What::Integer(number) => {
            let format = format(entry, number, errors)?;
            Some(Bits { at: entry.at, formats: vec![format] })
        }
        What::Map(_) => {
            let fields = entry.any_table(EXPECTED, errors)?;
            let before = errors.len();
            for (name, _) in fields.in_order() {
                if !known.contains(&name.value) {
                    entry.wrong_at(name.at, names::unknown("input", name.value, &known), errors);
                }
            }
            if errors.len() > before {
                return None;
            }
            let mut bits = Bits { at: entry.at, formats: Vec::new() };
            for input in inputs {
                let name = &input.register.value;
                let Some(entry) = fields.get(name) else {
                    entry.wrong(format_args!("input `{name}` has no bits; add `{name} = 1`"), errors);
                    return None;
                };
                let What::Integer(number) = entry.what else {
                    entry.expected(EXPECTED, errors);
                    return None;
                };
                bits.formats.push(format(&entry, number, errors)?);
            }
            Some(bits)
        }
        _ => {
            entry.expected(&format!("{EXPECTED}, or one for each input"), errors);
            None
        }
    }
}

fn format<S: Place>(entry: &Entry<'_, S>, number: &str, errors: &mut Errors<S>) -> Option<Format> {
    let format = lower::digital::format(number.parse().ok(), number);
    format.map_err(|message| entry.wrong(message, errors)).ok()
}
