//! Digital filters: kernels on numbers in bits.

use cain_digital::{Declaration, DeclarationError, Format, Formula, Input, Output};

use super::{bits as of_bits, check_parameters, exact_sums, logic};
use crate::errors::Errors;
use crate::kinds::digital::tree::Bits;
use crate::tree::{Body, GainOption, Header, PatienceOption, Place};

/// The parameters of the generated function beside its inputs.
const PARAMETERS: [&str; 2] = ["scamp", "scratch"];

/// The format of numbers of that width, which is negative for two's complement and nothing if it has more than 64 bits.
pub(crate) fn format(width: Option<i64>, found: &str) -> Result<Format, String> {
    let format = width.and_then(|width| Format::new(u32::try_from(width.unsigned_abs()).ok()?, width < 0));
    let most = Format::MAX_BITS;
    format.ok_or_else(|| format!("a number has 1 to {most} bits, or -1 to -{most} if it is signed; found `{found}`"))
}

/// The declaration of a digital filter; `None` if there was a mistake in it, here or before.
pub(crate) fn declaration<S: Place>(header: &Header<S>, body: &Body<S>, errors: &mut Errors<S>) -> Option<Declaration> {
    refuse_options(header, body, errors);
    of_bits::refuse_order(body, errors);
    check_parameters(header, &PARAMETERS, errors);
    let Some(bits) = &body.bits else {
        // A mistake in them has been reported.
        if errors.is_empty() {
            errors.add(header.name.at, format_args!("a digital filter needs the bits of its inputs; add {}", S::BITS));
        }
        return None;
    };
    let inputs = header.inputs.iter().enumerate().filter_map(|(i, input)| {
        let format = *bits.formats.get(i).or(bits.formats.first())?;
        Some(Input { name: input.register.value.clone(), format, keep: input.keep, at: None })
    });
    let nodes = body.search.nodes.as_ref();
    if let Some(nodes) = nodes.filter(|nodes| nodes.value == 0) {
        errors.add(nodes.at, "a search needs at least one node");
    }
    let mut functions = logic::functions(header, body, bits, errors);
    let sums = exact_sums(header, body, errors).into_iter().enumerate();
    let formulas = sums.map(|(i, kernel)| functions.remove(&i).map_or(Formula::Sum(kernel), Formula::Logic));
    let names = header.outputs.iter().map(|output| output.value.clone());
    let declaration = Declaration {
        name: header.name.value.clone(),
        inputs: inputs.collect(),
        outputs: names.zip(formulas).map(|(name, formula)| Output { name, formula }).collect(),
        flag: true,
        nodes: nodes.map_or(Declaration::DEFAULT_NODES, |nodes| nodes.value),
    };
    let is_read = body.is_read();
    if is_read
        && errors.is_empty()
        && let Err(error) = declaration.check()
    {
        errors.add(place_of(&error, header, bits), error);
    }
    (is_read && errors.is_empty()).then_some(declaration)
}

/// Reports options that mean nothing for bits.
pub(crate) fn refuse_options<S: Place>(header: &Header<S>, body: &Body<S>, errors: &mut Errors<S>) {
    let Body { search, approximate, interruptible, .. } = body;
    let scratch = header.scratch.as_ref().map(|scratch| scratch.first().map_or(header.name.at, |first| first.at));
    let options = [
        ("scratch", scratch),
        ("approximate", approximate.as_ref().map(|approximate| approximate.error.at)),
        ("patience", search.patience.as_ref().map(PatienceOption::at)),
        ("book", search.book.as_ref().map(|option| option.at)),
        ("memory", search.memory.as_ref().map(|option| option.at)),
        ("objective", search.objective.as_ref().map(|option| option.at)),
        ("offset", search.offset.as_ref().map(|option| option.at)),
        ("input", search.input.as_ref().map(|option| option.at)),
        ("max_gain", search.max_gain.as_ref().map(GainOption::at)),
        ("accuracy", search.accuracy.as_ref().map(|option| option.at)),
    ];
    for (name, at) in options {
        if let Some(at) = at {
            errors.add(at, format_args!("`{name}` means nothing for filters on bits, which are exact; remove it"));
        }
    }
    if let Some(words) = &search.max_words {
        errors.add(words.at, "the programs of filters on bits cannot be limited; remove `max_words`");
    }
    if let Some(interruptible) = interruptible {
        let at = interruptible.first().map_or(header.name.at, |first| first.at);
        errors.add(at, "filters on bits cannot be left while they run; remove `interruptible`");
    }
}

/// The place at which to report a mistake of the declaration.
fn place_of<S: Place>(error: &DeclarationError, header: &Header<S>, bits: &Bits<S>) -> S {
    let output = |output: usize| header.outputs.get(output).map(|name| name.at);
    let place = match *error {
        DeclarationError::InputTwice { input } => header.inputs.get(input).map(|input| input.register.at),
        DeclarationError::InputBits { .. } | DeclarationError::OutputBits { .. } => Some(bits.at),
        DeclarationError::OutputTwice { output: place }
        | DeclarationError::Fraction { output: place, .. }
        | DeclarationError::NoSuchChannel { output: place, .. }
        | DeclarationError::Distance { output: place }
        | DeclarationError::Size { output: place }
        | DeclarationError::NoSuchBit { output: place, .. }
        | DeclarationError::Width { output: place } => output(place),
        _ => None,
    };
    place.unwrap_or(header.name.at)
}
