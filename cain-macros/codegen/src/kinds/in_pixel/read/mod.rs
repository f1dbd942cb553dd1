//! Reading networks in the pixels.

mod input;
mod layers;
#[cfg(test)]
mod tests;
mod weights;

use cain_in_pixel::{Declaration, InPixelError, Second};
use cain_isa::{Dreg, Machine, Reg};
use cain_search::Interruption;

use crate::errors::Errors;
use crate::kinds::beside::Beside;
use crate::kinds::layered::{Common, check_name, common, places};
use crate::kinds::{InPixel, Placed, Table};
use crate::tree::{At, Place};
pub(crate) use input::SIDE;
use input::{Input, input};
use layers::{Layers, Part};
use weights::{Texts, Weights};

const KEYS: [&str; 4] = ["input", "layer", "doc", "interruptible"];
/// More than any network has in its first convolution if there is a second one.
const MOST_FILTERS: usize = 64;

/// The layer that an error is about.
pub(crate) fn layer_of(error: &InPixelError) -> Option<usize> {
    let part = Part::of(error)?;
    Part::ALL.iter().position(|other| *other == part)
}

/// Reads a network in the pixels; `None` after a mistake.
pub(crate) fn read<S: Place>(
    table: Table<'_, S>,
    beside: &mut Beside<'_>,
    errors: &mut Errors<S>,
) -> Option<Placed<InPixel, S>> {
    let Table { name, entry, machine } = table;
    check_name("network", name, errors);
    let fields = entry.table(&format!("a table for a network, `[in_pixel.{}]`", name.value), &KEYS, errors)?;
    let Common { doc, interruption, interruptible, .. } = common(&fields, &machine, errors);
    let machine = machine.machine;
    let has_second = layers::has_second(&fields);
    let input = input(name, &fields, has_second, errors);
    let layers = Layers::read(name, &fields, errors);
    if let Some(problem) = too_small(&machine, has_second) {
        errors.add(name.at, format_args!("network `{}`: {problem}", name.value));
    }
    let (input, layers) = input.zip(layers)?;
    let (network, marks) = shape(name, &input, &layers, (machine, interruption), errors)?;
    let network = with_weights(network, &layers, marks, beside, errors)?;
    let places = places(name.at, Part::ALL.map(|part| layers.mark(part)), interruptible);
    let (name, binarise) = (name.value.to_owned(), input.binarise);
    Some(Placed::new(InPixel { name, network, binarise }, doc, places))
}

/// A network without weights, and how many rows of them there have to be: for the filters, those of a second convolution, and
/// the dense layer.
fn shape<S: Place>(
    name: &At<&str, S>,
    input: &Input<S>,
    layers: &Layers<'_, S>,
    (machine, interruption): (Machine, Option<Interruption>),
    errors: &mut Errors<S>,
) -> Option<(Declaration, [usize; 3])> {
    let second = layers.second.as_ref().map(|second| Second {
        taps: second.taps,
        filters: Vec::new(),
        thresholds: second.thresholds.clone(),
        scores: second.scores,
    });
    let before = layers.second.as_ref().map_or(0, |second| second.before);
    if before > MOST_FILTERS {
        let error = InPixelError::Group(before);
        errors.add(layers.mark_of(&error).unwrap_or(name.at), error);
        return None;
    }
    let network = Declaration {
        side: input.array,
        block: input.block.unwrap_or(input.array),
        picture: input.size,
        scale: input.scale,
        pixels: input.pixels,
        taps: layers.taps,
        filters: vec![Vec::new(); before],
        pool: layers.pool,
        second,
        dense: Vec::new(),
        machine,
        interruption,
    };
    // Without a shape that is possible there is no telling how many weights there should be.
    let rows = match network.check() {
        Err(InPixelError::SecondFilters { before, after, .. }) => {
            let places = network.side / (network.scale * network.pool);
            [before, before * after, after * places * places]
        }
        Ok(()) | Err(InPixelError::Filters { .. }) => {
            let blocks = network.blocks() * network.blocks();
            [blocks, 0, blocks * network.cells() * network.cells()]
        }
        Err(error) => {
            let mark = input.marks.of(&error).or_else(|| layers.mark_of(&error));
            errors.add(mark.unwrap_or(name.at), error);
            return None;
        }
    };
    let most = if network.second.is_some() { before } else { network.pool * network.pool };
    if !(1..=most).contains(&layers.classes) {
        errors.add(layers.classes_at, InPixelError::Classes { found: layers.classes, most });
        return None;
    }
    Some((network, rows))
}

