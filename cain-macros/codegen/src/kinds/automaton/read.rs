//! Reading automata.

use cain_network::automaton::{Automaton, AutomatonError, Bits, Layer};

use crate::errors::Errors;
use crate::kinds::beside::Beside;
use crate::kinds::beside::npy::Array;
use crate::kinds::layered::{Common, check_name, common, places};
use crate::kinds::values::{pair, real, whole_up_to};
use crate::kinds::{self, Placed, Table};
use crate::tree::{At, Place};
use crate::value::{Entry, Fields, What};

const KEYS: [&str; 9] = ["size", "alive", "classes", "denominator", "bits", "layers", "doc", "search", "interruptible"];
const BITS: [&str; 4] = ["state", "activation", "update", "register"];

/// Reads an automaton; `None` after a mistake.
pub(crate) fn read<S: Place>(
    table: Table<'_, S>,
    beside: &mut Beside<'_>,
    errors: &mut Errors<S>,
) -> Option<Placed<kinds::Automaton, S>> {
    let Table { name, entry, machine } = table;
    check_name("automaton", name, errors);
    let fields = entry.table(&format!("a table for an automaton, `[automaton.{}]`", name.value), &KEYS, errors)?;
    let mut required = |key: &str, example: &str| {
        let found = fields.get(key);
        if found.is_none() {
            let add = S::NOTATION.statement(&format!("{key} = {example}"));
            let message = format!("automaton `{}` has no `{key}`; add `{add}`", name.value);
            errors.add(name.at, message);
        }
        found
    };
    let size = required("size", "[28, 28]");
    let classes = required("classes", "10");
    let denominator = required("denominator", "64");
    let layers = required("layers", "[\"first.npy\", \"second.npy\"]");
    let size = size.and_then(|size| pair(&size, errors));
    let classes = classes.and_then(|classes| whole_up_to(&classes, u16::MAX, errors));
    let scale = denominator.and_then(|denominator| scale(&denominator, errors));
    let alive = fields.get("alive").map_or(Some(0), |alive| whole_up_to(&alive, u8::MAX, errors));
    let bits = fields.get("bits").map_or(Some(Bits::SMALL_NCA), |entry| bits(&entry, errors));
    let Common { doc, options, interruption, interruptible } = common(&fields, &machine, errors);
    let layers = layers?.array("an array with the weights of each layer", errors)?;
    let marks: Vec<S> = layers.iter().map(|layer| layer.at).collect();
    let layers: Vec<_> = layers.iter().map(|layer| read_layer(layer, beside, errors)).collect();
    let automaton = Automaton {
        name: name.value.to_owned(),
        size: size?,
        alive: alive?,
        classes: classes?.into(),
        scale: scale?,
        bits: bits?,
        layers: layers.into_iter().collect::<Option<_>>()?,
        machine: machine.machine,
        options,
        interruption,
    };
    if let Err(error) = automaton.check() {
        errors.add(place_of(&error, name, &fields, &marks), error);
    }
    let places = places(name.at, marks, interruptible);
    Some(Placed::new(kinds::Automaton { automaton }, doc, places))
}

/// Where to report that an automaton is wrong.
fn place_of<S: Place>(error: &AutomatonError, name: &At<&str, S>, fields: &Fields<'_, S>, layers: &[S]) -> S {
    let key = match error {
        AutomatonError::Size { .. } => "size",
        AutomatonError::Classes { .. } => "classes",
        AutomatonError::Bits { .. } => "bits",
        AutomatonError::Scale { .. } => "denominator",
        AutomatonError::NoLayer | AutomatonError::Weights { .. } => "layers",
        _ => "",
    };
    let layer = error.layer().and_then(|layer| layers.get(layer).copied());
    layer.or_else(|| fields.get(key).map(|entry| entry.at)).unwrap_or(name.at)
}

/// The exponent of a power of two.
fn scale<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<u8> {
    let denominator: u64 = whole_up_to(entry, 1 << Automaton::MOST_SCALE, errors)?;
    if !denominator.is_power_of_two() {
        entry.expected(&format!("a power of two of at most {}", 1_u64 << Automaton::MOST_SCALE), errors);
        return None;
    }
    u8::try_from(denominator.trailing_zeros()).ok()
}

fn bits<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Bits> {
    let fields = entry.table("a table such as `{ state = 10, activation = 9, update = 9 }`", &BITS, errors)?;
    let mut of = |key: &str, otherwise: u8| match fields.get(key) {
        Some(entry) => whole_up_to(&entry, Bits::MOST.1, errors),
        None => Some(otherwise),
    };
    let usual = Bits::SMALL_NCA;
    let [state, activation, update, register] = [
        of("state", usual.state),
        of("activation", usual.activation),
        of("update", usual.update),
        of("register", usual.register),
    ];
    Some(Bits { state: state?, activation: activation?, update: update?, register: register? })
}

/// The weights of a layer: output, input, row, column, or the name of a file with them.
fn read_layer<S: Place>(entry: &Entry<'_, S>, beside: &mut Beside<'_>, errors: &mut Errors<S>) -> Option<Layer> {
    const EXPECTED: &str = "the name of a file, or an array of kernels for each output, one kernel for each input";
    if let What::Text(_) = entry.what {
        let Array { shape, values } = beside.array(entry, errors)?;
        let [outputs, inputs, rows, columns] = *shape.as_slice() else {
            entry.wrong(
                format_args!("the array has the shape {shape:?}; expected outputs, inputs, rows and columns"),
                errors,
            );
            return None;
        };
        let weights: Option<Vec<i32>> = values.iter().map(|value| whole_weight(*value, entry, errors)).collect();
        let mut weights = weights?.into_iter();
        let mut row = || weights.by_ref().take(columns).collect::<Vec<_>>();
        let mut matrix = || (0..rows).map(|_| row()).collect::<Vec<_>>();
        let mut kernel = || (0..inputs).map(|_| matrix()).collect::<Vec<_>>();
        return Some(Layer { kernels: (0..outputs).map(|_| kernel()).collect() });
    }
    let weight = |entry: &Entry<'_, S>, errors: &mut Errors<S>| match entry.what {
        What::Integer(_) | What::Decimal(_) => real(entry, errors).and_then(|value| whole_weight(value, entry, errors)),
        _ => {
            entry.expected(EXPECTED, errors);
            None
        }
    };
    let mut kernels = vec![];
    for output in entry.array(EXPECTED, errors)? {
        let mut kernel = vec![];
        for input in output.array(EXPECTED, errors)? {
            let mut matrix = vec![];
            for row in input.array(EXPECTED, errors)? {
                let row: Option<Vec<i32>> =
                    row.array(EXPECTED, errors)?.iter().map(|entry| weight(entry, errors)).collect();
                matrix.push(row?);
            }
            kernel.push(matrix);
        }
        kernels.push(kernel);
    }
    Some(Layer { kernels })
}

/// A weight in units of the denominator.
#[expect(clippy::cast_possible_truncation, reason = "whole and small")]
fn whole_weight<S: Place>(value: f64, entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<i32> {
    if value.fract() == 0.0 && value.abs() <= f64::from(i16::MAX) {
        return Some(value as i32);
    }
    let message = format!(
        "the weight {value} does not fit; expected whole numbers of at most {}, which are divided by `denominator`",
        i16::MAX
    );
    entry.wrong(message, errors);
    None
}
