//! Reading networks.

mod layer;
mod logic;
mod operation;
mod sources;
#[cfg(test)]
mod tests;
mod values;

use cain_isa::Fraction;
use cain_network::{Image, MOST_LEVEL, MOST_PIXELS, Network, NetworkError, Problem};

use crate::errors::Errors;
use crate::kinds::beside::Beside;
use crate::kinds::layered::{Common, check_name, common, places};
use crate::kinds::values::{exact, pair, whole_up_to};
use crate::kinds::{self, Placed, Table};
use crate::tree::{At, Place};
use crate::value::Fields;
use layer::Layers;
use values::levels;

const KEYS: [&str; 5] = ["input", "layer", "doc", "search", "interruptible"];
const INPUT_KEYS: [&str; 6] = ["size", "levels", "range", "binarise", "pictures", "largest_sums"];

/// Reads a network; `None` after a mistake.
pub(crate) fn read<S: Place>(
    table: Table<'_, S>,
    beside: &mut Beside<'_>,
    errors: &mut Errors<S>,
) -> Option<Placed<kinds::Network, S>> {
    let Table { name, entry, machine } = table;
    check_name("network", name, errors);
    let fields = entry.table(&format!("a table for a network, `[network.{}]`", name.value), &KEYS, errors)?;
    let mut input = input(name, &fields, beside, errors);
    let Common { doc, options, interruption, interruptible } = common(&fields, &machine, errors);
    let Some(layers) = fields.get("layer") else {
        let add = S::NOTATION.layers("network", name.value, "edge = convolution { kernels = [[[-1, 0, 1]]] };");
        errors.add(name.at, format_args!("network `{}` has no layers; add `{add}`", name.value));
        return None;
    };
    let mut read = Layers::new(Network {
        name: name.value.to_owned(),
        // Some picture, so that the layers can be read.
        input: input.as_ref().map_or(UNREADABLE, |input| input.image),
        largest_sums: input.as_ref().map_or(Fraction::ONE, |input| input.largest_sums),
        pictures: input.as_mut().map(|input| std::mem::take(&mut input.pictures)).unwrap_or_default(),
        layers: Vec::new(),
        machine: machine.machine,
        options,
        interruption,
    });
    read.read(&layers, beside, errors);
    let (network, marks) = read.finish();
    // Whether the layers fit depends on the image.
    input?;
    let is_readable = errors.is_empty();
    for error in network.check().1 {
        // A layer that could not be read may be what is missing.
        if matches!(error.problem, Problem::NoLayer | Problem::Unread(_)) && !is_readable {
            continue;
        }
        errors.add(place_of(&error, name, &fields, &marks), error);
    }
    // Programs that call it do not compile it.
    let (black, white) = network.input.levels;
    if black.abs().max(white.abs()) > MOST_LEVEL {
        let message = format!(
            "network `{}`: the levels {black}..{white} of the image cannot be shown; use numbers between -{MOST_LEVEL} and {MOST_LEVEL}",
            name.value
        );
        errors.add(fields.get("input").map_or(name.at, |input| input.at), message);
    }
    let places = places(name.at, marks.into_iter().map(|layer| layer.at), interruptible);
    Some(Placed::new(kinds::Network { network }, doc, places))
}

/// The largest picture, so that no window is too large for it.
const UNREADABLE: Image =
    Image { height: MOST_PIXELS, width: MOST_PIXELS, levels: (0.0, 1.0), range: (0.0, 1.0), binarise: None };

/// Where to report that a network is wrong.
fn place_of<S: Place>(
    error: &NetworkError,
    name: &At<&str, S>,
    fields: &Fields<'_, S>,
    layers: &[layer::Marks<S>],
) -> S {
    match error.layer {
        Some(layer) => layers.get(layer).map_or(name.at, |marks| marks.place_of(&error.problem)),
        None if error.problem == Problem::NoLayer => name.at,
        None => fields.get("input").map_or(name.at, |input| input.at),
    }
}

/// What a network sees.
struct Input {
    image: Image,
    pictures: Vec<Vec<u8>>,
    largest_sums: Fraction,
}

/// Reads `input`.
fn input<S: Place>(
    name: &At<&str, S>,
    fields: &Fields<'_, S>,
    beside: &mut Beside<'_>,
    errors: &mut Errors<S>,
) -> Option<Input> {
    const EXAMPLE: &str = "{ size = [28, 28], levels = \"-60..60\" }";
    let Some(input) = fields.get("input") else {
        let add = S::NOTATION.statement(&format!("input = {EXAMPLE}"));
        errors.add(name.at, format_args!("network `{}` has no input; add `{add}`", name.value));
        return None;
    };
    let before = errors.len();
    let fields = input.table(&S::NOTATION.table(EXAMPLE), &INPUT_KEYS, errors)?;
    let mut required = |key: &str, example: &str| {
        let found = fields.get(key);
        if found.is_none() {
            input.wrong(format_args!("`{key}` is missing; add `{key} = {example}`"), errors);
        }
        found
    };
    let (size, shown) = (required("size", "[28, 28]"), required("levels", "\"-60..60\""));
    let size = size.and_then(|size| pair(&size, errors));
    let shown = shown.and_then(|shown| levels(&shown, errors));
    let range = fields.get("range").and_then(|range| levels(&range, errors));
    let binarise = fields.get("binarise").and_then(|least| whole_up_to(&least, u8::MAX, errors));
    let ((height, width), levels) = size.zip(shown)?;
    let pictures = fields.get("pictures").and_then(|file| beside.pictures(&file, (height, width), errors));
    let largest_sums = fields.get("largest_sums").map_or(Some(Fraction::ONE), |share| exact(&share, errors));
    let image = Image { height, width, levels, range: range.unwrap_or(levels), binarise };
    let pictures = pictures.unwrap_or_default();
    largest_sums.filter(|_| errors.len() == before).map(|largest_sums| Input { image, pictures, largest_sums })
}
