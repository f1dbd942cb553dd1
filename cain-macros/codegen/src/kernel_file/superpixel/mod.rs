//! Filters over super-pixels: numbers whose bits are spread over blocks of PEs.

mod fields;

use cain_search::digital::superpixel::{Declaration, DeclarationError, Input, Output, Then};

use super::exact::{Places, SuperPixelFilter};
use super::notation::Mark;
use super::table::FilterTable;
use crate::diagnostic::Positions;
use crate::errors::Errors;
use crate::lower;
use crate::lower::digital::refuse_options;
use crate::names;
use crate::tree::{At, Header};

pub(crate) use fields::{SuperPixel, super_pixel};

/// The name of the instruction set of filters over super-pixels.
pub(crate) const ISA: &str = "superpixel";

/// What is said about the order of bits in a filter of another kind.
pub(super) const MISPLACED: &str =
    "only filters over super-pixels have `superpixel`; add `search = { isa = \"superpixel\" }`";

/// Checks the table of a filter over super-pixels.
pub(super) fn check(
    table: FilterTable,
    positions: &mut Positions<'_>,
    errors: &mut Errors<Mark>,
) -> Option<SuperPixelFilter> {
    let FilterTable { header, body, doc, super_pixel } = table;
    refuse_options(&header, &body.search, body.approximate.as_ref().map(|approximate| approximate.error.at), errors);
    if let Some(bits) = &body.bits {
        errors.add(bits.at, "the bits of super-pixels are in `superpixel.order`; remove `bits`");
    }
    let Some(super_pixel) = super_pixel else {
        // A mistake in it has been reported.
        if errors.is_empty() {
            let message = "a filter over super-pixels needs the order of their bits; add \
                           `superpixel = { order = [[1, 2], [4, 3]] }`";
            errors.add(header.name.at, message);
        }
        return None;
    };
    check_names(&header, &super_pixel, errors);
    let bank_of =
        |name: &str| super_pixel.banks.iter().find(|(known, ..)| known == name).map_or(0, |(_, bank, _)| *bank);
    let input = |register: &crate::tree::InputRegister<Mark>| {
        let name = register.register.value.clone();
        let converted = super_pixel.adc.iter().find(|known| known.number == name).map(|known| known.converter);
        Input { bank: bank_of(&name), name, keep: register.keep, converted }
    };
    let nodes = body.search.nodes.as_ref();
    if let Some(nodes) = nodes.filter(|nodes| nodes.value == 0) {
        errors.add(nodes.at, "a search needs at least one node");
    }
    lower::logic::refuse(&body, errors);
    let kernels = lower::exact_sums(&header, &body, errors);
    let output = |(name, kernel): (String, _)| {
        let bias = super_pixel.biases.iter().find(|(known, ..)| *known == name).map_or(0, |(_, bias, _)| *bias);
        let has = |list: &[At<String, Mark>]| list.iter().any(|known| known.value == name);
        let then = match (has(&super_pixel.rectified), has(&super_pixel.compared)) {
            (true, _) => Then::Rectify,
            (false, true) => Then::Compare,
            (false, false) => Then::Nothing,
        };
        let converted = super_pixel.dac.iter().find(|known| known.number == name).map(|known| known.converter);
        Output { bank: bank_of(&name), name, kernel, bias, then, converted }
    };
    let names = header.outputs.iter().map(|output| output.value.clone());
    let declaration = Declaration {
        name: header.name.value.clone(),
        layout: super_pixel.layout.clone(),
        carry: super_pixel.carry,
        inputs: header.inputs.iter().map(input).collect(),
        outputs: names.zip(kernels).map(output).collect(),
        nodes: nodes.map_or(Declaration::DEFAULT_NODES, |nodes| nodes.value),
    };
    if errors.is_empty()
        && let Err(error) = declaration.check()
    {
        errors.add(place_of(&error, &header, &super_pixel), error);
    }
    errors.is_empty().then(|| SuperPixelFilter {
        declaration,
        doc,
        places: Places {
            name: positions.of(header.name.at.0),
            bits: positions.of(super_pixel.at.0),
            nodes: nodes.map(|nodes| positions.of(nodes.at.0)),
        },
    })
}

