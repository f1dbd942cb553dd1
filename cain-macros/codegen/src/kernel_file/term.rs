//! Sums of terms.

use super::constants::Constants;
use super::mark::Mark;
use crate::errors::Errors;
use crate::sums::{self, Constants as _, Named, Use, Wanted, name};
use crate::tree::{At, Meaning, Sum, Term};
use crate::value::{Entry, Value, What};

const TERM: &str = "a term such as `{ scale = \"1/4\", kernel = [[1, 2, 1]] }`";
const KEYS: [&str; 4] = ["input", "scale", "kernel", "origin"];

/// The sum of an output: one term, or an array of terms; or an expression, which is a text.
pub(crate) fn sum(
    register: &At<&str, Mark>,
    entry: &Entry<'_, Mark>,
    constants: &Constants,
    errors: &mut Errors<Mark>,
) -> Sum<Mark> {
    let register = At { value: register.value.to_owned(), at: register.at };
    if let What::Text(_) = entry.what {
        return Sum { register, terms: None, logic: entry.expression("an expression", errors) };
    }
    constants.take_mistake();
    let terms = terms(entry, constants, errors);
    // The terms that could be read are checked even if others could not, but for those that a constant should stand for.
    Sum { register, terms: (!constants.take_mistake()).then_some(terms), logic: None }
}

/// One term, or an array of terms. A name can stand for several.
pub(crate) fn terms(entry: &Entry<'_, Mark>, constants: &Constants, errors: &mut Errors<Mark>) -> Vec<Term<Mark>> {
    match entry.what {
        What::List(array) if is_matrix(array) => {
            entry.wrong(
                "a matrix is written `outputs.REGISTER.kernel = [[1, 2, 1]]`, or `{ kernel = .. }` in a term",
                errors,
            );
            Vec::new()
        }
        What::List(array) if !array.is_empty() => {
            entry.elements().iter().flatten().flat_map(|element| term(element, constants, errors)).collect()
        }
        _ => term(entry, constants, errors),
    }
}

pub(crate) fn is_matrix(list: &[Value<Mark>]) -> bool {
    !list.is_empty() && list.iter().all(|row| row.what.as_list().is_some())
}

fn term(entry: &Entry<'_, Mark>, constants: &Constants, errors: &mut Errors<Mark>) -> Vec<Term<Mark>> {
    let before = errors.len();
    let Some(fields) = entry.table(TERM, &KEYS, errors) else { return Vec::new() };
    let input = fields.get("input").and_then(|input| input.text("a register such as \"A\"", errors));
    let scale = fields.get("scale").and_then(|scale| sums::number(&scale, constants, errors));
    let origin = fields.get("origin").and_then(|origin| sums::position(&origin, errors));
    let Some(kernel) = fields.get("kernel") else {
        entry.wrong("the term has no kernel; add `kernel = [[1, 2, 1]]`", errors);
        return Vec::new();
    };
    let named = name(&kernel).and_then(|(is_negative, name)| {
        constants.get(name, kernel.at, Wanted::Kernel).map(|named| (is_negative, name, named))
    });
    let terms = if let Some((is_negative, name, meaning)) = named {
        let used = Use { negative: false, scale: scale.as_ref(), origin: None, input: input.as_ref(), at: kernel.at };
        let terms = match meaning {
            _ if is_negative => Err("a name of a kernel has no sign; write `scale = -1` beside it".to_owned()),
            Named::Meaning(meaning) => match &*meaning {
                Meaning::Kernel(terms) => {
                    if let Some(origin) = fields.get("origin") {
                        origin.wrong("the origin of a named kernel belongs to its declaration; move it there", errors);
                    }
                    sums::named(terms, &used, constants.uses())
                }
                Meaning::Number(_) => Err(format!("`{name}` is a number; expected a kernel")),
            },
            Named::Mistaken => Ok(Vec::new()),
            Named::Unusable(why) | Named::Unknown(why) => Err(why),
        };
        terms.map_err(|message| kernel.wrong(message, errors)).unwrap_or_default()
    } else {
        let rows = sums::matrix(&kernel, constants, errors);
        let term = |rows| Term { negative: false, scale, rows, at: kernel.at, origin, input };
        rows.map(term).into_iter().collect()
    };
    if errors.len() == before { terms } else { Vec::new() }
}
