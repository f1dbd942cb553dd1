//! Filters over super-pixels: numbers whose bits are spread over blocks of PEs.

use cain_digital::superpixel::{Carry, Converter, Declaration, DeclarationError, Input, Layout, Output, Then};
use cain_isa::Reg;

use super::digital::refuse_options;
use super::{bits, check_parameters, exact_sums};
use crate::errors::Errors;
use crate::kinds::digital::tree::{Converted, SuperPixel};
use crate::names;
use crate::tree::{At, Body, Header, InputRegister, Place};

/// The parameters of the generated function beside its inputs, and the fields of its registers.
const PARAMETERS: [&str; 4] = ["scamp", "scratch", "reserved", "prepared"];

/// The way of carries with that name.
pub(crate) fn carry(name: &str) -> Result<Carry, String> {
    match name {
        "prop" => Ok(Carry::Propagate),
        "steps" => Ok(Carry::Steps),
        other => Err(names::unknown("carry", other, &["prop", "steps"])),
    }
}

/// The analogue register of that name.
pub(crate) fn analogue(name: &str) -> Result<Reg, String> {
    Reg::SCAMP5.into_iter().find(|known| known.to_string() == name).ok_or_else(|| {
        let all = Reg::SCAMP5.map(|known| known.to_string());
        names::unknown("analogue register", name, &all.each_ref().map(String::as_str))
    })
}

/// A converter of so many bits, as many as there are if it is not said how many, from that one on, which is counted from 1.
pub(crate) fn converter(
    register: Reg,
    bits: Option<usize>,
    unit: usize,
    layout: &Layout,
) -> Result<Converter, &'static str> {
    let unit = unit.checked_sub(1).ok_or("bits are counted from 1, as in `order`; begin with `unit = 1`")?;
    let bits = bits.unwrap_or_else(|| Converter::MAX_BITS.min(layout.places(0).len()));
    Ok(Converter { register, bits, unit })
}

/// The declaration of a filter over super-pixels; `None` if there was a mistake in it, here or before.
pub(crate) fn declaration<S: Place>(header: &Header<S>, body: &Body<S>, errors: &mut Errors<S>) -> Option<Declaration> {
    refuse_options(header, body, errors);
    check_parameters(header, &PARAMETERS, errors);
    if let Some(bits) = &body.bits {
        errors.add(bits.at, "the bits of super-pixels are in `superpixel.order`; remove `bits`");
    }
    let Some(super_pixel) = &body.super_pixel else {
        // A mistake in it has been reported.
        if errors.is_empty() {
            let message = format!("a filter over super-pixels needs the order of their bits; add {}", S::ORDER);
            errors.add(header.name.at, message);
        }
        return None;
    };
    check_names(header, super_pixel, errors);
    let bank_of =
        |name: &str| super_pixel.banks.iter().find(|(known, ..)| known == name).map_or(0, |(_, bank, _)| *bank);
    let input = |register: &InputRegister<S>| {
        let name = register.register.value.clone();
        let converted = super_pixel.adc.iter().find(|known| known.number == name).map(|known| known.converter);
        Input { bank: bank_of(&name), name, keep: register.keep, converted }
    };
    let nodes = body.search.nodes.as_ref();
    if let Some(nodes) = nodes.filter(|nodes| nodes.value == 0) {
        errors.add(nodes.at, "a search needs at least one node");
    }
    bits::refuse_expressions(body, errors);
    let kernels = exact_sums(header, body, errors);
    let output = |(name, kernel): (String, _)| {
        let bias = super_pixel.biases.iter().find(|(known, ..)| *known == name).map_or(0, |(_, bias, _)| *bias);
        let has = |list: &[At<String, S>]| list.iter().any(|known| known.value == name);
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
    let is_read = body.is_read();
    if is_read
        && errors.is_empty()
        && let Err(error) = declaration.check()
    {
        errors.add(place_of(&error, header, super_pixel), error);
    }
    (is_read && errors.is_empty()).then_some(declaration)
}

/// Reports numbers of the same name, and banks of numbers that do not exist.
fn check_names<S: Place>(header: &Header<S>, super_pixel: &SuperPixel<S>, errors: &mut Errors<S>) {
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
fn place_of<S: Place>(error: &DeclarationError, header: &Header<S>, super_pixel: &SuperPixel<S>) -> S {
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
            converted(&super_pixel.adc, name).map_or(super_pixel.at, |known| known.at)
        }
        DeclarationError::OutputConverter { output, .. } => {
            let name = header.outputs.get(output).map(|output| &output.value);
            converted(&super_pixel.dac, name).map_or(super_pixel.at, |known| known.at)
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

/// The converter of a number.
fn converted<'c, S>(converters: &'c [Converted<S>], name: Option<&String>) -> Option<&'c Converted<S>> {
    converters.iter().find(|known| Some(&known.number) == name)
}
