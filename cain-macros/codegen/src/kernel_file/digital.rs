//! Digital filters: kernels on numbers in bits.

use cain_search::digital::{Declaration, DeclarationError, Format, Input, Output, SearchError};
use toml::de::{DeInteger, DeValue};

use super::entry::Entry;
use super::notation::Mark;
use super::table::FilterTable;
use super::{Diagnostic, Position, about};
use crate::diagnostic::Positions;
use crate::errors::Errors;
use crate::lower;
use crate::tree::{GainOption, Header, InputRegister, SearchOptions};

/// The name of the instruction set of digital filters.
pub(crate) const ISA: &str = "digital";

/// A digital filter of a kernel file, checked.
#[derive(Clone, Debug)]
pub struct DigitalFilter {
    /// The declaration.
    pub declaration: Declaration,
    /// The documentation in the file.
    pub doc: Option<String>,
    /// The place of the name.
    place: Position,
    /// The place of the bits.
    bits_place: Position,
    /// The place of the node budget.
    nodes_place: Option<Position>,
}

impl DigitalFilter {
    /// The name of the filter.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.declaration.name
    }

    /// The message about a failed search.
    #[must_use]
    pub fn search_failed(&self, error: &SearchError) -> Diagnostic {
        let place = match error {
            SearchError::Budget { .. } => self.nodes_place.unwrap_or(self.place),
            SearchError::Registers => self.bits_place,
            _ => self.place,
        };
        about(self.name(), place, &error.to_string())
    }

    /// A message about the filter as a whole.
    #[must_use]
    pub fn diagnostic(&self, message: &str) -> Diagnostic {
        about(self.name(), self.place, message)
    }
}

/// The bits of numbers as the file gives them, negative for two's complement.
#[derive(Debug)]
pub(crate) struct Bits {
    pub(super) at: Mark,
    /// One for each input, or one for all of them.
    formats: Vec<Format>,
}

/// Reads `bits`: a whole number for all inputs, or a table with one for each.
pub(crate) fn bits(entry: &Entry<'_>, inputs: &[InputRegister<Mark>], errors: &mut Errors<Mark>) -> Option<Bits> {
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
    let format = width.and_then(|width| Format::new(u32::try_from(width.unsigned_abs()).ok()?, width < 0));
    if format.is_none() {
        let (most, found) = (Format::MAX_BITS, number.as_str());
        let message = format_args!("a number has 1 to {most} bits, or -1 to -{most} if it is signed; found `{found}`");
        entry.wrong(message, errors);
    }
    format
}

/// Checks the table of a digital filter.
pub(super) fn check(
    table: FilterTable,
    positions: &mut Positions<'_>,
    errors: &mut Errors<Mark>,
) -> Option<DigitalFilter> {
    let FilterTable { header, body, doc, bits } = table;
    refuse_options(&header, &body.search, body.approximate.as_ref().map(|approximate| approximate.error.at), errors);
    let Some(bits) = bits else {
        // A mistake in them has been reported.
        if errors.is_empty() {
            errors.add(header.name.at, "a digital filter needs the bits of its inputs; add `bits = 1`");
        }
        return None;
    };
    let inputs = header.inputs.iter().enumerate().filter_map(|(i, input)| {
        let format = *bits.formats.get(i).or(bits.formats.first())?;
        Some(Input { name: input.register.value.clone(), format, keep: input.keep })
    });
    let nodes = body.search.nodes.as_ref();
    if let Some(nodes) = nodes.filter(|nodes| nodes.value == 0) {
        errors.add(nodes.at, "a search needs at least one node");
    }
    let kernels = lower::exact_sums(&header, &body, errors);
    let names = header.outputs.iter().map(|output| output.value.clone());
    let declaration = Declaration {
        name: header.name.value.clone(),
        inputs: inputs.collect(),
        outputs: names.zip(kernels).map(|(name, kernel)| Output { name, kernel }).collect(),
        flag: true,
        nodes: nodes.map_or(Declaration::DEFAULT_NODES, |nodes| nodes.value),
    };
    if errors.is_empty()
        && let Err(error) = declaration.check()
    {
        errors.add(place_of(&error, &header, &bits), error);
    }
    errors.is_empty().then(|| DigitalFilter {
        declaration,
        doc,
        place: positions.of(header.name.at.0),
        bits_place: positions.of(bits.at.0),
        nodes_place: nodes.map(|nodes| positions.of(nodes.at.0)),
    })
}

/// Reports options that mean nothing for bits.
fn refuse_options(
    header: &Header<Mark>,
    search: &SearchOptions<Mark>,
    approximate: Option<Mark>,
    errors: &mut Errors<Mark>,
) {
    let scratch = header.scratch.as_ref().map(|scratch| scratch.first().map_or(header.name.at, |first| first.at));
    let options = [
        ("scratch", scratch),
        ("approximate", approximate),
        ("memory", search.memory.as_ref().map(|option| option.at)),
        ("objective", search.objective.as_ref().map(|option| option.at)),
        ("offset", search.offset.as_ref().map(|option| option.at)),
        ("input", search.input.as_ref().map(|option| option.at)),
        ("max_gain", search.max_gain.as_ref().map(GainOption::at)),
        ("accuracy", search.accuracy.as_ref().map(|option| option.at)),
    ];
    for (name, at) in options {
        if let Some(at) = at {
            errors.add(at, format_args!("`{name}` means nothing for digital filters, which are exact; remove it"));
        }
    }
}

/// The place at which to report a mistake of the declaration.
fn place_of(error: &DeclarationError, header: &Header<Mark>, bits: &Bits) -> Mark {
    let output = |output: usize| header.outputs.get(output).map(|name| name.at);
    let place = match *error {
        DeclarationError::InputTwice { input } => header.inputs.get(input).map(|input| input.register.at),
        DeclarationError::InputBits { .. } | DeclarationError::OutputBits { .. } => Some(bits.at),
        DeclarationError::OutputTwice { output: place }
        | DeclarationError::Fraction { output: place, .. }
        | DeclarationError::NoSuchChannel { output: place, .. }
        | DeclarationError::Distance { output: place }
        | DeclarationError::Width { output: place } => output(place),
        _ => None,
    };
    place.unwrap_or(header.name.at)
}