/// The network with its weights, which are checked.
fn with_weights<S: Place>(
    mut network: Declaration,
    layers: &Layers<'_, S>,
    [filters, next, dense]: [usize; 3],
    beside: &mut Beside<'_>,
    errors: &mut Errors<S>,
) -> Option<Declaration> {
    let mut texts = Texts::default();
    let filters = Weights::read(&layers.filters, filters, &mut texts, beside, errors);
    let second = match &layers.second {
        Some(second) => Some(Weights::read(&second.filters, next, &mut texts, beside, errors)?),
        None => None,
    };
    let dense = Weights::read(&layers.dense, dense, &mut texts, beside, errors);
    let (filters, dense) = filters.zip(dense)?;
    texts.check_ends(errors);
    network.filters.clone_from(&filters.rows);
    if let (Some(second), Some(weights)) = (&mut network.second, &second) {
        second.filters.clone_from(&weights.rows);
    }
    network.dense.clone_from(&dense.rows);
    if let Err(error) = network.check() {
        let part = Part::of(&error);
        let weights = match part {
            Some(Part::Convolution) => &filters,
            Some(Part::Second) => second.as_ref().unwrap_or(&filters),
            _ => &dense,
        };
        match weight_of(&error, &network) {
            Some((row, place)) => weights.wrong(row, place, &error, errors),
            None => weights.wrong_as_a_whole(&error, errors),
        }
    } else if network.classes() != layers.classes {
        let (found, wanted) = (network.classes(), layers.classes);
        let what = if network.second.is_some() { "result" } else { "maximum" };
        let message = format!("the dense layer has {found} weights for each {what}; expected {wanted}, its `classes`");
        dense.wrong(0, None, message, errors);
    }
    Some(network)
}

/// Why there cannot be such a network on that machine.
fn too_small(machine: &Machine, has_second: bool) -> Option<String> {
    let used = [Reg::A, Reg::B, Reg::C, Reg::D, Reg::E, Reg::F];
    let used = if has_second { &used[..] } else { &used[..5] };
    if let Some(missing) = used.iter().find(|reg| !machine.registers.contains(**reg)) {
        let (last, with) = if has_second { ("F", " with a second convolution") } else { ("E", "") };
        let needs = format!("a network in the pixels{with} needs `A` to `{last}`");
        return Some(format!("the machine has no register {missing}; {needs}"));
    }
    let (found, wanted) = (usize::from(machine.bits), Dreg::COUNT);
    (found < wanted).then(|| {
        format!("the machine has {found} digital registers; a network in the pixels needs {wanted}, `R0` to `R12`")
    })
}

/// The row of weights and the place within it that an error is about.
const fn weight_of(error: &InPixelError, network: &Declaration) -> Option<(usize, Option<usize>)> {
    match *error {
        InPixelError::NotBinary { filter, row, column, .. } => Some((filter, Some(row * network.taps + column))),
        InPixelError::NotOne { convolution, filter, row, column, .. } => {
            let taps = match (convolution, &network.second) {
                (1, Some(second)) => second.taps,
                _ => network.taps,
            };
            Some((filter, Some(row * taps + column)))
        }
        InPixelError::FilterWeights { filter, .. } | InPixelError::Weights { filter, .. } => Some((filter, None)),
        InPixelError::NotTernary { feature, class, .. } => Some((feature, Some(class))),
        InPixelError::Uneven { feature, .. } => Some((feature, None)),
        _ => None,
    }
}