/// Reports numbers of the same name, and banks of numbers that do not exist.
fn check_names(header: &Header<Mark>, super_pixel: &SuperPixel, errors: &mut Errors<Mark>) {
    let inputs: Vec<&str> = header.inputs.iter().map(|input| input.register.value.as_str()).collect();
    for (place, input) in header.inputs.iter().enumerate() {
        if inputs.iter().take(place).any(|earlier| *earlier == input.register.value) {
            errors.add(input.register.at, "two inputs have the same name; rename one");
        }
    }
    let outputs: Vec<&str> = header.outputs.iter().map(|output| output.value.as_str()).collect();
    let biased = super_pixel.biases.iter().map(|(name, _, at)| (name, *at));
    let marked = super_pixel.rectified.iter().chain(&super_pixel.compared).map(|name| (&name.value, name.at));
    let converted = super_pixel.dac.iter().map(|known| (&known.number, known.at));
    for (name, at) in biased.chain(marked).chain(converted) {
        if !outputs.contains(&name.as_str()) {
            errors.add(at, names::unknown("output", name, &outputs));
        }
    }
    for name in
        super_pixel.compared.iter().filter(|name| super_pixel.rectified.iter().any(|known| known.value == name.value))
    {
        errors.add(name.at, "what is compared is not negative as `relu` means it; name it in one of the two lists");
    }
    for known in super_pixel.adc.iter().filter(|known| !inputs.contains(&known.number.as_str())) {
        errors.add(known.at, names::unknown("input", &known.number, &inputs));
    }
    let known: Vec<&str> = inputs.iter().chain(&outputs).copied().collect();
    for (name, _, at) in &super_pixel.banks {
        if !known.contains(&name.as_str()) {
            errors.add(*at, names::unknown("number", name, &known));
        }
    }
}

/// The place at which to report a mistake of the declaration.
fn place_of(error: &DeclarationError, header: &Header<Mark>, super_pixel: &SuperPixel) -> Mark {
    let bank = |name: Option<&String>| {
        super_pixel.banks.iter().find(|(known, ..)| Some(known) == name).map_or(super_pixel.at, |(_, _, at)| *at)
    };
    match *error {
        DeclarationError::InputBank { input, .. } => bank(header.inputs.get(input).map(|input| &input.register.value)),
        DeclarationError::OutputBank { output, .. } => bank(header.outputs.get(output).map(|output| &output.value)),
        DeclarationError::Bias { output, .. } => {
            let name = header.outputs.get(output).map(|output| &output.value);
            super_pixel.biases.iter().find(|(known, ..)| Some(known) == name).map_or(super_pixel.at, |(_, _, at)| *at)
        }
        DeclarationError::InputConverter { input, .. } => {
            let name = header.inputs.get(input).map(|input| &input.register.value);
            super_pixel.adc.iter().find(|known| Some(&known.number) == name).map_or(super_pixel.at, |known| known.at)
        }
        DeclarationError::OutputConverter { output, .. } => {
            let name = header.outputs.get(output).map(|output| &output.value);
            super_pixel.dac.iter().find(|known| Some(&known.number) == name).map_or(super_pixel.at, |known| known.at)
        }
        DeclarationError::HalvedComparison { output }
        | DeclarationError::Shapes { output }
        | DeclarationError::NoSuchChannel { output, .. }
        | DeclarationError::Distance { output }
        | DeclarationError::Denominator { output }
        | DeclarationError::Weight { output } => header.outputs.get(output).map_or(header.name.at, |name| name.at),
        _ => header.name.at,
    }
}
